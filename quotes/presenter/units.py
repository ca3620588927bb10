"""Which way a figure of the engine is written, chosen by the unit it carries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from quotes.presenter import quantities as q
from quotes.presenter.quantities import Quantity

PLAIN = ("", "–", "-")
WHOLE_FROM = 100
"""Figures from here on are written without decimals, and their unit follows the whole number."""


def by_unit(value: Any, unit: str = "") -> Quantity:
    """Write a figure with its unit: words stay words, lists are joined, numbers follow the rule of their unit."""
    if isinstance(value, bool):
        return Quantity(_("yes") if value else _("no"))
    if value is None or value == "":
        return q.EMPTY
    if isinstance(value, list | tuple):
        return Quantity(", ".join(str(by_unit(one)) for one in value))
    if not isinstance(value, int | float):
        return Quantity(str(value))
    if unit in WRITERS:
        return WRITERS[unit](value)
    if unit in PLAIN:
        return Quantity(_count(value))
    return Quantity(_count(value), unit_word(unit, value))


def unit_word(unit: str, value: float = 2) -> str:
    """Name a unit in the reader's language."""
    count = 2 if value % 1 and abs(value) < WHOLE_FROM else round(value)
    counted: dict[str, Callable[[], str]] = {
        "tokens": lambda: ngettext("token", "tokens", count),
        "token": lambda: ngettext("token", "tokens", count),
        "sequences": lambda: ngettext("sequence", "sequences", count),
        "GPUs": lambda: "GPU",
        "tokens/s": lambda: _("tokens/s"),
        "steps": lambda: ngettext("step", "steps", count),
        "FLOP/token": lambda: _("FLOP/token"),
        "epochs": lambda: ngettext("epoch", "epochs", count),
        "USD/kWh": lambda: _("USD/kWh"),
        "USD/GPU-h": lambda: _("USD/GPU-h"),
        "h/day": lambda: _("h/day"),
        "months": lambda: pgettext("unit", "months"),
        "years": lambda: ngettext("year", "years", count),
        "pages": lambda: ngettext("page", "pages", count),
        "characters": lambda: ngettext("character", "characters", count),
        "Gbit/s": lambda: _("Gbit/s"),
        "days": lambda: ngettext("day", "days", count),
        "B/logit": lambda: _("B/logit"),
        "parameters": lambda: ngettext("parameter", "parameters", count),
        "GiB": lambda: _("GiB"),
        "MiB": lambda: _("MiB"),
        "TiB": lambda: _("TiB"),
        "GB": lambda: _("GB"),
        "TB": lambda: _("TB"),
        "MB": lambda: _("MB"),
        "W": lambda: pgettext("unit", "W"),
        "kW": lambda: pgettext("unit", "kW"),
        "ms": lambda: pgettext("unit", "ms"),
        "requests/s": lambda: _("requests/s"),
        "requests": lambda: ngettext("request", "requests", count),
        "kg": lambda: _("kg"),
        "cores": lambda: ngettext("core", "cores", count),
    }
    return counted[unit]() if unit in counted else _price_unit(unit)


def _price_unit(unit: str) -> str:
    """Name what an amount of any currency is paid for: EUR/kWh; other units stay as they are."""
    currency, _slash, paid_for = unit.partition("/")
    names = {"kWh": _("kWh"), "GPU-h": _("GPU-h"), "kW-month": _("kW-month"), "GB-month": _("GB-month"), "GB": _("GB")}
    return f"{currency}/{names[paid_for]}" if paid_for in names and len(currency) == 3 else unit


def _count(value: float) -> str:
    if isinstance(value, int) or float(value).is_integer():
        return q.large(value) if abs(value) >= 10**7 else q.number(value)
    return q.significant(value, 3)


def _flops(value: float, tail: str) -> Quantity:
    for step, word in (
        (10**21, _("ZFLOP")),
        (10**18, _("EFLOP")),
        (10**15, _("PFLOP")),
        (10**12, _("TFLOP")),
        (10**9, _("GFLOP")),
        (10**6, _("MFLOP")),
    ):
        if abs(value) >= step:
            return Quantity(q.significant(value / step), f"{word}{tail}")
    return Quantity(q.number(value), _("FLOP") + tail)


def _bytes(value: float) -> Quantity:
    return Quantity(q.significant(value), pgettext("bytes", "B")) if value < 10**6 else q.gib(value, 2)


WRITERS: dict[str, Callable[[float], Quantity]] = {
    "B": _bytes,
    "B/s": q.bytes_per_second,
    "GB/s": lambda value: q.bytes_per_second(value * 10**9),
    "GB": lambda value: Quantity(q.significant(value), _("GB")),
    "GiB": lambda value: Quantity(q.significant(value), _("GiB")),
    "W": q.power,
    "s": lambda value: q.duration(value) if value >= 120 else _short_seconds(value),
    "h": lambda value: Quantity(q.significant(value), q.duration_word("h")),
    "min": lambda value: Quantity(q.significant(value), q.duration_word("min")),
    "ms": lambda value: Quantity(q.significant(value), pgettext("unit", "ms")),
    "share a year": lambda value: Quantity(q.significant(value * 100), _("% a year")),
    **dict.fromkeys(
        ("share of the price", "share of the price a year", "share of full power"),
        lambda value: Quantity(q.significant(value * 100), "%"),
    ),
    "FLOP": lambda value: _flops(value, ""),
    "FLOP/s": lambda value: _flops(value, _("/s")),
    "FLOP/token": lambda value: _flops(value, _("/token")),
}


def _short_seconds(value: float) -> Quantity:
    if 0 < value < 1:
        return q.duration(value)
    return Quantity(q.significant(value), q.duration_word("s"))
