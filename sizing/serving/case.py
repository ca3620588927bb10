"""A serving job, complete: the request with its gaps filled and listed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sizing import fields
from sizing.architecture.shape import Architecture
from sizing.assumptions import Assumption, Ledger
from sizing.errors import SizingError
from sizing.hardware import System
from sizing.plan import Plan
from sizing.resolve import model, system
from sizing.resolve.reader import NOT_STATED, Reader, warn_unknown
from sizing.workload import Serving

MIXED_LOAD_TOKENS = (1000.0, 300.0)
USUAL_CONCURRENCY = 16


@dataclass(frozen=True, slots=True)
class ServingCase:
    """A model served by a plan on a system."""

    architecture: Architecture
    workload: Serving
    system: System
    plan: Plan

    @property
    def replicas(self) -> int:
        """Whole copies of the model [–]."""
        return max(1, self.plan.data // self.plan.attention_data)

    @property
    def in_flight(self) -> float:
        """Requests that one replica works on at once [–]."""
        job = self.workload
        asked = job.batch or job.concurrency
        return asked / self.replicas if asked else USUAL_CONCURRENCY


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
    stated = request.get("plan") or {}
    if machines.gpus > 1 and not (isinstance(stated, Mapping) and stated.get("tensor")):
        plan = replace(Plan(), tensor=tensor_of(shape, machines.gpus_per_node))
        plan = replace(plan, data=machines.gpus // plan.tensor)
        why = "as few replicas as the model's heads allow inside a node"
        ledger.assume(Assumption("plan.tensor", plan.tensor, "", why, NOT_STATED))
    else:
        plan = system.plan({"sharding": "none", **stated}, machines, "serving", ledger)
    return ServingCase(shape, job, machines, plan)


def tensor_of(shape: Architecture, gpus: int) -> int:
    """The largest usual tensor parallelism that divides the model's query heads and the GPUs [–]."""
    heads = [group.attention.heads for group in shape.layers if group.attention is not None]
    return max((n for n in (1, 2, 4, 8, 16) if gpus % n == 0 and all(h % n == 0 for h in heads)), default=1)


def workload(raw: Mapping[str, Any], shape: Architecture, ledger: Ledger, *, known: tuple[str, ...] = ()) -> Serving:
    """The load with its assumptions."""
    stated, unknown = fields.read(raw, fields.SERVING, "workload")
    warn_unknown(unknown, ledger, known=known)
    take = Reader(stated, ledger, "workload")
    weights = take.get("weights", "bf16", "the format the model is published in", low="nvfp4", high="bf16")
    cache = take.get("kv_cache_dtype", "bf16", "the engines' default", low="fp8", high="bf16")
    lengths = [
        take.get(
            name, usual, "a usual chat request; measure the real ones", unit="tokens", low=usual / 4, high=usual * 8
        )
        for name, usual in zip(("input_tokens", "output_tokens"), MIXED_LOAD_TOKENS, strict=True)
    ]
    limit = shape.max_positions
    if limit and sum(lengths) > limit:
        raise SizingError(
            "workload.input_tokens",
            "{field} and output together are {asked} tokens, the model takes {limit}",
            asked=sum(lengths),
            limit=limit,
        )
    scenario = stated.get("scenario") or ("open_loop" if "requests_per_second" in stated else "closed_loop")
    return Serving(
        weights=weights,
        compute=stated.get("compute", compute_of(weights)),
        kv_cache_dtype=cache,
        engine=take.get("engine", "vllm", "the most used open engine"),
        input_tokens=round(lengths[0]),
        output_tokens=max(1, round(lengths[1])),
        scenario=scenario,
        batch=stated.get("batch"),
        concurrency=stated.get("concurrency"),
        requests_per_second=stated.get("requests_per_second"),
        ttft_limit_ms=stated.get("ttft_ms"),
        tpot_limit_ms=stated.get("tpot_ms"),
        memory_fraction=stated.get("memory_fraction", 0.9),
    )


def compute_of(weights: str) -> str:
    """Format of the matrix products for a weight format: 4-bit weight-only formats multiply in 16 bit."""
    return {"fp8": "fp8", "nvfp4": "nvfp4", "mxfp4": "bf16", "int8": "bf16", "fp32": "fp32"}.get(weights, "bf16")
