"""More GPUs: what added ones gain, where they stop to pay, and what the fast link is worth."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

from sizing.case import Case, Interval, SpeedEstimate
from sizing.speed.job import job_of
from sizing.speed.step import time_of

EXCHANGE: Final = (
    "tensor_parallel", "context_parallel", "expert_parallel", "sharding", "pipeline_send", "gradients"
)  # fmt: skip
"""Parts of a step that wait for other GPUs; what is hidden behind computing is in none of them."""


def knee(curve: list[tuple[int, Interval]], *, least_gain: float = 0.5) -> int | None:
    """The last number of GPUs worth having: beyond it an added GPU does less than `least_gain` of its share [–]."""
    best = curve[0][0] if curve else None
    for (gpus, _seconds), gained in zip(curve, gains(curve), strict=True):
        if gained is not None and gained < least_gain:
            break
        best = gpus
    return best


def gains(curve: list[tuple[int, Interval]]) -> list[float | None]:
    """What the GPUs added since the point before do of their share [–]; None for the first point."""
    found = [
        (seconds.expected / fewer_seconds.expected - 1) / (more / gpus - 1)
        for (gpus, seconds), (more, fewer_seconds) in pairwise(curve)
    ]
    return [None, *found] if curve else []


def no_nvlink_loss(case: Case) -> float:
    """Share of the speed that is lost where the same GPUs are joined by PCIe only [–]; 0 on one GPU."""
    if case.plan.gpus < 2 or case.system.interconnect in ("pcie", "none"):
        return 0.0
    fast = time_of(job_of(case)).total
    slow = time_of(job_of(replace(case, system=replace(case.system, interconnect="pcie")))).total
    return max(0.0, 1.0 - fast / slow)


def exposed_share(time: SpeedEstimate) -> float:
    """Share of a step that is spent waiting for the exchange between GPUs [–]."""
    waiting = sum(seconds for name, seconds in time.parts_seconds if name in EXCHANGE)
    return waiting / time.step_seconds.expected if time.step_seconds.expected else 0.0
