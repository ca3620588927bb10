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
from zipfile import BadZipFile

import openpyxl
import yaml
from django.utils.translation import gettext as _

from catalog.money import CURRENCIES

MOST_ROWS = 20_000
_SIGNS = {
    "$": "USD",
    "€": "EUR",
    "₽": "RUB",
    "¥": "CNY",
    "£": "GBP",
    "руб": "RUB",
    "руб.": "RUB",
    "р.": "RUB",
    "rur": "RUB",
}
_SPACES = re.compile(r"[\s\u00a0\u202f\u2009'’_]+")
_NUMBER = re.compile(r"^[+-]?[0-9][0-9.,]*$")
_THOUSANDS = re.compile(r"^\d{1,3}([.,]\d{3})+$")


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
    readers = {"csv": _csv, "txt": _csv, "tsv": _csv, "xlsx": _xlsx, "yaml": _yaml, "yml": _yaml}
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


def _csv(content: bytes) -> Iterator[Row]:
    text = decode(content)
    if "\x00" in text:
        raise Unreadable(_("This is not a text file. Save the table as CSV."))
    head = text.split("\n", 1)[0]
    delimiter = max(";,\t|", key=head.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        headings = next(reader, [])
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield Row(reader.line_num, _named(headings, cells))
    except csv.Error as error:
        raise Unreadable(
            _("Line %(line)s cannot be read: %(error)s") % {"line": reader.line_num, "error": error}
        ) from error


def _xlsx(content: bytes) -> Iterator[Row]:
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    except (BadZipFile, KeyError, ValueError, OSError) as error:
        raise Unreadable(_("This is not an XLSX workbook. Save it again from the spreadsheet.")) from error
    lines = book.worksheets[0].iter_rows(values_only=True)
    headings = [str(cell or "") for cell in next(lines, ())]
    for number, cells in enumerate(lines, start=2):
        if any(cell not in (None, "") for cell in cells):
            yield Row(number, _named(headings, cells))


def _yaml(content: bytes) -> Iterator[Row]:
    try:
        document = yaml.safe_load(decode(content))
    except (yaml.YAMLError, RecursionError) as error:
        raise Unreadable(_("This is not YAML: %s") % str(error)[:200]) from error
    if not isinstance(document, list):
        raise Unreadable(_("A price list in YAML is a list of rows."))
    for number, item in enumerate(document, start=1):
        if isinstance(item, dict):
            yield Row(number, {str(name).strip().casefold(): value for name, value in item.items()})


def _named(headings: Sequence[str], cells: Sequence[Any]) -> dict[str, Any]:
    return {
        heading.strip().casefold(): cell
        for heading, cell in zip(headings, cells, strict=False)
        if heading and heading.strip()
    }


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
        raise Unreadable(_("not a number. Leave it empty where there is no price"))
    mark = decimal or decimal_mark(text)
    if not mark and ("." in text or "," in text):
        raise Unreadable(_("could be two numbers: say above how numbers are written in this file"))
    whole = text.replace("," if mark == "." else ".", "") if mark else text
    try:
        return Decimal(whole.replace(",", "."))
    except InvalidOperation as error:
        raise Unreadable(_("not a number. Leave it empty where there is no price")) from error


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
    code = _SIGNS.get(text.casefold(), text.upper())
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
