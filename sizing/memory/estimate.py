"""The estimate of a case: the largest moment, the allocator's and the driver's share, and the 90 % bands."""

from __future__ import annotations

from dataclasses import replace

from sizing.assumptions import Ledger
from sizing.case import Case, Interval, MemoryEstimate
from sizing.memory import allocator, bands, mechanisms, outside, peak
from sizing.plan import Plan
from sizing.workload import Training


def estimate(case: Case, ledger: Ledger) -> MemoryEstimate:
    """Memory of the fullest GPU for a training job.

    Parameters
    ----------
    case : Case
        A complete training case.
    ledger : Ledger
        Collects the mechanisms the figure rests on.
    """
    job = case.workload
    moments = tuple(peak.moments(case))
    load = outside.load_moment(case)
    if load is not None:
        moments = (*moments, load)
    outside.warn(case, ledger)
    mechanisms.note(case, ledger)
    found = max(moments, key=lambda moment: moment.total)
    spare = allocator.slack(case, found, moments)
    factor = bands.width(job.framework, case.system.gpu.slug, rare=_is_rare(job, case.plan))
    if more := outside.doubtful(case, found):
        found = replace(found, doubtful=more)
    live = bands.allocated(found, factor)
    held = bands.reserved(found, spare, factor)
    shown = bands.device(held, spare, factor)
    need = live.high * (1 + allocator.UNMOVABLE_SHARE) + spare.context
    held, shown = _reclaimed(held, shown, need, spare.context, case.system.memory_bytes)
    return MemoryEstimate(
        per_gpu=found.components(),
        allocated=live,
        reserved=held,
        device=shown,
        capacity_bytes=case.system.memory_bytes,
        host_bytes_per_node=outside.host_interval(case),
        peak=found.name,
    )


def _reclaimed(
    held: Interval, shown: Interval, need: float, context: float, capacity: int
) -> tuple[Interval, Interval]:
    """Bands of a card on which the allocator must give cached blocks back.

    When a request fails, PyTorch frees every cached block and tries again: cached blocks never make a job fail. A job
    whose live bytes fit therefore stays within the card, however much it would cache on a larger one.
    """
    if not capacity or need > capacity:
        return held, shown

    def within(band: Interval, limit: float) -> Interval:
        return Interval(min(band.expected, limit), min(band.low, limit), min(band.high, limit))

    return within(held, capacity - context), within(shown, capacity)


def _is_rare(job: Training, plan: Plan) -> bool:
    """Whether the case uses a mechanism that no published measurement covers."""
    return (
        job.optimizer in ("badam", "muon", "apollo", "lion", "sgd", "adafactor")
        or job.attention in ("eager", "flex")
        or plan.sharding == "hsdp"
        or plan.offload == "optimizer"
        or (job.lora is not None and (plan.tensor > 1 or plan.pipeline > 1) and plan.sharding != "device_map")
    )
