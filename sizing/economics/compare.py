"""Own or rent for one candidate: when a bought server has paid for itself, and how busy it has to be.

Only money is computed. Reasons that are not money stand beside the number, never inside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from sizing.assumptions import Ledger
from sizing.economics import inputs as given_inputs
from sizing.economics import offers
from sizing.economics.case import (
    NEVER_MONTHS,
    Case,
    cloud_parts,
    curve,
    hours_to_pay,
    months_to_pay,
    own_parts,
    rent_per_month,
    running_per_month,
)
from sizing.economics.inputs import Inputs
from sizing.economics.offers import Rent
from sizing.hardware_data import CloudOffer

REASONS_BESIDE_MONEY = (
    "The data stays on premises.",
    "No provider can end the service, raise the price or run out of GPUs.",
    "The cost is known in advance.",
)
USUAL_HOURS = (5.0, 8.0, 12.0, 24.0)
"""Hours of use a day that buyers ask about: a short and a whole working day, two shifts, without a break."""
NO_PRICE = "No price of this hardware is known."
NO_RENT = "No dated rent of this GPU is known."
OTHER_CURRENCY = "Prices and rents are known in different currencies: {price} and {rent}."
NO_TARIFF = "No price of electricity in {currency} is known."


def compare(
    *,
    gpu_slug: str,
    gpus: int,
    power_w: float,
    price: Mapping[str, Any] | None,
    cloud: Iterable[CloudOffer],
    given: Mapping[str, Any],
    ledger: Ledger,
    storage_bytes: float | None = None,
) -> dict[str, Any]:
    """Own against rent for one candidate; says why where a side has no price.

    An incomplete price makes the break-even a lower bound, and the answer says so.

    Parameters
    ----------
    price : mapping or None
        ``low``, ``high``, ``currency`` and ``is_complete`` of the catalog's prices; a price that the buyer gives
        takes their place.
    given : mapping
        The buyer's own figures, as `inputs.read` gives them.
    """
    cloud = tuple(cloud)
    currency = str(given.get("currency") or (price or {}).get("currency") or offers.CURRENCY)
    bought = _price(price, given, currency)
    rent = offers.stated(given, gpu_slug, currency) or offers.published(gpu_slug, cloud)
    reserved = offers.published(gpu_slug, cloud, offers.RESERVED) if rent and not rent.is_stated else None
    given_inputs.assume_rent(rent, rent.currency if rent else currency, ledger)
    filled = given_inputs.complete(given, currency=currency, storage_bytes=storage_bytes, ledger=ledger)
    found: dict[str, Any] = {
        "known": False,
        "currency": currency,
        "rent": rent.shown() if rent else None,
        "reserved": reserved.shown() if reserved else None,
        "inputs": dict(filled.values),
        "stated": sorted(filled.stated),
        "not_counted": [f"economics.{name}" for name in filled.not_counted],
        "reasons_beside_money": list(REASONS_BESIDE_MONEY),
    }
    reason = _missing(bought, rent, filled)
    if reason or bought is None or rent is None:
        return found | {"reason": reason}
    middle = (bought["low"] + bought["high"]) / 2
    case = Case(
        price=middle, gpus=gpus, power_w=power_w, rent_per_gpu_hour=rent.middle, is_reserved=rent.is_reserved,
        **filled.values,
    )  # fmt: skip
    early = replace(case, price=bought["low"], rent_per_gpu_hour=rent.high)
    late = replace(case, price=bought["high"], rent_per_gpu_hour=rent.low)
    return found | {
        "known": True,
        "price_is_complete": bought["is_complete"],
        "price_is_stated": bought.get("is_stated", False),
        "price": {"low": bought["low"], "high": bought["high"]},
        **figures(case, early, late, filled, reserved=found["reserved"]),
    }


def figures(
    case: Case, early: Case, late: Case, filled: Inputs, *, reserved: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The figures of a comparison that has both sides.

    Parameters
    ----------
    early, late : Case
        The ends: lowest price with the dearest rent, and the opposite.
    reserved : mapping or None
        Rents of a reservation, paid around the clock.
    """
    three = (("expected", case), ("low", early), ("high", late))
    return {
        "case": asdict(case),
        "hours_per_day": case.hours_per_day,
        "years": case.years,
        "resale": case.price * case.residual_share,
        "own_parts": {name: round(cost, 2) for name, cost in own_parts(case).items()},
        "cloud_parts": {name: round(cost, 2) for name, cost in cloud_parts(case).items()},
        "own_per_month": round(running_per_month(case), 2),
        "rent_per_month": round(rent_per_month(case), 2),
        "months_to_pay": {name: months_to_pay(one) for name, one in three},
        "hours_per_day_to_pay": {name: hours_to_pay(one) for name, one in three},
        "by_hours": by_hours(case, early, late),
        "against_reserved": _against(case, reserved),
        "curve": curve(case),
        "sensitivity": sensitivity(case, filled),
    }


