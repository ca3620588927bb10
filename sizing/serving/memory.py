"""Device memory of a served model: what the load needs, and what the device shows.

Engines that preallocate take their share of the device at start, whatever the load; what is needed decides whether a
service fits, what is shown is what a monitor prints.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Final

from sizing.case import Interval, MemoryEstimate
from sizing.serving import cache, space, weights
from sizing.serving.case import ServingCase

WEIGHTS_BAND: Final = 0.015
SPACE_BAND: Final = 0.35
OUTSIDE_BAND: Final = 0.40
SHOWN_BAND: Final = 0.08
CACHE_BAND: Final = 0.02


@dataclass(frozen=True, slots=True)
class ServingMemory:
    """`needed` by the load; `shown` on the device [B]."""

    needed: MemoryEstimate
    shown: Interval


def weights_per_gpu(case: ServingCase) -> float:
    """Weights on one GPU [B]."""
    return weights.on_gpu(case)


def cache_per_gpu(case: ServingCase, tokens: float) -> float:
    """Cache of all requests in flight on one copy, each of so many tokens, on one GPU [B]."""
    return cache.per_request(case, tokens) * max(1.0, case.in_flight / case.copies)


def busiest(case: ServingCase) -> tuple[float, float]:
    """Cache and workspace at the moment that needs most of both [B].

    An engine that gives room at start has room for both in full. A library's own loop reads the whole batch first, with
    the cache of the prompts alone, and needs little beside the full cache when it answers.
    """
    job = case.workload
    full = cache_per_gpu(case, job.input_tokens + job.output_tokens)
    if case.engine.preallocates or case.engine.micro_step_tokens:
        return full, space.workspace_bytes(case)
    reading = cache_per_gpu(case, job.input_tokens), space.workspace_bytes(case)
    answering = full, space.answer_bytes(case)
    return max(reading, answering, key=sum)


def most_bytes(case: ServingCase) -> float:
    """What an older version of a library's own loop holds at its peak on one GPU [B]; nothing for other engines.

    Notes
    -----
    weights + tables of angles + the larger of: cache and all logits of the prompts, or two copies of the full cache.
    """
    if case.engine.preallocates or case.engine.micro_step_tokens:
        return 0.0
    job = case.workload
    reading = cache_per_gpu(case, job.input_tokens) + space.prompt_logit_bytes(case)
    answering = 2 * cache_per_gpu(case, job.input_tokens + job.output_tokens) if job.output_tokens > 1 else 0.0
    return weights_per_gpu(case) + space.angle_bytes(case) + max(reading, answering) + case.beside_bytes


def estimate(case: ServingCase) -> ServingMemory:
    """Memory of the fullest GPU at the load's peak."""
    held = weights_per_gpu(case)
    kept, used = busiest(case)
    outside = space.CONTEXT_BYTES + space.outside_bytes(case) + space.graphs_bytes(case)
    live = held + kept + used
    exact = WEIGHTS_BAND * held + CACHE_BAND * kept
    spread = exact + SPACE_BAND * used
    wide = exact + hypot(SPACE_BAND * used, OUTSIDE_BAND * outside)
    before = max(0.0, most_bytes(case) - live)
    device = Interval(live + outside, live + outside - wide, live + outside + before + wide)
    torch = Interval(live, live - spread, live + before + spread)
    needed = MemoryEstimate(
        per_gpu=(("weights", held), ("kv_cache", kept), ("buffers", used)),
        allocated=torch,
        reserved=torch,
        device=device,
        capacity_bytes=case.system.memory_bytes,
        peak="serving",
    )
    return ServingMemory(needed, shown(case, device))


def shown(case: ServingCase, needed: Interval) -> Interval:
    """What a monitor shows [B]: the engine's share and what it takes beside it, at least what is needed."""
    used, capacity = case.engine, case.system.memory_bytes
    if not used.preallocates or not capacity:
        return needed
    taken = cache.pool_bytes(case) + weights_per_gpu(case) + space.workspace_bytes(case)
    taken += space.CONTEXT_BYTES + space.outside_bytes(case) + space.graphs_bytes(case)
    expected = min(float(capacity), max(taken, needed.expected))
    low, high = expected * (1 - SHOWN_BAND), min(float(capacity), expected * (1 + SHOWN_BAND))
    return Interval(expected, low, max(high, expected))
