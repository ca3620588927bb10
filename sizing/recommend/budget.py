"""A budget against what is known of prices: kept, broken, or open, and never shown as kept while a price is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sizing import economics, exchange
from sizing.assumptions import Ledger
from sizing.hardware_data import HardwareCatalog
from sizing.recommend.build import CURRENCY, Build
from sizing.recommend.limits import Limit, Limits
from sizing.recommend.search import Violation

KEPT, OPEN, OVER = "kept", "open", "over"
WITH_ACCELERATOR = ("gpu", "server")


def currency_of(limits: Limits, catalog: HardwareCatalog) -> str:
    """The currency that prices are counted in: that of the budget where a rate leads there, else US dollars."""
    budget = limits.get("budget")
    wanted = budget.currency if budget else ""
    return wanted if wanted and exchange.between(catalog.exchange_rates, CURRENCY, wanted) else CURRENCY


def with_rates(catalog: HardwareCatalog, money: Mapping[str, Any]) -> HardwareCatalog:
    """The catalog with the exchange rate that the buyer gave, which counts before those of the catalog."""
    stated = economics.stated_rate(money)
    return replace(catalog, exchange_rates=(*stated, *catalog.exchange_rates)) if stated else catalog


def broken(build: Build, limits: Limits) -> list[tuple[Violation, bool]]:
    """A budget that the known prices alone exceed; prices are without tax, so a budget with tax is exceeded as well."""
    budget = limits.get("budget")
    if budget is None or build.price_low is None or not _is_comparable(build, budget):
        return []
    if build.price_low <= budget.value:
        return []
    with_tax = "" if budget.is_net else " without tax"
    allowed = f"{budget.value:,.0f} {build.currency}{'' if budget.is_net else ' with tax'}"
    message = (
        f"Budget: the priced lines alone come to at least {build.price_low:,.0f} {build.currency}{with_tax}, "
        f"{allowed} are allowed."
    )
    return [(Violation("budget", message, build.price_low / budget.value), budget.is_must)]


def state(build: Build, limits: Limits) -> str:
    """Whether the budget is kept for sure, exceeded for sure, or open; empty where none was stated."""
    budget = limits.get("budget")
    if budget is None:
        return ""
    if broken(build, limits):
        return OVER
    is_whole = build.priced == len(build.lines) and build.price_high is not None
    is_sure = is_whole and _is_comparable(build, budget) and budget.is_net
    return KEPT if is_sure and (build.price_high or 0.0) <= budget.value else OPEN


def conditions(build: Build, limits: Limits) -> list[str]:
    """Why it is not known whether the budget is kept."""
    budget = limits.get("budget")
    if budget is None or state(build, limits) != OPEN:
        return []
    if not _is_comparable(build, budget):
        return [
            f"Budget: it is in {budget.currency}, prices are in {build.currency}; an exchange rate has to be agreed."
        ]
    allowed = f"{budget.value:,.0f} {build.currency}"
    found = []
    if build.price_low is None:
        found.append(f"Budget: no line of it has a known price; nothing shows that it keeps {allowed}.")
    elif build.priced < len(build.lines):
        found.append(
            f"Budget: whether it keeps {allowed} is open: {build.priced} of {len(build.lines)} lines have a price, "
            f"at least {build.price_low:,.0f} {build.currency} together."
        )
    elif (build.price_high or 0.0) > budget.value:
        found.append(
            f"Budget: whether it keeps {allowed} is open: all lines together cost {build.price_low:,.0f} to "
            f"{build.price_high:,.0f} {build.currency}."
        )
    if not budget.is_net:
        found.append("Budget: it is with tax, prices are without; the tax has to be added to them first.")
    return found


def is_unknown(build: Build | None, limits: Limits) -> bool:
    """Whether the whole price is not known where a budget must hold."""
    asked = limits.get("budget")
    return build is not None and asked is not None and asked.is_must and build.cost is None


def open_must(build: Build | None, limits: Limits) -> list[str]:
    """Why it is not known whether a budget that must hold is kept."""
    asked = limits.get("budget")
    return conditions(build, limits) if build is not None and asked is not None and asked.is_must else []


def warn_of_reach(limits: Limits, catalog: HardwareCatalog, ledger: Ledger) -> None:
    """Say it where a budget that must hold is below every price that is known of an accelerator alone."""
    budget, currency = limits.get("budget"), currency_of(limits, catalog)
    if budget is None or not budget.is_must or (budget.currency or currency) != currency:
        return
    known = [
        price.low * rate.rate
        for price in catalog.prices
        if price.is_usable and price.subject[0] in WITH_ACCELERATOR
        and (rate := exchange.between(catalog.exchange_rates, price.currency or "", currency))
    ]  # fmt: skip
    if known and budget.value < min(known):
        ledger.warn(
            f"The budget of {budget.value:,.0f} {currency} is below every dated price that we know of an accelerator "
            f"alone: the lowest is {min(known):,.0f} {currency}. Machines without a price are shown, not promised."
        )


def _is_comparable(build: Build, budget: Limit) -> bool:
    return not budget.currency or budget.currency == build.currency
