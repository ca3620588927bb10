"""How far the prices of a quote go: which lines are firm, what the whole costs, and whether a budget is kept."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from quotes.presenter import quantities as q
from quotes.presenter.reading import Reading, limit, must

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
    """A budget that must or should be kept, beside the quote's own total [currency]."""

    amount: Decimal
    currency: str
    is_must: bool
    net: Decimal | None

    @property
    def is_kept(self) -> bool | None:
        """Say whether the total stays within the budget; None where the two can not be compared."""
        return None if self.net is None else self.net <= self.amount

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
    comparable = money.is_complete and currency == money.currency
    return Budget(Decimal(str(found)), currency, must(limits, "budget"), money.net if comparable else None)
