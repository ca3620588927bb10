"""Quantities beside the prices of a list: whether a price is that of one piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from catalog import tables
from catalog.cell_formats import Amount
from catalog.price_columns import money
from catalog.tables import Unreadable
from sizing.articles.tables import QUANTITY_HEADINGS

MOST = 100_000
TOTALS = ("amount", "sum", "total", "стоимость", "сумма", "итого", "всего")
_ROUNDED = Decimal("0.02")


def check(values: Mapping[str, Any], *, price: Decimal | None, heading: str, decimal: str) -> None:
    """Refuse a row whose price could be that of all its pieces.

    Parameters
    ----------
    heading : str
        The heading of the column that `price` was read from.

    Raises
    ------
    Unreadable
        For a quantity that nobody sells, and for a price that could be that of all pieces.
    """
    quantity = _quantity(values)
    if quantity is None or quantity <= 1 or price is None:
        return
    named = {"count": quantity}
    totals = list(_totals(values, heading, decimal))
    if any(_is_near(total, price * quantity) for total in totals):
        return
    if any(_is_near(total, price) for total in totals) or heading.split(",")[0].strip() in TOTALS:
        text = _("could be the price of one piece or of all %(count)s. Head the column “Unit price” and give that.")
        raise Unreadable(text % named)


def _quantity(values: Mapping[str, Any]) -> Decimal | None:
    """The quantity of a row; None where it has none, or a word instead ("in stock")."""
    cell = next((values[name] for name in QUANTITY_HEADINGS if values.get(name) not in (None, "")), None)
    text = "" if cell is None else str(cell).strip()
    if not text[:1].isdigit() and text[:1] not in ("-", "−", "+"):
        return None
    first = text.split("\u00a0")[0].split(" ")[0].replace("−", "-").removesuffix(".0")
    try:
        number = tables.amount(first, ".")
    except Unreadable:
        return None
    if not 0 <= number <= MOST or number != number.to_integral_value():
        raise Unreadable(
            _("%(value)s: a quantity is a whole number up to %(most)s") % {"value": text[:20], "most": MOST}
        )
    return number


def _totals(values: Mapping[str, Any], heading: str, decimal: str) -> Iterator[Decimal]:
    for name in TOTALS:
        if name != heading and values.get(name) not in (None, ""):
            cell = money(values[name])[0]
            try:
                yield Decimal(str(float(cell))) if isinstance(cell, Amount) else tables.amount(cell, decimal)
            except Unreadable:
                continue


def _is_near(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= max(_ROUNDED, other * Decimal("0.0001"))
