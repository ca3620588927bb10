"""The few figures of a quote that lists show, taken out of the engine's answer once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quotes.charts.memory import used
from quotes.models import Estimate


def summarize(estimate: Estimate, rank: int | None) -> dict[str, Any]:
    """Give model, method, platform, GPUs, memory [bytes] and time [seconds] of the chosen candidate."""
    candidate = estimate.candidate(rank) or {}
    answer = candidate.get("estimate") or {}
    memory, speed = answer.get("memory") or {}, answer.get("speed") or {}
    device = used(memory)
    system = answer.get("system") or {}
    return {
        **workload(estimate.input),
        "platform": candidate.get("platform") or "",
        "gpu": candidate.get("gpu") or "",
        "gpu_name": system.get("gpu_name") or candidate.get("gpu") or "",
        "gpus_per_node": candidate.get("gpus_per_node"),
        "nodes": candidate.get("nodes"),
        "memory_expected_bytes": device.get("expected"),
        "memory_high_bytes": device.get("high"),
        "capacity_bytes": memory.get("capacity"),
        "fits": memory.get("fits"),
        "seconds_to_result": speed.get("seconds_to_result"),
        "seconds_to_result_high": (speed.get("high") or {}).get("seconds_to_result"),
    }


def workload(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Give what the customer wants done in a few words and numbers."""
    job = asked.get("workload") or {}
    model = job.get("model") or {}
    limits = asked.get("limits") or {}
    return {
        "task": job.get("task") or "",
        "method": job.get("method") or "",
        "model": model_name(model),
        "tokens": job.get("tokens") or _product(job.get("dataset_tokens"), job.get("epochs")),
        "deadline_hours": _bare(limits.get("deadline_hours")),
        "concurrency": job.get("concurrency"),
    }


def model_name(model: Any) -> str:
    """Name a model: its catalog name, its own name in a configuration, or its size."""
    if not isinstance(model, Mapping):
        return ""
    if name := model.get("name"):
        return str(name)
    config = model.get("config")
    if isinstance(config, Mapping):
        return str(config.get("_name_or_path") or config.get("model_type") or "config.json")
    parameters = model.get("parameters")
    return f"{parameters / 1e9:g}B" if isinstance(parameters, int | float) else ""


def _bare(limit: Any) -> Any:
    if isinstance(limit, Mapping):
        return limit.get("must", limit.get("prefer"))
    return limit


def _product(size: Any, times: Any) -> float | None:
    if not isinstance(size, int | float):
        return None
    return float(size) * float(times or 1)
