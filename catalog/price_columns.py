"""Columns of a price list: which heading is which, and the currency and tax that a heading or a price cell states."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from catalog.cell_formats import Amount
from catalog.money import currency_of_word
from catalog.price_words import GROSS_PRICES, HEADINGS, NET_PRICES
from catalog.tables import Row, Unreadable

_WORDS = re.compile(r"[^\W\d_]+|[$€₽¥£]")
_MONEY = re.compile(r"(?P<before>[^\d+\-−.,]*)(?P<number>[+\-−]?\s*[\d.,].*?)(?P<after>[^\d\s.,][^\d]*|)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PriceColumn:
    """A column of prices: its heading as the file has it, and what the heading says."""

    heading: str
    currency: str
    includes_tax: bool | None


def price_columns(rows: Sequence[Row]) -> list[PriceColumn]:
    """Columns of prices in the order in which they are asked.

    Raises
    ------
    Unreadable
        Where the list has no column of prices, or none of articles and names.
    """
    headings = list(dict.fromkeys(name for row in rows for name in row.values))
    prices = sorted((rank, column.heading, column) for name in headings for rank, column in _priced(name))
    found = ", ".join(headings)[:200]
    if not prices:
        text = _("No column of prices was found. Head it “Price” or “Цена”. The headings of the file: %s")
        raise Unreadable(text % found)
    if not any(name in HEADINGS[column] for name in headings for column in ("article", "name")):
        text = _("No column of articles or names was found. Head it “Article” or “Артикул”. The headings: %s")
        raise Unreadable(text % found)
    return [column for _rank, _heading, column in prices]


def _priced(heading: str) -> list[tuple[int, PriceColumn]]:
    words = _WORDS.findall(heading)
    codes = {code for word in words if (code := currency_of_word(word))}
    rest = [word for word in words if not currency_of_word(word)]
    for rank, known in enumerate(HEADINGS["price"]):
        if rest == _WORDS.findall(known) and len(codes) < 2:
            tax = True if known in GROSS_PRICES else False if known in NET_PRICES else None
            return [(rank, PriceColumn(heading, "".join(codes), tax))]
    return []


def money(value: Any) -> tuple[Any, str]:
    """A price cell as its number and the sign or word of a currency beside it, empty where it has none."""
    if isinstance(value, Amount):
        return value, value.currency
    found = _MONEY.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return value, ""
    before, after = found["before"].strip(), found["after"].strip()
    word = before or after
    if (before and after) or not currency_of_word(word):
        return value, ""
    return found["number"].strip(), word


def agreed_currency(column: Any, *, code: str, word: str, heading: str, fallback: str) -> str:
    """The currency of a row: its column, the sign in its price and the heading of the price have to agree.

    Raises
    ------
    Unreadable
        Where two of them differ, or nothing names a currency.
    """
    either = {"CNY", "JPY"} if word == "¥" else {currency_of_word(word)} - {""}
    said = {named for named in (code, heading) if named}
    if len(said) > 1 or (said and either and not said <= either):
        given = ", ".join(str(text) for text in (column, word, heading) if text)
        raise Unreadable(_("the row names two currencies: %s. Correct the one that is wrong") % given)
    if said:
        return said.pop()
    if len(either) == 1:
        return either.pop()
    if not fallback or (either and fallback not in either):
        raise Unreadable(_("no currency is named, and none is guessed: choose one for such rows above"))
    return fallback
