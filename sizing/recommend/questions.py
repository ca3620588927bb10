"""Which assumptions decide: each is set to its plausible ends and the recommended placement is computed again.

The plan is chosen again as well: longer examples may need recomputation, so that memory falls where time rises. What
else changed of the plan is therefore said with the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from sizing.assumptions import Assumption, Ledger, Value
from sizing.errors import SizingError
from sizing.hardware import System
from sizing.outcome import Job, Outcome
from sizing.recommend.search import Placement, does_the_job, sizes
from sizing.units import HOUR

OF_A_SERVICE = ("ttft_ms", "tpot_ms", "output_tokens_per_second", "max_concurrency")
CHOSEN = ("micro_batch", "activation_checkpointing", "sharding", "offload", "data", "tensor", "pipeline", "context")
"""What the search sets in a plan."""
NOTHING: Mapping[str, None] = dict.fromkeys(
    ("device_high_bytes", "seconds", "seconds_high", "storage_bytes", "lost_seconds", "host_bytes", *OF_A_SERVICE)
)
DEADLINE = "limits.deadline_hours"
ReadJob = Callable[[Mapping[str, Any], Mapping[str, Any], Ledger], Job]


def moves(
    request: Mapping[str, Any],
    asked: Iterable[Assumption],
    placement: Placement,
    read: ReadJob,
    *,
    deadline_seconds: float | None,
) -> dict[str, dict[str, Any]]:
    """By assumption key: what the low and the high end would change on the same machines.

    ``now`` and each end hold ``device_high_bytes`` [B], ``seconds`` and ``seconds_high`` [s] of a training job, the
    figures of a service, ``storage_bytes`` [B], ``lost_seconds`` of a failure [s] and ``host_bytes`` of a node [B].
    An end has its ``value`` as well, ``does_the_job``, ``plan`` with what the search chooses otherwise there, and
    ``smaller_does``: whether the next smaller machine of the same kind, which does not do the job now, would do it.
    ``decisive`` is true where an end changes the choice: it breaks the placement, or lets the smaller one do.
    """
    found: dict[str, dict[str, Any]] = {}
    job = read(request, request["workload"], Ledger())
    here = placement.outcome.machines
    less = _smaller(job, placement, deadline_seconds)
    now = job.on(here)
    if now is None:
        return found
    before = _plan(job, now)
    for one in filter(is_movable, asked):
        ends = {
            name: _end(request, one, value, (here, less), read, deadline_seconds, before)
            for name, value in (("low", one.low), ("high", one.high))
            if value is not None and value != one.value
        }
        known = {name: end for name, end in ends.items() if end is not None}
        decisive = any(end["smaller_does"] or not end["does_the_job"] for end in known.values())
        if known:
            found[one.key] = {"now": _figures(job, now)} | known | {"decisive": decisive}
    return found


def is_movable(one: Assumption) -> bool:
    """Whether the assumption is a field of the workload with a plausible range."""
    return one.key.startswith("workload.") and one.key.count(".") <= 2 and (one.low is not None or one.high is not None)


def changed(request: Mapping[str, Any], key: str, value: Value) -> dict[str, Any]:
    """The request with one workload field set, e.g. ``workload.lora.rank``."""
    _, *path = key.split(".")
    workload = dict(request["workload"])
    inner = workload
    for name in path[:-1]:
        inner[name] = dict(inner.get(name) or {})
        inner = inner[name]
    inner[path[-1]] = value
    return {**request, "workload": workload}


def _smaller(job: Job, placement: Placement, deadline_seconds: float | None) -> System | None:
    """The next smaller machine of the same kind; None where there is none, or where it does the job as well."""
    runs = getattr(job, "experiments", 1)
    here = (placement.per_node, placement.nodes)
    before = list(sizes(placement.platform, placement.support, runs=runs, most_nodes=placement.nodes))
    if here not in before or before.index(here) == 0:
        return None
    per_node, nodes = before[before.index(here) - 1]
    machines = replace(placement.outcome.machines, gpus_per_node=per_node, nodes=nodes)
    outcome = job.on(machines)
    return None if outcome is not None and does_the_job(outcome, deadline_seconds) else machines


def _end(
    request: Mapping[str, Any],
    one: Assumption,
    value: Value,
    machines: tuple[System, System | None],
    read: ReadJob,
    deadline_seconds: float | None,
    before: Mapping[str, Any],
) -> dict[str, Any] | None:
    asked = changed(request, one.key, value)
    here, less = machines
    try:
        job = read(asked, asked["workload"], Ledger())
        outcome, other = job.on(here), job.on(less) if less is not None else None
    except SizingError:
        return None
    smaller_does = other is not None and not other.offload and does_the_job(other, deadline_seconds)
    if outcome is None:
        return {**NOTHING, "value": value, "does_the_job": False, "smaller_does": smaller_does, "plan": {}}
    after = _plan(job, outcome)
    return _figures(job, outcome) | {
        "value": value,
        "does_the_job": does_the_job(outcome, deadline_seconds),
        "smaller_does": smaller_does,
        "plan": {name: chosen for name, chosen in after.items() if chosen != before.get(name)},
    }


def of_the_deadline(shown: Mapping[str, Any], best: Placement, refused: Iterable[Placement]) -> dict[str, bool]:
    """Whether an assumed deadline decides: its short end refuses the choice, or its long end lets a smaller one do.

    It is always asked about, since everybody has one; who said that there is none needs to be asked only if it decides.
    """
    if shown["key"] != DEADLINE or best.outcome.seconds is None:
        return {}
    late = best.outcome.seconds.high > float(shown["low"]) * HOUR
    smaller = any(
        {broken.limit for broken in one.violations} == {"deadline"}
        and one.outcome.seconds is not None
        and one.outcome.seconds.high <= float(shown["high"]) * HOUR
        and one.size < best.size
        for one in refused
    )
    return {"decides": late or smaller}


def _figures(job: Job, outcome: Outcome) -> dict[str, Any]:
    """What an assumption can move [B, s, ms, tokens/s, requests]; times are null where the job does not fit."""
    seconds = outcome.seconds if outcome.fits else None
    service = job.estimate(outcome, explain=False)["speed"] if job.task != "training" and outcome.fits else None
    drives = job.storage(outcome)
    return {
        "device_high_bytes": round(outcome.device.high),
        "seconds": seconds.expected if seconds else None,
        "seconds_high": seconds.high if seconds else None,
        "storage_bytes": round(drives["capacity_bytes"]),
        "lost_seconds": drives.get("lost_seconds_per_failure"),
        "host_bytes": round(sum(job.host_bytes(outcome))),
    } | {name: (service or {}).get(name) for name in OF_A_SERVICE}


def _plan(job: Job, outcome: Outcome) -> dict[str, Any]:
    plan = job.estimate(outcome, explain=False)["plan"]
    return {name: plan[name] for name in CHOSEN if name in plan}
