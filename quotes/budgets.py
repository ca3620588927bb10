"""A budget that must hold, against what the lines of a quote come to: why it is not known to be kept, in one sentence.

The sentences are the engine's kind: English with figures, said in the reader's language where they are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from quotes.models import Quote
from quotes.presenter.reading import limit, must
from quotes.pricing import Totals
from sizing import exchange


def why_not_kept(quote: Quote, sums: Totals, *, is_complete: bool) -> str:
    """Say why a must budget is broken or open; empty where it is kept, only preferred, or where there is none.

    `is_complete` says that every line has a price of the quote or is included.
    """
    limits = quote.estimate.input.get("limits") or {}
    amount, given = limit(limits, "budget"), limits.get("budget")
    if not isinstance(amount, int | float) or not must(limits, "budget"):
        return ""
    wanted: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    currency = str(wanted.get("currency") or sums.currency)
    if not is_complete:
        return "Budget: not every line has a price of this quote, so nobody knows whether it is kept."
    rate = exchange.between(
        exchange.from_answer(quote.estimate.output.get("exchange_rates") or []), sums.currency, currency
    )
    if rate is None:
        return f"Budget: it is in {currency}, the total in {sums.currency}, and no exchange rate is known: agree one."
    is_net = wanted.get("net") is not False
    total = (sums.net if is_net else sums.gross) * Decimal(str(rate.rate))
    if total <= Decimal(str(amount)):
        return ""
    taxed = "without tax" if is_net else "with tax"
    said = f"{total:,.2f} {currency} {taxed}, {amount:,.0f} {currency} are allowed."
    if rate.base != rate.quote:
        return f"Budget: at 1 {rate.base} = {rate.rate:.4g} {rate.quote} of {rate.as_of} the total is {said}"
    return f"Budget: the total is {said}"
