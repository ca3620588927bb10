"""What a service must carry, and which of its limits break at the pessimistic side.

A stated number of requests at once and a stated rate are two loads: both have to hold, each in the way it arrives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from sizing.assumptions import Ledger
from sizing.serving import bands, cache, speed
from sizing.serving.case import ServingCase
from sizing.serving.speed import ServingSpeed
from sizing.units import digits_apart
from sizing.workload import Serving

ROOM, FIRST, TOKEN, RATE = range(4)
ROUNDING: Final = 1e-9
"""How much of a figure may be lost to rounding [share of it]."""

WHOLE_FROM: Final = 100.0
"""Figures from here on are said without decimals [–]."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A limit that a service does not keep: `ratio` is what is asked over what is held, above 1 [–]."""

    kind: int
    message: str
    ratio: float


def to_hold(job: Serving, ledger: Ledger) -> Serving:
    """The load that a recommendation holds, in a scenario that takes it as it is stated.

    A batch counts as so many requests at once. The scenario `server` asks for the highest rate within the limits,
    whatever the stated load is; here the load is given and the machine is looked for.
    """
    users, scenario = job.concurrency, job.scenario
    if job.batch is not None:
        if users is not None and users != job.batch:
            ledger.warn(f"A batch of {job.batch} and {users} requests at once were stated; the larger is held.")
        users = max(job.batch, users or 0)
    if scenario == "static" and users is None:
        scenario = "open_loop" if job.requests_per_second else "closed_loop"
    if scenario == "server":
        scenario = "open_loop" if job.requests_per_second else "closed_loop"
        ledger.warn("The scenario 'server' looks for the highest rate; here the stated load is held instead.")
    return replace(job, concurrency=users, batch=None, scenario=scenario)


def ways(case: ServingCase) -> tuple[ServingCase, ...]:
    """The case as its scenario has it, and in the scenarios in which its other stated load arrives."""
    job = case.workload
    found = [job.scenario]
    if job.scenario != "static":
        found += ["closed_loop"] if job.concurrency else []
        found += ["open_loop"] if job.requests_per_second else []
    return tuple(replace(case, workload=replace(job, scenario=one)) for one in dict.fromkeys(found))


def broken(case: ServingCase) -> list[Broken]:
    """The limits that a case does not keep, each at its worst over the ways in which its load arrives."""
    worst: dict[int, Broken] = {}
    for one in ways(case):
        for found in _broken(one, speed.estimate(one)):
            if found.kind not in worst or found.ratio > worst[found.kind].ratio:
                worst[found.kind] = found
    return [worst[kind] for kind in sorted(worst)]


def _broken(case: ServingCase, found: ServingSpeed) -> Iterator[Broken]:
    """Limits on the first token or on the time per token hold for 99 of 100 requests: the upper end of the band of the
    mean, or the 99th percentile where that is longer.
    """
    job, room = case.workload, cache.most_concurrent(case)
    if job.concurrency and room < job.concurrency:
        message = f"Load: room for {room} requests at once, {job.concurrency} are needed."
        yield Broken(ROOM, message, job.concurrency / max(1, room))
    upper = bands.first_token(case, found.ttft_seconds, found.prefill_seconds)[1]
    first = 1000 * max(found.late_ttft_seconds, upper)
    each = 1000 * max(found.late_tpot_seconds, bands.around(found.tpot_seconds, bands.widths(case).token)[1])
    if job.ttft_limit_ms and first > job.ttft_limit_ms:
        took, given = apart(first, job.ttft_limit_ms)
        yield Broken(FIRST, f"Load: first token after up to {took} ms, {given} ms allowed.", first / job.ttft_limit_ms)
    if job.tpot_limit_ms and each > job.tpot_limit_ms:
        took, given = apart(each, job.tpot_limit_ms)
        yield Broken(TOKEN, f"Load: up to {took} ms a token, {given} ms allowed.", each / job.tpot_limit_ms)
    if job.requests_per_second:
        sure = sure_rate(case, found)
        if sure < job.requests_per_second:
            held, asked = apart(sure, job.requests_per_second)
            message = f"Load: {held} requests/s for sure, {asked} are needed."
            yield Broken(RATE, message, job.requests_per_second / max(sure, 1e-9))


def sure_rate(case: ServingCase, found: ServingSpeed) -> float:
    """Requests that are completed even at the lower end of the band [1/s]: of a static batch as it goes, else of a full
    cache.
    """
    most = found.requests_per_s if case.workload.scenario == "static" else speed.ceiling(case)
    return bands.around(most, bands.widths(case).throughput)[0]


def least_replicas(case: ServingCase) -> int:
    """Replicas without which no number of requests at once or a second is held, limits on latency aside [–].

    `case` has so many replicas that each carries next to nothing: none of them has more room, or completes more.
    """
    job, least = case.workload, 1
    room = cache.most_concurrent(case) // case.replicas
    if job.concurrency and room:
        least = max(least, ceil(job.concurrency / room))
    if job.requests_per_second and job.scenario != "static":
        each = bands.around(speed.ceiling(case), bands.widths(case).throughput)[0] / case.replicas
        least = max(least, ceil(job.requests_per_second / each * (1 - ROUNDING)))
    return least


def apart(first: float, second: float) -> tuple[str, str]:
    """Two figures for reading, with as many decimals as it takes to see that they differ."""
    least = 0 if min(first, second) >= WHOLE_FROM or (first.is_integer() and second.is_integer()) else 1
    digits = digits_apart(first, second, least=least)
    return f"{first:,.{digits}f}", f"{second:,.{digits}f}"
