"""More GPUs: time to result against their number, where it stops to pay, and what the fast link is worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Final

from sizing.case import Case, Interval, SpeedEstimate
from sizing.speed import bands
from sizing.speed.job import job_of
from sizing.speed.step import time_of

SHARDED: Final = ("zero1", "zero2", "zero3", "fsdp")
EXCHANGE: Final = (
    "tensor_parallel", "context_parallel", "expert_parallel", "sharding", "pipeline_send", "gradients"
)  # fmt: skip
"""Parts of a step that wait for other GPUs; what is hidden behind computing is in none of them."""


def scaling(case: Case, counts: Iterable[int]) -> list[tuple[int, Interval]]:
    """Seconds to the result for several numbers of GPUs, the plan's model parallelism kept.

    The global batch stays as it is while accumulation can shrink; beyond that it grows with the GPUs. Counts that the
    model-parallel degrees do not divide, or that do not fill whole nodes, are left out. Without a number of tokens
    the seconds are for one million of them.
    """
    curve = []
    for gpus in counts:
        grown = resized(case, gpus)
        if grown is None:
            continue
        job = job_of(grown)
        timed = time_of(job)
        tokens = job.training.tokens or 1e6
        seconds = tokens / timed.tokens * timed.total
        curve.append((gpus, bands.around(seconds, bands.half_width(job))))
    return curve


def resized(case: Case, gpus: int) -> Case | None:
    """The same job on another number of GPUs, None where it cannot be divided so."""
    training, plan, system = case.workload, case.plan, case.system
    if gpus < 1:
        return None
    model_parallel = plan.tensor * plan.pipeline * plan.context
    per_node = min(system.gpus_per_node, gpus)
    if gpus % model_parallel or gpus % per_node:
        return None
    data = gpus // model_parallel
    batch = training.micro_batch * training.gradient_accumulation * plan.data
    accumulation = max(1, round(batch / (training.micro_batch * data)))
    shard = data * plan.context if plan.sharding in SHARDED else plan.shard
    return replace(
        case,
        workload=replace(training, gradient_accumulation=accumulation),
        system=replace(system, gpus_per_node=per_node, nodes=gpus // per_node),
        plan=replace(plan, data=data, shard=shard),
    )


def knee(curve: list[tuple[int, Interval]], *, least_gain: float = 0.5) -> int | None:
    """The last number of GPUs worth having: beyond it an added GPU does less than `least_gain` of its share [–]."""
    best = curve[0][0] if curve else None
    for (gpus, seconds), (more, fewer_seconds) in pairwise(curve):
        gained = (seconds.expected / fewer_seconds.expected - 1) / (more / gpus - 1)
        if gained < least_gain:
            break
        best = more
    return best


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
