"""90 % bands, built by component.

Exactly known bytes (weights, states of a known optimizer) carry almost none of the band; activations, logits, buffers
and the allocator carry it. The shares are what published measurements left unexplained, calibrated so that sources that
were left out are covered (docs/engine/memory.md); stacks and GPUs without measurements get a wider band.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Final

from sizing.case import Interval
from sizing.memory.allocator import Slack
from sizing.memory.peak import Moment


@dataclass(frozen=True, slots=True)
class Shares:
    """Relative half-width of each part at 90 % [–]."""

    static: float
    activations: float
    logits_low: float
    logits_high: float
    buffers: float
    allocator: float
    fragments: float
    driver: float
    least: float


MEASURED: Final = Shares(
    static=0.015,
    activations=0.25,
    logits_low=0.40,
    logits_high=0.33,
    buffers=0.65,
    allocator=0.8,
    fragments=0.33,
    driver=0.65,
    least=0.05,
)
UNMEASURED_STACK: Final = 1.5
UNMEASURED_GPU: Final = 1.2
RARELY_MEASURED_GPU: Final = 1.1
UNMEASURED_MECHANISM: Final = 1.5

MEASURED_STACKS: Final = frozenset(
    {
        "hf",
        "trl",
        "deepspeed",
        "torchtune",
        "torchtitan",
        "litgpt",
        "llm-foundry",
        "megatron",
        "ms-swift",
        "fsdp_qlora",
    }
)
MEASURED_GPUS: Final = frozenset({"a100-sxm-80", "a100-sxm-40", "a10", "h100-sxm", "b200-sxm"})
RARELY_MEASURED_GPUS: Final = frozenset({"unknown", "h200-sxm", "gb200", "rtx-3090", "rtx-4090"})
"""GPUs with fewer than ten published measurements, and cards that are not named."""


def width(framework: str, gpu: str, *, rare: bool) -> float:
    """Factor on the band of a case whose stack, GPU or mechanism was never measured [–]."""
    factor = 1.0
    if framework.lower() not in MEASURED_STACKS:
        factor *= UNMEASURED_STACK
    if gpu in RARELY_MEASURED_GPUS:
        factor *= RARELY_MEASURED_GPU
    elif gpu not in MEASURED_GPUS:
        factor *= UNMEASURED_GPU
    return factor * (UNMEASURED_MECHANISM if rare else 1.0)


def allocated(moment: Moment, factor: float) -> Interval:
    """Band of the live bytes [byte]."""
    low, high = _live(moment)
    least = least_share(moment) * moment.total
    return _interval(moment.total, max(low, least) * factor, max(high, least) * factor)


def reserved(moment: Moment, spare: Slack, factor: float) -> Interval:
    """Band of what the allocator holds; never below the live bytes' lower end [byte]."""
    low, high = _live(moment)
    held = moment.total + spare.rounding + spare.cached
    own = hypot(
        MEASURED.allocator * (spare.rounding + spare.cached), MEASURED.fragments * (moment.activations + moment.logits)
    )
    least = least_share(moment) * held
    return _interval(held, max(hypot(low, own), least) * factor, max(hypot(high, own), least) * factor)


def device(inside: Interval, spare: Slack, factor: float) -> Interval:
    """Band of what the device shows [byte]."""
    own = MEASURED.driver * spare.context * factor
    expected = inside.expected + spare.context
    low = hypot(inside.expected - inside.low, own)
    high = hypot(inside.high - inside.expected, own)
    return _interval(expected, low, high)


def least_share(moment: Moment) -> float:
    """Smallest half-width: next to nothing where the optimizer step decides, whose bytes follow from parameters [–]."""
    return MEASURED.static if moment.name == "optimizer step" and moment.settled else MEASURED.least


def _live(moment: Moment) -> tuple[float, float]:
    static = moment.weights + moment.gradients + moment.optimizer + moment.adapters + moment.settled
    buffers = moment.buffers - moment.settled
    common = hypot(MEASURED.static * static, MEASURED.activations * moment.activations, MEASURED.buffers * buffers)
    above = hypot(common, MEASURED.logits_high * moment.logits) + moment.doubtful
    return hypot(common, MEASURED.logits_low * moment.logits), above


def _interval(expected: float, below: float, above: float) -> Interval:
    return Interval(expected, max(0.0, expected - below), expected + above)
