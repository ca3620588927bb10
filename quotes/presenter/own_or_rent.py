"""Own against rented for a document: from the quote's own total once it is complete, never from a part of a price."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from quotes.presenter.deal import deal
from quotes.presenter.reading import Reading, dig
from sizing import economics


def comparison(reading: Reading) -> Mapping[str, Any]:
    """Give own against rented as a document may say it.

    A complete total of the quote takes the place of published prices, with the rents and assumptions of the answer.
    A quote whose total is not complete, or is in another currency than the rents, gives no break-even.
    """
    found = dig(reading.candidate, "economics") or {}
    if not reading.is_quote or not found.get("rent"):
        return found
    money = deal(reading)
    if not money.is_complete or money.currency != found.get("currency"):
        return {**found, "price_is_complete": False}
    return {**found, **_of_total(reading, found, float(money.net or 0))}


def is_comparable(found: Mapping[str, Any]) -> bool:
    """Say whether both sides have a whole price."""
    return bool(found.get("known") and found.get("price_is_complete"))


def _of_total(reading: Reading, found: Mapping[str, Any], price: float) -> dict[str, Any]:
    rent = found["rent"]
    watts = dig(reading.candidate, "facility", "power_watts", "expected") or 0.0
    case = economics.Case(
        price=price,
        gpus=reading.gpus,
        power_w=float(watts),
        rent_per_gpu_hour=float(rent["median"]),
        **assumed(reading, found),
    )
    early = replace(case, rent_per_gpu_hour=float(rent["high"]))
    late = replace(case, rent_per_gpu_hour=float(rent["low"]))
    ends = (("expected", case), ("low", early), ("high", late))
    return {
        "known": True,
        "price_is_complete": True,
        "is_our_total": True,
        "price": {"low": price, "high": price},
        "hours_per_day": case.hours_per_day,
        "own_per_month": round(economics.running_per_month(case), 2),
        "rent_per_month": round(economics.rent_per_month(case), 2),
        "months_to_pay": {name: economics.months_to_pay(one) for name, one in ends},
        "hours_per_day_to_pay": {name: economics.hours_to_pay(one) for name, one in ends},
        "curve": economics.curve(case),
        "sensitivity": economics.sensitivity(case),
    }


def assumed(reading: Reading, found: Mapping[str, Any]) -> dict[str, float]:
    """Give the assumed inputs of the comparison: the ledger's values, else the engine's own."""
    values = {key.rsplit(".", 1)[-1]: float(value) for key, value, *_rest in economics.DEFAULTS}
    for one in reading.assumptions:
        name = str(one.get("key") or "").removeprefix("economics.")
        if name in values and isinstance(one.get("value"), int | float):
            values[name] = float(one["value"])
    if isinstance(found.get("hours_per_day"), int | float):
        values["hours_per_day"] = float(found["hours_per_day"])
    return values


def resale(found: Mapping[str, Any]) -> float:
    """Give the resale value that the months to pay count [currency].

    It follows from the answer itself: at the month of payback own and rented have cost the same.
    """
    points, month = found.get("curve") or [], dig(found, "months_to_pay", "expected")
    if not points:
        return 0.0
    price = float(points[0]["own"])
    if month is None:
        share = next((float(one[1]) for one in economics.DEFAULTS if one[0] == "economics.residual_share"), 0.0)
        return price * share
    saved = float(found.get("rent_per_month") or 0) - float(found.get("own_per_month") or 0)
    return max(0.0, price - float(month) * saved)
