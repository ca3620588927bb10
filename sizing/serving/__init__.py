"""Serving: what a model that only answers needs, and how fast it answers.

Weights and cache to the byte, a forward pass by roofline, waiting by queues. Its figures are never a training
specification: the answer's task says so, and the figures of training stay empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing import answer
from sizing.assumptions import Ledger
from sizing.serving import bands, cache, explain, memory, reading, speed
from sizing.serving.case import ServingCase
from sizing.serving.job import ServingJob
from sizing.serving.speed import ServingSpeed

__all__ = ["ServingJob", "answered", "estimate", "job"]


def estimate(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a serving request.

    Raises
    ------
    SizingError
        Naming the field that cannot be used.
    """
    ledger = Ledger()
    case = reading.read(request, ledger)
    return answered(case, ledger, explained=bool(request.get("explain")))


def job(request: Mapping[str, Any], workload: Mapping[str, Any], ledger: Ledger) -> ServingJob:
    """The service of a request, ready to be placed."""
    return ServingJob.read(workload, ledger)


def answered(case: ServingCase, ledger: Ledger, *, explained: bool, task: str = "inference") -> dict[str, Any]:
    """A serving case in the contract's form."""
    found = memory.estimate(case)
    known = bool(case.system.gpu.dense_flops_per_s)
    result: dict[str, Any] = {
        "task": task,
        "method": None,
        "model": answer.model_of(case.architecture),
        "system": answer.system_of(case.system),
        "memory": in_memory(found),
        "speed": shown(case, speed.estimate(case)) if known else None,
        "plan": answer.degrees(case.plan) | {"weights": case.workload.weights, "engine": case.workload.engine},
        "assumptions": [answer.assumption(one) for one in ledger],
        "warnings": list(ledger.warnings),
    }
    if explained:
        result["derivations"] = [answer.step(one) for one in explain.explain(case)]
    return result


def in_memory(found: memory.ServingMemory) -> dict[str, Any]:
    """Memory in the contract's form: `device` is what a monitor shows, `needed` what decides whether it fits [B]."""
    parts = answer.memory(found.needed)
    return parts | {"device": answer.interval(found.shown), "needed": parts["device"]}


def shown(case: ServingCase, found: ServingSpeed) -> dict[str, Any]:
    """Serving speed in the contract's names, each figure with its 90 % band."""
    fields = {
        "ttft_ms": found.ttft_seconds * 1000,
        "tpot_ms": found.tpot_seconds * 1000,
        "output_tokens_per_second": found.output_tokens_per_s,
        "output_tokens_per_second_per_gpu": found.output_tokens_per_s / case.system.gpus,
        "requests_per_second": found.requests_per_s,
    }
    training_only = dict.fromkeys(("tokens_per_second_per_gpu", "step_seconds", "mfu", "seconds_to_result"))
    low = {name: bands.low(case, name, value) for name, value in fields.items()}
    high = {name: bands.high(case, name, value) for name, value in fields.items()}
    concurrency = {"max_concurrency": cache.most_concurrent(case)}
    return training_only | fields | concurrency | {"low": low | concurrency, "high": high | concurrency}
