"""Rows for a spreadsheet: cells that no spreadsheet takes for a formula, sent while they are read."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Any

from catalog.formulas import GUARD, starts_formula

BYTE_ORDER_MARK = "\ufeff"


def harmless(cell: Any) -> str:
    """Keep a spreadsheet from taking a customer's text for a formula."""
    text = str(cell)
    return f"{GUARD}{text}" if starts_formula(text) else text


class _Line:
    """What the writer of the standard library writes into: it hands each line on."""

    def write(self, line: str) -> str:
        """Give the line back."""
        return line


def lines(columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Give the lines of a CSV file one by one, marked as UTF-8; every cell is harmless."""
    writer = csv.writer(_Line())
    yield BYTE_ORDER_MARK + writer.writerow(columns)
    for row in rows:
        yield writer.writerow([harmless(cell) for cell in row])
