"""The 90 % band of a speed estimate: how far published runs lay from estimates made without their own source.

Each part is the half-width in the logarithm of speed that the errors on the source left out ask for; parts that are
independent add in quadrature.
"""

from __future__ import annotations

from math import exp, hypot
from typing import Final

from sizing.case import Interval
from sizing.speed.job import SHARDED_WEIGHTS, Job

STACK: Final[dict[str, float]] = {
    "megatron": 0.18,
    "megatron-2022": 0.26,
    "torch-native": 0.20,
    "hugging-face": 0.22,
    "fused-fine-tuning": 0.40,
    "cuda-native": 0.19,
}
"""A dense model on one node with a measured chip, by family of frameworks [–]."""

UNMEASURED_CHIP: Final = 0.30
MIXTURE: Final = 0.36
MANY_NODES: Final = 0.10
OFFLOADED: Final = 0.25
SHORT: Final = 0.30
EAGER_SHORT: Final = 0.50
EAGER_SHARDED: Final = 0.20
UNKNOWN_ADAPTER: Final = 0.15

SHORT_TOKENS: Final = 2048
"""Tokens of a micro-batch under which launches and clocks of the host decide [tokens]."""


def half_width(job: Job) -> float:
    """Half-width of the 90 % band in the logarithm of speed [–]."""
    eager = job.stack.key == "hugging-face"
    parts = [STACK[job.stack.key]]
    if not job.rates.generation.measured:
        parts.append(UNMEASURED_CHIP)
    if job.profile.moe_layers:
        parts.append(MIXTURE)
    if job.system.nodes > 1:
        parts.append(MANY_NODES)
    if job.plan.offload != "none":
        parts.append(OFFLOADED)
    if job.tokens < SHORT_TOKENS:
        parts.append(EAGER_SHORT if eager else SHORT)
    if eager and job.plan.sharding in SHARDED_WEIGHTS:
        parts.append(EAGER_SHARDED)
    if job.training.lora and job.training.lora.kind not in ("lora", "dora"):
        parts.append(UNKNOWN_ADAPTER)
    return hypot(*parts)


def around(value: float, width: float) -> Interval:
    """The interval of a figure whose logarithm has this half-width."""
    return Interval(value, value * exp(-width), value * exp(width))
