"""A measured profile in a JSON file: what it must say so that the calculation may use it."""

from __future__ import annotations

import math
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from quotes import json_files

FIGURES = ("peak_gib", "step_seconds")
LOAD = ("sequence_length", "micro_batch")


def read_profile(content: bytes) -> dict[str, Any]:
    """Read a profile into form values; raise ValidationError with what is missing.

    The file holds ``peak_gib`` [GiB] or ``step_seconds`` [s], and ``sequence_length`` [token]; ``micro_batch``
    [sequence] is taken where it is there. A profile without its load cannot be compared with any calculation.
    """
    try:
        parsed = json_files.load(content)
    except (ValueError, RecursionError) as error:
        raise ValidationError(_("A profile that is read is a JSON file."), code="not_json") from error
    if not isinstance(parsed, dict):
        raise ValidationError(_("A profile is a JSON object with named figures."), code="not_object")
    found = {name: parsed[name] for name in (*FIGURES, *LOAD) if parsed.get(name) is not None}
    wrong = next((name for name, value in found.items() if not _is_positive(value)), None)
    if wrong:
        raise ValidationError(
            _("The profile’s “%(name)s” must be a positive number."), code="wrong_type", params={"name": wrong}
        )
    if not any(name in found for name in FIGURES):
        raise ValidationError(
            _("The profile lacks peak_gib or step_seconds: there is nothing measured in it."), code="no_figures"
        )
    if "sequence_length" not in found:
        raise ValidationError(
            _("The profile lacks sequence_length: a measurement holds only for the load it was made with."),
            code="no_load",
        )
    return found


def _is_positive(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0


def form_values(found: dict[str, Any], typed: dict[str, Any]) -> dict[str, str]:
    """Give the profile as form values; the load is filled in only where the customer typed none."""
    values = {f"profile_{name}": "" for name in (*FIGURES, "sequence_length")}
    values |= {f"profile_{name}": str(found[name]) for name in (*FIGURES, "sequence_length") if name in found}
    return values | {name: str(found[name]) for name in LOAD if name in found and not typed.get(name)}
