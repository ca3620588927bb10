"""The estimate of a case: the largest moment, the allocator's and the driver's share, and the 90 % bands."""

from __future__ import annotations

from sizing.assumptions import Ledger
from sizing.case import Case, Interval, MemoryEstimate
from sizing.memory import allocator, peak


def estimate(case: Case, ledger: Ledger) -> MemoryEstimate:
    """Memory of the fullest GPU for a training job.

    Parameters
    ----------
    case : Case
        A complete training case.
    ledger : Ledger
        Collects the mechanisms the figure rests on.
    """
    moments = tuple(peak.moments(case))
    found = max(moments, key=lambda moment: moment.total)
    spare = allocator.slack(case, found, moments)
    allocated = found.total
    reserved = allocated + spare.rounding + spare.cached
    device = reserved + spare.context
    capacity = case.system.memory_bytes
    return MemoryEstimate(
        per_gpu=found.components(),
        allocated=Interval(allocated, allocated * 0.85, allocated * 1.15),
        reserved=Interval(reserved, reserved * 0.8, reserved * 1.2),
        device=Interval(device, device * 0.8, device * 1.2),
        capacity_bytes=capacity,
        peak=found.name,
    )
