"""What a comparison of owning with renting rests on: the buyer's own figures, else listed assumptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sizing import exchange, fields
from sizing.assumptions import Assumption, Ledger
from sizing.economics.case import Case
from sizing.economics.offers import CURRENCY, Rent
from sizing.exchange import ExchangeRate
from sizing.hardware_data import HardwareCatalog

STATED_SWING = 0.2
"""How far a figure that the buyer gave is moved to see what it weighs [share of it]."""

RENT_LOW, RENT_HIGH = 0.6, 1.6
PRICE_SWING = 0.15
RATE_SWING = 0.15
"""How far an exchange rate may move within the years of use, at least [share of it]."""

OUR_ASSUMPTION = "our assumption; to be replaced by the buyer's own figure"
PRICE_PAGES = "price pages of the providers, listed beside the comparison"
NOT_KNOWN = "no source at hand; to be given by the buyer"
STATED_RATE = "exchange rate that the buyer gave"
WITHOUT_TAX = "prices.without_tax"


@dataclass(frozen=True, slots=True)
class Input:
    """One input: its usual value and plausible range [unit], why, on whose word; money holds in one currency only.

    A value of None is not counted until somebody gives it.
    """

    name: str
    value: float | None
    unit: str
    low: float | None
    high: float | None
    why: str
    source: str
    as_of: str = ""
    is_money: bool = False

    @property
    def key(self) -> str:
        """Its key in the ledger."""
        return f"economics.{self.name}"


INPUTS = (
    Input("hours_per_day", 8.0, "h", 2.0, 24.0, "a team's working day with queued runs", "not stated in the request"),
    Input("years", 3.0, "years", 2.0, 5.0, "usual depreciation of GPU servers", "usual practice"),
    Input("tariff", 0.0871, "USD/kWh", 0.06, 0.24, "industrial electricity",
          "EIA Electric Power Monthly, US industrial average; EU-27 non-household 0.2179 EUR", "2026-05", True),
    Input("pue", 1.54, "", 1.1, 1.8, "power of the room over power of the servers",
          "Uptime Institute Global Data Center Survey 2025, weighted average", "2025"),
    Input("space_per_kw_month", 195.94, "USD/kW-month", 0.0, 250.0,
          "a rented place in a data center; 0 in a room of one's own. Power is counted beside it",
          "CBRE report, US wholesale colocation of 250 to 500 kW, read second-hand", "2025-H2", True),
    Input("yearly_share", 0.07, "share of the price a year", 0.03, 0.15, "support contract and spare parts",
          OUR_ASSUMPTION),
    Input("staff_share", 0.03, "share of the price a year", 0.0, 0.1, "time of the people who run the server",
          OUR_ASSUMPTION),
    Input("residual_share", 0.15, "share of the price", 0.0, 0.4, "resale value at the end", OUR_ASSUMPTION),
    Input("idle_power_share", 0.3, "share of full power", 0.15, 0.5, "power drawn while nothing runs", OUR_ASSUMPTION),
    Input("interest_rate", 0.0, "share a year", 0.0, 0.15,
          "paid from own money; give the yearly rate of a loan or lease, repaid over the years of use", OUR_ASSUMPTION),
    Input("cloud_storage_per_gb_month", None, "USD/GB-month", None, None,
          "storage in the cloud is not counted until its price is given", NOT_KNOWN, "", True),
    Input("egress_gb_per_month", 0.0, "GB", 0.0, 0.0,
          "data read out of the cloud every month: none is known of", "not stated in the request"),
    Input("egress_per_gb", None, "USD/GB", None, None,
          "traffic out of the cloud is not counted until its price is given", NOT_KNOWN, "", True),
)  # fmt: skip
BY_NAME: Mapping[str, Input] = {one.name: one for one in INPUTS}


@dataclass(frozen=True, slots=True)
class Inputs:
    """The inputs of one comparison: values by name, names of those that the buyer gave, names of those not counted.

    `converted` names what moves with `rate`, the worth of a US dollar: inputs, ``rent_per_gpu_hour`` and ``price``.
    """

    values: Mapping[str, float]
    stated: frozenset[str]
    not_counted: tuple[str, ...]
    currency: str
    converted: frozenset[str] = frozenset()
    rate: float = 1.0


@dataclass(frozen=True, slots=True)
class Tried:
    """One input at its low and its high end, and the two cases that follow."""

    name: str
    unit: str
    ends: tuple[float, float]
    cases: tuple[Case, Case]

    @property
    def key(self) -> str:
        """Its key in the ledger."""
        return f"economics.{self.name}"


def read(
    request: Mapping[str, Any], catalog: HardwareCatalog, ledger: Ledger, *, budget_currency: str = ""
) -> dict[str, Any]:
    """The buyer's own figures of a request: ``economics``, and the hours a day of the workload.

    Without a currency of its own a comparison is in that of the budget, where a rate leads there.

    Raises
    ------
    SizingError
        Naming the field whose value is impossible.
    """
    given, unknown = fields.read(request.get("economics") or {}, fields.ECONOMICS, "economics")
    for name in unknown:
        ledger.warn(f"The field 'economics.{name}' is not known and was not used.")
    hours = (request.get("workload") or {}).get("utilisation_hours_per_day")
    if "hours_per_day" not in given and hours is not None:
        given["hours_per_day"] = fields.ECONOMICS["hours_per_day"].read(hours, "workload.utilisation_hours_per_day")
    if "rent_gpu" in given:
        given["rent_gpu"] = catalog.gpu(given["rent_gpu"], field="economics.rent_gpu").slug
    if "currency" not in given and budget_currency:
        has_rate = "exchange_rate" in given or exchange.between(catalog.exchange_rates, CURRENCY, budget_currency)
        if has_rate:
            given["currency"] = budget_currency
    if "exchange_rate" in given and given.get("currency", CURRENCY) == CURRENCY:
        ledger.warn("An exchange rate was stated without another currency than USD; it was not used.")
    return given


def stated_rate(given: Mapping[str, Any]) -> tuple[ExchangeRate, ...]:
    """The exchange rate that the buyer gave, if any: what a US dollar is worth in the buyer's currency."""
    currency = str(given.get("currency") or CURRENCY)
    if given.get("exchange_rate") is None or currency == CURRENCY:
        return ()
    source = str(given.get("exchange_rate_source") or STATED_RATE)
    as_of = str(given.get("exchange_rate_as_of") or "")
    return (ExchangeRate(CURRENCY, currency, float(given["exchange_rate"]), as_of, source, is_stated=True),)


