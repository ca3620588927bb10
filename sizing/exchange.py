"""Exchange rates: what one unit of a currency was worth in another, each with its day and source; none is fetched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """What one unit of `base` was worth in `quote` on a day; `is_stated` where the buyer gave it."""

    base: str
    quote: str
    rate: float
    as_of: str
    source: str
    is_stated: bool = False

    def turned(self) -> ExchangeRate:
        """The same rate from the other side."""
        return ExchangeRate(self.quote, self.base, 1 / self.rate, self.as_of, self.source, self.is_stated)

    def shown(self) -> dict[str, Any]:
        """The rate in the form of an answer."""
        return asdict(self)


def between(rates: Iterable[ExchangeRate], base: str, quote: str) -> ExchangeRate | None:
    """The rate from one currency to another; None where no rate leads there.

    A rate that the buyer gave counts before every other, then the latest day. Where nobody gave the pair itself, the
    two rates to one third currency are multiplied, and the earlier of their days is the day of the product.
    """
    if base == quote:
        return ExchangeRate(base, quote, 1.0, "", "")
    both = [one for given in rates for one in (given, given.turned())]
    direct = _best(one for one in both if (one.base, one.quote) == (base, quote))
    if direct is not None:
        return direct
    crossed = [
        _through(first, second)
        for third in sorted({one.quote for one in both if one.base == base})
        if (first := _best(one for one in both if (one.base, one.quote) == (base, third)))
        and (second := _best(one for one in both if (one.base, one.quote) == (third, quote)))
    ]
    return _best(crossed)


def _best(rates: Iterable[ExchangeRate]) -> ExchangeRate | None:
    return max(rates, key=lambda one: (one.is_stated, one.as_of), default=None)


def _through(first: ExchangeRate, second: ExchangeRate) -> ExchangeRate:
    sources = "; ".join(dict.fromkeys((first.source, second.source)))
    stated = first.is_stated or second.is_stated
    return ExchangeRate(
        first.base, second.quote, first.rate * second.rate, min(first.as_of, second.as_of), sources, stated
    )


def latest(rates: Iterable[ExchangeRate]) -> tuple[ExchangeRate, ...]:
    """Of each pair the rate that counts."""
    found: dict[tuple[str, str], ExchangeRate] = {}
    for one in rates:
        pair = (one.base, one.quote)
        found[pair] = _best((one, found[pair])) or one if pair in found else one
    return tuple(found[pair] for pair in sorted(found))


def from_answer(rows: Iterable[Mapping[str, Any]]) -> tuple[ExchangeRate, ...]:
    """Rates as an answer carries them."""
    return tuple(
        ExchangeRate(
            str(one["base"]), str(one["quote"]), float(one["rate"]), str(one["as_of"]), str(one["source"]),
            bool(one.get("is_stated")),
        )
        for one in rows
    )  # fmt: skip
