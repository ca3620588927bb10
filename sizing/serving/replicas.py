"""How many replicas carry a load, with room for peaks and for losing a GPU or a node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Final

from sizing.assumptions import Assumption, Ledger
from sizing.resolve.reader import NOT_STATED
from sizing.serving import loads
from sizing.serving.case import ServingCase
from sizing.serving.loads import Broken

USUAL_PEAK: Final = 1.25
USUAL_SPARE: Final = "none"
MOST_SEARCHED: Final = 1 << 14
MOST_REPLICAS: Final = 1 << 24


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


def broken(case: ServingCase, reserve: Reserve) -> list[Broken]:
    """The limits that a service does not keep at its peak and after the loss it must stand."""
    remaining = left(case, reserve.spare)
    if remaining is None:
        message = f"Load: nothing is left when a {reserve.spare} stops; a second replica is needed."
        return [Broken(loads.ROOM, message, 2.0)]
    return loads.broken(at_peak(remaining, reserve))


def needed(case: ServingCase, reserve: Reserve) -> int | None:
    """Replicas that keep every limit at the peak and after the loss [–]; None where no number of them does.

    It is the least number that the judgement of the placed ones holds for, so that as many as are needed always do.
    """
    gone, each = lost(case, reserve.spare), case.plan.attention_data
    peak = at_peak(case, reserve)

    def of(replicas: int) -> ServingCase:
        return replace(peak, plan=replace(peak.plan, data=replicas * each))

    def keeps(replicas: int) -> bool:
        return not loads.broken(of(replicas))

    placed, least = case.replicas - gone, loads.least_replicas(of(MOST_REPLICAS))
    if least > MOST_REPLICAS:
        return None
    if keeps(least):
        return least + gone
    if placed > least and keeps(placed):
        low, high = least, placed
    elif not keeps(MOST_REPLICAS):
        return None
    else:
        low, high = _doubled(keeps, max(least, placed))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if keeps(middle) else (middle, high)
    return high + gone


def _doubled(keeps: Callable[[int], bool], low: int) -> tuple[int, int]:
    """Two numbers of replicas, one that does not keep the limits and one that does."""
    high = 2 * low
    while high < MOST_REPLICAS and not keeps(high):
        low, high = high, 2 * high
    return low, min(high, MOST_REPLICAS)


def users_of_one(case: ServingCase) -> int:
    """Requests at once that one replica carries within the limits at the pessimistic side [–]."""
    plan = replace(case.plan, data=case.plan.attention_data)

    def keeps(users: int) -> bool:
        scenario = "static" if case.workload.scenario == "static" else "closed_loop"
        job = replace(case.workload, concurrency=users, requests_per_second=None, batch=None, scenario=scenario)
        return not loads.broken(replace(case, plan=plan, workload=job))

    low, high = 0, 1
    while high <= MOST_SEARCHED and keeps(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if keeps(middle) else (low, middle)
    return low


def shown(case: ServingCase, reserve: Reserve) -> dict[str, Any]:
    """Replicas of a placed service in the contract's form."""
    return {
        "placed": case.replicas,
        "needed": needed(case, reserve),
        "gpus_each": case.plan.tensor * case.plan.pipeline * case.plan.attention_data,
        "users_each": users_of_one(case),
        "peak_factor": reserve.peak,
        "spare": reserve.spare,
        "lost": lost(case, reserve.spare),
    }
