"""Time of one micro-batch on one GPU without communication: products, attention, element-wise kernels, launches."""

from __future__ import annotations

from typing import Final

from sizing.architecture.flops import keys_seen
from sizing.speed import dequantisation, flops, roofline
from sizing.speed.job import LOW_PRECISION, Job

ADAPTER_BYTES: Final = 4.6
"""Traffic of 16-bit adapters for each input and output value and pass [B]: the thin products read and write, the
result is scaled and added; twice that where adapters are kept in fp32 and every value is cast on the way."""

CAST_FUSION: Final = 0.5
"""Fusion from which on casts of fp32 adapters disappear in other kernels [–]."""

NORM_TRAFFIC: Final = 7.0
"""Values read and written for each weight of a matrix by DoRA's column norms [–]: the product of the factors written,
read and written scaled, read with the weight and the sum written, the sum read for its norm."""

NORM_OUTPUT_BYTES: Final = 12.0
"""Traffic of DoRA's magnitude for each output value, forward, 16 bit [B]: outputs of matrix and adapter are scaled,
each read and written, and added to the result once more than LoRA does."""

NORM_LAUNCHES: Final = 12
"""Kernels more for each wrapped matrix and pass under DoRA [–]."""

ADAPTER_LAUNCHES: Final = 7
LOSS_EAGER_BYTES: Final = 37.5
LOSS_CHUNKED_BYTES: Final = 28.0
LOSS_FUSED_BYTES: Final = 11.3
"""Traffic of logits and loss, forward and backward, for each token and vocabulary entry [B]."""

CAST_BYTES: Final = 4.0
"""Traffic of casting one value of a product's operand to 8 or 4 bits, with its transpose [B]."""

BACKWARD_POINTWISE: Final = 1.28
"""Element-wise traffic of a backward pass against the forward pass [–]."""

OPERAND_WEIGHT: Final = 0.42
"""Share of a product's operand traffic that does not hide behind its arithmetic [–]."""

GROUPED_SHARE: Final = 0.72
"""Rate of the experts' grouped products against one product of the same size [–]."""

ROUTING_SECONDS: Final = 0.00018
"""Time of one mixture layer and pass in which routing decides who gets which token [s]: small kernels, and a wait for
the counts."""

EAGER_ATTENTION_BYTES: Final = 24.0
"""Traffic of unfused scores and softmax for each head and pair of tokens, forward [B]."""

SHORT_SEQUENCE_TOKENS: Final = 620.0
"""Length at which a causal flash kernel reaches half of its rate [tokens]: blocks on the diagonal, few
blocks. A sliding window counts as a sequence of twice its length."""

NARROW_HEAD: Final = 38.8
"""Head width at which a flash kernel reaches half of its rate [–]."""

EAGER_LAUNCHES: Final = 42
FUSED_LAUNCHES: Final = 16
"""Kernels of one layer's forward pass, left apart or fused [–]."""


def product_seconds(job: Job) -> tuple[float, float]:
    """Matrix products of one micro-batch over all layers: layers, head [s]."""
    rates, stack = job.rates, job.stack
    frozen = job.training.is_frozen
    passes = 2.0 + job.recompute_products + (0.0 if frozen else 1.0)
    head_passes = 2.0 if frozen else 3.0
    layers = head = 0.0
    for product in job.profile.products:
        if product.is_head:
            head = head_passes * _product(job, product, rates.plain_flops_per_s * stack.matmul_share)
        else:
            share = stack.matmul_share * (GROUPED_SHARE if product.experts else 1.0)
            layers += passes * _product(job, product, rates.matmul_flops_per_s * share)
    return layers, head


def _product(job: Job, product: flops.Product, flops_per_s: float) -> float:
    """One pass of a product over all layers [s]."""
    plan, rates = job.plan, job.rates
    inputs, outputs = float(product.inputs), float(product.outputs)
    if product.experts:
        spread = plan.expert if plan.expert > 1 else 1
        divided = plan.tensor
        tokens = job.tokens * product.share * spread / (plan.tensor if spread > 1 else 1)
        if spread == 1:
            inputs, outputs = (inputs / plan.tensor, outputs) if product.is_row else (inputs, outputs / plan.tensor)
        kernels = product.copies / spread
    else:
        divided = plan.tensor
        tokens = job.tokens
        inputs, outputs = (inputs / plan.tensor, outputs) if product.is_row else (inputs, outputs / plan.tensor)
        kernels = product.copies
    arithmetic = 2.0 * job.tokens * product.weights / divided / flops_per_s
    operands = 2.0 * kernels * (tokens * (inputs + outputs) + inputs * outputs)
    return arithmetic + OPERAND_WEIGHT * operands / rates.bytes_per_s + kernels * roofline.KERNEL_SECONDS


def attention_seconds(job: Job) -> float:
    """Attention kernels of one micro-batch over all layers [s]."""
    training, plan, stack = job.training, job.plan, job.stack
    length = training.sequence_length
    factor = 1.0 + flops.BACKWARD_ATTENTION + job.recompute_attention
    rates = job.rates
    best = rates.attention_flops_per_s if stack.native_attention else rates.portable_attention_flops_per_s
    total = 0.0
    for work in job.profile.attention:
        reach = min(length, 2 * work.window) if work.window else length
        rate = best * stack.attention_share * reach / (reach + SHORT_SEQUENCE_TOKENS)
        rate *= work.head_dim / (work.head_dim + NARROW_HEAD) * (128 + NARROW_HEAD) / 128
        span = keys_seen(length, window=work.window, causal=work.causal)
        forward = (
            (work.flops_per_pair * span + work.recurrence_flops_per_token) * job.tokens * work.layers / plan.tensor
        )
        total += factor * forward / rate
        if training.attention == "eager":
            pairs = job.tokens * length * work.heads * work.layers / plan.tensor
            total += (3.0 + job.recompute_attention) * EAGER_ATTENTION_BYTES * pairs / job.rates.bytes_per_s
    return total


