"""The choice of a plan to run a training job on a system.

Only plans that the named framework can run are tried (`divisions`). What the request states is never changed; what it
leaves open (micro-batch, recomputation, division over the GPUs, offload) is tried, and the fastest plan whose upper
memory band fits is taken. Fastest by the upper end of its time, which is what a deadline is held against: a plan that
is a hair faster on paper and far less sure is not taken. Offload is tried last: it trades hours for memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sizing import memory, speed
from sizing.architecture.shape import Architecture
from sizing.assumptions import Assumption, Ledger
from sizing.case import Case, MemoryEstimate
from sizing.divisions import TENSOR_FRAMEWORKS, sensible
from sizing.errors import SizingError
from sizing.hardware import System
from sizing.plan import Offload, Plan
from sizing.units import DTYPE_BYTES
from sizing.workload import Training

COMFORTABLE_SHARE = 0.8
FASTEST = "the fastest plan whose upper memory band fits"
NEAREST = "no plan fits; the nearest one"
SEARCHED = "search over the plans this framework can run"
FREE = ("micro_batch", "gradient_accumulation", "activation_checkpointing")
"""Fields of the workload that the search chooses where the request leaves them open."""
STATES_OF = {"sgd": 0, "lion": 1, "adafactor": 0, "muon": 1, "galore": 0, "apollo": 0, "badam": 0}

Rank = tuple[bool, bool, float]


class _Candidate:
    """A plan to try; its memory and its speed are computed once, and only where somebody asks."""

    def __init__(self, case: Case) -> None:
        self.case = case

    @cached_property
    def memory(self) -> MemoryEstimate:
        return memory.estimate(self.case, Ledger())

    @cached_property
    def rank(self) -> Rank:
        """The best rank it can have: it fits with room to spare."""
        return self.case.plan.offload != "none", False, _seconds(self.case)


@dataclass(frozen=True, slots=True)
class Option:
    """One plan that was tried: what it needs, and the upper end of its time for a token of all GPUs [s]."""

    case: Case
    memory: MemoryEstimate
    seconds: float

    @classmethod
    def of(cls, tried: _Candidate) -> Option:
        """A candidate with everything known of it."""
        return cls(tried.case, tried.memory, tried.rank[-1])

    @property
    def is_tight(self) -> bool:
        """Whether the upper band of the live tensors leaves hardly any room."""
        return self.memory.allocated.high > COMFORTABLE_SHARE * self.memory.capacity_bytes

    @property
    def rank(self) -> Rank:
        """What is preferred among plans that fit: no offload, some room, speed."""
        return self.case.plan.offload != "none", self.is_tight, self.seconds


def choose(
    shape: Architecture,
    job: Training,
    stated: Mapping[str, Any],
    machines: System,
    ledger: Ledger,
    *,
    fixed: Mapping[str, Any] | None = None,
) -> tuple[Training, Plan]:
    """The fastest plan that fits, or the one that comes nearest to fitting; `fixed` fields of it are kept.

    Raises
    ------
    SizingError
        Where the framework has no plan with the fixed fields on these machines.
    """
    found = best(shape, job, stated, machines, fixed=fixed)
    if found is None:
        raise SizingError(
            "plan",
            "{framework} has no plan with these fields on {gpus} GPUs",
            framework=job.framework,
            gpus=machines.gpus,
        )
    plan = found.case.plan
    why = FASTEST if found.memory.fits else NEAREST
    ledger.assume(Assumption("plan", plan.sharding, "", why, SEARCHED))
    restate(found.case.workload, ledger, why)
    return found.case.workload, plan


def restate(used: Training, ledger: Ledger, why: str) -> None:
    """List what the search took in the place of the usual values that it was free to change."""
    for one in list(ledger):
        name = one.key.removeprefix("workload.")
        if name in FREE and getattr(used, name) != one.value:
            ledger.restate(replace(one, value=getattr(used, name), why=why, source=SEARCHED))


def can_choose(job: Training, fixed: Mapping[str, Any]) -> bool:
    """Whether a search fills the plan: not where the request divides data or model itself, as the framework can."""
    divided = {"sharding", "data"}
    if job.framework in TENSOR_FRAMEWORKS:
        divided |= {name for name in ("tensor", "pipeline", "context") if fixed.get(name, 1) > 1}
    return not fixed.keys() & divided


def best(
    shape: Architecture,
    job: Training,
    stated: Mapping[str, Any],
    machines: System,
    *,
    fixed: Mapping[str, Any] | None = None,
    skip_hopeless: bool = False,
) -> Option | None:
    """The fastest sensible plan that fits, else the one that comes nearest to fitting; plans keep the `fixed` fields.

    Offload is tried only where nothing fits without it, since it trades hours for memory. `skip_hopeless` leaves out
    plans whose states alone, divided over every GPU, exceed the memory. None where no plan is left.
    """
    kept = fixed or {}
    offloads: tuple[Offload, ...] = (kept["offload"],) if "offload" in kept else ("none",)
    moves_states = kept.get("offload", "none") != "none"
    can_hold = not skip_hopeless or moves_states or states_per_gpu(shape, job, machines) <= machines.memory_bytes
    found = _search(shape, job, stated, machines, offloads, kept) if can_hold else None
    if (found is not None and found.memory.fits) or job.method != "full" or "offload" in kept:
        return found
    moved = _search(shape, job, stated, machines, ("optimizer", "optimizer+parameters"), kept)
    if found is None or moved is None or moved.memory.fits:
        return moved or found
    return min(found, moved, key=_upper_edge)


def states_per_gpu(shape: Architecture, job: Training, machines: System) -> float:
    """Weights, master copy and optimizer states of full training, divided over every GPU [B]: no plan needs less."""
    states = STATES_OF.get(job.optimizer, 2) * DTYPE_BYTES.get(job.optimizer_states, 0.5)
    master = DTYPE_BYTES["fp32"] if job.master_weights == "fp32" else 0.0
    return shape.parameters * (DTYPE_BYTES.get(job.weights, 2) + master + states) / machines.gpus


def _search(
    shape: Architecture,
    job: Training,
    stated: Mapping[str, Any],
    machines: System,
    offloads: tuple[Offload, ...],
    kept: Mapping[str, Any],
) -> Option | None:
    """The fastest plan that fits, those with room to spare first; else the nearest to fitting.

    More recomputation never needs more memory and never takes less time; a larger micro-batch never needs less memory.
    So a division is out where its smallest micro-batch does not fit with most recomputation, and it is left alone where
    even its fastest job with least recomputation loses to a plan that is known to fit with room.
    """
    divisions = [
        [
            [_Candidate(Case(architecture=shape, workload=one, system=machines, plan=plan)) for one in jobs]
            for jobs in kinds
        ]
        for plan, kinds in sensible(shape, job, stated, machines, offloads=offloads, kept=kept)
        if all(getattr(plan, name) == value for name, value in kept.items())
    ]
    open_ones = [kinds for kinds in divisions if kinds[-1][0].memory.fits]
    if not open_ones:
        floors = (kinds[-1][0] for kinds in divisions)
        return min(map(Option.of, floors), key=_upper_edge, default=None)
    chosen: Option | None = None
    for kinds in sorted(open_ones, key=lambda kinds: min(one.rank for one in kinds[0])):
        for jobs in kinds:
            if chosen is not None and chosen.rank <= min(one.rank for one in jobs):
                break
            chosen = _fastest(jobs, chosen)
    return chosen


def _fastest(jobs: list[_Candidate], chosen: Option | None) -> Option | None:
    """The better of what is chosen and the fastest job that fits; jobs come with the smallest micro-batch first."""
    fitting = len(jobs) if jobs[0].memory.fits else 0
    for number, one in sorted(enumerate(jobs), key=lambda pair: pair[1].rank):
        if chosen is not None and chosen.rank <= one.rank:
            break
        if number >= fitting:
            continue
        if not one.memory.fits:
            fitting = number
        elif chosen is None or Option.of(one).rank < chosen.rank:
            chosen = Option.of(one)
    return chosen


def _seconds(case: Case) -> float:
    """Upper end of the time of a token [s]; where no rate of the GPU is known, fewer GPUs stand for less time."""
    if not case.system.gpu.dense_flops_per_s:
        return case.plan.gpus
    return 1 / (speed.sure_tokens_per_second_per_gpu(case) * case.system.gpus)


def _upper_edge(option: Option) -> float:
    return option.memory.device.high
