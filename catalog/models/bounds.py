"""What a number of the catalog can plausibly be: a slip of the unit or of the decimal sign is refused in words."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

MOST = {
    "_tb_s": 1_000,
    "_gb_s": 100_000,
    "_mb_s": 1_000_000,
    "_gbit_s": 100_000,
    "_tbit_s": 100_000,
    "_mt_s": 100_000,
    "_tflops": 1_000_000,
    "_tops": 1_000_000,
    "_iops": 1_000_000_000,
    "_gib": 100_000,
    "_mib": 100_000_000,
    "_gb": 100_000,
    "_tb": 100_000,
    "_ghz": 100,
    "_kg": 10_000,
    "_mm": 10_000,
    "_months": 600,
    "_days": 3_650,
    "tdp_w": 20_000,
    "_w": 1_000_000,
    "_c": 200,
    "_gen": 30,
    "_lanes": 10_000,
    "_percent": 100,
    "rack_units": 100,
    "slots": 10_000,
    "ports": 10_000,
    "cores": 10_000,
    "threads": 10_000,
    "channels": 1_000,
    "dwpd": 1_000,
    "quantity": 1_000_000,
    "context_length": 100_000_000,
    "parameters": 10**15,
}
"""The most by the end of a column's name, far above anything sold; the first that fits counts."""

MOST_OF_ANYTHING = 10_000
COLDEST_C = -100


class WithinBounds(models.Model):
    """A row whose numbers are checked against what they can plausibly be, in forms and imports alike."""

    class Meta:
        abstract = True

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        """Check each column on its own.

        Raises
        ------
        ValidationError
            With the range and the unit, for each number outside of it.
        """
        faults: dict[str, Any] = {}
        try:
            super().clean_fields(exclude=exclude)
        except ValidationError as error:
            faults = error.update_error_dict({})
        for field in self._meta.concrete_fields:
            if field.name not in faults and field.name not in (exclude or ()) and is_bounded(field):
                value = getattr(self, field.attname)
                low, high = bounds_of(field.name)
                # A number that is none compares false with everything.
                if value is not None and not low <= value <= high:
                    faults[field.name] = [_refusal(field.name, value)]
        if faults:
            raise ValidationError(faults)


def is_bounded(field: Any) -> bool:
    """Whether a column is a quantity: no key, and no money, whose digits are limited already."""
    is_number = isinstance(field, models.IntegerField | models.FloatField)
    return is_number and not field.primary_key and not field.remote_field


def bounds_of(name: str) -> tuple[int, int]:
    """The least and the most of a column, in its unit."""
    most = next((most for end, most in MOST.items() if name.endswith(end)), MOST_OF_ANYTHING)
    return (COLDEST_C if name.endswith("_c") else 0), most


def _refusal(name: str, value: float) -> ValidationError:
    from catalog.units import unit_of

    low, high = bounds_of(name)
    given = number_format(value, force_grouping=True) if math.isfinite(value) and abs(value) < 1e15 else f"{value:g}"
    return ValidationError(
        _("%(value)s cannot be meant: give a number from %(low)s to %(high)s, and check the unit (%(unit)s)."),
        code="implausible",
        params={
            "value": given,
            "low": number_format(low),
            "high": number_format(high, force_grouping=True),
            "unit": unit_of(name) or _("a count"),
        },
    )
