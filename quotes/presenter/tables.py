"""Tables of a document: columns, rows and cells that a single template draws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from quotes.presenter.words import status_word

RowKind = Literal["", "group", "sum", "total", "grand", "pick"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its heading and how its cells are set."""

    label: str
    kind: str = "text"
    is_pick: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: text, a muted second line, a status with its shape, a swatch of the picture beside it."""

    text: str = ""
    sub: str = ""
    status: str = ""
    part: str = ""
    is_strong: bool = False
    is_typed: bool = False
    is_box: bool = False
    is_blank: bool = False
    href: str = ""
    span: int = 1
    css: str = ""
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One row; a group row is a heading inside the table."""

    cells: tuple[Cell, ...]
    kind: RowKind = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table by name: the name is the class that gives its columns their widths."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    caption: str = ""
    css: str = ""


def status(key: str, sub: str = "") -> Cell:
    """Give a cell with a status: a shape and a word."""
    return Cell(text=status_word(key), status=key, sub=sub)


def strong(text: Any, sub: str = "", part: str = "") -> Cell:
    """Give a cell with emphasized text."""
    return Cell(text=str(text), sub=sub, is_strong=True, part=part)


def table(
    name: str,
    columns: Sequence[Column | tuple[str, str] | str],
    rows: Iterable[Row | Sequence[Any]],
    *,
    caption: str = "",
    css: str = "",
    header: int = 0,
) -> Table:
    """Build a table; plain values become cells, set as their column says; the cell at `header` heads its row."""
    made = tuple(_column(one) for one in columns)
    return Table(name, made, tuple(_row(one, made, header) for one in rows), caption, css)


def group(text: str, columns: int) -> Row:
    """Give a heading inside a table."""
    return Row((Cell(text=text, span=columns),), kind="group")


def row(*cells: Any, kind: RowKind = "", anchor: str = "") -> Row:
    """Give a row of a kind, its cells plain values or cells."""
    return Row(tuple(_cell(one) for one in cells), kind=kind, anchor=anchor)


def _column(one: Column | tuple[str, str] | str) -> Column:
    if isinstance(one, Column):
        return one
    return Column(one) if isinstance(one, str) else Column(*one)


def _cell(one: Any) -> Cell:
    return one if isinstance(one, Cell) else Cell(text="" if one is None else str(one))


def _row(one: Row | Sequence[Any], columns: tuple[Column, ...], header: int) -> Row:
    given = one if isinstance(one, Row) else Row(tuple(_cell(each) for each in one))
    if given.kind == "group":
        return given
    cells = []
    place = 0
    for cell in given.cells:
        column = columns[min(place, len(columns) - 1)]
        css = " ".join(filter(None, (cell.css, column.kind if column.kind != "text" else "", _pick(column))))
        cells.append(
            Cell(
                cell.text, cell.sub, cell.status, cell.part, cell.is_strong, cell.is_typed, cell.is_box,
                cell.is_blank, cell.href, cell.span, css, is_header=place == header,
            )
        )  # fmt: skip
        place += cell.span
    return Row(tuple(cells), given.kind, given.anchor)


def _pick(column: Column) -> str:
    return "pick" if column.is_pick else ""
