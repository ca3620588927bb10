"""Whether a listed price includes tax, and at what rate: columns of the tax hold a word, a rate or an amount.

A percent sign makes a number a rate; without one only a column of rates, or a number that can be nothing else, is
read as one. What could be two things is refused (docs/decisions/0055).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from catalog.price_words import NO, SUBJECTS, YES
from catalog.tables import Unreadable

COLUMNS = ("includes_tax", "tax", "tax_rate")
AMOUNT_SHARES = (Decimal("0.04"), Decimal("0.30"))
"""Shares of a price that a tax in use can be: from 5 % of a gross price to the highest rates on a net one."""
_SAID = re.compile(r"(?P<before>[^\d%]*)(?P<number>\d+(?:[.,]\d{1,2})?)\s*(?P<sign>%?)(?P<after>[^\d%]*)")


class Unclear(Unreadable):
    """A cell, or two that contradict each other, from which the tax cannot be told; names the column."""

    def __init__(self, column: str, message: str) -> None:
        self.column = column
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Tax:
    """What one cell says: whether the tax is in the price, and its rate [%]; None where it does not say."""

    is_included: bool | None = None
    rate: Decimal | None = None


def read(cells: Mapping[str, Any], *, price: Decimal | None, in_heading: bool | None) -> Tax:
    """What a row says of its tax.

    Parameters
    ----------
    cells : mapping
        Values of the row by column, of those in `COLUMNS`.
    price : Decimal, optional
        The price beside them, None where it could not be read.
    in_heading : bool, optional
        What the heading of the price says.

    Raises
    ------
    Unclear
        For a value that is none, could be two things, or contradicts another of the row.
    """
    said = [(column, _one(column, cells[column], price)) for column in COLUMNS]
    return Tax(
        _agreed([("price", in_heading), *((column, tax.is_included) for column, tax in said)]),
        _agreed((column, tax.rate) for column, tax in said),
    )


def _agreed[ValueT](said: Iterator[tuple[str, ValueT | None]] | list[tuple[str, ValueT | None]]) -> ValueT | None:
    agreed: ValueT | None = None
    for column, value in said:
        if value is None:
            continue
        if agreed is not None and agreed != value:
            raise Unclear(column, _("two columns of this row say different things of the tax"))
        agreed = value
    return agreed


def _one(column: str, value: Any, price: Decimal | None) -> Tax:
    text = " ".join(str(value).split()).casefold()
    if text in ("", "none"):
        return Tax()
    is_digit = text in ("0", "1")
    if text in YES | NO and (column == "includes_tax" or (column == "tax" and not is_digit)):
        return Tax(text in YES)
    found = _SAID.fullmatch(text)
    words = f"{found['before']} {found['after']}".strip(" :,;()") if found else text
    if found is None or words not in YES | NO | SUBJECTS:
        raise Unclear(column, _("write yes or no, or the rate with a percent sign: is the tax in the price?"))
    rate = Decimal(found["number"].replace(",", "."))
    if rate > 100:
        raise Unclear(column, _("a tax rate is from 0 to 100 %"))
    if not found["sign"]:
        _check_bare(column, text, rate, price)
    is_included = words in YES if words in YES | NO else (True if column == "includes_tax" else None)
    return Tax(is_included, rate.quantize(Decimal("0.01")))


def _check_bare(column: str, text: str, rate: Decimal, price: Decimal | None) -> None:
    """Refuse a number without a percent sign that could be something else than a rate."""
    shown = {"value": text[:20]}
    if 0 < rate < 1:
        raise Unclear(column, _("%(value)s: a share or a percentage? Write the rate with a percent sign.") % shown)
    if column == "tax_rate":
        return
    if column == "includes_tax":
        text = _("%(value)s: the rate, or a price with tax? Write yes or no, or the rate with a percent sign.")
        raise Unclear(column, text % shown)
    if rate in (0, 1):
        text = _("%(value)s: a rate, or yes or no? Write one of the words, or the rate with a percent sign.")
        raise Unclear(column, text % shown)
    if price and AMOUNT_SHARES[0] <= rate / price <= AMOUNT_SHARES[1]:
        text = _("%(value)s could be the rate or the amount of the tax. Write the rate with a percent sign.")
        raise Unclear(column, text % shown)
