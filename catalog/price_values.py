"""Values of a price list's cells, each refused in words where it cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from catalog import tables
from catalog.tables import Unreadable

LONGEST = 10_000


def positive(price: Decimal) -> Decimal:
    if not price.is_finite() or not Decimal("0.005") <= price < Decimal(10) ** 12 - Decimal("0.005"):
        raise Unreadable(_("a price is above 0 and below a trillion"))
    return price.quantize(Decimal("0.01"), ROUND_HALF_UP)


def short(value: Any) -> int | None:
    number = tables.whole(value)
    if number is not None and number > LONGEST:
        raise Unreadable(_("at most %s") % LONGEST)
    return number


def not_passed(value: Any) -> Any:
    day = tables.day(value)
    if day is not None and day < timezone.localdate():
        raise Unreadable(_("the price has ended already. Ask for a new one, or take the row out"))
    return day


def written(value: Any) -> Any:
    """A cell as it is; refuses a formula without its value, and signs that no text has."""
    if isinstance(value, str) and value.startswith("="):
        raise Unreadable(_("a formula without its value. Open the file in a spreadsheet, save it, and read it again"))
    if isinstance(value, str) and any(sign == "\x00" or "\ud800" <= sign <= "\udfff" for sign in value):
        raise Unreadable(_("the text holds signs that are not text. Type it again"))
    return value


def word(value: Any, words: Mapping[str, str]) -> str:
    text = str(value).strip().casefold()
    if text in words:
        return words[text]
    raise Unreadable(_("use one of: %s") % ", ".join(word for word in words if word))
