"""The estimate of a case: the largest moment, the allocator's and the driver's share, and the 90 % bands."""

from __future__ import annotations

from dataclasses import replace

from sizing.assumptions import Ledger
from sizing.case import Case, Interval, MemoryEstimate
from sizing.memory import allocator, bands, mechanisms, outside, peak
from sizing.plan import Plan
from sizing.speed import programs
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
    outside.warn(case, ledger)
    case = programs.as_run(case)
    job = case.workload
    moments = candidates(case)
    mechanisms.note(case, ledger)
    found = max(moments, key=lambda moment: moment.total)
    factor = bands.width(job.framework, case.system.gpu.slug, rare=_is_rare(job, case.plan))
    quantizing = outside.quantizing_moment(case)
    live = bands.allocated(moments, factor)
    if quantizing is not None:
        live = replace(live, high=max(live.high, bands.allocated((quantizing,), factor).high))
    held = bands.reserved([(moment, allocator.slack(case, moment, moments)) for moment in moments], live, factor)
    context = allocator.context_bytes(case)
    shown = bands.device(held, context, factor)
    held, shown = _reclaimed(live, held, shown, context, case.system.memory_bytes)
    return MemoryEstimate(
        per_gpu=found.components(),
        allocated=live,
        reserved=held,
        device=shown,
        capacity_bytes=case.system.memory_bytes,
        host_bytes_per_node=outside.host_interval(case),
        peak=found.name,
    )


def candidates(case: Case) -> tuple[peak.Moment, ...]:
    """Every moment that can be the peak: those of a step, and the model's load where it holds more than the step."""
    moments = tuple(peak.moments(case))
    load = outside.load_moment(case)
    return moments if load is None else (*moments, load)


def _reclaimed(
    live: Interval, held: Interval, shown: Interval, context: float, capacity: int
) -> tuple[Interval, Interval]:
    """Bands of a card on which the allocator must give cached blocks back.

    When a request fails, PyTorch frees every cached block and tries again: cached blocks never make a job fail. Where
    the live bytes fit, a job therefore stays within the card, however much it would cache on a larger one; each edge
    of the band by its own live bytes.
    """

    def within(band: Interval, limit: float) -> Interval:
        edges = [
            min(size, limit) if alive * (1 + allocator.UNMOVABLE_SHARE) + context <= capacity else size
            for alive, size in zip(_edges(live), _edges(band), strict=True)
        ]
        return Interval(*edges)

    if not capacity:
        return held, shown
    return within(held, capacity - context), within(shown, capacity)


def _edges(band: Interval) -> tuple[float, float, float]:
    return band.expected, band.low, band.high


def _is_rare(job: Training, plan: Plan) -> bool:
    """Whether the case uses a mechanism that no published measurement covers."""
    return (
        job.optimizer in ("badam", "muon", "apollo", "lion", "sgd", "adafactor")
        or job.attention in ("eager", "flex")
        or plan.sharding == "hsdp"
        or plan.offload == "optimizer"
        or (job.lora is not None and (plan.tensor > 1 or plan.pipeline > 1) and plan.sharding != "device_map")
    )
