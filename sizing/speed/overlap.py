"""Communication of a step: what each axis of the plan moves, and what of it does not hide behind computation."""

from __future__ import annotations

from typing import Final

from sizing.speed import dequantisation
from sizing.speed.job import LOW_PRECISION, SHARDED_WEIGHTS, Job
from sizing.speed.optimizer_step import host_link_bytes_per_s
from sizing.units import DTYPE_BYTES

_BF16_BYTES = 2.0

TENSOR_PASSES: Final = 4.0
"""All-reduces (or gather and scatter pairs) of the residual stream in one layer, forward and backward [–]."""

SAVED_BYTES: Final = {"full": 2.0, "selective": 18.0, "none": 34.0}
"""Saved activations of one layer for each token and hidden value, by checkpointing [B]; Korthikanti et al. 2022 for
16-bit layers with flash attention, and the layer's input alone."""


def tensor_seconds(job: Job) -> float:
    """Tensor parallelism in one micro-batch, all layers [s]; recomputation repeats the forward half."""
    plan = job.plan
    if plan.tensor < 2:
        return 0.0
    links = job.group(plan.tensor, 1)
    payload = _BF16_BYTES * job.tokens * job.profile.hidden_size
    once = 2 * links.gather_seconds(payload) if plan.sequence_parallel else links.reduce_seconds(payload)
    count = job.profile.layers * (TENSOR_PASSES + 2 * job.recompute_products)
    return once * count * (1.0 - job.stack.tensor_overlap)


def context_seconds(job: Job, attention_seconds: float) -> float:
    """Keys and values passed around by context parallelism in one micro-batch [s]."""
    plan = job.plan
    if plan.context < 2:
        return 0.0
    links = job.group(plan.context, plan.tensor)
    payload = job.tokens * plan.context * job.profile.kv_bytes_per_token / plan.tensor
    rounds = 2.0 + job.recompute_products + 1.0
    total = rounds * (links.gather_seconds(payload) + job.profile.layers * links.latency_seconds)
    return max(total * (1.0 - job.stack.context_overlap), total - job.stack.context_overlap * attention_seconds)


def expert_seconds(job: Job) -> float:
    """Tokens sent to experts and back in one micro-batch [s].

    Experts are not cut by tensor parallelism, so that their group takes neighbouring GPUs.
    """
    plan = job.plan
    if plan.expert < 2 or not job.profile.moe_layers:
        return 0.0
    links = job.group(plan.expert, 1)
    sent = job.tokens * job.profile.routed_bytes_per_token / job.profile.moe_layers / plan.tensor
    once = links.exchange_seconds(sent)
    return once * job.profile.moe_layers * (4.0 + 2 * job.recompute_products) * (1.0 - job.stack.expert_overlap)


def weights_seconds(job: Job, compute_seconds: float) -> float:
    """Gathering sharded weights, and scattering gradients, in one micro-batch [s].

    The host's part for each layer is there on a single GPU too: its hooks run all the same.
    """
    plan = job.plan
    total, host = _streamed_seconds(job), 0.0
    if plan.sharding in SHARDED_WEIGHTS:
        host = job.profile.layers / plan.pipeline * _gathers(job) * job.stack.unit_seconds
        total += _gathered_seconds(job) if plan.shard > 1 else 0.0
    return hidden_behind(total, compute_seconds, job.stack.data_overlap) + host


def _gathered_seconds(job: Job) -> float:
    plan, training = job.plan, job.training
    links = job.group(plan.shard, plan.tensor)
    parameters = job.case.architecture.parameters / plan.tensor / plan.pipeline
    stored = dequantisation.PACKED_BYTES.get(training.weights, _gathered_bytes(job))
    layers = job.profile.layers / plan.pipeline
    wide = job.profile.expert_stored / plan.tensor / plan.pipeline if job.wide_experts else 0.0
    size = (parameters - wide) * stored + wide * _BF16_BYTES
    total = _gathers(job) * (links.gather_seconds(size) + layers * links.latency_seconds)
    if not training.is_frozen:
        total += links.gather_seconds(parameters * _gradient_bytes(job)) + layers * links.latency_seconds
    return total


def _gathers(job: Job) -> float:
    """How often a micro-batch gathers the weights; ZeRO-3 lets go of them once more when a layer is recomputed."""
    if job.plan.sharding == "zero3":
        return 2.0 + job.recompute_products
    return 2.0 if job.plan.reshard_after_forward else 1.0


