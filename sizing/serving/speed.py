"""Time to first token, time per output token and throughput of a service at its load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sizing.serving import assembly, cache, queueing
from sizing.serving.case import ServingCase
from sizing.serving.queueing import Flow, Lengths
from sizing.serving.work import Work

DATA_SET_SPREAD: Final = 0.3
"""Variance of prompt lengths over their squared mean in data sets of real requests [–]."""

HALVINGS: Final = 12


@dataclass(frozen=True, slots=True)
class ServingSpeed:
    """Times of one request at the load [s] and rates of the whole system [1/s]."""

    prefill_seconds: float
    ttft_seconds: float
    tpot_seconds: float
    output_tokens_per_s: float
    requests_per_s: float
    late_ttft_seconds: float
    late_tpot_seconds: float


def estimate(case: ServingCase) -> ServingSpeed:
    """Speed at the stated load."""
    job = case.workload
    work = assembly.work(case)
    spread = DATA_SET_SPREAD if job.scenario == "server" else 0.0
    lengths = Lengths(float(job.input_tokens), float(job.output_tokens), spread)
    flow = steady(case, work, lengths)
    late_first, late_each = queueing.late(work, lengths, flow)
    rate = flow.requests_per_s * case.copies
    if job.scenario == "open_loop" and job.requests_per_second is not None:
        rate = min(rate, job.requests_per_second)
    return ServingSpeed(
        flow.prompt_seconds,
        flow.ttft_seconds,
        flow.tpot_seconds,
        rate * job.output_tokens,
        rate,
        late_first,
        late_each,
    )


def ceiling(case: ServingCase) -> float:
    """Requests that all replicas complete with a full cache [1/s]."""
    job = case.workload
    lengths = Lengths(float(job.input_tokens), float(job.output_tokens))
    return queueing.ceiling(assembly.work(case), lengths, cache.room(case)).requests_per_s * case.copies


def steady(case: ServingCase, work: Work, lengths: Lengths) -> Flow:
    """The flow of one copy in the scenario of the case."""
    job = case.workload
    if job.scenario == "static":
        return queueing.static(work, lengths, max(1.0, case.in_flight / case.copies))
    room = cache.room(case)
    if job.scenario == "offline":
        return queueing.ceiling(work, lengths, room)
    if job.scenario == "server":
        return within_limits(case, work, lengths, room)
    if job.scenario == "open_loop" and job.requests_per_second is not None:
        most = queueing.ceiling(work, lengths, room).requests_per_s
        return queueing.offered(work, lengths, min(job.requests_per_second / case.copies, most), room)
    return queueing.load_test(work, lengths, max(1.0, case.in_flight / case.copies), room)


def within_limits(case: ServingCase, work: Work, lengths: Lengths, room: float) -> Flow:
    """The highest rate of Poisson arrivals whose 99th percentiles keep the limits."""
    job = case.workload
    first, each = job.ttft_limit_ms or float("inf"), job.tpot_limit_ms or float("inf")
    low, high = 0.0, queueing.ceiling(work, lengths, room).requests_per_s
    best = queueing.offered(work, lengths, high / 1000, room)
    for _ in range(HALVINGS):
        rate = (low + high) / 2
        flow = queueing.offered(work, lengths, rate, room)
        late_first, late_each = queueing.late(work, lengths, flow)
        if late_first * 1000 <= first and late_each * 1000 <= each and flow.busy < queueing.FULLEST:
            low, best = rate, flow
        else:
            high = rate
    return best
