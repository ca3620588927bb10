"""Line charts: money over months, time over GPUs; positions in percent across, in pixels down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from quotes.charts.scale import Tick, coordinate, nice_step, ticks

TOP, BASE = 44.0, 190.0
LEFT, RIGHT = 8.0, 98.0
LEGEND_STEP = 15.0
# From here on the words beside the marked point stand left of it.
MARK_TURNS_AT = 40.0


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a line: where it stands."""

    x: float
    y: float

    @property
    def x_at(self) -> str:
        """Give the place across."""
        return f"{self.x:.2f}%"

    @property
    def y_at(self) -> str:
        """Give the place down."""
        return coordinate(self.y)


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight piece between two points; lines are drawn by pieces, so that they stretch with the picture."""

    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Line:
    """One series: its key chooses hue, dash and marker; its name stands above the picture, where there is room."""

    key: str
    segments: tuple[Segment, ...]
    legend_y: str
    legend_text_y: str


@dataclass(frozen=True, slots=True)
class Level:
    """A tick of the upright axis: where it stands and its value."""

    y: str
    text_y: str
    value: float


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with its axes, lines and one marked point."""

    lines: tuple[Line, ...]
    levels: tuple[Level, ...]
    ticks: tuple[Tick, ...]
    mark: Point | None
    mark_value: float | None

    @property
    def mark_anchor(self) -> str:
        """Which end of the words stands at the marked point."""
        return "start" if self.mark is None or self.mark.x < MARK_TURNS_AT else "end"


def chart(
    series: Mapping[str, Sequence[tuple[float, float]]], *, mark: tuple[float, float] | None = None, x_count: int = 6
) -> Chart:
    """Lay out lines from zero on both axes; every series has the same unit.

    Parameters
    ----------
    series
        Points (x, y) of each line by its key, in order of x.
    mark
        The point (x, y) that the picture is about.
    """
    x_end = max(x for points in series.values() for x, _y in points) or 1.0
    y_end = max(y for points in series.values() for _x, y in points) or 1.0
    step = nice_step(y_end, 4)
    y_end = step * (int(y_end / step) + 1)

    def place(x: float, y: float) -> Point:
        return Point(LEFT + (RIGHT - LEFT) * x / x_end, BASE - (BASE - TOP) * y / y_end)

    lines = []
    for row, (key, points) in enumerate(sorted(series.items(), key=lambda one: -one[1][-1][1])):
        pieces = tuple(Segment(a, b) for a, b in pairwise(place(x, y) for x, y in points))
        y = 10.0 + LEGEND_STEP * row
        lines.append(Line(key, pieces, coordinate(y), coordinate(y + 4)))
    levels = tuple(_level(step * index, y_end) for index in range(int(y_end / step) + 1))
    marks = tuple(Tick(f"{LEFT + (RIGHT - LEFT) * one.value / x_end:.2f}%", one.value) for one in ticks(x_end, x_count))
    return Chart(tuple(lines), levels, marks, place(*mark) if mark else None, mark[0] if mark else None)


def _level(value: float, end: float) -> Level:
    y = BASE - (BASE - TOP) * value / end
    return Level(coordinate(y), coordinate(y + 3.5), value)


def break_even(points: Sequence[Mapping[str, Any]], *, month: float | None) -> Chart:
    """Lay out own against rent [thousand of the currency] over months; the crossing is marked where there is one."""
    own = [(float(one["month"]), float(one["own"]) / 1000) for one in points]
    rent = [(float(one["month"]), float(one["rent"]) / 1000) for one in points]
    return chart({"own": own, "rent": rent}, mark=_crossing(own, rent) if month is not None else None)


def _crossing(own: Sequence[tuple[float, float]], rent: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    for (x1, a1), (x2, a2), (_x, b1), (_y, b2) in zip(own, own[1:], rent, rent[1:], strict=False):
        if a1 > b1 and a2 <= b2:
            share = (a1 - b1) / ((a1 - b1) - (a2 - b2))
            return x1 + (x2 - x1) * share, a1 + (a2 - a1) * share
    return None