def complete(
    given: Mapping[str, Any],
    *,
    currency: str,
    storage_bytes: float | None,
    ledger: Ledger,
    rate: ExchangeRate | None = None,
) -> Inputs:
    """Every input: stated, else assumed and listed; money known in US dollars only is converted at the rate.

    Parameters
    ----------
    storage_bytes : float or None
        What the job keeps on drives, and would keep in the cloud [B].
    rate : ExchangeRate or None
        From US dollars to the currency; without one, money known in dollars only is not counted.
    """
    values: dict[str, float] = {}
    missing = []
    converted: set[str] = set()
    factor = 1.0 if currency == CURRENCY else rate.rate if rate else None
    for one in INPUTS:
        if given.get(one.name) is not None:
            values[one.name] = float(given[one.name])
            continue
        times = factor if one.is_money else 1.0
        usual = None if one.value is None or times is None else one.value * times
        ledger.assume(assumption(one, usual, currency, times or 1.0))
        if usual is None:
            missing.append(one.name)
        elif one.is_money:
            converted.add(one.name)
        values[one.name] = usual or 0.0
    kept = given.get("cloud_storage_gb")
    values["cloud_storage_gb"] = float(kept) if kept is not None else round((storage_bytes or 0.0) / 1e9, 1)
    stated = frozenset(name for name in values if given.get(name) is not None)
    return Inputs(values, stated, tuple(missing), currency, frozenset(converted), factor or 1.0)


def assumption(one: Input, value: float | None, currency: str, factor: float) -> Assumption:
    """An input that nobody stated, as a line of the ledger; its ends are those of the list times a factor."""
    unit = one.unit.replace(CURRENCY, currency) if one.is_money else one.unit
    known = value is not None
    low, high = (None, None)
    if known and one.low is not None and one.high is not None and one.low != one.high:
        low, high = one.low * factor, one.high * factor
    source, as_of = (one.source, one.as_of) if known else (NOT_KNOWN, "")
    return Assumption(one.key, value, unit, one.why, source, low=low, high=high, as_of=as_of)


