"""Adding a language model from its configuration."""

from __future__ import annotations

import json
import re
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from catalog.models import LanguageModel
from catalog.starter.language_models import context_length as stated_context
from sizing.architecture.config import from_config
from sizing.errors import SizingError

_FIELD_PATH = re.compile(r"\bmodel\.config\.(?=\w)")


def slug_of(name: str) -> str:
    """Short name of a model, e.g. ``llama-3.1-8b``; dots stay, because versions are told apart by them."""
    return slugify(name.replace(".", "-dot-")).replace("-dot-", ".").strip(".")


def draft(
    *,
    name: str,
    config: dict[str, Any],
    hf_id: str = "",
    maker: str = "",
    license: str = "",
    context: int | None = None,
) -> LanguageModel:
    """Count a model's parameters and give the row that is not saved yet. Runs no SQL.

    Parameters
    ----------
    context : int, optional
        Longest sequence [token], where the configuration names none or another one holds.

    Raises
    ------
    ValidationError
        For an architecture that the engine cannot size, with its reason, or values that no row can hold.
    """
    slug = slug_of(name)
    try:
        shape = from_config(config, name=slug)
    except SizingError as refused:
        raise ValidationError(_FIELD_PATH.sub("", refused.text)) from refused
    if not shape.exact:
        raise ValidationError(_unknown_family(config))
    model = LanguageModel(
        slug=slug,
        name=name,
        hf_id=hf_id,
        maker=maker,
        license=license,
        family=shape.family,
        context_length=context or stated_context(config),
        parameters=shape.parameters,
        active_parameters=shape.active_parameters,
        config=_storable(config),
        edited_at=timezone.now(),
        notes="\n".join(note.text for note in shape.notes),
    )
    model.clean_fields(exclude=["config"])
    return model


def _unknown_family(config: dict[str, Any]) -> str:
    """Why a configuration that the engine only estimates stays out: the catalog holds exact counts."""
    classes = config.get("architectures")
    named = config.get("model_type") or (classes[0] if isinstance(classes, list) and classes else "")
    if not named:
        return _("The configuration names no architecture (model_type), so its parameters cannot be counted exactly.")
    text = _("The architecture “%s” is not known, so its parameters cannot be counted exactly. Nothing was added.")
    return text % str(named)[:80]


def add(**values: Any) -> LanguageModel:
    """Add a model from its configuration, with what `draft` takes.

    Raises
    ------
    ValidationError
        As `draft`, and for a name that is taken.
    """
    model = draft(**values)
    if LanguageModel.objects.filter(slug=model.slug).exists():
        raise ValidationError(_("The catalog has a model called %(name)s already.") % {"name": model.name})
    model.full_clean(exclude=["config"])
    model.save()
    return model


def _storable(config: dict[str, Any]) -> Any:
    """Copy a configuration that every database takes: numbers that are numbers, text that is text."""
    try:
        text = json.dumps(config, allow_nan=False)
        config_again = json.loads(text)
        json.dumps(config_again, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise ValidationError(_("A number or a text in this configuration cannot be stored: %s") % error) from error
    if "\\u0000" in text:
        raise ValidationError(_("The configuration holds an invisible sign (U+0000). Copy the published file again."))
    return config_again
