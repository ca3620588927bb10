"""Which input moves an answer most: a bar from its low to its high end for each, around the expected value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quotes.charts.scale import Tick, at, coordinate, ticks

ROW = 32.0
TOP = 4.0
BAR = 11.0
LABEL = 12.0
MARK = 2.0
ROOM = 1.04


@dataclass(frozen=True, slots=True)
class Swing:
    """One input: where its label, its bar, its ends and the mark of the expected value stand.

    `is_open` where an end is never reached.
    """

    label: str
    ends: str
    text_y: str
    bar_y: str
    start: str
    width: str
    is_open: bool
    mark_top: str
    mark_end: str


@dataclass(frozen=True, slots=True)
class Swings:
    """The bars, the line of the expected value and the axis [px down, percent across]."""

    bars: tuple[Swing, ...]
    expected_at: str
    axis_y: str
    mark_y: str
    number_y: str
    height: str
    ticks: tuple[Tick, ...]


def swings(
    rows: Sequence[tuple[str, str, float | None, float | None]], *, expected: float | None, end: float
) -> Swings:
    """Lay out the bars.

    Parameters
    ----------
    rows
        Label, ends in words, and the two ends [x]; None is never reached and goes to the end of the scale.
    expected
        The expected value [x], None where it is never reached.
    end
        End of the scale where an end is never reached [x]; else the largest end is.
    """
    reached = [one for _label, _ends, *pair in rows for one in pair if one is not None]
    is_open = any(one is None for _label, _ends, *pair in rows for one in pair)
    most = max([*reached, expected or 0.0], default=0.0)
    scale = min(max(end, most), most * 1.5) if is_open and most else most * ROOM or end
    bars = []
    for index, (label, ends, low, high) in enumerate(rows):
        places = sorted(scale if one is None else one for one in (low, high))
        y = TOP + index * ROW
        start, width = at(places[0], scale), f"{max(0.6, 100 * (places[1] - places[0]) / scale):.2f}%"
        top = y + LABEL + 4
        marks = coordinate(top - MARK), coordinate(top + BAR + MARK)
        bars.append(
            Swing(label, ends, coordinate(y + LABEL), coordinate(top), start, width, None in (low, high), *marks)
        )
    axis = TOP + len(rows) * ROW + 2
    return Swings(
        tuple(bars),
        "" if expected is None else at(expected, scale),
        coordinate(axis),
        coordinate(axis + 4),
        coordinate(axis + 15),
        f"{axis + 20:.0f}",
        ticks(scale),
    )
