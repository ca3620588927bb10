"""A request's serving job with its gaps filled and listed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing import fields
from sizing.architecture.published import published_format
from sizing.architecture.shape import Architecture
from sizing.assumptions import Assumption, Ledger
from sizing.resolve import model, system
from sizing.resolve.reader import NOT_STATED, Reader, warn_unknown
from sizing.serving import layout, lengths
from sizing.serving.case import ServingCase
from sizing.serving.engines import engine
from sizing.workload import Serving

MODELOPT_ENGINES = ("trtllm", "nim")


def read(request: Mapping[str, Any], ledger: Ledger, *, known: tuple[str, ...] = ()) -> ServingCase:
    """The serving case of a request.

    Raises
    ------
    SizingError
        Naming the field that cannot be used.
    """
    shape = model.read(request["workload"], ledger)
    job = workload(request["workload"], shape, ledger, known=known)
    machines = system.system(request.get("hardware"), request.get("plan"), ledger)
    stated, _ = fields.read(request.get("plan") or {}, fields.PLAN, "plan")
    open_layout = machines.gpus > 1 and not stated.get("tensor")
    plan = layout.chosen(shape, job, machines, stated) if open_layout else None
    if plan is not None:
        why = "the layout with the highest throughput at this load"
        ledger.assume(Assumption("plan.tensor", plan.tensor, "", why, NOT_STATED))
    else:
        plan = system.plan({"sharding": "none", **(request.get("plan") or {})}, machines, "serving", ledger)
    return ServingCase(shape, job, machines, plan, is_chosen=open_layout)


def workload(raw: Mapping[str, Any], shape: Architecture, ledger: Ledger, *, known: tuple[str, ...] = ()) -> Serving:
    """The load with its assumptions."""
    stated, unknown = fields.read(raw, fields.SERVING, "workload")
    warn_unknown(unknown, ledger, known=known)
    take = Reader(stated, ledger, "workload")
    published = published_format(shape)
    weights = take.get("weights", published, "the format the model is published in", low="nvfp4", high="bf16")
    scenario = stated.get("scenario") or ("open_loop" if "requests_per_second" in stated else "closed_loop")
    used = take.get("engine", "vllm", "the most used open engine")
    behaviour = engine(used, scenario)
    share = take.get("memory_fraction", behaviour.memory_share, "what the engine takes unless told otherwise",
                     low=0.8, high=0.95, source=behaviour.source)  # fmt: skip
    prompt, answer = lengths.read(stated, shape, scenario, ledger)
    return Serving(
        weights=weights,
        compute=stated.get("compute", compute_of(weights)),
        kv_cache_dtype=take.get("kv_cache_dtype", *cache_dtype(weights, shape, used), low="fp8", high="bf16"),
        engine=used,
        input_tokens=prompt,
        output_tokens=answer,
        scenario=scenario,
        batch=stated.get("batch"),
        concurrency=stated.get("concurrency"),
        requests_per_second=stated.get("requests_per_second"),
        ttft_limit_ms=stated.get("ttft_ms"),
        tpot_limit_ms=stated.get("tpot_ms"),
        memory_fraction=share,
    )


def cache_dtype(weights: str, shape: Architecture, engine_name: str) -> tuple[str, str]:
    """Format of the cache where none was stated, and why.

    Checkpoints quantized with NVIDIA's tools (all in NVFP4, those that TensorRT-LLM loads, dense ones in FP8) carry
    scales for an FP8 cache; mixtures that their makers publish in FP8 do not.
    """
    with_scales = weights == "nvfp4" or (weights == "fp8" and (engine_name in MODELOPT_ENGINES or not shape.is_moe))
    if with_scales:
        return "fp8", "checkpoints of this kind carry scales for an FP8 cache"
    return "bf16", "the engines' default"


def compute_of(weights: str) -> str:
    """Format of the matrix products for a weight format: 4-bit weight-only formats multiply in 16 bit."""
    return {"fp8": "fp8", "nvfp4": "nvfp4", "mxfp4": "bf16", "int8": "int8", "fp32": "fp32"}.get(weights, "bf16")
