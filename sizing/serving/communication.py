"""Communication inside one forward pass: rates of the training room, latencies of the engines' own kernels.

Engines reduce small messages with one-shot kernels over mapped memory, whose latency is a fraction of NCCL's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sizing.hardware import System
from sizing.plan import Plan
from sizing.speed import collectives

LATENCY_SECONDS: Final[dict[str, float]] = {
    "nvswitch": 12e-6,
    "nvlink_bridge": 10e-6,
    "infinity_fabric": 15e-6,
    "pcie": 25e-6,
    "none": 25e-6,
}
"""One small all-reduce by the engines' kernels, by link [s]: 7-15 us on eight H100 (vLLM and TensorRT-LLM read-mes)."""

NODE_LATENCY_SECONDS: Final = 30e-6
ELEMENT_BYTES: Final = 2.0


@dataclass(frozen=True, slots=True)
class Links:
    """Links of the groups of one replica.

    `reduce_latency` and `reduce_per_byte` are of an all-reduce among the tensor group, the
    `exchange_…` of an all-to-all among the GPUs that share the experts, `stage_…` of the step to the next stage.
    """

    reduce_latency: float
    reduce_per_byte: float
    exchange_latency: float
    exchange_per_byte: float
    stage_latency: float
    stage_per_byte: float


def latency(system: System, group: collectives.Group) -> float:
    """Latency of one small collective of a group [s]."""
    inside = LATENCY_SECONDS[system.interconnect]
    return inside + (NODE_LATENCY_SECONDS if group.nodes > 1 else 0.0)


@lru_cache(maxsize=2048)
def links(system: System, plan: Plan) -> Links:
    """The links of a plan on a system."""
    reduce = exchange = stage = (0.0, 0.0)
    if plan.tensor > 1:
        group = collectives.group(system, plan.tensor, 1)
        per_byte = 2 * (group.size - 1) / group.size / (group.bus_bytes_per_s * group.reduce_gain)
        reduce = (latency(system, group), per_byte)
    shared = plan.tensor * plan.attention_data
    if shared > 1:
        group = collectives.group(system, shared, 1)
        base = group.exchange_seconds(0.0)
        exchange = (latency(system, group), group.exchange_seconds(1.0) - base)
    if plan.pipeline > 1:
        group = collectives.group(system, plan.pipeline, shared)
        stage = (latency(system, group), group.send_seconds(1.0) - group.send_seconds(0.0))
    return Links(*reduce, *exchange, *stage)
