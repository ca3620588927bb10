"""How estimates compare with publications: each source weighs the same, however many rows it has.

Rows of one source are alike; below ten rows a source weighs in proportion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

FULL_WEIGHT_ROWS: Final = 10


class Scored(Protocol):
    """One published figure beside its estimate."""

    @property
    def group(self) -> str:
        """The source's group."""

    @property
    def error(self) -> float:
        """Estimate against publication, signed [–]."""

    @property
    def is_in_band(self) -> bool:
        """Whether the published figure lies in the estimate's band."""

    @property
    def half_width(self) -> float:
        """Half the band against the estimate [–]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One published figure beside its estimate and the estimate's band, all in one unit."""

    published: float
    predicted: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Estimate against publication, signed [–]."""
        return self.predicted / self.published - 1

    @property
    def is_in_band(self) -> bool:
        """Whether the published figure lies in the estimate's band."""
        return self.low <= self.published <= self.high

    @property
    def half_width(self) -> float:
        """Half the band against the estimate [–]."""
        return (self.high - self.low) / 2 / self.predicted if self.predicted else 0.0


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How a set of estimates compares with publications; all shares and errors [–]."""

    rows: int
    median: float
    ninth_decile: float
    bias: float
    coverage: float
    half_width: float

    @property
    def is_thin(self) -> bool:
        """Whether so few runs were measured that the figures say little."""
        return self.rows < FULL_WEIGHT_ROWS


def accuracy(of: Iterable[Scored]) -> Accuracy:
    """Errors and band coverage of some points."""
    chosen = list(of)
    sizes = Counter(point.group for point in chosen)
    weighted = [(point, 1 / max(sizes[point.group], FULL_WEIGHT_ROWS)) for point in chosen]
    total = sum(weight for _, weight in weighted) or 1.0
    absolute = [(abs(point.error), weight) for point, weight in weighted]
    return Accuracy(
        rows=len(chosen),
        median=quantile(absolute, 0.5),
        ninth_decile=quantile(absolute, 0.9),
        bias=quantile([(point.error, weight) for point, weight in weighted], 0.5),
        coverage=sum(weight for point, weight in weighted if point.is_in_band) / total,
        half_width=quantile([(point.half_width, weight) for point, weight in weighted], 0.5),
    )


def by[P: Scored](key: str, of: Iterable[P]) -> dict[str, Accuracy]:
    """Accuracy by an attribute of the points, such as `group`, `method` or `gpu`."""
    parts: dict[str, list[P]] = {}
    for point in of:
        parts.setdefault(getattr(point, key), []).append(point)
    return {name: accuracy(parts[name]) for name in sorted(parts)}


def quantile(values: Sequence[tuple[float, float]], share: float) -> float:
    """Weighted quantile of (value, weight) pairs."""
    total, seen = sum(weight for _, weight in values), 0.0
    for value, weight in sorted(values):
        seen += weight
        if seen >= share * total:
            return value
    return 0.0
