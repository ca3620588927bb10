"""Own against rented for a document: from the quote's own total once it is complete, never from a part of a price."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import exchange
from quotes.presenter import quantities as q
from quotes.presenter.deal import deal
from quotes.presenter.reading import Reading, dig
from sizing import economics

FORMER = {"hours_per_day": 8.0, "years": 3.0, "tariff": 0.0871, "pue": 1.54, "yearly_share": 0.12,
          "residual_share": 0.15, "idle_power_share": 0.3}  # fmt: skip
"""Inputs of answers that do not carry their own, as they were when those were calculated."""


def comparison(reading: Reading) -> Mapping[str, Any]:
    """Give own against rented as a document may say it.

    A complete total of the quote takes the place of other prices, with the rents and inputs of the answer; in another
    currency than theirs it is converted at the rate that the answer holds. A quote whose total is not complete, or
    that no rate leads from, gives no break-even.
    """
    found = dig(reading.candidate, "economics") or {}
    if not reading.is_quote or not found.get("rent"):
        return found
    money = deal(reading)
    rate = exchange.between(reading, money.currency, str(found.get("currency") or ""))
    if not money.is_complete or rate is None or not _has_inputs(found):
        return {**found, "price_is_complete": False}
    net = float(money.net or 0)
    compared = _of_total(reading, found, net * rate.rate, is_exchanged=rate.rate != 1.0)
    if rate.rate != 1.0:
        compared |= {"price_quoted": {"amount": net, "currency": money.currency}, "price_exchange": rate.shown()}
    return {**found, **compared}


def is_comparable(found: Mapping[str, Any]) -> bool:
    """Say whether both sides have a whole price."""
    return bool(found.get("known") and found.get("price_is_complete"))


def pays_in_time(found: Mapping[str, Any]) -> bool:
    """Say whether the server has paid for itself within its years of use."""
    months, years = dig(found, "months_to_pay", "expected"), found.get("years")
    return months is not None and (years is None or months <= years * 12)


def _has_inputs(found: Mapping[str, Any]) -> bool:
    """Say whether the rents are in the currency of the comparison, and electricity has a price in it."""
    rents_in = dig(found, "rent", "currency") or found.get("currency")
    return rents_in == found.get("currency") and "economics.tariff" not in (found.get("not_counted") or [])


def _of_total(reading: Reading, found: Mapping[str, Any], price: float, *, is_exchanged: bool) -> dict[str, Any]:
    rent = found["rent"]
    watts = dig(reading.candidate, "facility", "power_watts", "expected") or 0.0
    values: dict[str, Any] = assumed(reading, found)
    case = economics.Case(
        price=price,
        gpus=reading.gpus,
        power_w=float(watts),
        rent_per_gpu_hour=float(rent["median"]),
        is_reserved=bool(rent.get("is_reserved")),
        **values,
    )
    stated, missing = found.get("stated") or (), found.get("not_counted") or ()
    filled = economics.Inputs(
        values,
        frozenset(stated),
        tuple(str(one).removeprefix("economics.") for one in missing),
        str(found["currency"]),
        frozenset(found.get("converted") or ()) - {"price"} | ({"price"} if is_exchanged else set()),
        float(dig(found, "exchange", "rate") or 1.0),
    )
    early = replace(case, rent_per_gpu_hour=float(rent["high"]))
    late = replace(case, rent_per_gpu_hour=float(rent["low"]))
    return {
        "known": True,
        "price_is_complete": True,
        "is_our_total": True,
        "price": {"low": price, "high": price},
        **economics.figures(case, early, late, filled, reserved=found.get("reserved")),
    }


def use_of(found: Mapping[str, Any]) -> str:
    """Write the hours of use a day, marked where nobody stated them."""
    return _marked(found, "hours_per_day", str(q.figure(input_of(found, "hours_per_day"), "h/day")))


def years_of(found: Mapping[str, Any]) -> str:
    """Write the years of use, marked where nobody stated them."""
    return _marked(found, "years", str(q.figure(input_of(found, "years"), "years")))


def input_of(found: Mapping[str, Any], name: str) -> Any:
    """Give an input of a comparison; one without a whole price has it among its inputs alone."""
    return found[name] if name in found else dig(found, "inputs", name)


def _marked(found: Mapping[str, Any], name: str, text: str) -> str:
    return text if name in (found.get("stated") or ()) else _("%(value)s (assumed)") % {"value": text}


def assumed(reading: Reading, found: Mapping[str, Any]) -> dict[str, float]:
    """Give the inputs of the comparison: those of the answer; of an older answer the ledger's, else the former ones."""
    given = found.get("inputs")
    if isinstance(given, Mapping):
        known = {one.name for one in fields(economics.Case)}
        return {str(name): float(value) for name, value in given.items() if name in known}
    values = dict(FORMER)
    for one in reading.assumptions:
        name = str(one.get("key") or "").removeprefix("economics.")
        if name in values and isinstance(one.get("value"), int | float):
            values[name] = float(one["value"])
    if isinstance(found.get("hours_per_day"), int | float):
        values["hours_per_day"] = float(found["hours_per_day"])
    return values


def resale(found: Mapping[str, Any]) -> float:
    """Give the resale value that the months to pay count [currency].

    An older answer does not name it; it follows from the answer itself: at the month of payback own and rented have
    cost the same.
    """
    if found.get("resale") is not None:
        return float(found["resale"])
    points, month = found.get("curve") or [], dig(found, "months_to_pay", "expected")
    if not points:
        return 0.0
    price = float(points[0]["own"])
    if month is None:
        return price * FORMER["residual_share"]
    saved = float(found.get("rent_per_month") or 0) - float(found.get("own_per_month") or 0)
    return max(0.0, price - float(month) * saved)
