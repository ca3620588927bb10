"""The time of one optimizer step, part by part."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import log2
from typing import Final

from sizing.architecture.flops import training_per_token
from sizing.case import Case
from sizing.speed import compute, optimizer_step, overlap, pipeline
from sizing.speed.job import SHARDED_WEIGHTS, Job, job_of

PAD_SPREAD: Final = 0.087
"""Standard deviation of example lengths against their mean inside one padded micro-batch [–], examples of similar
length batched together; sets what padding wastes."""

_EXPECTED_MAXIMUM: Final = ((1, 0.0), (2, 0.56), (4, 1.03), (8, 1.42), (16, 1.77), (32, 2.07), (64, 2.34))
LAUNCH_SHARPNESS: Final = 4.0
"""How sharply the slower of host and GPU decides; 1 would add them, infinity take the larger [–]."""


@dataclass(frozen=True, slots=True)
class StepTime:
    """Seconds of a step by part; `micro` is one micro-batch on the whole pipeline."""

    total: float
    micro_batches: int
    bubble_share: float
    parts: tuple[tuple[str, float], ...]
    model_flops_per_token: float
    tokens: float
    padding: float


def step_time(case: Case) -> StepTime:
    """Time of one step and its parts [s]."""
    return time_of(job_of(case))


def time_of(job: Job) -> StepTime:
    """Time of one step of a job that has been read already [s]."""
    plan, training = job.plan, job.training
    layers, head = compute.product_seconds(job)
    attention = compute.attention_seconds(job)
    pointwise, loss = compute.pointwise_seconds(job)
    unpacking = compute.dequantisation_seconds(job)
    padding = padding_factor(training.packing, training.micro_batch)
    pointwise += compute.routing_seconds(job)
    slower = padding / job.efficiency
    gpu = (layers + head + attention + pointwise + loss) * slower + unpacking / job.efficiency
    host = compute.launch_seconds(job)
    waiting = (gpu**LAUNCH_SHARPNESS + host**LAUNCH_SHARPNESS) ** (1 / LAUNCH_SHARPNESS) - gpu
    stages = plan.pipeline
    uneven = pipeline.imbalance(job.profile.layers, plan)
    tensor = overlap.tensor_seconds(job)
    context = overlap.context_seconds(job, attention)
    experts = overlap.expert_seconds(job)
    stage = (gpu + waiting + tensor + context + experts) * uneven / stages
    gathered = overlap.weights_seconds(job, stage)
    handed = overlap.pipeline_seconds(job)
    count = max(1, training.gradient_accumulation)
    idle = pipeline.bubble(plan, count)
    per_micro = stage + gathered + handed
    running = per_micro * count
    gradients = overlap.gradient_seconds(job, stage)
    update = _update_seconds(job)
    busy = running + per_micro * idle + gradients + update + job.stack.step_seconds
    stragglers = busy * job.stack.jitter * log2(max(1, job.system.nodes))
    scale = count * uneven / stages
    parts = (
        ("matmul", (layers + head) * slower * scale),
        ("attention", attention * slower * scale),
        ("pointwise", (pointwise + loss) * slower * scale),
        ("dequantisation", unpacking / job.efficiency * scale),
        ("launch", waiting * scale),
        ("tensor_parallel", tensor * scale),
        ("context_parallel", context * scale),
        ("expert_parallel", experts * scale),
        ("sharding", gathered * count),
        ("pipeline_send", handed * count),
        ("pipeline_bubble", per_micro * idle),
        ("gradients", gradients),
        ("optimizer", update),
        ("host", job.stack.step_seconds),
        ("stragglers", stragglers),
    )
    replicas = plan.data if plan.sharding != "device_map" else 1
    return StepTime(
        total=busy + stragglers,
        micro_batches=count,
        bubble_share=per_micro * idle / busy,
        parts=tuple(part for part in parts if part[1] > 0),
        model_flops_per_token=model_flops_per_token(job),
        tokens=float(training.micro_batch * training.sequence_length * count * replicas),
        padding=padding,
    )


def model_flops_per_token(job: Job) -> float:
    """FLOPs that the mathematics asks for, without recomputation, for each token [FLOP]: what MFU counts."""
    frozen = job.training.is_frozen
    return training_per_token(job.case.architecture, job.training.sequence_length, frozen=frozen).model


def padding_factor(packing: str, micro_batch: int) -> float:
    """Computed tokens against useful ones [–]: a padded micro-batch is as long as its longest example."""
    if packing != "padded" or micro_batch < 2:
        return 1.0
    maximum = _EXPECTED_MAXIMUM[-1][1]
    for (size, value), (next_size, next_value) in pairwise(_EXPECTED_MAXIMUM):
        if micro_batch <= next_size:
            part = (log2(micro_batch) - log2(size)) / (log2(next_size) - log2(size))
            maximum = value + (next_value - value) * part
            break
    return 1.0 + PAD_SPREAD * maximum


def _update_seconds(job: Job) -> float:
    plan, training = job.plan, job.training
    dense, experts = overlap.trained_parameters(job)
    shard = plan.shard if plan.sharding in (*SHARDED_WEIGHTS, "zero1", "zero2") else 1
    expert_shard = max(1, shard * plan.tensor // max(1, plan.expert)) if experts else 1
    local = dense / shard + experts / expert_shard
    if "optimizer" in plan.offload and not training.is_frozen:
        gpus = job.system.gpus_per_node
        return optimizer_step.host_seconds(training, local, job.system.gpu.pcie_bytes_per_s, gpus)
    return optimizer_step.gpu_seconds(training, local, job.rates.bytes_per_s, job.stack.optimizer_passes)