def assume_rent(rent: Rent | None, currency: str, ledger: Ledger) -> None:
    """List the rent that is used, so that a customer's own can take its place, and that its tax is outside."""
    key, unit = "economics.rent_per_gpu_hour", f"{currency}/GPU-h"
    if rent is None:
        why = "no dated rent of this GPU is known; a quote for the cloud can be given"
        ledger.assume(Assumption(key, None, unit, why, NOT_KNOWN))
    elif not rent.is_stated:
        why = f"middle of the dated prices on demand for {rent.gpu}; a quote of one's own counts more"
        ledger.assume(Assumption(key, rent.middle, unit, why, PRICE_PAGES, low=rent.low, high=rent.high,
                                 as_of=rent.as_of))  # fmt: skip
        assume_without_tax(ledger)


def assume_without_tax(ledger: Ledger) -> None:
    """List that published prices are taken as without tax, wherever their source does not say it."""
    why = "published prices and rents of which nobody says whether tax is inside; both sides count without it"
    ledger.assume(Assumption(WITHOUT_TAX, True, "", why, "usual practice of the pages where they were read"))


def assume_exchange(rate: ExchangeRate, ledger: Ledger, *, rents_of: str) -> None:
    """List the rate at which dollars were converted, with its day; warn where it is older than what it converts.

    Parameters
    ----------
    rents_of : str
        The latest date of the rents.
    """
    unit, key = f"{rate.quote}/{rate.base}", "economics.exchange_rate"
    if not rate.is_stated:
        why = f"rents and usual costs are known in {rate.base}, the comparison is in {rate.quote}"
        ends = (rate.rate * (1 - RATE_SWING), rate.rate * (1 + RATE_SWING))
        ledger.assume(Assumption(key, rate.rate, unit, why, rate.source, low=ends[0], high=ends[1], as_of=rate.as_of))
    if rate.as_of and rents_of and rate.as_of[:7] < rents_of[:7]:
        ledger.warn(
            f"The exchange rate is of {rate.as_of}, older than the rents that it converts ({rents_of}): "
            "give today's rate."
        )


def tried(case: Case, filled: Inputs) -> Iterator[Tried]:
    """Each input that has a range, then the rent, the price and the exchange rate, at both ends."""
    for one in INPUTS:
        pair = ends(filled, one.name)
        if pair is not None:
            unit = one.unit.replace(CURRENCY, filled.currency) if one.is_money else one.unit
            yield _tried(case, one.name, unit, pair)
    for name, shares in (
        ("rent_per_gpu_hour", (RENT_LOW, RENT_HIGH)),
        ("price", (1 - PRICE_SWING, 1 + PRICE_SWING)),
    ):
        value = float(getattr(case, name))
        yield _tried(case, name, "", (value * shares[0], value * shares[1]))
    if filled.rate != 1.0 and filled.converted:
        shares = (1 - RATE_SWING, 1 + RATE_SWING)
        low, high = (_at_rate(case, filled, share) for share in shares)
        rates = (filled.rate * shares[0], filled.rate * shares[1])
        yield Tried("exchange_rate", f"{filled.currency}/{CURRENCY}", rates, (low, high))


def _tried(case: Case, name: str, unit: str, pair: tuple[float, float]) -> Tried:
    changes: list[dict[str, Any]] = [{name: value} for value in pair]
    return Tried(name, unit, pair, (replace(case, **changes[0]), replace(case, **changes[1])))


def _at_rate(case: Case, filled: Inputs, share: float) -> Case:
    moved: dict[str, Any] = {name: getattr(case, name) * share for name in filled.converted}
    return replace(case, **moved)


def ends(inputs: Inputs, name: str) -> tuple[float, float] | None:
    """The two values between which an input is tried; None where it has no range."""
    value, known = inputs.values.get(name, 0.0), BY_NAME.get(name)
    if name in inputs.stated:
        return (value * (1 - STATED_SWING), min(value * (1 + STATED_SWING), _most(name))) if value else None
    if known is None or name in inputs.not_counted or known.low is None or known.low == known.high:
        return None
    factor = inputs.rate if name in inputs.converted else 1.0
    return known.low * factor, (known.high or 0.0) * factor


def _most(name: str) -> float:
    field = fields.ECONOMICS[name]
    return field.high if isinstance(field, fields.Number) else float("inf")
