"""A case's forward pass put together: matrices, attention, links and kernels of one stage on one GPU."""

from __future__ import annotations

from dataclasses import replace

from sizing.architecture import flops, kv
from sizing.architecture.shape import Architecture
from sizing.serving import communication, formats, rates, weights
from sizing.serving.case import ServingCase
from sizing.serving.work import Experts, Matrices, Work
from sizing.speed import roofline

ACTIVATION_BYTES = 2.0
MATRICES_OF_A_LAYER = 4.0
SENT_BYTES = {"fp8": 1.0, "nvfp4": 0.5 + 1 / 16, "mxfp4": 0.5 + 1 / 32}


def work(case: ServingCase) -> Work:
    """The forward pass of a case."""
    shape, plan, gpu = case.architecture, case.plan, case.system.gpu
    shares, used = rates.SHARES, case.engine
    split, stages = plan.tensor * plan.pipeline, plan.pipeline
    parts = weights.stored(shape, case.workload.weights)
    layers = shape.layer_count / stages
    expert_layers = sum(group.count for group in shape.layers if group.moe is not None) / stages
    spread = plan.attention_data > 1
    answer, prompt = attention_seconds(case)
    starts = kernel_seconds(shape, shares) / stages
    eager = layers * shares.eager_layer_seconds + expert_layers * shares.eager_expert_seconds
    read_bytes_per_s = gpu.bandwidth_bytes_per_s * shares.weights_read
    head_rate = rates.products(gpu, "bf16") * used.prefill
    return Work(
        engine=used,
        shares=shares,
        links=communication.links(case.system, plan),
        dense=dense(case, parts, split),
        head=Matrices(parts.head_bytes / split, 2 * parts.head_parameters / split, head_rate),
        experts=experts(case, parts),
        read_bytes_per_s=read_bytes_per_s,
        answer_seconds=answer,
        prompt_seconds=prompt,
        token_seconds=layers * shape.hidden_size * shares.elementwise_bytes / read_bytes_per_s,
        reduces=0.0 if plan.tensor == 1 else 2 * layers - (expert_layers if spread else 0.0),
        exchanges=2 * expert_layers if spread else 0.0,
        token_bytes=ACTIVATION_BYTES * shape.hidden_size,
        exchanged_bytes=shape.hidden_size * choices(shape, plan.expert) * sent_bytes(case),
        kernel_seconds=starts,
        eager_seconds=max(starts, eager),
        launch_seconds=layers * used.launch_seconds,
        stages=stages,
    )


def exchange_share(case: ServingCase) -> float:
    """Share of a step of answers that goes to the links between the GPUs of a replica [–]."""
    found, answers = work(case), max(1.0, case.in_flight / case.copies)
    return 1.0 - replace(found, reduces=0.0, exchanges=0.0).step_seconds(answers) / found.step_seconds(answers)


def attention_seconds(case: ServingCase) -> tuple[float, float]:
    """Attention over all layers of one stage: of an answer's token at the mean length, and of a prompt's token [s]."""
    shape, job, plan, gpu = case.architecture, case.workload, case.plan, case.system.gpu
    shares = rates.SHARES
    rate = roofline.rates(gpu, "bf16").attention_flops_per_s * shares.attention
    context = job.input_tokens + job.output_tokens / 2
    held = kv.cache(shape, job.kv_cache_dtype, tensor=plan.tensor)
    reading = read_bytes(shape, held, context) / (gpu.bandwidth_bytes_per_s * shares.cache_read)
    computing = flops.decode_per_token(shape, max(1, round(context))).attention / plan.tensor / rate
    prompt = flops.forward_per_token(shape, max(1, job.input_tokens), causal=True).whole.attention
    return max(reading, computing) / plan.pipeline, prompt / (plan.tensor * plan.pipeline) / rate


def dense(case: ServingCase, parts: weights.Stored, split: int) -> Matrices:
    """The matrices that every token passes, on one GPU."""
    shape, job, gpu = case.architecture, case.workload, case.system.gpu
    stored = "bf16" if shape.is_moe and job.weights in weights.EXPERTS_ONLY else job.weights
    width = parts.dense_parameters / (shape.layer_count * shape.hidden_size * MATRICES_OF_A_LAYER) / case.plan.tensor
    rate = rates.of_weights(gpu, stored, rates.SHARES) * case.engine.prefill
    rate *= width / (width + rates.SHARES.narrow_width)
    return Matrices(parts.dense_bytes / split, 2 * parts.dense_parameters / split, rate)


def experts(case: ServingCase, parts: weights.Stored) -> Experts | None:
    """The routed experts on one GPU, None for a dense model."""
    shape, job, plan, gpu = case.architecture, case.workload, case.plan, case.system.gpu
    moe = next((group.moe for group in shape.layers if group.moe is not None), None)
    if moe is None:
        return None
    group = plan.tensor * plan.attention_data
    width = moe.expert_width / (group / plan.expert)
    rate = rates.of_weights(gpu, job.weights, rates.SHARES) * case.engine.prefill
    rate *= width / (width + rates.SHARES.narrow_width)
    choice = moe.top_k / moe.experts
    least = rates.LEAST_ROWS.get(gpu.vendor, rates.LEAST_ROWS["AMD"])
    held = parts.expert_bytes / (group * plan.pipeline)
    work_per_token = 2 * parts.expert_parameters * choice / (group * plan.pipeline)
    return Experts(Matrices(held, work_per_token, rate), choice, plan.attention_data, plan.expert > 1, least)


def read_bytes(shape: Architecture, cache: kv.Cache, context: float) -> float:
    """Cache that one answer's token reads [B]: the tokens it looks back at, and a state twice, read and written.

    Sparse attention reads its indexer's keys whole and the latents of the tokens chosen.
    """
    top = max((group.attention.index_top_k for group in shape.layers if group.attention is not None), default=0)
    whole = cache.bytes_at(context) + cache.state_bytes
    if top and context > top:
        whole -= cache.bytes_per_token * (context - top)
    return whole


def kernel_seconds(shape: Architecture, shares: rates.Shares) -> float:
    """Start of all layers' kernels from a captured graph [s]."""
    seconds = shape.layer_count * shares.layer_seconds
    for group in shape.layers:
        if group.moe is not None:
            seconds += group.count * shares.expert_layer_seconds
        if group.attention is not None and group.attention.kind in ("linear", "mla"):
            seconds += group.count * shares.linear_layer_seconds
    return seconds


def choices(shape: Architecture, expert: int) -> float:
    """GPUs that one token is sent to, on average [–].

    Notes
    -----
    e (1 - (1 - 1/e)^k): k choices among experts on e GPUs, two choices on one GPU sent once.
    """
    top = max((group.moe.top_k for group in shape.layers if group.moe is not None), default=0)
    return expert * (1.0 - (1.0 - 1.0 / expert) ** top)


def sent_bytes(case: ServingCase) -> float:
    """Bytes of one hidden unit in an all-to-all, the mean of there and back [B].

    Tokens go out in the format of the experts' products and come back in 16 bit.
    """
    compute = formats.compute_on(case.system.gpu, case.workload.weights)
    return (SENT_BYTES.get(compute, ACTIVATION_BYTES) + ACTIVATION_BYTES) / 2
