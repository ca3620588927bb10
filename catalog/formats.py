"""Files that the admin exports and imports: CSV, XLSX and YAML, without cells that a spreadsheet would run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tablib
import yaml
from django.utils.translation import gettext as _
from import_export.formats import base_formats

from catalog import tables
from catalog.formulas import GUARD, starts_formula
from catalog.tables import Unreadable

_FIRST_ROW = 2
MOST_IMPORTED = 500
"""Rows of one import: each is an edit with its history, and all of them hold one transaction."""


def guarded(value: Any) -> Any:
    """A cell that a spreadsheet shows instead of running: text that begins like a formula gets an apostrophe."""
    return f"{GUARD}{value}" if isinstance(value, str) and starts_formula(value) and not _is_number(value) else value


def unguarded(value: Any) -> Any:
    """A cell as it was before `guarded`."""
    is_guarded = isinstance(value, str) and value[:1] == GUARD and starts_formula(value[1:])
    return value[1:] if is_guarded else value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


class Lined(tablib.Dataset):
    """Rows of a file with the line at which each begins."""

    lines: tuple[int, ...] = ()


def _each(dataset: tablib.Dataset, change: Any) -> tablib.Dataset:
    return tablib.Dataset(*([change(cell) for cell in row] for row in dataset), headers=dataset.headers)


def _lined(dataset: tablib.Dataset, lines: Sequence[int]) -> Lined:
    """The rows that hold anything, as they were before they were disarmed, each with its line."""
    kept = [
        (line, row) for line, row in zip(lines, dataset, strict=True) if any(cell not in (None, "") for cell in row)
    ]
    found = Lined(*([unguarded(cell) for cell in row] for _line, row in kept), headers=dataset.headers)
    found.lines = tuple(line for line, _row in kept)
    return found


def _limited(dataset: tablib.Dataset) -> tablib.Dataset:
    if len(dataset) > MOST_IMPORTED:
        text = _(
            "The file has %(rows)d rows; one import takes at most %(most)d. Split it. "
            "Prices of a supplier are loaded on the page “Import a price list”, up to 20,000 rows."
        )
        raise Unreadable(text % {"rows": len(dataset), "most": MOST_IMPORTED})
    return dataset


class Csv(base_formats.CSV):
    """CSV for spreadsheets, read in any encoding and with any delimiter that price lists are read in."""

    def is_binary(self) -> bool:
        """Whether a file is read as bytes: its encoding is found by looking."""
        return True

    def get_read_mode(self) -> str:
        """How a file is opened."""
        return "rb"

    def export_data(self, dataset: tablib.Dataset, **kwargs: Any) -> Any:
        """Write the rows with formulas disarmed."""
        return super().export_data(_each(dataset, guarded), **kwargs)

    def create_dataset(self, in_stream: Any, **kwargs: Any) -> tablib.Dataset:
        """Read rows; what was disarmed is as it was."""
        content = in_stream.encode() if isinstance(in_stream, str) else in_stream
        lines, rows = [], []
        for line, cells in tables.csv_cells(content):
            lines.append(line)
            rows.append(list(cells))
        width = len(rows[0]) if rows else 0
        even = [[*row, *[""] * (width - len(row))][:width] for row in rows]
        return _limited(_lined(tablib.Dataset(*even[1:], headers=even[0] if even else None), lines[1:]))


class Xlsx(base_formats.XLSX):
    """A workbook."""

    def export_data(self, dataset: tablib.Dataset, **kwargs: Any) -> Any:
        """Write the rows with formulas disarmed."""
        return super().export_data(_each(dataset, guarded), **kwargs)

    def create_dataset(self, in_stream: Any) -> tablib.Dataset:
        """Read rows; what was disarmed is as it was."""
        dataset = super().create_dataset(in_stream)
        return _limited(_lined(dataset, range(_FIRST_ROW, _FIRST_ROW + len(dataset))))


class Yaml(base_formats.YAML):
    """YAML."""

    def create_dataset(self, in_stream: Any, **kwargs: Any) -> tablib.Dataset:
        """Read rows."""
        dataset = super().create_dataset(in_stream, **kwargs)
        document: Any = yaml.compose(in_stream, Loader=yaml.SafeLoader)
        return _limited(_lined(dataset, [node.start_mark.line + 1 for node in document.value]))


FORMATS = [Csv, Xlsx, Yaml]
