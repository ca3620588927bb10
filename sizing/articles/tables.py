"""Quantities that stand in a column of their own, in tables of parts as spreadsheets and mails have them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sizing.articles.reading import Line
from sizing.articles.sizes import MODULES_GB

QUANTITY_HEADINGS = frozenset({
    "quantity", "qty", "q-ty", "q'ty", "count", "pcs", "units", "amount", "количество", "кол-во", "к-во", "кол.",
    "кол", "кол-во, шт", "кол-во, шт.", "кол-во шт", "кол-во (шт.)", "кол-во (шт)", "количество, шт", "количество, шт.",
    "шт", "шт.", "数量", "menge", "anzahl", "anz.", "stück", "stk", "stk.", "quantité", "qté", "cantidad",
})  # fmt: skip
POSITION_HEADINGS = frozenset(
    {"№", "no", "no.", "#", "n", "п/п", "№ п/п", "pos", "pos.", "position", "line", "item no", "поз", "поз."}
)
_QUANTITY = re.compile(r"\s*(\d{1,4})(?:[.,]0+)?\s*(?:шт|pcs|ea|units?|компл)?\.?\s*", re.IGNORECASE)
_DELIMITERS = tuple(re.compile(text) for text in (r"\t", r"\|", r";", r",", r",(?!\d)|(?<!\d),", r" {2,}"))
_LAST_SPACE = re.compile(r"(?<![x*×хХX:;=,–—-])\s+(?=\d{1,3}\s*$)")
_FIRST_SPACE = re.compile(
    r"(?:(?<=\A\d)|(?<=\A\d\d)|(?<=\n\d)|(?<=\n\d\d)|(?<=\n\d\d\d))"
    r" +(?=[^\W_])(?!(?:x|х|шту?к?|pcs|stk|by|u)(?![^\W_]))",
    re.IGNORECASE,
)
_FEWEST_UNMARKED = 3
_LABEL = re.compile(r"[^\W\d_]{2,15}(?: [^\W\d_]{2,15})?:?")
_FEWEST_ROWS = 2
_MOST_PIECES = 999


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table with its place in the text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Quantified:
    """A row of a table with the quantity that its column states, None where the row has none."""

    start: int
    end: int
    number: int | None


def quantified(text: str) -> tuple[str, tuple[Quantified, ...]]:
    """The text with spaces for the cells of quantities and positions, and the rows that have a quantity.

    A column is one of quantities by its heading, or where every row has a small whole number there that is no running
    number.
    """
    if "\n" not in text.strip():
        return text, ()
    for delimiter in _DELIMITERS:
        every = list(_rows(text, delimiter))
        rows = [row for row in every if len(row) > 1]
        columns = quantity_column([[cell.text for cell in row] for row in rows])
        has_heading = columns is not None and columns[2] > 0
        if columns is not None and (has_heading or (delimiter.pattern != "," and len(rows) == len(every))):
            return _read(text, rows, columns)
    for delimiter in (_LAST_SPACE, _FIRST_SPACE):
        rows = list(_rows(text, delimiter))
        rows = rows[1:] if rows and len(rows[0]) == 1 else rows
        if len(rows) >= _FEWEST_UNMARKED and all(len(row) > 1 for row in rows):
            columns = _unheaded([[cell.text for cell in row] for row in rows])
            if columns is not None:
                return _read(text, rows, columns)
    return text, ()


def _rows(text: str, delimiter: re.Pattern[str]) -> Iterator[list[Cell]]:
    for line in re.finditer(r"[^\r\n]+", text):
        row, start = [], line.start()
        for mark in delimiter.finditer(text, line.start(), line.end()):
            row.append(Cell(start, mark.start(), text[start : mark.start()].strip()))
            start = mark.end()
        row.append(Cell(start, line.end(), text[start : line.end()].strip()))
        if any(sign.isalnum() for cell in row for sign in cell.text):
            yield row


def quantity_column(rows: Sequence[Sequence[str]]) -> tuple[int, int | None, int] | None:
    """The columns of quantities and of running numbers of a table, and the row at which its values begin.

    None where no column is one of quantities.
    """
    for number, row in enumerate(rows):
        named = [cell.casefold() for cell in row]
        column = next((place for place, name in enumerate(named) if name in QUANTITY_HEADINGS), None)
        if column is not None:
            position = next((place for place, name in enumerate(named) if name in POSITION_HEADINGS), None)
            return column, position, number + 1
    return _unheaded(rows)


def _unheaded(rows: Sequence[Sequence[str]]) -> tuple[int, int | None, int] | None:
    if len(rows) < _FEWEST_ROWS:
        return None
    width = min(map(len, rows))
    whole = {place: numbers for place in range(width) if None not in (numbers := [pieces(row[place]) for row in rows])}
    running = [place for place, numbers in whole.items() if numbers == list(range(1, len(rows) + 1))]
    position = running[0] if running else None
    columns = [place for place in whole if place not in running]
    fewest = min(columns, key=lambda place: sum(number or 0 for number in whole[place]), default=None)
    return None if fewest is None else (fewest, position, 0)


def pieces(cell: str) -> int | None:
    """The quantity that a cell states, None where it states none: 8, 8.0, ``8 шт.``"""
    found = _QUANTITY.fullmatch(cell)
    return int(found[1]) if found and 0 < int(found[1]) <= _MOST_PIECES else None


def _read(
    text: str, rows: list[list[Cell]], columns: tuple[int, int | None, int]
) -> tuple[str, tuple[Quantified, ...]]:
    column, position, first = columns
    found = []
    signs = list(text)
    for row in rows[first:]:
        number = pieces(row[column].text) if column < len(row) else None
        if number is not None:
            found.append(Quantified(row[0].start, row[-1].end, number))
            taken = [row[column]] if position is None or position >= len(row) else [row[column], row[position]]
            spans = [(cell.start, cell.end) for cell in taken]
            spans += [(cell.end, after.start) for cell, after in pairwise(row[:-1]) if _LABEL.fullmatch(cell.text)]
            for start, end in spans:
                signs[start:end] = " " * (end - start)
    return "".join(signs), tuple(found)


def with_quantities(lines: Iterable[Line], rows: Sequence[Quantified]) -> dict[Line, Line]:
    """Each line as it reads with the quantity of its row: of servers, or of the one part that the row names."""
    changed: dict[Line, Line] = {}
    several = list(lines)
    for row in rows:
        own = [line for line in several if row.start <= line.start < row.end and line.kind != "other"]
        servers = [line for line in own if line.kind == "platform"]
        for line in servers or own:
            changed[line] = _times(line, row.number or 1, is_alone=len(own) == 1 or bool(servers))
    return changed


def _times(line: Line, number: int, *, is_alone: bool) -> Line:
    if line.kind == "platform":
        return replace(line, count=number * (line.count or 1))
    if line.count is not None:
        return replace(line, count=line.count * number, certainty="likely") if is_alone and number > 1 else line
    details = line.details
    certainty = line.certainty if is_alone or line.certainty == "guess" else "likely"
    if line.kind == "memory" and line.value in MODULES_GB:
        details = tuple(pair for pair in details if pair[0] != "total_gb")
        certainty = "likely" if certainty == "guess" else certainty
    return replace(line, count=number, certainty=certainty, details=details)
