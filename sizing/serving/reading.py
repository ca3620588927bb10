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
from sizing.serving import engines, layout, lengths, space
from sizing.serving.case import ServingCase
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
    case = ServingCase(shape, job, machines, plan, is_chosen=open_layout)
    if case.engine.leaves_by_size and job.memory_fraction is None and machines.memory_bytes:
        ledger.restate(share_assumed(case.engine, round(space.taken_share(case), 3)))
    return case


def workload(raw: Mapping[str, Any], shape: Architecture, ledger: Ledger, *, known: tuple[str, ...] = ()) -> Serving:
    """The load with its assumptions."""
    stated, unknown = fields.read(raw, fields.SERVING, "workload")
    warn_unknown(unknown, ledger, known=known)
    take = Reader(stated, ledger, "workload")
    published = published_format(shape)
    weights = take.get("weights", published, "the format the model is published in", low="nvfp4", high="bf16")
    used = engine_name(take, ledger)
    scenario = stated.get("scenario") or arrival(stated, used)
    behaviour = engines.engine(used, scenario)
    if behaviour.key == engines.LOOP:
        ledger.warn("Transformers before 4.45 held more at its peak: the upper end of the memory band is theirs.")
    if "memory_fraction" not in stated:
        ledger.assume(share_assumed(behaviour, behaviour.memory_share))
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
        memory_fraction=stated.get("memory_fraction"),
    )


def share_assumed(used: engines.Engine, share: float) -> Assumption:
    """The share of the device that an engine takes by itself, as an assumption."""
    why = "what the engine takes unless told otherwise"
    return Assumption("workload.memory_fraction", share, "", why, used.source, low=0.8, high=0.95)


def engine_name(take: Reader, ledger: Ledger) -> str:
    """The contract's name of the engine; one that is not known works like the others, and the answer says so."""
    stated = take.get("engine", "vllm", "the most used open engine")
    found = engines.known(stated)
    if found is None:
        ledger.warn(f"The engine {stated!r} is not known: it is taken to work like the others.")
    return found or engines.OTHER


def arrival(stated: Mapping[str, Any], engine: str) -> str:
    """How requests arrive where nobody said it.

    A batch is read and answered as one by a library's own loop, and by an engine that nobody named: no server is meant
    where only memory is asked for.
    """
    if "requests_per_second" in stated:
        return "open_loop"
    if "concurrency" in stated or engine not in (engines.OTHER, engines.LOOP):
        return "closed_loop"
    return "static"


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
