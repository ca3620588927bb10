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
SHOWN_BAND: Final = 0.05
CACHE_BAND: Final = 0.02


@dataclass(frozen=True, slots=True)
class ServingMemory:
    """`needed` by the load; `shown` on the device [B]."""

    needed: MemoryEstimate
    shown: Interval


def weights_per_gpu(case: ServingCase) -> float:
    """Weights on one GPU [B]."""
    return weights.stored(case.architecture, case.workload.weights).on_gpu(case.plan)


def estimate(case: ServingCase) -> ServingMemory:
    """Memory of the fullest GPU at the load's peak."""
    job = case.workload
    held = weights_per_gpu(case)
    kept = cache.per_request(case, job.input_tokens + job.output_tokens) * max(1.0, case.in_flight / case.copies)
    used, outside = space.workspace_bytes(case), space.outside_bytes(case) + space.graphs_bytes(case)
    live = held + kept + used
    exact = WEIGHTS_BAND * held + CACHE_BAND * kept
    spread = exact + SPACE_BAND * used
    wide = exact + hypot(SPACE_BAND * used, OUTSIDE_BAND * outside)
    device = Interval(live + outside, live + outside - wide, live + outside + wide)
    needed = MemoryEstimate(
        per_gpu=(("weights", held), ("kv_cache", kept), ("buffers", used)),
        allocated=Interval(live, live - spread, live + spread),
        reserved=Interval(live, live - spread, live + spread),
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
    taken += space.outside_bytes(case) + space.graphs_bytes(case)
    expected = min(float(capacity), max(taken, needed.expected))
    low, high = expected * (1 - SHOWN_BAND), min(float(capacity), expected * (1 + SHOWN_BAND))
    return Interval(expected, low, max(high, expected))
