"""Sensible ways to run a training job on a system, and the choice among them.

Only plans that the named framework can run are listed. What the request states is never changed; what it leaves open
(micro-batch, recomputation, division over the GPUs, offload) is tried, and the fastest plan whose upper memory band
fits is taken. Offload is tried last: it trades hours for memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sizing import frameworks, memory, speed
from sizing.architecture.shape import Architecture
from sizing.assumptions import Assumption, Ledger
from sizing.case import Case, MemoryEstimate, SpeedEstimate
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


@dataclass(frozen=True, slots=True)
class Option:
    """One plan that was tried, with what it needs and how long it takes."""

    case: Case
    memory: MemoryEstimate
    speed: SpeedEstimate | None

    @property
    def is_tight(self) -> bool:
        """Whether the upper band of the live tensors leaves hardly any room."""
        return self.memory.allocated.high > COMFORTABLE_SHARE * self.memory.capacity_bytes

    @property
    def seconds(self) -> float:
        """Time of the same amount of work, for ranking [s per token of the whole system]."""
        if self.speed is None:
            return self.case.plan.gpus
        return 1 / (self.speed.tokens_per_second_per_gpu.expected * self.case.system.gpus)


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
    options = tried(shape, job, stated, machines, fixed=fixed or {})
    if not options:
        raise SizingError(
            "plan",
            "{framework} has no plan with these fields on {gpus} GPUs",
            framework=job.framework,
            gpus=machines.gpus,
        )
    best = fastest(options) or nearest(options)
    plan = best.case.plan
    why = "the fastest plan whose upper memory band fits" if best.memory.fits else "no plan fits; the nearest one"
    ledger.assume(Assumption("plan", plan.sharding, "", why, "search over the plans this framework can run"))
    return best.case.workload, plan


def can_choose(job: Training, fixed: Mapping[str, Any]) -> bool:
    """Whether a search fills the plan: not where the request divides data or model itself, as the framework can."""
    divided = {"sharding", "data"}
    if job.framework in TENSOR_FRAMEWORKS:
        divided |= {name for name in ("tensor", "pipeline", "context") if fixed.get(name, 1) > 1}
    return not fixed.keys() & divided


def fastest(options: list[Option]) -> Option | None:
    """The fastest of the options that fit: without offload and with some room if there is such a one."""
    fitting = [one for one in options if one.memory.fits]
    return min(fitting, key=lambda one: (one.case.plan.offload != "none", one.is_tight, one.seconds), default=None)


def nearest(options: list[Option]) -> Option:
    """The option with the smallest upper memory band."""
    return min(options, key=lambda one: one.memory.device.high)


def tried(
    shape: Architecture,
    job: Training,
    stated: Mapping[str, Any],
    machines: System,
    *,
    fixed: Mapping[str, Any] | None = None,
    skip_hopeless: bool = False,
) -> list[Option]:
    """Every sensible plan with its memory, and with its speed where it fits; plans keep the `fixed` fields.

    `skip_hopeless` leaves out plans whose states alone, divided over every GPU, exceed the memory.
    """
    kept = fixed or {}
    offloads: tuple[Offload, ...] = (kept["offload"],) if "offload" in kept else ("none",)
    moves_states = kept.get("offload", "none") != "none"
    can_hold = not skip_hopeless or moves_states or states_per_gpu(shape, job, machines) <= machines.memory_bytes
    options = list(_options(shape, job, stated, machines, offloads, kept)) if can_hold else []
    if any(one.memory.fits for one in options) or job.method != "full" or "offload" in kept:
        return options
    return options + list(_options(shape, job, stated, machines, ("optimizer", "optimizer+parameters"), kept))


def states_per_gpu(shape: Architecture, job: Training, machines: System) -> float:
    """Weights, master copy and optimizer states of full training, divided over every GPU [B]: no plan needs less."""
    states = STATES_OF.get(job.optimizer, 2) * DTYPE_BYTES.get(job.optimizer_states, 0.5)
    master = DTYPE_BYTES["fp32"] if job.master_weights == "fp32" else 0.0
    return shape.parameters * (DTYPE_BYTES.get(job.weights, 2) + master + states) / machines.gpus


def _options(
    shape: Architecture,
    job: Training,
    stated: Mapping[str, Any],
    machines: System,
    offloads: tuple[Offload, ...],
    kept: Mapping[str, Any],
) -> Iterator[Option]:
    """Plans that can still be the fastest.

    Left out: a larger micro-batch where a smaller one does not fit, and more recomputation where less of it fits with
    room to spare, since recomputing only adds work.
    """
    too_large: set[tuple[Plan, str]] = set()
    roomy: set[tuple[Plan, int]] = set()
    for one, plan in sensible(shape, job, stated, machines, offloads=offloads):
        kind, size = (plan, one.activation_checkpointing), (plan, one.micro_batch)
        if kind in too_large or size in roomy or any(getattr(plan, name) != value for name, value in kept.items()):
            continue
        option = _option(shape, one, plan, machines)
        if not option.memory.fits:
            too_large.add(kind)
        elif not option.is_tight:
            roomy.add(size)
        yield option


def _option(shape: Architecture, job: Training, plan: Plan, machines: System) -> Option:
    case = Case(architecture=shape, workload=job, system=machines, plan=plan)
    ledger = Ledger()
    needed = memory.estimate(case, ledger)
    known = bool(machines.gpu.dense_flops_per_s)
    return Option(case, needed, speed.estimate(case, ledger) if known and needed.fits else None)


def sensible(
    shape: Architecture,
    job: Training,
    stated: Mapping[str, Any],
    machines: System,
    *,
    offloads: tuple[Offload, ...] = ("none",),
) -> Iterator[tuple[Training, Plan]]:
    """Pairs of (job with its batch and recomputation, plan) that the framework can run on the machines."""
    for plan in _divisions(shape, job, machines):
        for micro, accumulation in _batches(job, stated, plan):
            for checkpointing in _checkpointing(job, stated):
                for offload in (one for one in offloads if can_offload(plan.sharding, one)):
                    filled = replace(
                        job,
                        micro_batch=micro,
                        gradient_accumulation=accumulation,
                        activation_checkpointing=checkpointing,
                    )
                    yield filled, replace(plan, offload=offload)


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
