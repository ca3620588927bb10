"""The 90 % band of a speed estimate: how far published runs lay from estimates made without their own source."""

from __future__ import annotations

from math import exp, hypot
from typing import Final

from sizing.case import Interval
from sizing.speed.job import Job

BASE: Final = 0.20
"""Half-width of the band in the logarithm of speed for a stack and a chip that evidence covers [–]."""

UNMEASURED_CHIP: Final = 0.30
OTHER_STACK: Final = 0.10
MIXTURE: Final = 0.25
MANY_NODES: Final = 0.15
OFFLOADED: Final = 0.35
SHORT_BATCH: Final = 0.20
_SMALL_TOKENS: Final = 2048
_STACKS_OF_ONE_SOURCE: Final = ("megatron-2022", "fused-fine-tuning")


def half_width(job: Job) -> float:
    """Half-width of the 90 % band in the logarithm of speed [–]; parts that are independent add in quadrature."""
    parts = [BASE]
    if not job.rates.generation.measured:
        parts.append(UNMEASURED_CHIP)
    if job.stack.key in _STACKS_OF_ONE_SOURCE:
        parts.append(OTHER_STACK)
    if job.profile.moe_layers:
        parts.append(MIXTURE)
    if job.system.nodes > 1:
        parts.append(MANY_NODES)
    if job.plan.offload != "none":
        parts.append(OFFLOADED)
    if job.tokens < _SMALL_TOKENS:
        parts.append(SHORT_BATCH)
    return hypot(*parts)


def around(value: float, width: float) -> Interval:
    """The interval of a figure whose logarithm has this half-width."""
    return Interval(value, value * exp(-width), value * exp(width))
