"""Form fields that know how they look and what they allow, and say so when an answer does not fit."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Self

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from quotes.forms import numbers

Labelled = tuple[str, Any]
LONGEST_NUMBER = 40


class Looks:
    """How a field is drawn: `unit` beside the control, `width` of it, `kind` of control, `optional` mark."""

    unit: Any = ""
    width: str = ""
    kind: str = "text"
    short: Any = ""
    strength: bool = False
    inputmode: str = ""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Share the field: our forms never change one, and copying fifty of them is most of what a form costs."""
        return self

    def look(self, **looks: Any) -> None:
        """Set what the templates read."""
        for name, value in looks.items():
            setattr(self, name, value)


class Number(Looks, forms.Field):
    """A number within bounds, typed in the reader's way; cleans to int, float or None.

    Parameters
    ----------
    low, high : float
        Allowed range, both ends included [in `unit`].
    whole : bool
        Fractions are refused.
    action : lazy str
        What to do when the value is outside, a whole sentence.
    """

    widget = forms.TextInput

    def __init__(
        self,
        *,
        low: float,
        high: float,
        whole: bool = False,
        action: Any = "",
        unit: Any = "",
        width: str = "w6",
        short: Any = "",
        strength: bool = False,
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("required", False)
        super().__init__(**kwargs)
        self.low, self.high, self.whole, self.action = low, high, whole, action
        self.look(
            kind="number",
            unit=unit,
            width=width,
            short=short,
            strength=strength,
            inputmode="numeric" if whole else "decimal",
        )

    def to_python(self, value: Any) -> float | int | None:
        """Read the typed text; an empty one is None."""
        if value in (None, ""):
            return None
        if isinstance(value, int | float) and not isinstance(value, bool):
            number: Decimal | None = Decimal(str(value))
        else:
            number = numbers.parse(str(value), whole=self.whole)
        if number is None:
            raise ValidationError(
                _("“%(value)s” is not a number. Write digits only, for example %(example)s."),
                code="not_a_number",
                params={"value": str(value)[:LONGEST_NUMBER], "example": numbers.say(self.low or 1)},
            )
        if number.adjusted() >= numbers.MOST_POWER_OF_TEN:
            typed = str(value).strip()
            raise self._outside(typed if len(typed) <= LONGEST_NUMBER else f"{typed[:LONGEST_NUMBER]}…")
        if self.whole and number != number.to_integral_value():
            raise ValidationError(
                _("A whole number is needed, given %(value)s."),
                code="not_whole",
                params={"value": numbers.say(number)},
            )
        return int(number) if self.whole else float(number)

    def validate(self, value: float | int | None) -> None:
        """Refuse what lies outside, with the range, the value and what to do."""
        super().validate(value)
        if value is None or self.low <= value <= self.high:
            return
        raise self._outside(numbers.say(value))

    def _outside(self, given: str) -> ValidationError:
        return ValidationError(
            _("Allowed is from %(low)s to %(high)s, given %(value)s. %(action)s"),
            code="out_of_range",
            params={
                "low": numbers.say(self.low),
                "high": numbers.say(self.high),
                "value": given,
                "action": self.action or _("Correct the number or leave the field empty."),
            },
        )


class Choice(Looks, forms.ChoiceField):
    """One answer out of a few; drawn as a list, a row, a segmented control or a select.

    `hints` explains single answers; `assumed` names the answer we take where none is given.
    """

    def __init__(
        self,
        *,
        choices: Iterable[Labelled],
        kind: str = "select",
        hints: dict[str, Any] | None = None,
        empty: Any = None,
        short: Any = "",
        strength: bool = False,
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("required", False)
        choices = list(choices)
        if empty is not None:
            choices = [("", empty), *choices]
        super().__init__(
            choices=choices,
            error_messages={"invalid_choice": _("“%(value)s” is not one of the answers. Choose one from the list.")},
            **kwargs,
        )
        self.hints = hints or {}
        self.look(kind=kind, short=short, strength=strength)


class Text(Looks, forms.CharField):
    """A short text; NUL and control characters are refused."""

    def __init__(
        self, *, kind: str = "text", width: str = "w20", short: Any = "", strength: bool = False, **kwargs: Any
    ) -> None:
        kwargs.setdefault("required", False)
        kwargs.setdefault("max_length", 200)
        super().__init__(**kwargs)
        self.look(kind=kind, width=width, short=short, strength=strength)

    def clean(self, value: Any) -> str:
        """Strip control characters other than line ends, then check the length."""
        text = "".join(c for c in str(value or "") if c.isprintable() or c in "\n\t")
        try:
            return str(super().clean(text))
        except ValidationError as error:
            if error.error_list[0].code != "max_length":
                raise
            raise ValidationError(
                _("At most %(limit)s characters are read, given %(length)s. Shorten it or attach a file."),
                code="max_length",
                params={"limit": numbers.say(self.max_length or 0), "length": numbers.say(len(text))},
            ) from error


class Date(Looks, forms.DateField):
    """A calendar day."""

    widget = forms.DateInput

    def __init__(self, *, short: Any = "", **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        super().__init__(
            input_formats=["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y"],
            error_messages={"invalid": _("This is not a date. Write it as 2027-03-31 or 31.03.2027.")},
            **kwargs,
        )
        self.look(kind="date", width="w10", short=short)


class Flag(Looks, forms.BooleanField):
    """Yes or no."""

    def __init__(self, *, short: Any = "", **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        super().__init__(**kwargs)
        self.look(kind="flag", short=short)


def strength(label: Any) -> Choice:
    """Ask whether a limit must hold or is preferred."""
    return Choice(
        choices=[("must", _("must hold")), ("prefer", _("preferred"))],
        kind="strength",
        label=label,
        initial="must",
    )
