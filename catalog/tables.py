"""Files with rows as people keep them: CSV in any of their encodings, XLSX, YAML. Line numbers are the file's own."""

from __future__ import annotations

import csv
import datetime
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any
from zipfile import BadZipFile, ZipFile

import openpyxl
import yaml
from django.utils.translation import gettext as _

from catalog.cell_formats import as_shown
from catalog.money import CURRENCIES, CURRENCY_WORDS

MOST_ROWS = 20_000
MOST_LINES = 5 * MOST_ROWS
MOST_COLUMNS = 100
LARGEST_UNPACKED_BYTES = 100_000_000
_DAMAGED = (
    BadZipFile,
    SyntaxError,
    KeyError,
    ValueError,
    OSError,
    IndexError,
    AttributeError,
    TypeError,
    NotImplementedError,
)
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SPACES = re.compile(r"[\s\u00a0\u202f\u2009'’_]+")
_NUMBER = re.compile(r"^[+-]?[0-9][0-9.,]*$")
_THOUSANDS = re.compile(r"^\d{1,3}([.,]\d{3})+$")


Cells = tuple[int, Sequence[Any]]


class Unreadable(Exception):
    """A file, or one of its values, that cannot be read; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file with its line number and its values by heading."""

    line: int
    values: dict[str, Any]


def read(content: bytes, name: str) -> list[Row]:
    """Rows of a file by the ending of its name.

    Raises
    ------
    Unreadable
        For an unknown kind of file, one that is not what its name says, or one without rows.
    """
    ending = name.rsplit(".", 1)[-1].lower()
    readers = {
        **dict.fromkeys(("csv", "txt", "tsv"), lambda given: _headed(csv_cells(given))),
        "xlsx": lambda given: _headed(xlsx_cells(given)),
        **dict.fromkeys(("yaml", "yml"), _yaml),
    }
    if ending not in readers:
        raise Unreadable(_("Give the list as CSV, XLSX or YAML; this file ends in “%s”.") % ending[:10])
    rows = []
    for row in readers[ending](content):
        rows.append(row)
        if len(rows) > MOST_ROWS:
            raise Unreadable(_("The list has more than %s rows. Split it.") % MOST_ROWS)
    if not rows:
        raise Unreadable(_("The file has no rows below its headings."))
    return rows


def decode(content: bytes) -> str:
    """Text of a file: UTF-8 with or without a mark, UTF-16 with one, else Windows-1251."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1251", errors="replace")


def csv_cells(content: bytes) -> Iterator[Cells]:
    """Rows of a CSV file that hold anything; its delimiter is the one that its first line has most of."""
    text = decode(content)
    if "\x00" in text:
        raise Unreadable(_("This is not a text file. Save the table as CSV."))
    head = text.lstrip().split("\n", 1)[0]
    delimiter = max(";,\t|", key=head.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        begins = 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        raise Unreadable(
            _("Line %(line)s cannot be read: %(error)s") % {"line": reader.line_num, "error": error}
        ) from error


def xlsx_cells(content: bytes) -> Iterator[Cells]:
    """Rows of a workbook's first sheet that hold anything. What the sheet says of its own size is not believed."""
    try:
        unpacked = sum(part.file_size for part in ZipFile(io.BytesIO(content)).infolist())
        if unpacked > LARGEST_UNPACKED_BYTES:
            raise Unreadable(_("The workbook unpacks to more than 100 MB. Save the sheet that matters as CSV."))
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        sheet.reset_dimensions()
        formulas = _formulas(content)
        for number, row in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS), start=1):
            if number > MOST_LINES:
                raise Unreadable(_("The list has more than %s rows. Split it.") % MOST_ROWS)
            cells = [as_shown(cell) for cell in row]
            if formulas:
                cells = [_or_formula(*pair) for pair in zip(cells, next(formulas), strict=False)]
            if any(cell not in (None, "") for cell in cells):
                yield number, cells
    except _DAMAGED as error:
        raise Unreadable(_("This is not an XLSX workbook. Save it again from the spreadsheet.")) from error


def _formulas(content: bytes) -> Iterator[Any] | None:
    """Rows of the first sheet with formulas instead of their values, None for a workbook without formulas."""
    archive = ZipFile(io.BytesIO(content))
    sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/") and name.endswith(".xml")]
    if not any(re.search(rb"<f[ />]", archive.read(name)) for name in sheets):
        return None
    sheet = openpyxl.load_workbook(io.BytesIO(content), read_only=True).worksheets[0]
    sheet.reset_dimensions()
    rows: Iterator[Any] = sheet.iter_rows(max_col=MOST_COLUMNS)
    return rows


def _or_formula(shown: Any, cell: Any) -> Any:
    """A value, or its formula where the workbook holds no value of it: an empty cell would hide the row's fault."""
    return f"={str(cell.value).removeprefix('=')}" if shown is None and cell.data_type == "f" else shown


