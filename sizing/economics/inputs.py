"""What a comparison of owning with renting rests on: the buyer's own figures, else listed assumptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sizing import fields
from sizing.assumptions import Assumption, Ledger
from sizing.economics.offers import CURRENCY, Rent
from sizing.hardware_data import HardwareCatalog

STATED_SWING = 0.2
"""How far a figure that the buyer gave is moved to see what it weighs [share of it]."""

RENT_LOW, RENT_HIGH = 0.6, 1.6
PRICE_SWING = 0.15
OUR_ASSUMPTION = "our assumption; to be replaced by the buyer's own figure"
PRICE_PAGES = "price pages of the providers, listed beside the comparison"
NOT_KNOWN = "no source at hand; to be given by the buyer"


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
    """The inputs of one comparison: values by name, names of those that the buyer gave, names of those not counted."""

    values: Mapping[str, float]
    stated: frozenset[str]
    not_counted: tuple[str, ...]
    currency: str


def read(request: Mapping[str, Any], catalog: HardwareCatalog, ledger: Ledger) -> dict[str, Any]:
    """The buyer's own figures of a request: ``economics``, and the hours a day of the workload.

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
    return given


def complete(given: Mapping[str, Any], *, currency: str, storage_bytes: float | None, ledger: Ledger) -> Inputs:
    """Every input: stated, else assumed and listed; money that is known in another currency only is not counted.

    Parameters
    ----------
    storage_bytes : float or None
        What the job keeps on drives, and would keep in the cloud [B].
    """
    values: dict[str, float] = {}
    missing = []
    for one in INPUTS:
        if given.get(one.name) is not None:
            values[one.name] = float(given[one.name])
            continue
        usual = one.value if currency == CURRENCY or not one.is_money else None
        ledger.assume(assumption(one, usual, currency))
        if usual is None:
            missing.append(one.name)
        values[one.name] = usual or 0.0
    kept = given.get("cloud_storage_gb")
    values["cloud_storage_gb"] = float(kept) if kept is not None else round((storage_bytes or 0.0) / 1e9, 1)
    stated = frozenset(name for name in values if given.get(name) is not None)
    return Inputs(values, stated, tuple(missing), currency)


def assumption(one: Input, value: float | None, currency: str) -> Assumption:
    """An input that nobody stated, as a line of the ledger."""
    unit = one.unit.replace(CURRENCY, currency) if one.is_money else one.unit
    known = value is not None
    low, high = (one.low, one.high) if known and one.low != one.high else (None, None)
    source, as_of = (one.source, one.as_of) if known else (NOT_KNOWN, "")
    return Assumption(one.key, value, unit, one.why, source, low=low, high=high, as_of=as_of)


def assume_rent(rent: Rent | None, currency: str, ledger: Ledger) -> None:
    """List the rent that is used, so that a customer's own can take its place."""
    key, unit = "economics.rent_per_gpu_hour", f"{currency}/GPU-h"
    if rent is None:
        why = "no dated rent of this GPU is known; a quote for the cloud can be given"
        ledger.assume(Assumption(key, None, unit, why, NOT_KNOWN))
    elif not rent.is_stated:
        why = f"middle of the dated prices on demand for {rent.gpu}; a quote of one's own counts more"
        ledger.assume(Assumption(key, rent.middle, unit, why, PRICE_PAGES, low=rent.low, high=rent.high,
                                 as_of=rent.as_of))  # fmt: skip


def ends(inputs: Inputs, name: str) -> tuple[float, float] | None:
    """The two values between which an input is tried; None where it has no range."""
    value, known = inputs.values.get(name, 0.0), BY_NAME.get(name)
    if name in inputs.stated:
        return (value * (1 - STATED_SWING), min(value * (1 + STATED_SWING), _most(name))) if value else None
    if known is None or name in inputs.not_counted or known.low is None or known.low == known.high:
        return None
    return known.low, known.high or 0.0


def _most(name: str) -> float:
    field = fields.ECONOMICS[name]
    return field.high if isinstance(field, fields.Number) else float("inf")
