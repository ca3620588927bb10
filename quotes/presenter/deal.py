"""How far the prices of a quote go: which lines are firm, what the whole costs, and whether a budget is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import quantities as q
from quotes.presenter.engine_words import say
from quotes.presenter.reading import Reading, limit, must
from sizing import exchange

SETTLED_PRICES = ("firm", "included")


@dataclass(frozen=True, slots=True)
class Deal:
    """The money of a quote: lines with a price that binds, all lines, and the stored total [currency]."""

    firm: int
    lines: int
    priced: int
    net: Decimal | None
    currency: str

    @property
    def is_complete(self) -> bool:
        """Say whether every line has a firm price or is included, so that the total is the price of the whole."""
        return bool(self.lines) and self.firm == self.lines and self.net is not None

    @property
    def has_market_prices(self) -> bool:
        """Say whether a market price stands in the stored sum."""
        return self.priced > self.firm


def deal(reading: Reading) -> Deal:
    """Read how far the prices of a snapshot go; the sum is the stored one."""
    totals = reading.dig("totals") or {}
    every = int(totals.get("lines_total") or len(reading.lines))
    priced = int(totals.get("lines_priced") or 0)
    settled = sum(str(line.get("price_kind")) in SETTLED_PRICES for line in reading.lines)
    net = totals.get("net")
    return Deal(
        firm=min(priced, settled),
        lines=every,
        priced=priced,
        net=None if net in (None, "") else Decimal(str(net)),
        currency=str(totals.get("currency") or ""),
    )


@dataclass(frozen=True, slots=True)
class Budget:
    """A budget that must or should be kept, beside the quote's own total [currency].

    A budget with tax is held against the total with tax, one without against the net total.
    """

    amount: Decimal
    currency: str
    is_must: bool
    is_net: bool
    total: Decimal | None

    @property
    def is_kept(self) -> bool | None:
        """Say whether the total stays within the budget; None where the two can not be compared."""
        return None if self.total is None else self.total <= self.amount

    @property
    def verdict(self) -> str:
        """Say in a sentence whether the total stays within the budget; empty where the two can not be compared."""
        if self.total is None:
            return ""
        said = {"net": q.money(self.total, self.currency), "budget": self.shown}
        if self.is_net:
            if self.is_kept:
                return _("The net total of %(net)s stays within your budget of %(budget)s.") % said
            return _("The net total of %(net)s is above your budget of %(budget)s.") % said
        if self.is_kept:
            return _("The total with tax of %(net)s stays within your budget of %(budget)s.") % said
        return _("The total with tax of %(net)s is above your budget of %(budget)s.") % said

    @property
    def shown(self) -> q.Quantity:
        """Write the budget."""
        return q.money(self.amount, self.currency, digits=0)


def budget(reading: Reading) -> Budget | None:
    """Give the budget of the request against the quote's own complete total; None where none was stated."""
    limits = reading.dig("input", "limits") or {}
    found, given = limit(limits, "budget"), limits.get("budget")
    if not isinstance(found, int | float):
        return None
    money = deal(reading)
    currency = str((given.get("currency") if isinstance(given, dict) else "") or money.currency)
    rate = exchange.between(exchange.from_answer(reading.output.get("exchange_rates") or []), money.currency, currency)
    is_net = not (isinstance(given, dict) and given.get("net") is False)
    gross = (reading.dig("totals") or {}).get("gross")
    total = money.net if is_net else None if gross in (None, "") else Decimal(str(gross))
    if total is None or rate is None or not money.is_complete:
        return Budget(Decimal(str(found)), currency, must(limits, "budget"), is_net, None)
    return Budget(Decimal(str(found)), currency, must(limits, "budget"), is_net, total * Decimal(str(rate.rate)))


def open_budget(reading: Reading) -> str:
    """Say why nobody knows yet whether a budget that must hold is kept; empty where it is known or none is stated.

    A quote says it of its own lines (`budget`), a calculation of the prices that the engine knew.
    """
    limits = reading.dig("input", "limits") or {}
    if reading.is_quote or not reading.does_the_job or not must(limits, "budget"):
        return ""
    return budget_condition(reading.candidate or {})


def budget_condition(candidate: Mapping[str, Any]) -> str:
    """Say what is not known of the budget of a candidate; empty where it is kept, exceeded, or none was stated."""
    if candidate.get("budget") != "open":
        return ""
    return say(next(iter(candidate.get("conditional") or []), ""))
