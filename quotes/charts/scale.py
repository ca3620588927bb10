"""A linear scale from zero: positions as percentages, ticks at round numbers."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10

NICE = (1.0, 2.0, 2.5, 5.0, 10.0)


def at(value: float, end: float) -> str:
    """Write a place on a scale as a percentage with a point, whatever the language."""
    if end <= 0:
        return "0%"
    return f"{max(0.0, min(100.0, 100 * value / end)):.2f}%"


def coordinate(value: float) -> str:
    """Write a coordinate with a point, whatever the language."""
    return f"{value:.2f}"


def nice_step(end: float, count: int = 6) -> float:
    """Choose a round distance between ticks so that about so many stand on the scale."""
    if end <= 0:
        return 1.0
    raw = end / count
    power = 10.0 ** floor(log10(raw))
    return next(factor * power for factor in NICE if factor * power >= raw * 0.999)


@dataclass(frozen=True, slots=True)
class Tick:
    """One mark of an axis: where it stands and what it says."""

    at: str
    value: float
    anchor: str = "middle"


def ticks(end: float, count: int = 6) -> tuple[Tick, ...]:
    """Give the marks of an axis from zero to an end; the first is set flush left, one at the very end flush right."""
    step = nice_step(end, count)
    marks = []
    for index in range(int(end / step + 1e-9) + 1):
        value = index * step
        anchor = "start" if index == 0 else "end" if value > end * 0.97 else "middle"
        marks.append(Tick(at(value, end), value, anchor))
    return tuple(marks)
