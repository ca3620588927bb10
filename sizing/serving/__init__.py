"""Serving: what a model that only answers needs, and how fast it answers.

Weights and cache to the byte, a forward pass by roofline, waiting by queues. Its figures are never a training
specification: the answer's task says so, and the figures of training stay empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing import answer
from sizing.assumptions import Ledger
from sizing.serving import bands, cache, explain, loads, memory, reading, speed
from sizing.serving.case import ServingCase
from sizing.serving.job import ServingJob
from sizing.serving.speed import ServingSpeed

TRAINING_ONLY = ("tokens_per_second_per_gpu", "step_seconds", "mfu", "seconds_to_result")

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
    for doubt in bands.doubts(case) if known else ():
        ledger.warn(doubt)
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


def completed(case: ServingCase, found: ServingSpeed) -> tuple[float, float]:
    """Lower and upper end of the completed requests [1/s].

    Requests that arrive at a stated rate are completed at that rate, unless the engine's most may lie below it.
    """
    low, high = bands.around(found.requests_per_s, bands.widths(case).throughput)
    asked = case.workload.requests_per_second
    if case.workload.scenario != "open_loop" or asked is None:
        return low, high
    return min(found.requests_per_s, loads.sure_rate(case, found)), min(asked, high)


def shown(case: ServingCase, found: ServingSpeed) -> dict[str, Any]:
    """Serving speed in the contract's names, each figure with its 90 % band."""
    sizes, gpus = bands.widths(case), case.system.gpus
    first = bands.first_token(case, found.ttft_seconds, found.prefill_seconds)
    each = bands.around(found.tpot_seconds, sizes.token)
    rate = completed(case, found)
    answer_tokens = case.workload.output_tokens
    concurrency = {"max_concurrency": cache.most_concurrent(case)}

    def side(ttft_seconds: float, tpot_seconds: float, requests_per_s: float) -> dict[str, Any]:
        tokens = requests_per_s * answer_tokens
        return {
            "ttft_ms": ttft_seconds * 1000,
            "tpot_ms": tpot_seconds * 1000,
            "output_tokens_per_second": tokens,
            "output_tokens_per_second_per_gpu": tokens / gpus,
            "requests_per_second": requests_per_s,
        } | concurrency

    late = {"ttft_p99_ms": found.late_ttft_seconds * 1000, "tpot_p99_ms": found.late_tpot_seconds * 1000}
    return (
        dict.fromkeys(TRAINING_ONLY)
        | side(found.ttft_seconds, found.tpot_seconds, found.requests_per_s)
        | late
        | {"low": side(first[0], each[0], rate[0]), "high": side(first[1], each[1], rate[1])}
    )