def _gathered_bytes(job: Job) -> float:
    low = job.stack.gathers_low_precision and job.training.compute in LOW_PRECISION
    return 1.0 if low else _BF16_BYTES


def hidden_behind(seconds: float, compute_seconds: float, share: float) -> float:
    """What is left of a transfer of which `share` can run behind computation [s]."""
    return seconds - share * min(seconds, compute_seconds)


def _gradient_bytes(job: Job) -> float:
    return min(DTYPE_BYTES.get(job.training.gradients, 2.0), 4.0)


def _streamed_seconds(job: Job) -> float:
    """Weights that live on the host and come over PCIe in each pass [s]."""
    plan, training = job.plan, job.training
    if "parameters" not in plan.offload:
        return 0.0
    local = job.case.architecture.parameters / plan.tensor / plan.pipeline / max(1, plan.shard)
    stored = dequantisation.PACKED_BYTES.get(training.weights, DTYPE_BYTES.get(training.compute, _BF16_BYTES))
    back = 0.0 if training.is_frozen else _gradient_bytes(job)
    return local * (2 * stored + back) / host_link_bytes_per_s(job.system.gpu)


def activation_seconds(job: Job, compute_seconds: float) -> float:
    """Saved activations sent to the host and fetched again in one micro-batch, what does not hide [s]."""
    training, plan = job.training, job.plan
    if not training.activation_offload:
        return 0.0
    saved = SAVED_BYTES[training.activation_checkpointing] * job.profile.hidden_size * job.profile.layers
    moved = 2 * saved * job.tokens / plan.tensor / plan.pipeline
    return hidden_behind(moved / host_link_bytes_per_s(job.system.gpu), compute_seconds, job.stack.data_overlap)


def pipeline_seconds(job: Job) -> float:
    """Activations handed to the next stage and gradients back, one micro-batch [s]."""
    plan = job.plan
    if plan.pipeline < 2:
        return 0.0
    links = job.group(plan.pipeline, plan.gpus // plan.pipeline)
    payload = _BF16_BYTES * job.tokens * job.profile.hidden_size
    payload /= plan.tensor if plan.sequence_parallel else 1
    return 2 * plan.virtual_pipeline * links.send_seconds(payload) * (1.0 - job.stack.data_overlap)


def trained_parameters(job: Job) -> tuple[float, float]:
    """Trained parameters on one GPU before sharding: outside experts, in experts [–]."""
    plan = job.plan
    divided = plan.tensor * plan.pipeline
    if job.adapters:
        return job.adapters.parameters / divided, 0.0
    experts = job.profile.expert_stored
    dense = job.case.architecture.parameters - experts
    return dense / divided, experts / (plan.pipeline * (plan.expert if plan.expert > 1 else plan.tensor))


def gradient_seconds(job: Job, micro_seconds: float) -> float:
    """Reducing gradients, and spreading updated weights, once a step [s]."""
    plan, training = job.plan, job.training
    ranks = plan.data * plan.context
    if ranks < 2 or plan.sharding in ("zero3", "fsdp", "device_map"):
        return 0.0
    dense, experts = trained_parameters(job)
    gradient = _gradient_bytes(job)
    if plan.sharding == "hsdp":
        outer = job.group(max(1, ranks // plan.shard), plan.tensor * plan.shard)
        total = outer.reduce_seconds(dense * gradient / plan.shard)
    else:
        total = _replicated_seconds(job, ranks, dense, experts, gradient)
    window = micro_seconds * min(max(1, training.gradient_accumulation), plan.pipeline)
    return hidden_behind(total, window, job.stack.data_overlap)


def _replicated_seconds(job: Job, ranks: int, dense: float, experts: float, gradient: float) -> float:
    plan = job.plan
    links = job.group(ranks, plan.tensor)
    expert_ranks = max(1, ranks * plan.tensor // max(1, plan.expert)) if experts else 1
    expert_links = job.group(expert_ranks, max(1, plan.expert)) if expert_ranks > 1 else None
    if plan.sharding in ("zero1", "zero2"):
        weights = 1.0 if job.training.compute in LOW_PRECISION else _BF16_BYTES
        total = links.gather_seconds(dense * gradient) + links.gather_seconds(dense * weights)
        if expert_links:
            total += expert_links.gather_seconds(experts * gradient) + expert_links.gather_seconds(experts * weights)
        return total
    return links.reduce_seconds(dense * gradient) + (
        expert_links.reduce_seconds(experts * gradient) if expert_links else 0.0
    )