def by_hours(case: Case, early: Case, late: Case) -> list[dict[str, Any]]:
    """The same comparison at other hours of use a day; empty for a reservation, which hours do not move."""
    if case.is_reserved:
        return []
    rows = []
    for hours in sorted({*USUAL_HOURS, case.hours_per_day}):
        used, soon, slow = (replace(one, hours_per_day=hours) for one in (case, early, late))
        rows.append(
            {
                "hours_per_day": hours,
                "own_per_month": round(running_per_month(used), 2),
                "rent_per_month": round(rent_per_month(used), 2),
                "months_to_pay": {
                    "expected": months_to_pay(used),
                    "low": months_to_pay(soon),
                    "high": months_to_pay(slow),
                },
            }
        )
    return rows


def _against(case: Case, reserved: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Owning against a reservation, which is billed around the clock."""
    if reserved is None:
        return None
    held = replace(case, rent_per_gpu_hour=float(reserved["median"]), is_reserved=True)
    return {
        "rent_per_month": round(rent_per_month(held), 2),
        "months_to_pay": months_to_pay(held),
        "is_cheaper_than_on_demand": rent_per_month(held) < rent_per_month(case),
    }


def _price(price: Mapping[str, Any] | None, given: Mapping[str, Any], currency: str) -> dict[str, Any] | None:
    stated = given.get("price")
    if stated is not None:
        return {"low": stated, "high": stated, "currency": currency, "is_complete": True, "is_stated": True}
    return dict(price) if price is not None else None


def _missing(bought: Mapping[str, Any] | None, rent: Rent | None, filled: Inputs) -> str:
    """Why owning and renting cannot be compared; empty where they can."""
    if rent is None:
        return NO_RENT
    if bought is None:
        return NO_PRICE
    if not bought["currency"] == rent.currency == filled.currency:
        ours = bought["currency"] if bought["currency"] != rent.currency else filled.currency
        return OTHER_CURRENCY.format(price=ours, rent=rent.currency)
    if "tariff" in filled.not_counted:
        return NO_TARIFF.format(currency=filled.currency)
    return ""


def sensitivity(case: Case, filled: Inputs) -> list[dict[str, Any]]:
    """Months to pay with each input at its low and high end, the one that moves most first."""
    rows = []
    for one in given_inputs.INPUTS:
        ends = given_inputs.ends(filled, one.name)
        if ends is not None:
            rows.append(_tried(case, one.name, one.unit, ends))
    rent = (given_inputs.RENT_LOW, given_inputs.RENT_HIGH)
    price = (1 - given_inputs.PRICE_SWING, 1 + given_inputs.PRICE_SWING)
    for name, shares in (("rent_per_gpu_hour", rent), ("price", price)):
        value = float(getattr(case, name))
        rows.append(_tried(case, name, "", (value * shares[0], value * shares[1])))
    return sorted(rows, key=_swing, reverse=True)


def _tried(case: Case, name: str, unit: str, ends: tuple[float, float]) -> dict[str, Any]:
    changes: list[dict[str, Any]] = [{name: value} for value in ends]
    months = [months_to_pay(replace(case, **change)) for change in changes]
    return {"key": f"economics.{name}", "unit": unit, "low": ends[0], "high": ends[1],
            "months_low": months[0], "months_high": months[1]}  # fmt: skip


def _swing(row: Mapping[str, Any]) -> float:
    ends = [row[name] if row[name] is not None else NEVER_MONTHS for name in ("months_low", "months_high")]
    return abs(float(ends[0]) - float(ends[1]))
