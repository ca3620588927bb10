"""Which assumptions decide: each is set to its plausible ends and the recommended placement is computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sizing.assumptions import Assumption, Ledger, Value
from sizing.errors import SizingError
from sizing.outcome import Job, Outcome
from sizing.recommend.search import Placement, does_the_job

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

    Each end holds ``value``, ``device_high_bytes``, ``seconds_high`` and ``does_the_job``; ``decisive`` is true where
    an end breaks a placement that does the job now.
    """
    found: dict[str, dict[str, Any]] = {}
    tried = [one for one in asked if is_movable(one)][:MOST_TRIED]
    for one in tried:
        ends = {
            name: _end(request, one, value, placement, read, deadline_seconds)
            for name, value in (("low", one.low), ("high", one.high))
            if value is not None and value != one.value
        }
        known = {name: end for name, end in ends.items() if end is not None}
        decisive = any(not end["does_the_job"] for end in known.values())
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


def _end(
    request: Mapping[str, Any],
    one: Assumption,
    value: Value,
    placement: Placement,
    read: ReadJob,
    deadline_seconds: float | None,
) -> dict[str, Any] | None:
    asked = changed(request, one.key, value)
    try:
        outcome: Outcome | None = read(asked, asked["workload"], Ledger()).on(placement.outcome.machines)
    except SizingError:
        return None
    if outcome is None:
        return {"value": value, "device_high_bytes": None, "seconds_high": None, "does_the_job": False}
    return {
        "value": value,
        "device_high_bytes": round(outcome.device.high),
        "seconds_high": outcome.seconds.high if outcome.seconds else None,
        "does_the_job": does_the_job(outcome, deadline_seconds),
    }
