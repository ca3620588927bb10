"""Files that the admin exports and imports: CSV, XLSX and YAML, without cells that a spreadsheet would run."""

from __future__ import annotations

from typing import Any

import tablib
from import_export.formats import base_formats

GUARD = "'"
_STARTS = ("=", "+", "-", "@", "\t", "\r")


def guarded(value: Any) -> Any:
    """A cell that a spreadsheet shows instead of running: text that begins like a formula gets an apostrophe."""
    return (
        f"{GUARD}{value}" if isinstance(value, str) and value.startswith(_STARTS) and not _is_number(value) else value
    )


def unguarded(value: Any) -> Any:
    """A cell as it was before `guarded`."""
    is_guarded = isinstance(value, str) and value[:1] == GUARD and value[1:].startswith(_STARTS)
    return value[1:] if is_guarded else value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _each(dataset: tablib.Dataset, change: Any) -> tablib.Dataset:
    return tablib.Dataset(*([change(cell) for cell in row] for row in dataset), headers=dataset.headers)


class Csv(base_formats.CSV):
    """CSV for spreadsheets."""

    def export_data(self, dataset: tablib.Dataset, **kwargs: Any) -> Any:
        """Write the rows with formulas disarmed."""
        return super().export_data(_each(dataset, guarded), **kwargs)

    def create_dataset(self, in_stream: Any, **kwargs: Any) -> tablib.Dataset:
        """Read rows; what was disarmed is as it was."""
        return _each(super().create_dataset(in_stream, **kwargs), unguarded)


class Xlsx(base_formats.XLSX):
    """A workbook."""

    def export_data(self, dataset: tablib.Dataset, **kwargs: Any) -> Any:
        """Write the rows with formulas disarmed."""
        return super().export_data(_each(dataset, guarded), **kwargs)

    def create_dataset(self, in_stream: Any) -> tablib.Dataset:
        """Read rows; what was disarmed is as it was."""
        return _each(super().create_dataset(in_stream), unguarded)


FORMATS = [Csv, Xlsx, base_formats.YAML]
