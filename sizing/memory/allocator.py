"""From live tensors to what the caching allocator holds, and to what the device shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sizing.case import Case
from sizing.memory.peak import Moment
from sizing.memory.sharding import FULLY_SHARDED
from sizing.units import MIB

ROUNDING_SHARE: Final = 0.02
FRAGMENTED_SHARE: Final = 0.10
PADDED_SHARE: Final = 1.0
UNSHARED_SHARE: Final = 0.65
GATHERED_SHARE: Final = 0.5
UNMOVABLE_SHARE: Final = 0.01
COMMUNICATOR_BYTES: Final = 350 * MIB
CONTEXT_BYTES: Final = 500 * MIB


@dataclass(frozen=True, slots=True)
class Slack:
    """Bytes that the allocator holds beyond live tensors [byte]: what blocks round to, and what stays cached."""

    rounding: float
    cached: float


def slack(case: Case, moment: Moment, others: Sequence[Moment]) -> Slack:
    """Allocator memory of a rank at one moment.

    Blocks of the peak moment round up and leave gaps; blocks of the other moments, of other sizes, are only partly
    served from the gaps; batches of varying length leave a trail of blocks that are too small for the next one. Fully
    sharded weights are gathered on a stream of its own, whose blocks serve no other stream.
    """
    dynamic = moment.activations + moment.logits + moment.buffers
    rounding = ROUNDING_SHARE * moment.total + FRAGMENTED_SHARE * dynamic
    job = case.workload
    trail = 0.0
    if job.packing == "padded":
        trail = PADDED_SHARE * (moment.activations + moment.logits)
    if case.plan.sharding in FULLY_SHARDED:
        trail += GATHERED_SHARE * (moment.buffers - moment.settled)
    rest = (other for other in others if other.stage == moment.stage and other is not moment)
    beside = max((_beyond(other, moment) for other in rest), default=0.0)
    return Slack(rounding, trail + UNSHARED_SHARE * beside)


def context_bytes(case: Case) -> float:
    """What the driver and the communication libraries take [byte]."""
    return float(CONTEXT_BYTES + _groups(case) * COMMUNICATOR_BYTES)


def _beyond(other: Moment, peak: Moment) -> float:
    """Bytes of another moment in components where the peak moment has less."""
    return (
        max(0.0, other.gradients - peak.gradients)
        + max(0.0, other.activations - peak.activations)
        + max(0.0, other.logits - peak.logits)
        + max(0.0, other.buffers - peak.buffers)
    )


def _groups(case: Case) -> int:
    """Communicators of a rank: one for each kind of parallelism in use."""
    plan = case.plan
    if plan.sharding == "device_map":
        return 0
    return sum(degree > 1 for degree in (plan.data * plan.context, plan.tensor, plan.pipeline, plan.expert))
