"""Time of a training step and time to the result."""

from __future__ import annotations

from functools import cache

from sizing.assumptions import Assumption, Ledger
from sizing.case import Case, SpeedEstimate
from sizing.speed import bands
from sizing.speed.collectives import domain as link_reach
from sizing.speed.explain import explain
from sizing.speed.job import Job, job_of
from sizing.speed.roofline import Generation
from sizing.speed.scaling import exposed_share, gains, knee, no_nvlink_loss
from sizing.speed.stacks import Stack, default_framework
from sizing.speed.step import time_of

__all__ = [
    "default_framework",
    "estimate",
    "explain",
    "exposed_share",
    "gains",
    "knee",
    "link_reach",
    "no_nvlink_loss",
    "sure_tokens_per_second_per_gpu",
]


def estimate(case: Case, ledger: Ledger | None = None) -> SpeedEstimate:
    """Speed of a training job on a system by a plan.

    Parameters
    ----------
    case : Case
        A training case, complete.
    ledger : Ledger, optional
        Takes the assumptions that the estimate rests on.

    Returns
    -------
    SpeedEstimate
        Tokens/s for each GPU, seconds of a step, MFU [–] and, where the tokens are known, seconds to the result,
        each with its 90 % band; parts of a step in seconds.
    """
    job = job_of(case)
    timed = time_of(job)
    if ledger is not None:
        _note(job, ledger)
    width = bands.half_width(job)
    per_gpu = timed.tokens / timed.total / case.system.gpus
    tokens = job.training.tokens
    return SpeedEstimate(
        tokens_per_second_per_gpu=bands.around(per_gpu, width),
        step_seconds=bands.around(timed.total, width),
        mfu=bands.around(per_gpu * timed.model_flops_per_token / job.rates.peak_flops_per_s, width),
        seconds_to_result=bands.around(max(1.0, tokens / timed.tokens) * timed.total, width) if tokens else None,
        parts_seconds=timed.parts,
    )


def sure_tokens_per_second_per_gpu(case: Case) -> float:
    """Speed at the lower end of its band [tokens/s], for comparing plans: what a deadline is held against."""
    job = job_of(case)
    timed = time_of(job)
    return bands.around(timed.tokens / timed.total / case.system.gpus, bands.half_width(job)).low


def _note(job: Job, ledger: Ledger) -> None:
    """What the estimate took for granted."""
    ledger.assume(_stack_assumption(job.stack))
    ledger.assume(_chip_assumption(job.rates.generation))
    if not job.rates.is_native:
        ledger.warn(
            f"{job.system.gpu.name} has no {job.training.compute} units: products run in the next wider format."
        )


@cache
def _stack_assumption(stack: Stack) -> Assumption:
    return Assumption(
        key="workload.stack_efficiency",
        value=1.0,
        unit="–",
        why=f"{stack.title}: {stack.why}",
        source="published runs of this family of frameworks, carried as evidence",
        low=stack.low,
        high=stack.high,
    )


@cache
def _chip_assumption(generation: Generation) -> Assumption:
    spread = 1.05 if generation.measured else 1.25
    return Assumption(
        key="speed.matmul_share",
        value=generation.bf16,
        unit="–",
        why="large matrix products reach this share of the dense bf16 peak; power and clocks keep the rest",
        source=generation.source if generation.measured else "no training run of this generation is carried",
        low=round(generation.bf16 / spread, 2),
        high=round(min(1.1, generation.bf16 * spread), 2),
    )
