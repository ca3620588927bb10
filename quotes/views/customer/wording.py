"""Figures of the customer's pages as texts: number, no-break space, unit in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.forms.numbers import say
from sizing.units import DAY, GIB, HOUR, MINUTE

SPACE = "\u00a0"
DASH = "–"
HOURS_UNTIL_DAYS = 96
THOUSAND = 1000


def gib(size_bytes: float, digits: int = 1) -> str:
    """Device memory in GiB."""
    return f"{say(round(size_bytes / GIB, digits))}{SPACE}{_('GiB')}"


def duration(seconds: float) -> str:
    """A time in the unit people would choose: minutes, hours, days."""
    number, unit = _in_unit(seconds, seconds)
    return f"{number}{SPACE}{unit}"


def duration_band(low: float, high: float) -> str:
    """A band of time in one unit, e.g. ``31–48 h``."""
    first, unit = _in_unit(low, high)
    last, _unit = _in_unit(high, high)
    return f"{first}{DASH}{last}{SPACE}{unit}"


def _in_unit(seconds: float, scale_seconds: float) -> tuple[str, str]:
    if scale_seconds < 2 * HOUR:
        return say(max(1, round(seconds / MINUTE))), _("min")
    if scale_seconds < HOURS_UNTIL_DAYS * HOUR:
        hours = seconds / HOUR
        return say(round(hours, 1 if hours < 10 else None)), _("h")
    days = seconds / DAY
    return say(round(days, 1 if days < 10 else None)), _("days")


def kilowatts(watts: Mapping[str, float]) -> tuple[str, str]:
    """Power and its band in kW."""
    low, high = (say(round(watts[side] / THOUSAND, 1)) for side in ("low", "high"))
    return f"{say(round(watts['expected'] / THOUSAND, 1))}{SPACE}{_('kW')}", f"{low}{DASH}{high}"


def price(band: Mapping[str, Any] | None) -> tuple[str, str]:
    """The order of a price and how much of the server it covers; a missing price is said, never zero."""
    if not band or band.get("low") is None:
        return _("no price"), ""
    low, high = (say(round(float(band[side]) / THOUSAND)) for side in ("low", "high"))
    text = f"{low}{DASH}{high}{SPACE}{_('thousand')}{SPACE}{band['currency']}"
    if band.get("lines_total") and band.get("lines_priced", 0) < band["lines_total"]:
        note = _("%(priced)s of %(total)s lines have a price") % {
            "priced": band["lines_priced"],
            "total": band["lines_total"],
        }
        return text, note
    return text, ""
