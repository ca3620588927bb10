"""Units of the catalog's columns, read off the ends of their names, and numbers as people read them."""

from __future__ import annotations

import datetime
from typing import Any

from django.utils.dateformat import format as format_date
from django.utils.formats import get_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from catalog.models import Socket

_UNITS = (
    ("_tb_s", gettext_noop("TB/s")),
    ("_gb_s", gettext_noop("GB/s")),
    ("_mb_s", gettext_noop("MB/s")),
    ("_gbit_s", gettext_noop("Gbit/s")),
    ("_tbit_s", gettext_noop("Tbit/s")),
    ("_mt_s", gettext_noop("MT/s")),
    ("_tflops", gettext_noop("TFLOP/s")),
    ("_tops", gettext_noop("TOP/s")),
    ("_iops", gettext_noop("IOPS")),
    ("_gib", gettext_noop("GiB")),
    ("_mib", gettext_noop("MiB")),
    ("_gb", gettext_noop("GB")),
    ("_tb", gettext_noop("TB")),
    ("_ghz", gettext_noop("GHz")),
    ("_kg", gettext_noop("kg")),
    ("_mm", gettext_noop("mm")),
    ("_months", gettext_noop("months")),
    ("_days", gettext_noop("days")),
    ("rack_units", gettext_noop("U")),
    ("_options_w", gettext_noop("W")),
    ("_w", gettext_noop("W")),
    ("_c", gettext_noop("°C")),
)
_PLAIN = {"compute_capability", "min_cuda", "min_rocm", "chip", "part_number", "nvlink_gen", "pcie_gen"}


def unit_of(field: str) -> str:
    """Unit of a column, empty where it has none."""
    return next((_(unit) for end, unit in _UNITS if field.endswith(end)), "")


def figure(value: Any, decimals: int | None = None) -> str:
    """A number with thousands separated and the decimals it has, at most two unless asked."""
    if isinstance(value, bool) or value is None:
        return ""
    number = float(value)
    places = decimals if decimals is not None else _decimals(number)
    return str(number_format(round(number, places), decimal_pos=places, use_l10n=True, force_grouping=True))


def _decimals(number: float) -> int:
    text = f"{number:.2f}".rstrip("0")
    return 0 if abs(number) >= 10_000 else len(text.split(".")[1])


def shown(field: str, value: str) -> str:
    """A fact's text as people read it: numbers with separators, yes and no in words; empty where nobody knows it."""
    if not value:
        return ""
    if value in {"yes", "no"}:
        return _("yes") if value == "yes" else _("no")
    if field in _PLAIN:
        return value
    if field == "socket":
        return str(dict(Socket.choices).get(value, value))
    if field.endswith("_date"):
        return _day(value)
    try:
        return figure(float(value))
    except ValueError:
        return value


def _day(value: str) -> str:
    try:
        return format_date(datetime.date.fromisoformat(value), get_format("DATE_FORMAT"))
    except ValueError:
        return value
