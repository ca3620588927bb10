"""Own or rent for one candidate: when a bought server has paid for itself, and how busy it has to be.

Only money is computed. Reasons that are not money stand beside the number, never inside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from sizing import exchange
from sizing.assumptions import Ledger
from sizing.economics import inputs as given_inputs
from sizing.economics import offers, prices
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
from sizing.economics.prices import USUAL_HOURS
from sizing.exchange import ExchangeRate
from sizing.hardware_data import CloudOffer

REASONS_BESIDE_MONEY = (
    "The data stays on premises.",
    "No provider can end the service, raise the price or run out of GPUs.",
    "The cost is known in advance.",
)
NO_PRICE = "No price of this hardware is known."
PARTIAL_PRICE = "The price is incomplete: {priced} of {total} lines have one."
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
    rates: Iterable[ExchangeRate] = (),
) -> dict[str, Any]:
    """Own against rent for one candidate; says why where a side has no price.

    An incomplete price gives no break-even: it would be that of a part of the machine. Where there are rents in the
    currency, ``price_to_pay`` says below which price owning pays, whatever the price is.

    Parameters
    ----------
    price : mapping or None
        ``low``, ``high``, ``currency``, ``is_complete``, ``lines_priced`` and ``lines_total`` of the catalog's prices;
        a price that the buyer gives takes their place.
    given : mapping
        The buyer's own figures, as `inputs.read` gives them.
    rates : iterable of ExchangeRate
        Dated rates of the catalog; the buyer's own counts before them.
    """
    currency = str(given.get("currency") or (price or {}).get("currency") or offers.CURRENCY)
    known = _price(price, given, currency)
    sides = _sides(gpu_slug, known, (tuple(cloud), (*given_inputs.stated_rate(given), *rates)), given, currency)
    rent, bought = sides.rent, sides.bought
    filled = _filled(sides, given, storage_bytes, ledger)
    found = _told(sides, filled)
    reason = _missing(rent, filled)
    if reason or rent is None:
        return found | {"reason": reason}
    case = Case(
        price=(bought["low"] + bought["high"]) / 2 if bought else 0.0, gpus=gpus, power_w=power_w,
        rent_per_gpu_hour=rent.middle, is_reserved=rent.is_reserved, **filled.values,
    )  # fmt: skip
    found["price_to_pay"] = prices.limits(case, rent, filled, reserved=found["reserved"])
    if bought is None:
        return found | {"reason": NO_PRICE if known is None else OTHER_CURRENCY.format(
            price=known["currency"], rent=currency)}  # fmt: skip
    found["price"] = {"low": bought["low"], "high": bought["high"]}
    if not bought["is_complete"]:
        return found | {"reason": PARTIAL_PRICE.format(priced=bought["lines_priced"], total=bought["lines_total"])}
    early = replace(case, price=bought["low"], rent_per_gpu_hour=rent.high)
    late = replace(case, price=bought["high"], rent_per_gpu_hour=rent.low)
    return found | {
        "known": True,
        "price_is_complete": True,
        "price_is_stated": bought.get("is_stated", False),
        **figures(case, early, late, filled, reserved=found["reserved"]),
    }


@dataclass(frozen=True, slots=True)
class Sides:
    """What is known of both sides in one currency, and the rate at which US dollars were converted into it."""

    currency: str
    rate: ExchangeRate | None
    rent: Rent | None
    reserved: Rent | None
    bought: Mapping[str, Any] | None

    @property
    def is_published(self) -> bool:
        """Whether the rent is one that providers printed."""
        return self.rent is not None and not self.rent.is_stated


def _sides(
    gpu_slug: str,
    known: dict[str, Any] | None,
    printed: tuple[tuple[CloudOffer, ...], tuple[ExchangeRate, ...]],
    given: Mapping[str, Any],
    currency: str,
) -> Sides:
    cloud, rates = printed
    rate = exchange.between(rates, offers.CURRENCY, currency) if currency != offers.CURRENCY else None
    own = offers.stated(given, gpu_slug, currency)
    rent = own or _exchanged(offers.published(gpu_slug, cloud), rate)
    reserved = _exchanged(offers.published(gpu_slug, cloud, offers.RESERVED), rate) if rent and not own else None
    return Sides(currency, rate, rent, reserved, _in(currency, known, rates))


def _filled(sides: Sides, given: Mapping[str, Any], storage_bytes: float | None, ledger: Ledger) -> Inputs:
    """Every input in the currency of the comparison; what is assumed goes to the ledger."""
    rent, bought = sides.rent, sides.bought
    if sides.rate is not None:
        given_inputs.assume_exchange(sides.rate, ledger, rents_of=rent.as_of if rent and sides.is_published else "")
    given_inputs.assume_rent(rent, rent.currency if rent else sides.currency, ledger)
    filled = given_inputs.complete(
        given, currency=sides.currency, storage_bytes=storage_bytes, ledger=ledger, rate=sides.rate
    )
    moved = {"rent_per_gpu_hour"} if sides.is_published else set()
    moved |= {"price"} if bought is not None and bought.get("is_exchanged") else set()
    return replace(filled, converted=filled.converted | moved)


def _told(sides: Sides, filled: Inputs) -> dict[str, Any]:
    """What an answer says of both sides, whether they can be compared or not."""
    return {
        "known": False,
        "price": None,
        "price_is_complete": False,
        "currency": sides.currency,
        "exchange": sides.rate.shown() if sides.rate else None,
        "rent": sides.rent.shown() if sides.rent else None,
        "reserved": sides.reserved.shown() if sides.reserved else None,
        "inputs": dict(filled.values),
        "stated": sorted(filled.stated),
        "not_counted": [f"economics.{name}" for name in filled.not_counted],
        "converted": sorted(filled.converted),
        "reasons_beside_money": list(REASONS_BESIDE_MONEY),
        "price_to_pay": None,
    }


def _exchanged(rent: Rent | None, rate: ExchangeRate | None) -> Rent | None:
    return rent.at(rate) if rent is not None and rate is not None else rent


def _in(currency: str, bought: dict[str, Any] | None, rates: Iterable[ExchangeRate]) -> dict[str, Any] | None:
    """A price in the currency of the comparison; None where no rate leads there."""
    if bought is None or bought["currency"] == currency:
        return bought
    rate = exchange.between(rates, bought["currency"], currency)
    if rate is None:
        return None
    sums = {name: bought[name] * rate.rate for name in ("low", "high")}
    return bought | sums | {"currency": currency, "is_exchanged": True}


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


def _missing(rent: Rent | None, filled: Inputs) -> str:
    """Why owning and renting cannot be compared at any price; empty where they can."""
    if rent is None:
        return NO_RENT
    if rent.currency != filled.currency:
        return OTHER_CURRENCY.format(price=filled.currency, rent=rent.currency)
    if "tariff" in filled.not_counted:
        return NO_TARIFF.format(currency=filled.currency)
    return ""


def sensitivity(case: Case, filled: Inputs) -> list[dict[str, Any]]:
    """Months to pay with each input at its low and high end, the one that moves most first."""
    rows: list[dict[str, Any]] = []
    for one in given_inputs.tried(case, filled):
        months = [months_to_pay(changed) for changed in one.cases]
        rows.append(
            {"key": one.key, "unit": one.unit, "low": one.ends[0], "high": one.ends[1],
             "months_low": months[0], "months_high": months[1]}
        )  # fmt: skip
    return sorted(rows, key=_swing, reverse=True)


def _swing(row: Mapping[str, Any]) -> float:
    ends = [row[name] if row[name] is not None else NEVER_MONTHS for name in ("months_low", "months_high")]
    return abs(float(ends[0]) - float(ends[1]))
