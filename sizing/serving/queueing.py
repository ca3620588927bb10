"""Requests in flight: how prompts, answers and waiting share the steps of an engine, by scenario.

The unit is one copy of the attention part of one replica. With B requests in flight, of which a share is being
answered, each step takes one token for every answer and the prompt tokens that arrive in that time. A prompt stalls
every answer of the replica while it is read, and with several attention copies also those of its sisters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot, inf, log, sqrt
from typing import Final

from sizing.serving.work import Work

LOAD_TEST_ROUNDS: Final = 10.0
"""Requests that each user of a load test sends one after the other, the first all at once [–]: the usual setting of
the engines' own load generators is ten prompts a user."""

FULLEST: Final = 0.97
"""Utilization of the prompt server beyond which waiting is said to grow without bound [–]."""

UNEVEN: Final = 0.5
"""Share of the unevenness of random arrivals that is left where a request goes to the copy with least to do [–]."""

ROUNDS: Final = 6
HALVINGS: Final = 12
SETTLED: Final = 0.01
"""How far requests in flight may lie from rate x time of a request where going back and forth has settled [–]."""

NORMAL_99: Final = 2.33
"""Standard deviations of the 99th percentile of a normal distribution [–]."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """Lengths of a request [tokens]; `spread` is the variance of prompt lengths over their squared mean [–]."""

    prompt: float
    answer: float
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class Flow:
    """The steady state of one copy: times of a request [s], completed requests [1/s], utilization by prompts [–].

    `longest_wait` is what a request can wait for prompts before it at most [s].
    """

    ttft_seconds: float
    tpot_seconds: float
    requests_per_s: float
    answering: float
    prompt_seconds: float
    busy: float
    longest_wait: float = inf


def alone_seconds(work: Work, lengths: Lengths, answering: float) -> float:
    """Time of reading one prompt while `answering` requests go on [s]."""
    chunk = work.engine.step_tokens
    beside = answering if work.engine.mixes else 0.0
    whole, rest = divmod(lengths.prompt, chunk)
    even = 1.0 / work.copies
    seconds = whole * work.step_seconds(beside, chunk, even=even) if whole else 0.0
    if rest:
        seconds += work.step_seconds(beside, rest, prompts=1.0, even=even)
    return seconds


def packed_seconds(work: Work, lengths: Lengths, answering: float) -> float:
    """Time for each of many waiting prompts that fill whole steps [s]."""
    chunk = work.engine.step_tokens
    beside = answering if work.engine.mixes else 0.0
    return work.step_seconds(beside, chunk, prompts=chunk / lengths.prompt) * lengths.prompt / chunk


def token_seconds(work: Work, lengths: Lengths, answering: float, arriving: float) -> float:
    """Time between two tokens of an answer, with `arriving` prompts of one copy in that time [s].

    Notes
    -----
    While prompts are fewer than steps, most steps have none and some have a whole chunk: the mean of the two. With
    several attention copies the fullest holds up all: of n Poisson numbers with mean q the largest is about
    q + sqrt(2 q ln n), at most n q.
    """
    copies = work.copies
    stalls = arriving
    if copies > 1:
        stalls = min(copies * arriving, arriving + UNEVEN * sqrt(2 * arriving * log(copies)))
    chunk = min(lengths.prompt, work.engine.step_tokens)
    share = stalls * lengths.prompt / chunk
    step = work.step_seconds(answering)
    if share <= 0.0:
        return step
    even = arriving / stalls
    each = chunk / lengths.prompt
    beside = answering if work.engine.mixes else 0.0
    if share < 1.0:
        busy = work.step_seconds(beside, chunk, prompts=each, even=even)
        return (1.0 - share) * step + share * busy if work.engine.mixes else step + share * busy
    full = max(chunk, min(share * chunk, work.engine.step_tokens))
    busy = work.step_seconds(beside, full, prompts=full / lengths.prompt, even=even)
    repeated = share * chunk / full
    return repeated * busy if work.engine.mixes else step + repeated * busy


def closed(work: Work, lengths: Lengths, in_flight: float) -> Flow:
    """Each answer is followed by a new request at once.

    Notes
    -----
    Requests in flight = rate x time of a request (Little). A request meets the prompts of the others alone, (n - 1) / n
    of all in flight [1]_. Where prompts keep the engine busy, the waiting grows so fast with the rate that going back
    and forth between the two does not settle; then the prompts that arrive in one step are halved in.

    References
    ----------
    .. [1] P. J. Schweitzer, "Approximate analysis of multiclass closed networks of queues", 1979, after M. Reiser and
       S. S. Lavenberg, "Mean-value analysis of closed multichain queuing networks", JACM 27, 1980.
    """
    more = max(0.0, lengths.answer - 1)
    tpot = work.step_seconds(in_flight)
    alone, packed = alone_seconds(work, lengths, in_flight), packed_seconds(work, lengths, in_flight)

    def at(rate: float, arriving: float) -> Flow:
        answering = min(in_flight, arriving * more)
        each = token_seconds(work, lengths, answering, arriving)
        rate = rate or arriving / each
        busy = min(FULLEST, rate * packed)
        met = busy * max(0.0, 1 - 1 / in_flight)
        first = work.engine.first_seconds + each / 2 + alone * (1 + met / (2 * (1 - met)))
        return Flow(first, each, rate, answering, alone, busy, longest_wait=packed * max(0.0, in_flight - 1))

    flow = Flow(work.engine.first_seconds + tpot / 2 + alone, tpot, 0.0, in_flight, alone, 0.0)
    for _ in range(ROUNDS):
        rate = in_flight / whole_seconds(flow, more)
        flow = at(rate, rate * flow.tpot_seconds)
    if abs(flow.requests_per_s * whole_seconds(flow, more) / in_flight - 1) <= SETTLED:
        return flow
    low, high = 0.0, in_flight / (more + 0.5)
    for _ in range(HALVINGS):
        arriving = (low + high) / 2
        flow = at(0.0, arriving)
        if flow.requests_per_s * whole_seconds(flow, more) < in_flight:
            low = arriving
        else:
            high = arriving
    return replace(flow, requests_per_s=in_flight / whole_seconds(flow, more))


def whole_seconds(flow: Flow, more: float) -> float:
    """Time of a request that has `more` tokens after its first [s]."""
    return flow.ttft_seconds + more * flow.tpot_seconds


def burst_seconds(work: Work, lengths: Lengths, in_flight: float) -> float:
    """Mean time to the first token when all users start at once [s]."""
    each = packed_seconds(work, lengths, 0.0)
    return work.engine.first_seconds + alone_seconds(work, lengths, 0.0) + each * max(0.0, in_flight - 1) / 2


def load_test(work: Work, lengths: Lengths, users: float, room: float) -> Flow:
    """A closed loop as load generators run it; users beyond the room of the cache wait for a place."""
    served = min(users, room)
    flow = closed(work, lengths, served)
    first = flow.ttft_seconds
    start = burst_seconds(work, lengths, served)
    first += max(0.0, start - first) / LOAD_TEST_ROUNDS
    if users > served:
        first += (users - served) / flow.requests_per_s
    return replace(flow, ttft_seconds=first)


def ceiling(work: Work, lengths: Lengths, room: float) -> Flow:
    """All requests are there from the start: the cache is always full."""
    tpot = work.step_seconds(room)
    rate = 0.0
    for _ in range(ROUNDS):
        rate = room / (lengths.answer * tpot)
        tpot = token_seconds(work, lengths, room, rate * tpot)
    rate = room / (lengths.answer * tpot)
    return Flow(tpot, tpot, rate, room, packed_seconds(work, lengths, room), FULLEST)


def static(work: Work, lengths: Lengths, batch: float) -> Flow:
    """One batch read together and answered to the end; nothing joins."""
    first = batch * packed_or_alone(work, lengths, batch)
    tpot = work.step_seconds(batch)
    rate = batch / (first + (lengths.answer - 1) * tpot)
    return Flow(first, tpot, rate, batch, first, 0.0)


def packed_or_alone(work: Work, lengths: Lengths, batch: float) -> float:
    """Time of each prompt of a batch read in one pass [s]."""
    tokens = batch * lengths.prompt
    return work.step_seconds(0.0, tokens, prompts=batch) / batch


def offered(work: Work, lengths: Lengths, rate: float, room: float) -> Flow:
    """Poisson arrivals at a rate of one copy [1/s], at most its ceiling."""
    more = max(0.0, lengths.answer - 1)
    tpot, answering = work.step_seconds(1.0), 0.0
    for _ in range(2 * ROUNDS):
        answering = min(room, rate * more * tpot)
        tpot = token_seconds(work, lengths, answering, rate * tpot)
    alone = alone_seconds(work, lengths, answering)
    busy = min(FULLEST, rate * packed_seconds(work, lengths, answering))
    first = work.engine.first_seconds + tpot / 2 + alone + waiting_seconds(lengths, alone, busy)
    return Flow(first, tpot, rate, answering, alone, busy)


def waiting_seconds(lengths: Lengths, alone: float, busy: float) -> float:
    """Mean waiting of Poisson arrivals for the prompt server (Pollaczek-Khinchine) [s]."""
    return alone * busy * (1 + lengths.spread) / (2 * (1 - busy))


def late(work: Work, lengths: Lengths, flow: Flow) -> tuple[float, float]:
    """The 99th percentiles of the time to the first token and of the time per token [s].

    Waiting falls off exponentially with the rate of its mean, up to the prompts of all others; the time per token is
    that of a step with as many requests as one of a hundred meets.
    """
    crowd = flow.answering + NORMAL_99 * sqrt(flow.answering)
    surge = flow.requests_per_s * flow.tpot_seconds * (crowd / flow.answering if flow.answering else 1.0)
    tpot = token_seconds(work, lengths, crowd, surge)
    wait = waiting_seconds(lengths, flow.prompt_seconds, flow.busy)
    own = flow.prompt_seconds * NORMAL_99 * sqrt(lengths.spread)
    tail = wait / flow.busy * log(max(1.0, 100 * flow.busy)) if flow.busy > 0 else 0.0
    tail = min(tail, flow.longest_wait)
    return work.engine.first_seconds + 2 * flow.tpot_seconds + flow.prompt_seconds + hypot(own, tail), tpot