def _headed(lines: Iterator[Cells]) -> Iterator[Row]:
    _line, first = next(lines, (0, ()))
    headings = ["" if cell is None else str(cell).strip().casefold() for cell in first]
    for number, cells in lines:
        yield Row(number, {name: cell for name, cell in zip(headings, cells, strict=False) if name})


def _yaml(content: bytes) -> Iterator[Row]:
    try:
        loader = _LOADER(decode(content))
        document = loader.get_single_node()
        if not isinstance(document, yaml.SequenceNode):
            raise Unreadable(_("A price list in YAML is a list of rows."))
        _plain_yaml(document)
        for node in document.value[: MOST_ROWS + 1]:
            _plain_yaml(node)
            if isinstance(node, yaml.MappingNode):
                for part in (part for pair in node.value for part in pair):
                    _plain_yaml(part)
                pairs = [pair for pair in node.value if all(isinstance(part, yaml.ScalarNode) for part in pair)]
                named = {str(loader.construct_object(name)).strip().casefold(): value for name, value in pairs}
                values = {name: loader.construct_object(value) for name, value in named.items()}
                yield Row(node.start_mark.line + 1, values)
            else:
                yield Row(node.start_mark.line + 1, {})
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise Unreadable(_("This is not YAML: %s") % str(error)[:200]) from error


def _plain_yaml(node: yaml.Node) -> None:
    """Refuse a value with a tag of some program, e.g. ``!!python/object``: nobody's rows have one."""
    if not str(node.tag).startswith("tag:yaml.org,2002:") or "/" in str(node.tag):
        text = _("The file is not plain YAML: line %s asks for an object of a program. Save it as a list of rows.")
        raise Unreadable(text % (node.start_mark.line + 1))


def amount(value: Any, decimal: str = "") -> Decimal:
    """A price as written, with thousands separators and either decimal sign.

    Parameters
    ----------
    decimal : str
        ``.`` or ``,`` where it is known which of them is the decimal sign.

    Raises
    ------
    Unreadable
        For what is no number, or could be two.
    """
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return Decimal(str(value))
    text = _SPACES.sub("", str(value)).strip("$€₽¥£").removesuffix("руб.").removesuffix("руб")
    text = text.replace("−", "-")
    if not _NUMBER.match(text):
        raise Unreadable(_("not a number; leave the cell empty where nothing is known"))
    mark = decimal or decimal_mark(text)
    if not mark and ("." in text or "," in text):
        raise Unreadable(_("could be two numbers: say above how numbers are written in this file"))
    whole = text.replace("," if mark == "." else ".", "") if mark else text
    try:
        return Decimal(whole.replace(",", "."))
    except InvalidOperation as error:
        raise Unreadable(_("not a number; leave the cell empty where nothing is known")) from error


def decimal_mark(text: str) -> str:
    """The decimal sign that a number shows; empty where it shows none or could be read in two ways."""
    points, commas = text.count("."), text.count(",")
    if points and commas:
        return "." if text.rfind(".") > text.rfind(",") else ","
    if points + commas == 0:
        return ""
    mark = "." if points else ","
    if points + commas > 1:
        return "," if mark == "." else "."
    return "" if _THOUSANDS.match(text.lstrip("+-")) else mark


def usual_mark(values: Sequence[Any]) -> str:
    """The decimal sign of a whole file, from the numbers that can be read in one way only; empty where they differ."""
    marks = {decimal_mark(_SPACES.sub("", value).strip("$€₽¥£")) for value in values if isinstance(value, str)} - {""}
    return marks.pop() if len(marks) == 1 else ""


def day(value: Any) -> datetime.date | None:
    """A date as written: 2026-12-31, 31.12.2026, or a spreadsheet's own."""
    if value in (None, ""):
        return None
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    text = str(value).strip()
    found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)|(\d{1,2})\.(\d{1,2})\.(\d{4})", text)
    if not found:
        raise Unreadable(_("write the day as 2026-12-31 or 31.12.2026"))
    numbers = [int(part) for part in found.groups() if part]
    year, month, number = numbers if found[1] else reversed(numbers)
    try:
        return datetime.date(year, month, number)
    except ValueError as error:
        raise Unreadable(_("there is no such day")) from error


def currency(value: Any) -> str:
    """Code of a currency as written: USD, $, руб."""
    text = str(value or "").strip()
    code = CURRENCY_WORDS.get(text.casefold(), text.upper())
    if code and code not in CURRENCIES:
        raise Unreadable(_("this currency is not on the list: %s") % text[:20])
    return code


def whole(value: Any) -> int | None:
    """A whole number at the start of a text: 24, “24 months”, “30 дней”."""
    if value in (None, ""):
        return None
    found = re.match(r"\s*(\d{1,5})", str(value))
    if not found:
        raise Unreadable(_("a whole number is expected"))
    return int(found[1])
