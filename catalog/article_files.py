"""Texts of articles in what somebody pasted or uploaded: one a line, or one specification over many lines."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from catalog.price_words import HEADINGS
from catalog.tables import Cells, Unreadable, csv_cells, decode, xlsx_cells
from sizing.articles.tables import QUANTITY_HEADINGS, pieces, quantity_column

MOST_ARTICLES = 100
LONGEST_LINE = 1_000
LONGEST_ARTICLE = 4_000
LONGEST_TOGETHER = 40_000
_ARTICLE = {*HEADINGS["article"], "configuration", "composition", "specification", "server", "конфигурация"}
_ARTICLE |= {"состав", "комплектация", "спецификация", "сервер"}
_NAME = {*HEADINGS["name"], "item", "component", "part", "позиция", "компонент", "комплектующие"}

Reader = Callable[[str], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Written:
    """One article as it stands in a file, and the line where it begins; `fault` where it is not to be read.

    `quantity` is what a column of quantities says of it.
    """

    line: int
    text: str
    fault: str = ""
    quantity: int | None = None


def lines_of_text(text: str) -> list[Written]:
    """Lines of a pasted text that hold anything; of a pasted table, its rows."""
    lines = text.split("\n")
    if sum("\t" in line.strip() for line in lines) > 1:
        cells = ((number, line.split("\t")) for number, line in enumerate(lines, start=1))
        return _limited(_of_table((number, row) for number, row in cells if any(cell.strip() for cell in row)))
    return _limited(Written(number, line) for number, line in enumerate(text.split("\n"), start=1))


def lines_of_file(content: bytes, name: str) -> list[Written]:
    """Lines of a file by the ending of its name; of a table, the column that its headings call an article.

    Raises
    ------
    Unreadable
        For an unknown kind of file, one that is not what its name says, one without text, or one with too many lines.
    """
    ending = name.rsplit(".", 1)[-1].lower()
    if ending == "txt":
        text = decode(content)
        if "\x00" in text:
            raise Unreadable(_("This is not a text file. Save it as plain text."))
        return lines_of_text(text)
    tables = {"csv": csv_cells, "tsv": csv_cells, "xlsx": xlsx_cells}
    if ending not in tables:
        raise Unreadable(_("Give the articles as CSV, XLSX or TXT; this file ends in “%s”.") % ending[:10])
    return _limited(_of_table(tables[ending](content)))


def _of_table(rows: Iterator[Cells]) -> Iterator[Written]:
    table = [(number, [_cell(cell) for cell in cells]) for number, cells in rows]
    headings = [cell.casefold() for cell in table[0][1]] if table else []
    article, name, quantity = (_place(headings, words) for words in (_ARTICLE, _NAME, QUANTITY_HEADINGS))
    if article is None and name is None:
        yield from _unheaded(table)
        return
    for number, cells in table[1:]:
        texts = [_at(cells, article) or _at(cells, name)]
        if quantity is not None:
            texts = [_at(cells, place) for place in (article, name) if place is not None]
        yield Written(number, " ".join(filter(None, texts)), quantity=pieces(_at(cells, quantity)))


def _unheaded(table: Sequence[tuple[int, Sequence[str]]]) -> Iterator[Written]:
    """Rows of a table whose headings are not known, with the quantities of a column that holds nothing else."""
    columns = quantity_column([cells for _, cells in table])
    if columns is None:
        yield from (Written(number, _joined(cells)) for number, cells in table)
        return
    quantity, position, first = columns
    for number, cells in table[first:]:
        rest = [cell for place, cell in enumerate(cells) if place not in (quantity, position)]
        yield Written(number, _joined(rest), quantity=pieces(_at(cells, quantity)))


def _place(headings: Sequence[str], words: Collection[str]) -> int | None:
    return next((place for place, heading in enumerate(headings) if heading in words), None)


def _at(cells: Sequence[str], place: int | None) -> str:
    return cells[place] if place is not None and place < len(cells) else ""


def _cell(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _joined(cells: Sequence[str]) -> str:
    return "; ".join(filter(None, cells))


def _limited(lines: Iterable[Written]) -> list[Written]:
    found: list[Written] = []
    together = 0
    for written in lines:
        text = shown(written.text)
        if not text:
            continue
        together += min(len(text), LONGEST_ARTICLE)
        if len(found) == MOST_ARTICLES or together > LONGEST_TOGETHER:
            named = {"lines": MOST_ARTICLES, "signs": LONGEST_TOGETHER}
            raise Unreadable(_("There are more than %(lines)s lines or %(signs)s characters. Split the text.") % named)
        found.append(replace(written, text=text[: LONGEST_ARTICLE + 1], fault=_fault(text)))
    if not found:
        raise Unreadable(_("There is no text in it."))
    return found


def _fault(text: str) -> str:
    if len(text) <= LONGEST_LINE:
        return ""
    named = {"length": len(text), "most": LONGEST_LINE}
    return _("%(length)s characters on one line; up to %(most)s are read. Keep the composition only.") % named


def shown(text: str) -> str:
    """One line of text without signs that nobody sees; letters that look alike stay as they were written."""
    kept = (" " if unicodedata.category(sign) in ("Cc", "Zl", "Zp") else sign for sign in text)
    seen = "".join(sign for sign in kept if unicodedata.category(sign) not in ("Cf", "Cs", "Co", "Cn"))
    return " ".join(seen.split())


def shown_lines(text: str) -> str:
    """Several lines of text without signs that nobody sees and without empty lines."""
    return "\n".join(line for given in text.split("\n") if (line := shown(given)))


def is_specification(lines: Sequence[Written], read: Reader) -> bool:
    """Whether lines describe one server together: no two of them name a platform, and no two name GPUs."""
    if len(lines) < 2:
        return True
    named = [{part["kind"] for part in read(line.text).get("lines", ())} for line in lines if not line.fault]
    return all(sum(kind in kinds for kinds in named) <= 1 for kind in ("platform", "gpu")) and any(named)


def as_one(lines: Sequence[Written]) -> str:
    """The text of a specification, line by line; a table where a column states quantities."""
    if all(line.quantity is None for line in lines):
        return "\n".join(line.text for line in lines)
    rows = (f"{line.text.replace('|', '/')} | {line.quantity or ''}".strip() for line in lines)
    return "\n".join(("Item | Qty", *rows))
