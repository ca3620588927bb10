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

PAD_SPREAD: Final = 0.11
"""Standard deviation of example lengths against their mean inside one padded micro-batch [–], examples of similar
length batched together; sets what padding wastes."""

_EXPECTED_MAXIMUM: Final = ((1, 0.0), (2, 0.56), (4, 1.03), (8, 1.42), (16, 1.77), (32, 2.07), (64, 2.34))
LAUNCH_SHARPNESS: Final = 4.0
"""How sharply the slower of host and GPU decides; 1 would add them, infinity take the larger [–]."""


@dataclass(frozen=True, slots=True)
class StepTime:
    """Seconds of a step by part, tokens it goes through, FLOPs that its mathematics asks for [FLOP/token]."""

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
    count = max(1, training.gradient_accumulation)
    parts = _micro_batch(job)
    micro = sum(parts.values())
    idle = micro * pipeline.bubble(plan, count)
    parts = {name: seconds * count for name, seconds in parts.items()}
    parts["pipeline_bubble"] = idle
    parts["gradients"] = overlap.gradient_seconds(job, micro)
    parts["optimizer"] = _update_seconds(job)
    parts["host"] = job.stack.step_seconds
    busy = sum(parts.values())
    parts["stragglers"] = busy * job.stack.jitter * log2(max(1, job.system.nodes))
    replicas = plan.data if plan.sharding != "device_map" else 1
    return StepTime(
        total=busy + parts["stragglers"],
        micro_batches=count,
        bubble_share=idle / busy,
        parts=tuple(part for part in parts.items() if part[1] > 0),
        model_flops_per_token=model_flops_per_token(job),
        tokens=float(training.micro_batch * training.sequence_length * count * replicas),
        padding=padding_factor(training.packing, training.micro_batch),
    )


def _micro_batch(job: Job) -> dict[str, float]:
    """One micro-batch on the fullest stage, part by part [s]."""
    parts = _computation(job)
    share = pipeline.imbalance(job.profile.layers, job.plan) / job.plan.pipeline
    parts["tensor_parallel"] = overlap.tensor_seconds(job)
    parts["context_parallel"] = overlap.context_seconds(job, parts["attention"])
    parts["expert_parallel"] = overlap.expert_seconds(job)
    parts = {name: seconds * share for name, seconds in parts.items()}
    stage = sum(parts.values())
    parts["sharding"] = overlap.weights_seconds(job, stage)
    parts["activation_offload"] = overlap.activation_seconds(job, stage)
    parts["pipeline_send"] = overlap.pipeline_seconds(job)
    return parts


def _computation(job: Job) -> dict[str, float]:
    """One micro-batch through all layers on one GPU of each stage, without communication [s]."""
    layers, head = compute.product_seconds(job)
    pointwise, loss = compute.pointwise_seconds(job)
    slower = padding_factor(job.training.packing, job.training.micro_batch) / job.efficiency
    parts = {
        "matmul": (layers + head) * slower,
        "attention": compute.attention_seconds(job) * slower,
        "pointwise": (pointwise + loss + compute.routing_seconds(job)) * slower,
        "dequantisation": compute.dequantisation_seconds(job) / job.efficiency,
        "weight_norms": compute.norm_seconds(job) / job.efficiency,
    }
    gpu, host = sum(parts.values()), compute.launch_seconds(job)
    slowest = (gpu**LAUNCH_SHARPNESS + host**LAUNCH_SHARPNESS) ** (1 / LAUNCH_SHARPNESS)
    parts["launch"] = slowest - gpu
    return parts


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
        return optimizer_step.host_seconds(training, local, job.system.gpu, job.system.gpus_per_node)
    return optimizer_step.gpu_seconds(training, local, job.rates.bytes_per_s, job.stack.optimizer_passes)
