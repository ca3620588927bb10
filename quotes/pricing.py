"""Sums of money: each line is rounded once and stored, totals add up what is stored (docs/quotes/rounding.md)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from catalog.money import round_money
from quotes.models import Issuer, PriceKind, Quote, QuoteLine

HUNDRED = Decimal(100)


@dataclass(frozen=True, slots=True)
class TaxShare:
    """Tax at one rate, e.g. 20 % of 1,000.00: 200.00."""

    rate: Decimal
    net: Decimal
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Totals:
    """What the quoted lines add up to, and how many of all lines are quoted or included."""

    currency: str
    net: Decimal
    taxes: tuple[TaxShare, ...]
    tax: Decimal
    gross: Decimal
    discount: Decimal
    lines_priced: int
    lines_total: int

    @property
    def is_complete(self) -> bool:
        """Say whether every line is quoted or included."""
        return self.lines_priced == self.lines_total


def net_amount(
    *, quantity: Decimal, unit_price: Decimal | None, discount_percent: Decimal, currency: str
) -> Decimal | None:
    """Give the amount of a line, rounded once: quantity x price x (1 - discount); None without a price."""
    if unit_price is None:
        return None
    return round_money(quantity * unit_price * (HUNDRED - discount_percent) / HUNDRED, currency)


def totals(quote: Quote) -> Totals:
    """Add up the stored lines of a quote. Runs SQL unless the lines are prefetched."""
    return add_up(quote.lines.all(), currency=quote.currency, rounding=quote.issuer.tax_rounding)


def add_up(lines: Iterable[QuoteLine], *, currency: str, rounding: str) -> Totals:
    """Add up quoted prices; tax on the net sum of a rate, or line by line, as the issuer rounds.

    A market estimate is no amount to pay and is left out.
    """
    rows = list(lines)
    zero = round_money(Decimal(0), currency)
    net_by_rate: defaultdict[Decimal, Decimal] = defaultdict(lambda: zero)
    tax_by_rate: defaultdict[Decimal, Decimal] = defaultdict(lambda: zero)
    discount = zero
    for line in rows:
        if line.price_kind != PriceKind.FIRM or line.net_amount is None or line.unit_price is None:
            continue
        net_by_rate[line.tax_rate] += line.net_amount
        tax_by_rate[line.tax_rate] += round_money(line.net_amount * line.tax_rate / HUNDRED, currency)
        if line.discount_percent:
            discount += round_money(line.quantity * line.unit_price, currency) - line.net_amount
    if rounding == Issuer.TaxRounding.PER_RATE:
        tax_by_rate = defaultdict(
            lambda: zero, {rate: round_money(net * rate / HUNDRED, currency) for rate, net in net_by_rate.items()}
        )
    net, tax = sum(net_by_rate.values(), zero), sum(tax_by_rate.values(), zero)
    return Totals(
        currency=currency,
        net=net,
        taxes=tuple(TaxShare(rate, net_by_rate[rate], tax_by_rate[rate]) for rate in sorted(net_by_rate)),
        tax=tax,
        gross=net + tax,
        discount=discount,
        lines_priced=sum(line.is_priced for line in rows),
        lines_total=len(rows),
    )


def margin_percent(quote: Quote) -> Decimal | None:
    """Give the margin on lines whose price and cost are both known [percent of the net price]; None without any."""
    firm = [line for line in quote.lines.all() if line.price_kind == PriceKind.FIRM]
    known = [line for line in firm if line.net_amount is not None and line.unit_cost is not None]
    net = sum((line.net_amount for line in known if line.net_amount is not None), Decimal(0))
    if not net:
        return None
    cost = sum((line.quantity * line.unit_cost for line in known if line.unit_cost is not None), Decimal(0))
    return ((net - cost) / net * HUNDRED).quantize(Decimal("0.1"))