def pointwise_seconds(job: Job) -> tuple[float, float]:
    """Element-wise kernels of one micro-batch: layers, logits with loss [s]."""
    profile, plan, training = job.profile, job.plan, job.training
    bare = 1.0 - job.fusion
    hidden = profile.fused_hidden_bytes + bare * (profile.eager_hidden_bytes - profile.fused_hidden_bytes)
    inner = profile.fused_inner_bytes + bare * (profile.eager_inner_bytes - profile.fused_inner_bytes)
    per_token = hidden / (plan.tensor if plan.sequence_parallel else 1) + inner / plan.tensor
    passes = 1.0 + BACKWARD_POINTWISE + job.recompute_pointwise
    total = passes * per_token + _cast_bytes(job) + _adapter_bytes(job)
    loss = {"fused": LOSS_FUSED_BYTES, "chunked": LOSS_CHUNKED_BYTES}.get(training.loss, LOSS_EAGER_BYTES)
    loss = LOSS_FUSED_BYTES + bare * (loss - LOSS_FUSED_BYTES)
    logits = loss * profile.vocab_size / plan.tensor
    return total * job.tokens / job.rates.bytes_per_s, logits * job.tokens / job.rates.bytes_per_s


def _cast_bytes(job: Job) -> float:
    if job.training.compute not in LOW_PRECISION:
        return 0.0
    values = sum(p.weights * (1 / p.inputs + 1 / p.outputs) for p in job.profile.products if not p.is_head)
    return CAST_BYTES * values / job.plan.tensor


def _adapter_bytes(job: Job) -> float:
    lora, work = job.training.lora, job.adapters
    if lora is None or work is None:
        return 0.0
    width = ADAPTER_BYTES * (2.0 if lora.dtype == "fp32" and job.fusion < CAST_FUSION else 1.0)
    return (3.0 + job.recompute_pointwise) * width * (work.inputs + work.outputs) / job.plan.tensor


def dequantisation_seconds(job: Job) -> float:
    """Writing out quantised frozen weights in each pass of one micro-batch [s]."""
    if not dequantisation.is_quantised(job.training.weights):
        return 0.0
    stored = sum(product.stored for product in _packed(job))
    passes = 2.0 + job.recompute_products
    local = stored / job.plan.tensor / max(1, job.plan.expert)
    return passes * dequantisation.seconds_per_pass(job.training.weights, local, job.rates.bytes_per_s)


def norm_seconds(job: Job) -> float:
    """Column norms of DoRA in one micro-batch [s]: its magnitude divides by those of weights + product of the factors.

    Once a forward pass each wrapped matrix is read (and unpacked once more where it is stored in few bits), the
    product of the factors is formed, scaled and added, and the norm is taken. The norm is kept out of the gradient, so
    that the backward pass repeats none of it.

    References
    ----------
    .. [1] S. Liu et al., DoRA: Weight-Decomposed Low-Rank Adaptation, 2024, sections 4.2 and 4.3.
    .. [2] PEFT, tuners/lora/dora.py: DoraLinearLayer.forward and get_weight_norm.
    """
    work, lora, rates = job.adapters, job.training.lora, job.rates
    if work is None or lora is None or not work.norm_elements:
        return 0.0
    size = 4.0 if lora.dtype == "fp32" else 2.0
    elements = work.norm_elements / job.plan.tensor
    seconds = elements * size * NORM_TRAFFIC / rates.bytes_per_s
    seconds += work.norm_flops / job.plan.tensor / (rates.plain_flops_per_s * job.stack.matmul_share)
    seconds += dequantisation.seconds_per_pass(job.training.weights, elements, rates.bytes_per_s)
    scaled = NORM_OUTPUT_BYTES * (size / 2.0) * work.outputs / job.plan.tensor * job.tokens / rates.bytes_per_s
    outputs = (1.0 + BACKWARD_POINTWISE + job.recompute_pointwise) * scaled
    return (1.0 + job.recompute_pointwise) * seconds + outputs


def _packed(job: Job) -> list[flops.Product]:
    """Products whose weights are stored in few bits."""
    products = job.profile.products
    return [one for one in products if not one.is_head and not (one.experts and job.wide_experts)]


def routing_seconds(job: Job) -> float:
    """Routing of tokens to experts in one micro-batch [s]."""
    return ROUTING_SECONDS * job.profile.moe_layers * (2.0 + job.recompute_pointwise)


def launch_seconds(job: Job) -> float:
    """Host time to issue the kernels of one micro-batch [s]; the GPU waits where it is the longer."""
    profile, training = job.profile, job.training
    per_layer = FUSED_LAUNCHES + (1.0 - job.fusion) * (EAGER_LAUNCHES - FUSED_LAUNCHES)
    kernels = per_layer * profile.layers
    if job.adapters:
        kernels += ADAPTER_LAUNCHES * job.adapters.matrices
        kernels += NORM_LAUNCHES * job.adapters.matrices if job.adapters.norm_elements else 0.0
    if dequantisation.is_quantised(training.weights):
        kernels += dequantisation.EXTRA_LAUNCHES * sum(p.copies for p in _packed(job))
    if profile.moe_layers and job.stack.key == "hugging-face":
        kernels += 6 * sum(p.copies for p in profile.products if p.experts)
    passes = 3.0 + job.recompute_pointwise
    return kernels * passes * job.stack.launch_seconds
