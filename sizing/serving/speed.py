"""Prefill and decode by roofline: time to first token, time per output token, throughput."""

from __future__ import annotations

from dataclasses import dataclass

from sizing.architecture import flops, kv
from sizing.serving import memory
from sizing.serving.case import ServingCase
from sizing.speed import collectives, roofline

DECODE_BANDWIDTH_SHARE = 0.75
PREFILL_SHARE = 0.85
STEP_OVERHEAD_SECONDS = 0.0015
LAYER_OVERHEAD_SECONDS = 6e-6
BAND_UNDER, BAND_OVER = 0.55, 1.8
REDUCES_PER_LAYER = 2


@dataclass(frozen=True, slots=True)
class ServingSpeed:
    """Times of one request at the load [s] and rates of the whole system [1/s]."""

    prefill_seconds: float
    ttft_seconds: float
    tpot_seconds: float
    output_tokens_per_s: float
    requests_per_s: float


def estimate(case: ServingCase) -> ServingSpeed:
    """Speed at the stated load, by the steady state of a loop in which each answer is followed by a new request."""
    job = case.workload
    batch = max(1.0, case.in_flight)
    if job.scenario in ("offline", "server"):
        batch = max(1.0, memory.most_concurrent(case) / case.replicas)
    prefill = prefill_seconds(case, job.input_tokens)
    step = decode_seconds(case, batch, job.input_tokens + job.output_tokens / 2)
    tpot = step + prefill * batch / job.output_tokens if job.scenario != "static" else step
    first = prefill * (batch if job.scenario == "static" else 1 + batch / 8) + step
    request = first + tpot * (job.output_tokens - 1)
    rate = batch / request * case.replicas
    if job.requests_per_second is not None:
        rate = min(rate, job.requests_per_second)
    return ServingSpeed(prefill, first, tpot, rate * job.output_tokens, rate)


def prefill_seconds(case: ServingCase, tokens: int) -> float:
    """Time of reading one request's input [s]."""
    rates = roofline.rates(case.system.gpu, case.workload.compute)
    work = flops.forward_per_token(case.architecture, max(1, tokens), causal=True).whole
    split = case.plan.tensor * case.plan.pipeline
    compute = tokens * work.matmul / (split * rates.matmul_flops_per_s * PREFILL_SHARE)
    attention = tokens * work.attention / (split * rates.attention_flops_per_s)
    return compute + attention + _reduces(case, tokens) + _overhead(case)


def decode_seconds(case: ServingCase, batch: float, context: float) -> float:
    """Time of one token for every request in flight [s]."""
    rates = roofline.rates(case.system.gpu, case.workload.compute)
    shape = case.architecture
    bandwidth = case.system.gpu.bandwidth_bytes_per_s * DECODE_BANDWIDTH_SHARE
    cache = kv.cache(shape, case.workload.kv_cache_dtype, tensor=case.plan.tensor)
    read = active_weight_bytes(case, batch) + batch * cache.bytes_at(context) / case.plan.pipeline
    split = case.plan.tensor * case.plan.pipeline
    work = flops.decode_per_token(shape, max(1, round(context)))
    compute = batch * work.total / (split * rates.matmul_flops_per_s * PREFILL_SHARE)
    return max(read / bandwidth, compute) * case.plan.pipeline + _reduces(case, batch) + _overhead(case)


def active_weight_bytes(case: ServingCase, batch: float) -> float:
    """Weights that one step reads on a GPU [B]: of the experts, those that any of the batch's tokens chose."""
    shape = case.architecture
    whole = memory.weights_per_gpu(case)
    experts = shape.counts.experts / shape.parameters
    if not experts:
        return whole
    moe = next(group.moe for group in shape.layers if group.moe is not None)
    touched: float = 1 - (1 - moe.top_k / moe.experts) ** batch
    return whole * (1 - experts + experts * touched)


def _reduces(case: ServingCase, tokens: float) -> float:
    if case.plan.tensor == 1:
        return 0.0
    group = collectives.group(case.system, case.plan.tensor, 1)
    payload = 2.0 * tokens * case.architecture.hidden_size
    return REDUCES_PER_LAYER * case.architecture.layer_count * group.reduce_seconds(payload)


def _overhead(case: ServingCase) -> float:
    return STEP_OVERHEAD_SECONDS + LAYER_OVERHEAD_SECONDS * case.architecture.layer_count
