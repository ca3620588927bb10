"""What one state of a row changed against the one before it, in words."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Field, ManyToManyField, Model
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from simple_history.template_utils import HistoricalRecordContextHelper

from catalog.units import figure

JUDGED = {"state", "judged_by_name", "judged_at", "evidence", "evidence_file", "valid_until", "superseded_on"}
"""Columns that no form writes and a history is read for."""


class InWords(HistoricalRecordContextHelper):
    """Values as people read them: words of choices, yes and no, a dash for nothing."""

    def prepare_delta_change_value(self, change: Any, value: Any) -> Any:
        """Write one value of a change."""
        prepared = super().prepare_delta_change_value(change, value)
        field = self.model._meta.get_field(change.field)
        if isinstance(field, ManyToManyField):
            return ", ".join(str(row) for row in prepared) or "–"
        return written(field, prepared)


def written(field: Any, value: Any) -> Any:
    """A column's value in words."""
    if value in (None, ""):
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, datetime.datetime):
        return date_format(timezone.localtime(value), "DATETIME_FORMAT")
    if isinstance(value, datetime.date):
        return date_format(value)
    if isinstance(value, int | float | Decimal) and not field.choices:
        return figure(value)
    choices = dict(field.flatchoices) if isinstance(field, Field) and field.choices else {}
    return str(choices.get(value, value))


def difference(model: type[Model], record: Any, former: Any) -> list[dict[str, Any]]:
    """Columns that a state changed, each with its name, the old and the new value."""
    delta = record.diff_against(former, foreign_keys_are_objs=True)
    typed: list[dict[str, Any]] = InWords(model, record).context_for_delta_changes(delta)
    judged = (field for field in record.tracked_fields if field.name in JUDGED)
    return typed + [
        {
            "field": capfirst(field.verbose_name),
            "old": written(field, getattr(former, field.name)),
            "new": written(field, getattr(record, field.name)),
        }
        for field in judged
        if getattr(former, field.name) != getattr(record, field.name)
    ]
