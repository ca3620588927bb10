"""How the figures of a service came about."""

from __future__ import annotations

from sizing.architecture import kv
from sizing.case import Step
from sizing.serving import cache, memory, space
from sizing.serving.case import ServingCase


def explain(case: ServingCase) -> tuple[Step, ...]:
    """Weights, cache and workspace of one GPU with their formulas."""
    job, plan = case.workload, case.plan
    tokens = job.input_tokens + job.output_tokens
    each = kv.bytes_per_token(case.architecture, job.kv_cache_dtype)
    weights = memory.weights_per_gpu(case)
    return (
        Step(
            "weights",
            "Weights",
            "stored bytes of the format / (tensor × pipeline)",
            (("format", job.weights, ""), ("parameters", case.architecture.parameters, ""),
             ("tensor", plan.tensor, ""), ("pipeline", plan.pipeline, "")),
            weights,
            "B",
            "block layouts of the weight formats, checked to the byte",
            (("4-bit weights (AWQ)", weights * 0.7, 1.0),) if job.weights in ("bf16", "fp16") else (),
        ),
        Step(
            "kv_cache",
            "Key and value cache",
            "requests in flight × tokens × bytes per token / tensor",
            (("requests", case.in_flight, ""), ("tokens", tokens, "tokens"), ("bytes per token", each, "B")),
            cache.per_request(case, tokens) * case.in_flight / case.copies,
            "B",
            "cache layout by attention kind, in blocks of 16 tokens",
            (("fp8 cache", 0.5 * cache.per_request(case, tokens) * case.in_flight / case.copies, 1.0),)
            if job.kv_cache_dtype in ("bf16", "fp16") else (),
        ),
        Step(
            "buffers",
            "Workspace",
            "prefill chunk × (6 hidden + 2 widest layer / tensor) × 2 B + logits in fp32",
            (("chunk", space.step_tokens(case), "tokens"),),
            space.workspace_bytes(case),
            "B",
            "chunked prefill of the usual engines",
        ),
    )  # fmt: skip
