"""Sensible ways to run a training job on a system, and the choice among them.

Only plans that the named framework can run are listed. What the request states is never changed; what it leaves open
(micro-batch, recomputation, division over the GPUs, offload) is tried, and the fastest plan whose upper memory band
fits is taken. Offload is tried last: it trades hours for memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sizing import frameworks, memory, speed
from sizing.architecture.shape import Architecture
from sizing.assumptions import Assumption, Ledger
from sizing.case import Case, MemoryEstimate
from sizing.errors import SizingError
from sizing.hardware import System
from sizing.plan import Offload, Plan, Sharding
from sizing.resolve.system import shard_size
from sizing.units import DTYPE_BYTES, ceil_div
from sizing.workload import Checkpointing, Training

TENSOR_FRAMEWORKS = ("torchtitan", "megatron", "megatron-lm", "megatron-bridge", "nemo", "megatron-deepspeed")
CONTEXT_FRAMEWORKS = (*TENSOR_FRAMEWORKS, "trl", "hf", "axolotl", "ms-swift", "deepspeed")
DEEPSPEED_FRAMEWORKS = ("trl", "hf", "axolotl", "ms-swift", "llama-factory", "deepspeed")
SELECTIVE_FRAMEWORKS = (*TENSOR_FRAMEWORKS, "torchtune")
FAST_LINKS = ("nvswitch", "infinity_fabric", "nvlink_bridge")
LONG_SEQUENCE = 16_384
TUNING_BATCH = 32
PRETRAINING_BATCH_TOKENS = 524_288
MICRO_BATCHES = (1, 2, 4, 8, 16)
MANY_GPUS = 64
COMFORTABLE_SHARE = 0.8
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
    """One plan that was tried: what it needs, and its time for the same amount of work [s per token of all GPUs]."""

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
    why = "the fastest plan whose upper memory band fits" if found.memory.fits else "no plan fits; the nearest one"
    ledger.assume(Assumption("plan", plan.sharding, "", why, "search over the plans this framework can run"))
    return found.case.workload, plan


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
        for plan, kinds in sensible(shape, job, stated, machines, offloads=offloads)
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
    """Time of a token [s]; where no rate of the GPU is known, fewer GPUs stand for less time."""
    if not case.system.gpu.dense_flops_per_s:
        return case.plan.gpus
    return 1 / (speed.tokens_per_second_per_gpu(case) * case.system.gpus)


def _upper_edge(option: Option) -> float:
    return option.memory.device.high


def sensible(
    shape: Architecture,
    job: Training,
    stated: Mapping[str, Any],
    machines: System,
    *,
    offloads: tuple[Offload, ...] = ("none",),
) -> Iterator[tuple[Plan, list[list[Training]]]]:
    """Plans that the framework can run on the machines, each with the jobs to try on it.

    Jobs are listed by recomputation, least first, and within that by micro-batch, smallest first.
    """
    for plan in _divisions(shape, job, machines):
        batches = _batches(job, stated, plan)
        kinds = [
            [
                replace(
                    job, micro_batch=micro, gradient_accumulation=accumulation, activation_checkpointing=checkpointing
                )
                for micro, accumulation in batches
            ]
            for checkpointing in _checkpointing(job, stated)
        ]
        for offload in offloads:
            if can_offload(plan.sharding, offload):
                yield (replace(plan, offload=offload) if offload != plan.offload else plan), kinds


def can_offload(sharding: Sharding, offload: Offload) -> bool:
    """Whether a sharding can move these to the host: whole parameters only where they are sharded too."""
    return "parameters" not in offload or sharding in ("fsdp", "zero3", "hsdp")


def _divisions(shape: Architecture, job: Training, machines: System) -> Iterator[Plan]:
    habits = frameworks.defaults(job.framework)
    gpus = machines.gpus
    for tensor in _tensor(shape, job, machines):
        for pipeline in _pipeline(shape, job, machines, tensor):
            for context in _context(job, machines, tensor * pipeline):
                if gpus % (tensor * pipeline * context):
                    continue
                data = gpus // (tensor * pipeline * context)
                for sharding in _sharding(job, data * context):
                    yield Plan(
                        sharding=sharding,
                        data=data,
                        tensor=tensor,
                        pipeline=pipeline,
                        context=context,
                        expert=_experts(shape, job, data),
                        sequence_parallel=tensor > 1 and habits.sequence_parallel,
                        shard=shard_size(
                            sharding, data=data, context=context, per_node=machines.gpus_per_node, tensor=tensor
                        ),
                    )


def _tensor(shape: Architecture, job: Training, machines: System) -> list[int]:
    if job.framework not in TENSOR_FRAMEWORKS or machines.interconnect not in FAST_LINKS:
        return [1]
    heads = [group.attention.kv_heads for group in shape.layers if group.attention is not None]
    fits = [n for n in (2, 4, 8) if machines.gpus_per_node % n == 0 and all(n <= h and h % n == 0 for h in heads)]
    return [1, *fits]


def _pipeline(shape: Architecture, job: Training, machines: System, tensor: int) -> list[int]:
    if job.framework not in TENSOR_FRAMEWORKS or machines.nodes == 1 or tensor < min(8, machines.gpus_per_node):
        return [1]
    return [1, *(n for n in (2, 4, 8, 16) if machines.gpus % (n * tensor) == 0 and n <= shape.layer_count // 4)]


def _context(job: Training, machines: System, used: int) -> list[int]:
    if job.sequence_length < LONG_SEQUENCE or job.framework not in CONTEXT_FRAMEWORKS:
        return [1]
    return [1, *(n for n in (2, 4, 8) if machines.gpus_per_node % (n * min(used, machines.gpus_per_node)) == 0)]


def _sharding(job: Training, copies: int) -> tuple[Sharding, ...]:
    if copies == 1:
        return ("none",)
    if frameworks.defaults(job.framework).sharding == "zero1":
        return ("zero1",)
    if job.method == "full" or job.method == "pretraining":
        deepspeed: tuple[Sharding, ...] = ("zero3",) if job.framework in DEEPSPEED_FRAMEWORKS else ()
        return ("fsdp", *deepspeed, "zero2") if copies <= MANY_GPUS else ("fsdp", *deepspeed)
    return ("ddp", "fsdp")


def _experts(shape: Architecture, job: Training, data: int) -> int:
    if not shape.is_moe or job.framework not in TENSOR_FRAMEWORKS:
        return 1
    counts = [group.moe.experts for group in shape.layers if group.moe is not None]
    return max((n for n in (1, 2, 4, 8) if data % n == 0 and all(count % n == 0 for count in counts)), default=1)


def _batches(job: Training, stated: Mapping[str, Any], plan: Plan) -> list[tuple[int, int]]:
    """Micro-batch and accumulation that keep the batch of an optimizer step where it is stated or usual."""
    if "micro_batch" in stated:
        micros: tuple[int, ...] = (job.micro_batch,)
    else:
        micros = MICRO_BATCHES
    wanted = stated.get("global_batch") or usual_batch(job, stated)
    pairs = []
    for micro in micros:
        if "gradient_accumulation" in stated:
            pairs.append((micro, job.gradient_accumulation))
        elif micro * plan.data <= wanted or micro == micros[0]:
            pairs.append((micro, max(1, ceil_div(int(wanted), micro * plan.data))))
    return pairs


def usual_batch(job: Training, stated: Mapping[str, Any]) -> int:
    """Sequences in one optimizer step where the request does not say [–]."""
    if job.method == "pretraining":
        return max(1, PRETRAINING_BATCH_TOKENS // job.sequence_length)
    return max(TUNING_BATCH, int(stated.get("micro_batch", 1)))


def _checkpointing(job: Training, stated: Mapping[str, Any]) -> tuple[Checkpointing, ...]:
    if "activation_checkpointing" in stated:
        return (job.activation_checkpointing,)
    if job.framework in SELECTIVE_FRAMEWORKS:
        return ("none", "selective", "full")
    return ("none", "full")
