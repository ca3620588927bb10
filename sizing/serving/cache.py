"""The paged key/value cache: bytes of a request in whole blocks, and how many requests an engine has room for."""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import Final

from sizing.architecture import kv
from sizing.architecture.shape import Architecture
from sizing.serving import space, weights
from sizing.serving.case import ServingCase

MEAN_OF_ANSWER: Final = 0.5
"""Share of its answer that a request holds on average, where engines give out blocks as the answer grows [–]."""


@lru_cache(maxsize=4096)
def _bytes(model: Architecture, dtype: str, tensor: int, tokens: int, equal_pages: bool) -> float:
    held = kv.cache(model, dtype, tensor=tensor).bytes_at(tokens)
    return held + _padding(model, dtype, tensor, tokens) if equal_pages else held


def _padding(model: Architecture, dtype: str, tensor: int, tokens: int) -> float:
    """What layers with a smaller cache lose where all layers have pages of one size [B]."""
    layers = [
        (group.count, kv.cached_elements(group.attention, tensor), group.attention.window or tokens)
        for group in model.layers
        if group.attention is not None and group.attention.kind != "linear" and group.stack != "encoder"
    ]
    largest = max((elements for _, elements, _ in layers), default=0)
    lost = sum(count * (largest - elements) * min(tokens, window) for count, elements, window in layers)
    return kv.DTYPE_BYTES[dtype] * lost


def per_request(case: ServingCase, tokens: float) -> float:
    """Cache of one request on one GPU [B], in whole blocks."""
    block = case.engine.block_tokens
    whole = ceil(tokens / block) * block
    job = case.workload
    each = _bytes(case.architecture, job.kv_cache_dtype, case.plan.tensor, whole, case.engine.equal_pages)
    return each / case.plan.pipeline


def pool_bytes(case: ServingCase) -> float:
    """Memory that one GPU has for the cache [B]: the engine's share less weights, workspace and what lies outside."""
    used, share = case.engine, space.taken_share(case)
    taken = weights.on_gpu(case)
    beside = space.workspace_bytes(case) + space.outside_bytes(case)
    if used.beside_work or used.of_free:
        beside += space.CONTEXT_BYTES
    if used.counts_graphs:
        beside += space.graphs_bytes(case)
    if used.beside_work:
        return max(0.0, min(share * case.system.memory_bytes, case.system.memory_bytes - beside) - taken)
    taken += beside
    if used.of_free:
        return max(0.0, share * (case.system.memory_bytes - taken))
    return max(0.0, share * case.system.memory_bytes - taken)


def most_concurrent(case: ServingCase) -> int:
    """Requests of the stated lengths, held whole, that all replicas have room for [–]."""
    each = per_request(case, case.workload.input_tokens + case.workload.output_tokens)
    if not case.system.memory_bytes or not each:
        return 0
    return int(pool_bytes(case) / each) * case.copies


def room(case: ServingCase) -> float:
    """Requests that one copy of the attention part works on at once in a full cache [–]."""
    job, used = case.workload, case.engine
    held = job.output_tokens * (1.0 if used.reserves_answer else MEAN_OF_ANSWER)
    each = per_request(case, job.input_tokens + held)
    fitting = pool_bytes(case) / each if each else float(used.most_sequences)
    return max(1.0, min(fitting, float(used.most_sequences)))
