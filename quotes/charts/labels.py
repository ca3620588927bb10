"""Labels above a stacked bar: each stands over what it names and climbs a step where it would touch its neighbor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quotes.charts.scale import at

NARROW = " .,:;il|!'()"
BROAD = "мшщжюфМШЩЖЮФmwMW%"
GAP = 6.0


@dataclass(frozen=True, slots=True)
class Label:
    """One label, e.g. “Saved activations 7.6”: the stretch it names, the step it stands on, the side it starts from."""

    text: str
    start: str
    stop: str
    level: int
    anchor: str = "start"

    @property
    def at(self) -> str:
        """Give where the text is anchored."""
        return self.stop if self.anchor == "end" else self.start


def breadth(words: str, size: float) -> float:
    """Estimate the width of a text in Inter [same unit as the size], a little on the wide side."""
    return sum(0.30 if c in NARROW else 0.72 if c in BROAD else 0.585 for c in words) * size


def staircase(
    stretches: Sequence[tuple[float, float, str]], *, end: float, width: float, size: float, right: float = 0
) -> list[Label]:
    """Place labels rising to the left; where one would run off the right edge, all rise to the right instead.

    Parameters
    ----------
    stretches
        Begin, end (on the scale) and text of what is named, in drawing order.
    end
        End of the scale.
    width, size, right
        Width of the picture, size of its text, and where the last label must end, in one unit.
    """
    scale = width / end
    bound = right or width
    if any(begin * scale + breadth(text, size) > bound for begin, _stop, text in stretches):
        return _rising_right(stretches, end=end, scale=scale, size=size)
    placed: list[tuple[float, int]] = []
    labels = []
    for begin, stop, text in reversed(stretches):
        reach = begin * scale + breadth(text, size) + GAP
        level = 1 + max((other for left, other in placed if left < reach), default=-1)
        placed.append((begin * scale, level))
        labels.append(Label(text, at(begin, end), at(stop, end), level))
    return labels[::-1]


def _rising_right(
    stretches: Sequence[tuple[float, float, str]], *, end: float, scale: float, size: float
) -> list[Label]:
    placed: list[tuple[float, int]] = []
    labels = []
    for begin, stop, text in stretches:
        long = breadth(text, size)
        anchor = "end" if stop * scale >= long else "start"
        left = stop * scale - long - GAP if anchor == "end" else begin * scale
        level = 1 + max((other for right, other in placed if right > left), default=-1)
        placed.append((stop * scale if anchor == "end" else begin * scale + long, level))
        labels.append(Label(text, at(begin, end), at(stop, end), level, anchor))
    return labels
