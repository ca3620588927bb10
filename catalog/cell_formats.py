"""Cells of a workbook as the sheet shows them: percentages, and amounts whose currency only the format names."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from catalog.money import currency_of_word

_SIGNS = re.compile(r"\[\$([^\]-]*)(?:-[0-9A-Fa-f]+)?\]|\"([^\"]*)\"|\\\\(.)|([$€₽¥£])")
_FIRST_OWN_FORMAT = 164
"""Below it stand formats that each spreadsheet shows in the currency of its own country (ECMA-376, 18.8.30)."""


class Amount(float):
    """A number of a workbook with the sign or word of the currency that its format shows."""

    currency: str

    def __new__(cls, value: float, currency: str) -> Amount:
        """Keep the currency beside the number."""
        amount = super().__new__(cls, value)
        amount.currency = currency
        return amount


def as_shown(cell: Any) -> Any:
    """Value of a cell; a percentage as the sheet shows it, because the stored 0.2 reads as another number."""
    value = cell.value
    if value is None or isinstance(value, bool) or not isinstance(value, int | float):
        return value
    shown = str(cell.number_format)
    if "%" in shown:
        return f"{100 * value:.10g}%"
    if cell.style_array.numFmtId < _FIRST_OWN_FORMAT:
        return value
    currency = currency_of_format(shown)
    return Amount(value, currency) if currency else value


@lru_cache(maxsize=256)
def currency_of_format(number_format: str) -> str:
    """Sign or word of the one currency that a format shows, e.g. ``#,##0.00 "₽"``; empty for none or several."""
    positive = number_format.split(";")[0]
    words = (next(filter(None, found.groups()), "").strip() for found in _SIGNS.finditer(positive))
    by_code = {code: word for word in words if word and (code := currency_of_word(word))}
    return next(iter(by_code.values())) if len(by_code) == 1 else ""
