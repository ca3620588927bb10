"""From live tensors to what the caching allocator holds, and to what the device shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sizing.case import Case
from sizing.memory.peak import Moment
from sizing.units import MIB
from sizing.workload import Training

ROUNDING_SHARE: Final = 0.02
EAGER_SHARE: Final = 0.10
PADDED_SHARE: Final = 1.0
SHARDED_SHARE: Final = 0.12
COMMUNICATOR_BYTES: Final = 350 * MIB
CONTEXT_BYTES: Final = 500 * MIB


@dataclass(frozen=True, slots=True)
class Slack:
    """Bytes beyond live tensors [byte]: what blocks round to, what the allocator caches, what the driver takes."""

    rounding: float
    cached: float
    context: float


def slack(case: Case, moment: Moment) -> Slack:
    """Allocator and driver memory of a rank at its peak."""
    job, plan = case.workload, case.plan
    dynamic = moment.activations + moment.logits
    share = EAGER_SHARE
    if isinstance(job, Training) and job.packing == "padded":
        share = PADDED_SHARE
    cached = share * dynamic
    if plan.shard > 1:
        cached += SHARDED_SHARE * moment.total
    groups = sum(degree > 1 for degree in (plan.data * plan.context, plan.tensor, plan.pipeline, plan.expert))
    if plan.sharding == "device_map":
        groups = 0
    return Slack(ROUNDING_SHARE * moment.total, cached, CONTEXT_BYTES + groups * COMMUNICATOR_BYTES)
