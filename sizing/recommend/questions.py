"""Which assumptions decide: each is set to its plausible ends and the recommended placement is computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from sizing.assumptions import Assumption, Ledger, Value
from sizing.errors import SizingError
from sizing.hardware import System
from sizing.outcome import Job
from sizing.recommend.search import Placement, does_the_job, sizes

MOST_TRIED = 12
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

    Each end holds ``value``, ``device_high_bytes``, ``seconds_high``, ``does_the_job`` and ``smaller_does``: whether
    the next smaller machine of the same kind, which does not do the job now, would do it. ``decisive`` is true where an
    end changes the choice: it breaks the placement, or lets the smaller one do.
    """
    found: dict[str, dict[str, Any]] = {}
    less = _smaller(request, placement, read, deadline_seconds)
    tried = [one for one in asked if is_movable(one)][:MOST_TRIED]
    for one in tried:
        ends = {
            name: _end(request, one, value, (placement.outcome.machines, less), read, deadline_seconds)
            for name, value in (("low", one.low), ("high", one.high))
            if value is not None and value != one.value
        }
        known = {name: end for name, end in ends.items() if end is not None}
        decisive = any(end["smaller_does"] or not end["does_the_job"] for end in known.values())
        if known:
            found[one.key] = known | {"decisive": decisive}
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


def _smaller(
    request: Mapping[str, Any], placement: Placement, read: ReadJob, deadline_seconds: float | None
) -> System | None:
    """The next smaller machine of the same kind; None where there is none, or where it does the job as well."""
    job = read(request, request["workload"], Ledger())
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
        return {"value": value, "device_high_bytes": None, "seconds_high": None, "does_the_job": False,
                "smaller_does": smaller_does}  # fmt: skip
    return {
        "value": value,
        "device_high_bytes": round(outcome.device.high),
        "seconds_high": outcome.seconds.high if outcome.seconds else None,
        "does_the_job": does_the_job(outcome, deadline_seconds),
        "smaller_does": smaller_does,
    }
