"""The gauge of a plain amount: time against a deadline, power against a feed, money against a budget."""

from __future__ import annotations

from dataclasses import dataclass

from quotes.charts.scale import Tick, at, ticks

HEADROOM = 1.06


@dataclass(frozen=True, slots=True)
class Amount:
    """A bar from zero with its band and, where one was set, its limit; positions in percent of the scale."""

    expected: float
    low: float
    high: float
    limit: float | None
    end: float
    track: str
    bar: str
    over_at: str
    over: str
    low_at: str
    expected_at: str
    high_at: str
    band_width: str
    limit_at: str
    limit_is_left: bool
    is_wide: bool
    ticks: tuple[Tick, ...]

    @property
    def fits(self) -> bool:
        """Say whether the whole band lies within the limit."""
        return self.limit is None or self.high <= self.limit

    @property
    def verdict(self) -> str:
        """Give the word of the drawing: fits or over."""
        return "fits" if self.fits else "over"


def amount(
    expected: float, *, low: float | None = None, high: float | None = None, limit: float | None = None, end: float = 0
) -> Amount:
    """Lay out an amount, all arguments in one unit; without a band the amount stands alone."""
    low = expected if low is None else low
    high = expected if high is None else high
    scale = end or HEADROOM * max(high, expected, limit or 0.0) or 1.0
    excess = max(0.0, expected - limit) if limit is not None else 0.0
    return Amount(
        expected=expected,
        low=low,
        high=high,
        limit=limit,
        end=scale,
        track=at(limit if limit is not None else scale, scale),
        bar=at(expected - excess, scale),
        over_at=at(limit or 0.0, scale),
        over=at(excess, scale),
        low_at=at(low, scale),
        expected_at=at(expected, scale),
        high_at=at(high, scale),
        band_width=at(high - expected, scale),
        limit_at=at(limit or 0.0, scale),
        limit_is_left=bool(limit is not None and limit < 0.3 * scale),
        is_wide=expected > 0.3 * scale,
        ticks=ticks(scale),
    )
