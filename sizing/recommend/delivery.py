"""When ordered parts arrive: lead times that offers state, and the usual range where none does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sizing.case import Interval
from sizing.hardware import LeadTime
from sizing.hardware_data import HardwareCatalog
from sizing.recommend.build import Line
from sizing.recommend.search import Placement

USUAL_DAYS = Interval(60.0, 28.0, 180.0)
INSTALLATION_DAYS = Interval(5.0, 2.0, 15.0)
INSIDE_A_SERVER = ("platform", "gpu", "cpu", "memory")
DECIDING = ("platform", "gpu")
"""The parts that are late where servers are late; without a word on them the usual range stays."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """Days from order to delivery, and the offer that decides them: None where the usual range does."""

    days: Interval
    offer: LeadTime | None


def of(placement: Placement, lines: Sequence[Line], catalog: HardwareCatalog) -> Delivery:
    """The longest of the lines' lead times, each line by its quickest offer.

    Where every part that is delivered has a confirmed lead time, the day is known; a part that nobody spoke of or
    confirmed keeps the upper end of the usual range. Where no offer speaks of the GPUs or the platform, what is known
    of other lines can only lengthen the usual range.
    """
    whole = _quickest(catalog, ("server", placement.gpu.slug, placement.per_node)) or _quickest(
        catalog, ("server", placement.platform.slug, 1)
    )
    stated: dict[str, LeadTime] = {}
    for line in lines:
        found = whole if whole and line.kind in INSIDE_A_SERVER else _quickest(catalog, _subject(line))
        if found is not None and (line.kind not in stated or found.days > stated[line.kind].days):
            stated[line.kind] = found
    if not stated:
        return Delivery(USUAL_DAYS, None)
    last = max(stated.values(), key=lambda one: one.days)
    if not all(kind in stated for kind in DECIDING):
        days = Interval(*(max(usual, last.days) for usual in _ends(USUAL_DAYS)))
        return Delivery(days, last if last.days > USUAL_DAYS.expected else None)
    delivered = {line.kind for line in lines if line.kind != "service"}
    is_sure = delivered <= stated.keys() and all(one.confirmation == "confirmed" for one in stated.values())
    high = last.days if is_sure else max(last.days, USUAL_DAYS.high)
    return Delivery(Interval(last.days, last.days, high), last)


def _ends(interval: Interval) -> tuple[float, float, float]:
    return interval.expected, interval.low, interval.high


def _subject(line: Line) -> tuple[str, str, int]:
    return ("module" if line.kind == "memory" else line.kind), line.slug, 1


def _quickest(catalog: HardwareCatalog, subject: tuple[str, str, int]) -> LeadTime | None:
    """The shortest confirmed lead time, else the shortest."""
    found = catalog.lead_times_by_subject.get(subject, ())
    return min(found, key=lambda one: (one.confirmation != "confirmed", one.days), default=None)
