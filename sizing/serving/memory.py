"""Device memory of a served model: weights, cache of the requests in flight, workspace."""

from __future__ import annotations

from math import ceil

from sizing.architecture import kv
from sizing.architecture.quantised import weight_bytes
from sizing.case import Interval, MemoryEstimate
from sizing.serving.case import ServingCase
from sizing.units import GIB

BLOCK_TOKENS = 16
PREFILL_TOKENS = 8192
WORKSPACE_COPIES = 6
CONTEXT_BYTES = 0.6 * GIB
GRAPHS_BYTES = 1.0 * GIB
COMMUNICATION_BYTES = 0.5 * GIB
BAND = 0.15
WEIGHTS_BAND = 0.01


def weights_per_gpu(case: ServingCase) -> float:
    """Weights on one GPU [B]: divided by tensor and pipeline, and over the GPUs that share the experts."""
    whole = weight_bytes(case.architecture, case.workload.weights)
    split = case.plan.tensor * case.plan.pipeline
    return whole.total / (split * case.plan.attention_data)


def cache_per_request(case: ServingCase, tokens: float) -> float:
    """Cache of one request on one GPU [B], in whole blocks."""
    blocks = ceil(tokens / BLOCK_TOKENS) * BLOCK_TOKENS
    shape = kv.cache(case.architecture, case.workload.kv_cache_dtype, tensor=case.plan.tensor)
    return shape.bytes_at(blocks) / case.plan.pipeline


def workspace(case: ServingCase) -> float:
    """Activations of one prefill chunk and the logits of the requests in flight [B]."""
    shape = case.architecture
    chunk = min(PREFILL_TOKENS, max(case.workload.input_tokens, 1))
    widest = max((group.mlp.width if group.mlp else 0) for group in shape.layers) or 4 * shape.hidden_size
    hidden = WORKSPACE_COPIES * shape.hidden_size + 2 * widest / case.plan.tensor
    return 2.0 * chunk * hidden + 4.0 * shape.vocab_size * case.in_flight


def overhead(case: ServingCase) -> float:
    """Context, captured graphs, communication buffers [B]."""
    return CONTEXT_BYTES + GRAPHS_BYTES + (COMMUNICATION_BYTES if case.system.gpus > 1 else 0.0)


def estimate(case: ServingCase) -> MemoryEstimate:
    """Memory of the fullest GPU at the load's peak; engines reserve the rest of their share for more cache."""
    job = case.workload
    weights = weights_per_gpu(case)
    cache = cache_per_request(case, job.input_tokens + job.output_tokens) * case.in_flight / case.plan.attention_data
    space = workspace(case)
    live = weights + cache + space
    spread = WEIGHTS_BAND * weights + BAND * (cache + space)
    device = live + overhead(case)
    wide = spread + BAND * overhead(case)
    return MemoryEstimate(
        per_gpu=(("weights", weights), ("kv_cache", cache), ("buffers", space)),
        allocated=Interval(live, live - spread, live + spread),
        reserved=Interval(live, live - spread, live + spread),
        device=Interval(device, device - wide, device + wide),
        capacity_bytes=case.system.memory_bytes,
        peak="serving",
    )


def most_concurrent(case: ServingCase) -> int:
    """Requests of the mean length that fit into the engine's share of memory, all replicas together [–]."""
    if not case.system.memory_bytes:
        return 0
    room = case.workload.memory_fraction * case.system.memory_bytes - weights_per_gpu(case) - overhead(case)
    room -= workspace(case)
    each = cache_per_request(case, case.workload.input_tokens + case.workload.output_tokens)
    return max(0, int(room / each * case.plan.attention_data)) * case.replicas
