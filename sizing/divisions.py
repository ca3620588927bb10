"""Ways to divide a training job over machines that its framework can run, and the batches to try on each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sizing import frameworks
from sizing.architecture.shape import Architecture
from sizing.hardware import System
from sizing.plan import Offload, Plan, Sharding
from sizing.resolve.system import shard_size
from sizing.units import ceil_div
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
NOTHING_KEPT: Mapping[str, Any] = {}


def sensible(
    shape: Architecture,
    job: Training,
    stated: Mapping[str, Any],
    machines: System,
    *,
    offloads: tuple[Offload, ...] = ("none",),
    kept: Mapping[str, Any] = NOTHING_KEPT,
) -> Iterator[tuple[Plan, list[list[Training]]]]:
    """Plans that the framework can run on the machines, each with the jobs to try on it.

    Jobs are listed by recomputation, least first, and within that by micro-batch, smallest first. Fields of a plan that
    are `kept` hold in each of them, also where nobody would choose them, as long as the framework can run them.
    """
    tried: dict[int, list[list[Training]]] = {}
    for plan in _divisions(shape, job, machines, kept):
        if plan.data not in tried:
            tried[plan.data] = _jobs(job, stated, plan.data)
        kinds = tried[plan.data]
        for offload in offloads:
            if can_offload(plan.sharding, offload):
                yield (replace(plan, offload=offload) if offload != plan.offload else plan), kinds


def _jobs(job: Training, stated: Mapping[str, Any], copies: int) -> list[list[Training]]:
    """The job in each recomputation and micro-batch to try where so many copies of the model share a batch."""
    batches = _batches(job, stated, copies)
    return [
        [
            replace(job, micro_batch=micro, gradient_accumulation=accumulation, activation_checkpointing=checkpointing)
            for micro, accumulation in batches
        ]
        for checkpointing in _checkpointing(job, stated)
    ]


def can_offload(sharding: Sharding, offload: Offload) -> bool:
    """Whether a sharding can move these to the host: whole parameters only where they are sharded too."""
    return "parameters" not in offload or sharding in ("fsdp", "zero3", "hsdp")


def _divisions(shape: Architecture, job: Training, machines: System, kept: Mapping[str, Any]) -> Iterator[Plan]:
    habits = frameworks.defaults(job.framework)
    gpus = machines.gpus
    for tensor in _stated_tensor(shape, job, kept) or _tensor(shape, job, machines):
        for pipeline in _stated_pipeline(shape, job, kept) or _pipeline(shape, job, machines, tensor):
            for context in _stated_context(job, kept) or _context(job, machines, tensor * pipeline):
                if gpus % (tensor * pipeline * context):
                    continue
                data = gpus // (tensor * pipeline * context)
                for sharding in _stated_sharding(job, machines, kept) or _sharding(job, data * context):
                    yield Plan(
                        sharding=sharding,
                        data=data,
                        tensor=tensor,
                        pipeline=pipeline,
                        context=context,
                        expert=kept.get("expert") or _experts(shape, job, data),
                        sequence_parallel=tensor > 1 and habits.sequence_parallel,
                        shard=shard_size(
                            sharding, data=data, context=context, per_node=machines.gpus_per_node, tensor=tensor
                        ),
                    )


def _stated_tensor(shape: Architecture, job: Training, kept: Mapping[str, Any]) -> list[int]:
    """The stated degree where framework and heads allow it; nothing where it is left open or cannot be."""
    tensor = kept.get("tensor", 0)
    if tensor < 2 or job.framework not in TENSOR_FRAMEWORKS:
        return []
    return [tensor] if all(heads % tensor == 0 for heads in _kv_heads(shape)) else []


def _stated_pipeline(shape: Architecture, job: Training, kept: Mapping[str, Any]) -> list[int]:
    pipeline = kept.get("pipeline", 0)
    return [pipeline] if job.framework in TENSOR_FRAMEWORKS and 1 < pipeline <= shape.layer_count else []


def _stated_context(job: Training, kept: Mapping[str, Any]) -> list[int]:
    context = kept.get("context", 0)
    return [context] if job.framework in CONTEXT_FRAMEWORKS and context > 1 else []


def _stated_sharding(job: Training, machines: System, kept: Mapping[str, Any]) -> tuple[Sharding, ...]:
    sharding: Sharding | None = kept.get("sharding")
    if sharding is None or machines.gpus == 1:
        return ()
    runs: tuple[Sharding, ...] = ("zero1", "ddp")
    if frameworks.defaults(job.framework).sharding != "zero1":
        runs = ("ddp", "fsdp", *(("hsdp",) if machines.nodes > 1 else ()))
    if job.framework in DEEPSPEED_FRAMEWORKS:
        runs = (*runs, "zero1", "zero2", "zero3")
    return (sharding,) if sharding in runs else ()


def _tensor(shape: Architecture, job: Training, machines: System) -> list[int]:
    if job.framework not in TENSOR_FRAMEWORKS or machines.interconnect not in FAST_LINKS:
        return [1]
    heads = _kv_heads(shape)
    fits = [n for n in (2, 4, 8) if machines.gpus_per_node % n == 0 and all(n <= h and h % n == 0 for h in heads)]
    return [1, *fits]


def _kv_heads(shape: Architecture) -> list[int]:
    return [group.attention.kv_heads for group in shape.layers if group.attention is not None]


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


def _batches(job: Training, stated: Mapping[str, Any], copies: int) -> list[tuple[int, int]]:
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
        elif micro * copies <= wanted or micro == micros[0]:
            pairs.append((micro, max(1, ceil_div(int(wanted), micro * copies))))
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
