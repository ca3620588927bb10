"""90 % bands, built by component.

Exactly known bytes (weights, states of a known optimizer) carry almost none of the band; activations, logits, buffers
and the allocator carry it. The shares are what published measurements left unexplained, calibrated so that sources that
were left out are covered (docs/engine/memory.md); stacks and GPUs without measurements get a wider band.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
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
LEAST_LEFT: Final = 0.1
"""Share of a part that its lower end keeps, however wide its band [–]."""

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


type Load = tuple[Moment, Slack]
"""A moment with what the allocator adds to it."""


def allocated(moments: Sequence[Moment], factor: float) -> Interval:
    """Band of the live bytes at the peak [byte]: each edge is that of the moment which has it highest.

    The peak is at least as large as every moment, so that none of its edges lies below theirs; and an edge that rises
    with each moment's bytes never falls as a job grows, even where another moment takes over.
    """
    return _highest([_live_band(moment, factor) for moment in moments])


def _live_band(moment: Moment, factor: float) -> Interval:
    (low, high), total = _live(moment), moment.total
    least = least_share(moment) * total
    lower = max(_floor(moment, total, factor), total - max(low, least) * factor)
    return Interval(total, lower, total + (max(high, least) + moment.doubtful) * factor)


def reserved(loads: Sequence[Load], live: Interval, factor: float) -> Interval:
    """Band of what the allocator holds; no edge lies below that of the live bytes [byte]."""
    held = _highest([_held_band(moment, spare, factor) for moment, spare in loads])
    return Interval(max(held.expected, live.expected), max(held.low, live.low), max(held.high, live.high))


def _held_band(moment: Moment, spare: Slack, factor: float) -> Interval:
    low, high = _live(moment)
    held = moment.total + spare.rounding + spare.cached
    own = hypot(
        MEASURED.allocator * (spare.rounding + spare.cached), MEASURED.fragments * (moment.activations + moment.logits)
    )
    least = least_share(moment) * held
    lower = held - max(hypot(low, own), least) * factor
    return Interval(held, lower, held + (max(hypot(high, own), least) + moment.doubtful) * factor)


def _highest(intervals: Sequence[Interval]) -> Interval:
    return Interval(
        max(one.expected for one in intervals), max(one.low for one in intervals), max(one.high for one in intervals)
    )


def _floor(moment: Moment, total: float, factor: float) -> float:
    """What is there even if every part lies at its own lower end [byte]."""
    static, activations, logits, left = _least_left(factor)
    buffers = moment.buffers - moment.settled
    exact = total - moment.activations - moment.logits - buffers
    return static * exact + activations * moment.activations + logits * moment.logits + left * buffers


@lru_cache(maxsize=64)
def _least_left(factor: float) -> tuple[float, float, float, float]:
    """Shares of static bytes, activations, logits and buffers that are there at their own lower ends [–]."""
    shares = (MEASURED.static, MEASURED.activations, MEASURED.logits_low, MEASURED.buffers)
    static, activations, logits, buffers = (max(LEAST_LEFT, 1 - share * factor) for share in shares)
    return static, activations, logits, buffers


def device(inside: Interval, context: float, factor: float) -> Interval:
    """Band of what the device shows [byte]."""
    own = MEASURED.driver * context * factor
    expected = inside.expected + context
    low = hypot(inside.expected - inside.low, own)
    high = hypot(inside.high - inside.expected, own)
    return Interval(expected, max(inside.low, expected - low), expected + high)


def least_share(moment: Moment) -> float:
    """Smallest half-width: next to nothing where the optimizer step decides, whose bytes follow from parameters [–]."""
    return MEASURED.static if moment.name == "optimizer step" and moment.settled else MEASURED.least


def _live(moment: Moment) -> tuple[float, float]:
    static = moment.weights + moment.gradients + moment.optimizer + moment.adapters + moment.settled
    buffers = moment.buffers - moment.settled
    common = hypot(MEASURED.static * static, MEASURED.activations * moment.activations, MEASURED.buffers * buffers)
    return hypot(common, MEASURED.logits_low * moment.logits), hypot(common, MEASURED.logits_high * moment.logits)
