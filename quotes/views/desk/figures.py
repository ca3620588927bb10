"""The end of a scale that several drawings share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

GIB = 2**30
ROUND_UP_TO_GIB = 50


def spread(values: Iterable[Any]) -> float:
    """Give the end of a scale that holds all values [bytes], a multiple of 50 GiB."""
    largest = max((float(value) for value in values if value), default=0.0)
    steps = int(largest / (ROUND_UP_TO_GIB * GIB)) + 1
    return float(steps * ROUND_UP_TO_GIB * GIB)
