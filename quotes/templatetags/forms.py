"""What form templates ask of a bound field."""

from typing import Any

from django import template
from django.forms.boundfield import BoundField

register = template.Library()


@register.simple_tag
def hint_of(bound: BoundField, value: str) -> Any:
    """Return the explanation of one answer, or nothing."""
    return getattr(bound.field, "hints", {}).get(value, "")


@register.simple_tag
def companion(bound: BoundField) -> BoundField | None:
    """Return the must-or-prefer question beside a limit."""
    name = f"{bound.name}_strength"
    return bound.form[name] if name in bound.form.fields else None


@register.simple_tag
def described(bound: BoundField) -> str:
    """Return the ids of the hint and the error, for screen readers."""
    parts = [f"id_{bound.name}_hint"] if bound.help_text else []
    parts += [f"id_{bound.name}_error"] if bound.errors else []
    return " ".join(parts)


@register.simple_tag
def short_label(bound: BoundField) -> Any:
    """Return the short label of the expert sheet, else the label itself."""
    return getattr(bound.field, "short", "") or bound.label


@register.simple_tag
def is_stated(bound: BoundField) -> bool:
    """Say whether the customer answered, and not the form's own first choice stands there."""
    value = bound.value()
    return bool(value) and str(value) != str(bound.field.initial)
