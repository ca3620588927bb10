"""Up to which purchase price owning pays: rents and running costs alone, so that no price of the server is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sizing.economics import inputs as given_inputs
from sizing.economics.case import MONTHS_PER_YEAR, Case, price_to_pay, rent_per_month
from sizing.economics.inputs import Inputs
from sizing.economics.offers import Rent

USUAL_HOURS = (5.0, 8.0, 12.0, 24.0)
"""Hours of use a day that buyers ask about: a short and a whole working day, two shifts, without a break."""
USUAL_MONTHS = (12.0, 24.0)
"""Times to payback that buyers ask about, besides the years of use [months]."""


def limits(case: Case, rent: Rent, filled: Inputs, *, reserved: Mapping[str, Any] | None) -> dict[str, Any]:
    """The price below which owning pays: over the years, within shorter times, at other hours, against a reservation.

    Parameters
    ----------
    case : Case
        At the middle rent; its price is not used.
    """
    ends = {"expected": rent.middle, "low": rent.low, "high": rent.high}
    cases = {name: replace(case, rent_per_gpu_hour=rate) for name, rate in ends.items()}
    times = sorted({*(one for one in USUAL_MONTHS if one < case.months), case.months})
    hours = [] if case.is_reserved else sorted({*USUAL_HOURS, case.hours_per_day})
    return {
        "years": case.months / MONTHS_PER_YEAR,
        "hours_per_day": case.hours_per_day,
        "rent_per_month": round(rent_per_month(case), 2),
        **_three(cases, case.months),
        "by_months": [{"months": months, **_three(cases, months)} for months in times],
        "by_hours": [
            {"hours_per_day": one, **_three(_at_hours(cases, one), case.months)} for one in hours
        ],
        "against_reserved": _against(case, reserved),
        "sensitivity": sensitivity(case, filled),
    }  # fmt: skip


def _three(cases: Mapping[str, Case], months: float) -> dict[str, float | None]:
    return {name: _whole(price_to_pay(one, months)) for name, one in cases.items()}


def _whole(price: float | None) -> float | None:
    return None if price is None else round(price, 2)


def _at_hours(cases: Mapping[str, Case], hours: float) -> dict[str, Case]:
    return {name: replace(one, hours_per_day=hours) for name, one in cases.items()}


def _against(case: Case, reserved: Mapping[str, Any] | None) -> float | None:
    if reserved is None:
        return None
    held = replace(case, rent_per_gpu_hour=float(reserved["median"]), is_reserved=True)
    return _whole(price_to_pay(held, case.months))


def sensitivity(case: Case, filled: Inputs) -> list[dict[str, Any]]:
    """The price below which owning pays with each input at its low and high end, the one that moves most first."""
    rows = []
    for one in given_inputs.tried(case, filled):
        if one.name == "price":
            continue
        ends = [price_to_pay(changed, changed.months) for changed in one.cases]
        low, high = (_whole(end) or 0.0 for end in ends)
        rows.append(
            {"key": one.key, "unit": one.unit, "low": one.ends[0], "high": one.ends[1],
             "price_low": low, "price_high": high}
        )  # fmt: skip
    return sorted(rows, key=lambda row: abs(row["price_high"] - row["price_low"]), reverse=True)
