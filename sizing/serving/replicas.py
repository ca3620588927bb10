"""How many replicas carry a load, with room for peaks and for losing a GPU or a node."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Final

from sizing.assumptions import Assumption, Ledger
from sizing.resolve.reader import NOT_STATED
from sizing.serving import bands, cache, speed
from sizing.serving.case import ServingCase
from sizing.serving.speed import ServingSpeed

USUAL_PEAK: Final = 1.25
USUAL_SPARE: Final = "none"
MOST_SEARCHED: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class Reserve:
    """What a service keeps back: its peaks over the stated load [–], and what it must be able to lose.

    `spare` is ``none``, ``gpu`` or ``node``: with a GPU goes the replica that stands on it, with a node all of its
    replicas.
    """

    peak: float
    spare: str


def read(stated: dict[str, Any], ledger: Ledger) -> Reserve:
    """The reserve of a request, usual values listed."""
    peak, spare = stated.get("peak_factor"), stated.get("spare")
    if peak is None:
        peak = USUAL_PEAK
        why = "arrivals bunch: the busiest minutes of the busiest hour lie above its mean"
        ledger.assume(Assumption("workload.peak_factor", peak, "", why, NOT_STATED, low=1.0, high=2.0))
    if spare is None:
        spare = USUAL_SPARE
        why = "no loss is covered: with a GPU or node the share of its replicas stops until it is repaired"
        ledger.assume(Assumption("workload.spare", spare, "", why, NOT_STATED, low="none", high="node"))
    return Reserve(peak, spare)


def lost(case: ServingCase, spare: str) -> int:
    """Replicas that stop with what may be lost [–]."""
    if spare == "none":
        return 0
    each = case.plan.tensor * case.plan.pipeline * case.plan.attention_data
    if spare == "gpu" or each >= case.system.gpus_per_node:
        return 1
    return case.system.gpus_per_node // each


def left(case: ServingCase, spare: str) -> ServingCase | None:
    """The service after the loss, None where nothing of it is left."""
    gone = lost(case, spare)
    if not gone:
        return case
    replicas = case.replicas - gone
    if replicas < 1:
        return None
    return replace(case, plan=replace(case.plan, data=replicas * case.plan.attention_data))


def at_peak(case: ServingCase, reserve: Reserve) -> ServingCase:
    """The case at the peak of its load."""
    job, peak = case.workload, reserve.peak
    users = ceil(job.concurrency * peak) if job.concurrency else None
    rate = job.requests_per_second * peak if job.requests_per_second else None
    return replace(case, workload=replace(job, concurrency=users, requests_per_second=rate))


def shortfall(case: ServingCase, found: ServingSpeed | None = None) -> str:
    """Which limit a case misses at the pessimistic side, empty where it keeps all.

    A limit on the first token or on the time per token holds for 99 of 100 requests: the upper end of the band of the
    mean, or the 99th percentile where that is longer.
    """
    job = case.workload
    found = found or speed.estimate(case)
    room = cache.most_concurrent(case)
    if job.concurrency and room < job.concurrency:
        return f"Load: room for {room} requests at once, {job.concurrency} are asked for."
    upper = bands.first_token(case, found.ttft_seconds, found.prefill_seconds)[1]
    first = 1000 * max(found.late_ttft_seconds, upper)
    each = 1000 * max(found.late_tpot_seconds, bands.around(found.tpot_seconds, bands.widths(case).token)[1])
    if job.ttft_limit_ms and first > job.ttft_limit_ms:
        return f"Load: first token after up to {first:,.0f} ms, {job.ttft_limit_ms:,.0f} ms allowed."
    if job.tpot_limit_ms and each > job.tpot_limit_ms:
        return f"Load: up to {each:.0f} ms a token, {job.tpot_limit_ms:.0f} ms allowed."
    if job.requests_per_second and not job.concurrency:
        sure = bands.around(speed.ceiling(case), bands.widths(case).throughput)[0]
        if sure < job.requests_per_second:
            return f"Load: {sure:.2g} requests/s for sure, {job.requests_per_second:.2g} are asked for."
    return ""


def users_of_one(case: ServingCase) -> int:
    """Requests at once that one replica carries within the limits at the pessimistic side [–]."""
    plan = replace(case.plan, data=case.plan.attention_data)

    def keeps(users: int) -> bool:
        job = replace(case.workload, concurrency=users, requests_per_second=None, batch=None, scenario="closed_loop")
        return not shortfall(replace(case, plan=plan, workload=job))

    low, high = 0, 1
    while high <= MOST_SEARCHED and keeps(high):
        low, high = high, 2 * high
    while high - low > max(1, low // 16):
        middle = (low + high) // 2
        low, high = (middle, high) if keeps(middle) else (low, middle)
    return low


def shown(case: ServingCase, reserve: Reserve) -> dict[str, Any]:
    """Replicas of a placed service in the contract's form."""
    job, one = case.workload, users_of_one(case)
    gone = lost(case, reserve.spare)
    needed = None
    if job.concurrency and one:
        needed = ceil(job.concurrency * reserve.peak / one) + gone
    return {
        "placed": case.replicas,
        "needed": needed,
        "gpus_each": case.plan.tensor * case.plan.pipeline * case.plan.attention_data,
        "users_each": one,
        "peak_factor": reserve.peak,
        "spare": reserve.spare,
        "lost": gone,
    }
