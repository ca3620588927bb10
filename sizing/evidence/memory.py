"""Published memory peaks and outcomes, and how the engine's estimates compare with them.

Every published figure is held against the counter it was read from: live tensors (`allocated`), what the allocator held
(`reserved`) or what the device showed (`device`); where a publication does not say which, against the nearest of the
three. Rows of one source are alike, so each source weighs the same however many rows it has; below ten rows a source
weighs in proportion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sizing.datafiles import read_json_lines
from sizing.units import GIB

CASES: Final = "evidence/memory.jsonl"
COUNTERS: Final[dict[str, tuple[str, ...]]] = {
    "allocated": ("allocated",),
    "active": ("allocated",),
    "reserved": ("reserved",),
    "device": ("device",),
}
ANY_COUNTER: Final = ("allocated", "reserved", "device")
MEASURED: Final = (None, "measured", "stated_rounded")

type Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Point:
    """One published peak beside the estimate for it [GiB]; the published ends differ where the unit was open."""

    case: str
    group: str
    method: str
    gpu: str
    sharding: str
    counter: str
    published_low: float
    published_high: float
    predicted: float
    low: float
    high: float

    @property
    def published(self) -> float:
        """Middle of the published range [GiB]."""
        return (self.published_low + self.published_high) / 2

    @property
    def error(self) -> float:
        """Estimate against publication, signed; 0 within the published range [–]."""
        if self.predicted > self.published_high:
            return self.predicted / self.published_high - 1
        if self.predicted < self.published_low:
            return self.predicted / self.published_low - 1
        return 0.0

    @property
    def is_in_band(self) -> bool:
        """Whether the estimate's band meets the published range."""
        return self.low <= self.published_high and self.high >= self.published_low

    @property
    def half_width(self) -> float:
        """Half the band against the estimate [–]."""
        return (self.high - self.low) / 2 / self.predicted


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run that is known to have fitted or not, beside the engine's verdict."""

    case: str
    group: str
    method: str
    gpu: str
    sharding: str
    fitted: bool
    stated: bool
    verdict: bool | None

    @property
    def is_right(self) -> bool:
        """Whether the verdict is the published outcome; no verdict is never right."""
        return self.verdict == self.fitted


@cache
def cases() -> tuple[Mapping[str, Any], ...]:
    """The published runs in the format that `estimate` reads, each with what was measured and its source."""
    return tuple(read_json_lines(CASES))


def compared(ask: Ask) -> tuple[list[Point], list[Outcome]]:
    """Every published peak and outcome with what `ask` answers; peaks that it refuses are left out."""
    points, outcomes = [], []
    for case in cases():
        answer = ask({name: case[name] for name in ("id", "workload", "hardware", "plan") if name in case})
        memory = answer.get("memory") or {}
        expected = case["expected"]
        if "outcome" in expected:
            outcomes.append(_outcome(case, memory))
        if memory and "memory" in expected and case.get("evidence") in MEASURED:
            points.append(_point(case, memory, expected["memory"]))
    return points, outcomes


def _facts(case: Mapping[str, Any]) -> dict[str, str]:
    return {
        "case": case["id"],
        "group": case["source"]["group"],
        "method": case["workload"]["method"],
        "gpu": case.get("hardware", {}).get("gpu") or "",
        "sharding": case.get("plan", {}).get("sharding", "none"),
    }


def _point(case: Mapping[str, Any], memory: Mapping[str, Any], published: Mapping[str, Any]) -> Point:
    found = [
        Point(
            **_facts(case),
            counter=counter,
            published_low=published["gib_low"],
            published_high=published["gib_high"],
            predicted=memory[counter]["expected"] / GIB,
            low=memory[counter]["low"] / GIB,
            high=memory[counter]["high"] / GIB,
        )
        for counter in COUNTERS.get(published.get("kind", ""), ANY_COUNTER)
    ]
    return min(found, key=lambda point: abs(point.error))


def _outcome(case: Mapping[str, Any], memory: Mapping[str, Any]) -> Outcome:
    return Outcome(
        **_facts(case),
        fitted=case["expected"]["outcome"] == "fits",
        stated=case.get("evidence") != "oom_inferred",
        verdict=memory.get("fits"),
    )


def balanced(of: Iterable[Outcome]) -> float:
    """Mean of the shares of right verdicts among runs that fitted and runs that did not [–]."""
    chosen = [outcome for outcome in of if outcome.stated]
    shares = []
    for fitted in (True, False):
        right = [outcome.is_right for outcome in chosen if outcome.fitted is fitted]
        if right:
            shares.append(sum(right) / len(right))
    return sum(shares) / len(shares) if shares else 0.0
