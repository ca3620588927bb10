"""Own or rent: when a bought server has paid for itself against rented GPUs, and how busy it has to be.

Only money is computed. Reasons that are not money stand beside the number, never inside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from sizing.assumptions import Assumption, Ledger
from sizing.hardware_data import CloudOffer

DAYS_PER_MONTH = 365.25 / 12
HOURS_PER_DAY = 24
NEVER_MONTHS = 120.0
OTHER_GPU = {"h200-nvl": "h200-sxm", "h100-nvl": "h100-pcie"}
REASONS_BESIDE_MONEY = (
    "The data stays on premises.",
    "No provider can end the service, raise the price or run out of GPUs.",
    "The cost is known in advance.",
)
DEFAULTS = (
    ("economics.hours_per_day", 8.0, "h", 2.0, 24.0, "a team's working day with queued runs",
     "not stated in the request", ""),
    ("economics.years", 3.0, "years", 2.0, 5.0, "usual depreciation of GPU servers", "usual practice", ""),
    ("economics.tariff", 0.0871, "USD/kWh", 0.06, 0.24, "industrial electricity",
     "EIA Electric Power Monthly, US industrial average; EU-27 non-household 0.2179 EUR", "2026-05"),
    ("economics.pue", 1.54, "", 1.1, 1.8, "power of the room over power of the servers",
     "Uptime Institute Global Data Center Survey 2025, weighted average", "2025"),
    ("economics.yearly_share", 0.12, "share of the price a year", 0.05, 0.25, "support, space, spare parts, staff time",
     "not measured; to be replaced by the buyer's own figure", ""),
    ("economics.residual_share", 0.15, "share of the price", 0.0, 0.4, "resale value at the end",
     "not measured; to be replaced by the buyer's own figure", ""),
    ("economics.idle_power_share", 0.3, "share of full power", 0.15, 0.5, "power drawn while nothing runs",
     "idle draw of GPU servers against full load", ""),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """One comparison. Money in one currency, `power_w` at the wall at full load."""

    price: float
    gpus: float
    power_w: float
    rent_per_gpu_hour: float
    hours_per_day: float
    years: float
    tariff: float
    pue: float
    yearly_share: float
    residual_share: float
    idle_power_share: float


def running_per_month(case: Case) -> float:
    """What an owned server costs a month beside its price: power and the yearly share [currency/month]."""
    busy = case.hours_per_day / HOURS_PER_DAY
    mean_w = case.power_w * (busy + (1 - busy) * case.idle_power_share)
    power = mean_w / 1000 * HOURS_PER_DAY * DAYS_PER_MONTH * case.pue * case.tariff
    return power + case.price * case.yearly_share / 12


def rent_per_month(case: Case) -> float:
    """Renting the same GPUs for the hours used [currency/month]."""
    return case.gpus * case.hours_per_day * DAYS_PER_MONTH * case.rent_per_gpu_hour


def months_to_pay(case: Case) -> float | None:
    """Months until owning has cost less than renting, the residual value counted; None where it never does."""
    saved = rent_per_month(case) - running_per_month(case)
    if saved <= 0:
        return None
    months = case.price * (1 - case.residual_share) / saved
    return months if months <= NEVER_MONTHS else None


def hours_to_pay(case: Case) -> float | None:
    """Hours a day at which owning and renting cost the same over the years; None above 24."""
    low, high = 0.0, float(HOURS_PER_DAY)
    if not _owning_pays(replace(case, hours_per_day=high)):
        return None
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if _owning_pays(replace(case, hours_per_day=middle)) else (middle, high)
    return high


def _owning_pays(case: Case) -> bool:
    months = case.years * 12
    own = case.price * (1 - case.residual_share) + running_per_month(case) * months
    return own <= rent_per_month(case) * months


def offers_for(gpu_slug: str, offers: Iterable[CloudOffer]) -> tuple[list[CloudOffer], str]:
    """Dated on-demand offers in USD of a GPU, and the GPU they are of: its sibling where nobody rents this one."""
    known = [one for one in offers if one.currency == "USD" and one.as_of and one.kind == "on-demand"]
    for slug in (gpu_slug, OTHER_GPU.get(gpu_slug, "")):
        found = [one for one in known if one.gpu == slug]
        if found:
            return found, slug
    return [], gpu_slug


def compare(
    *, gpu_slug: str, gpus: int, power_w: float, price: dict[str, Any] | None, offers: Iterable[CloudOffer],
    hours_per_day: float | None, ledger: Ledger,
) -> dict[str, Any]:  # fmt: skip
    """Own against rent for one candidate; says why where a side has no price.

    An incomplete price makes the break-even a lower bound, and the answer says so.
    """
    found, rented = offers_for(gpu_slug, offers)
    if price is None or not found:
        missing = "No price of this hardware is known." if price is None else "No dated rent of this GPU is known."
        return {"known": False, "reason": missing, "reasons_beside_money": list(REASONS_BESIDE_MONEY)}
    values = _assumed(hours_per_day, ledger)
    rents = sorted(one.per_gpu_hour for one in found)
    middle = (price["low"] + price["high"]) / 2
    case = Case(price=middle, gpus=gpus, power_w=power_w, rent_per_gpu_hour=median(rents), **values)
    early = replace(case, price=price["low"], rent_per_gpu_hour=rents[-1])
    late = replace(case, price=price["high"], rent_per_gpu_hour=rents[0])
    return {
        "known": True,
        "currency": price["currency"],
        "price_is_complete": price["is_complete"],
        "price": {"low": price["low"], "high": price["high"]},
        "rent": {"gpu": rented, "low": rents[0], "median": median(rents), "high": rents[-1], "offers": len(rents),
                 "as_of": max(one.as_of or "" for one in found), "sources": sorted({one.source for one in found})},
        "hours_per_day": values["hours_per_day"],
        "own_per_month": round(running_per_month(case), 2),
        "rent_per_month": round(rent_per_month(case), 2),
        "months_to_pay": {"expected": months_to_pay(case), "low": months_to_pay(early), "high": months_to_pay(late)},
        "hours_per_day_to_pay": {"expected": hours_to_pay(case), "low": hours_to_pay(early),
                                 "high": hours_to_pay(late)},
        "curve": curve(case),
        "sensitivity": sensitivity(case),
        "reasons_beside_money": list(REASONS_BESIDE_MONEY),
    }  # fmt: skip


def _assumed(hours_per_day: float | None, ledger: Ledger) -> dict[str, float]:
    values = {}
    for key, value, unit, low, high, why, source, as_of in DEFAULTS:
        name = key.rsplit(".", 1)[-1]
        if name == "hours_per_day" and hours_per_day is not None:
            values[name] = hours_per_day
            continue
        values[name] = value
        ledger.assume(Assumption(key, value, unit, why, source, low=low, high=high, as_of=as_of))
    return values


def curve(case: Case) -> list[dict[str, float]]:
    """Cost so far of both ways, every quarter over the years [currency]."""
    quarters = range(0, round(case.years * 12) + 1, 3)
    own, rent = running_per_month(case), rent_per_month(case)
    return [{"month": m, "own": round(case.price + own * m), "rent": round(rent * m)} for m in quarters]


def sensitivity(case: Case) -> list[dict[str, Any]]:
    """Months to pay with each input at its low and high end, the one that moves most first."""
    rows = []
    for key, _, unit, low, high, *_ in DEFAULTS:
        name = key.rsplit(".", 1)[-1]
        if name == "years":
            continue
        ends = [months_to_pay(replace(case, **{name: value})) for value in (low, high)]
        rows.append({"key": key, "unit": unit, "low": low, "high": high, "months_low": ends[0], "months_high": ends[1]})
    for name, low, high in (
        ("rent_per_gpu_hour", case.rent_per_gpu_hour * 0.6, case.rent_per_gpu_hour * 1.6),
        ("price", case.price * 0.85, case.price * 1.15),
    ):
        ends = [months_to_pay(replace(case, **{name: value})) for value in (low, high)]
        rows.append({"key": f"economics.{name}", "unit": "", "low": low, "high": high,
                     "months_low": ends[0], "months_high": ends[1]})  # fmt: skip
    return sorted(rows, key=_swing, reverse=True)


def _swing(row: dict[str, Any]) -> float:
    ends = [row[name] if row[name] is not None else NEVER_MONTHS for name in ("months_low", "months_high")]
    return abs(float(ends[0]) - float(ends[1]))
