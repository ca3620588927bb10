"""Exchange rates that an answer rests on: the rate with its day and source, and whether it is old."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import cloud_tables, dates
from quotes.presenter import quantities as q
from quotes.presenter.engine_words import say
from quotes.presenter.reading import Reading, dig
from sizing import exchange

FRESH_DAYS = 31
"""Age from which an exchange rate is marked as stale: currencies move faster than prices."""


def between(reading: Reading, base: str, quote: str) -> exchange.ExchangeRate | None:
    """Give the rate that the answer of a snapshot holds for two currencies; None where it holds none."""
    return exchange.between(exchange.from_answer(reading.output.get("exchange_rates") or []), base, quote)


def rent(reading: Reading, found: Mapping[str, Any]) -> tuple[float, float, str]:
    """Give the ends of a rent in the currency of the comparison, in its own where the answer holds no rate."""
    own = str(found.get("currency") or "")
    rate = _rate_of(reading, own)
    factor, currency = (rate.rate, rate.quote) if rate is not None else (1.0, own)
    return found["low"] * factor, found["high"] * factor, currency


def of_rents(reading: Reading, rents: Iterable[Mapping[str, Any]]) -> str:
    """Say the rate at which rents were converted; empty where none was."""
    rates = [_rate_of(reading, str(one.get("currency") or "")) for one in rents if one.get("low") is not None]
    return next((said(one.shown(), reading) for one in rates if one is not None), "")


def _rate_of(reading: Reading, own: str) -> exchange.ExchangeRate | None:
    wanted = str(dig(reading.candidate, "economics", "currency") or own)
    return between(reading, own, wanted) if own and wanted != own else None


def said(rate: Mapping[str, Any], reading: Reading) -> str:
    """Say a rate with its day and source, and that it is old where it is."""
    parts = {
        "base": rate["base"],
        "quote": rate["quote"],
        "rate": q.significant(float(rate["rate"]), 5),
        "day": dates.printed(rate.get("as_of")) or _("undated"),
        "source": say(str(rate.get("source") or "")),
    }
    text = _("Converted at 1 %(base)s = %(rate)s %(quote)s of %(day)s (%(source)s).") % parts
    if is_stale(rate.get("as_of"), reading):
        days = {"days": FRESH_DAYS}
        text += " " + _("This rate is older than %(days)s days: give today's before you decide.") % days
    elif not rate.get("as_of"):
        text += " " + _("Nobody gave its day.")
    return text


def is_stale(as_of: Any, reading: Reading) -> bool:
    """Say whether a rate lies further back than rates are trusted, seen from the day of the document."""
    at, today = cloud_tables.last_day(str(as_of or "")), dates.today_of(reading.dig("frozen_at"))
    return at is not None and today is not None and today - at > timedelta(days=FRESH_DAYS)
