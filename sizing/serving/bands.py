"""The 90 % bands of serving figures: how far published runs lay from estimates made without their own source.

Each part is the half-width in the logarithm that the errors on the source left out ask for; independent parts add in
quadrature.
"""

from __future__ import annotations

from math import exp, hypot
from typing import Final

from sizing.serving.case import ServingCase

HALF_WIDTHS: Final[dict[str, float]] = {
    "output_tokens_per_second": 0.45,
    "output_tokens_per_second_per_gpu": 0.45,
    "requests_per_second": 0.45,
    "tpot_ms": 0.40,
    "ttft_ms": 1.10,
}


def half_width(case: ServingCase, name: str) -> float:
    """Half-width of the band in the logarithm of a figure [–]."""
    return hypot(HALF_WIDTHS[name], 0.0)


def high(case: ServingCase, name: str, value: float) -> float:
    """Upper end of a figure's band, in the figure's unit."""
    return value * exp(half_width(case, name))


def low(case: ServingCase, name: str, value: float) -> float:
    """Lower end of a figure's band, in the figure's unit."""
    return value * exp(-half_width(case, name))
