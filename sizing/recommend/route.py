"""Which route a workload takes, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing.errors import SizingError

WHY = {
    "training": "Weights change: adapters or the whole model are trained.",
    "inference": "No weights change and a service is wanted: this is a serving sizing.",
    "rag": "Only answers over documents are wanted: searching them comes before training.",
}
TRAINING_FIELDS = ("method", "optimizer", "lora", "epochs", "dataset_tokens", "steps")
SERVING_FIELDS = ("concurrency", "requests_per_second", "input_tokens", "output_tokens", "scenario")


def route_of(workload: Mapping[str, Any]) -> dict[str, str]:
    """Task and reason; a missing task is read from the fields that only one route has.

    Raises
    ------
    SizingError
        Where the task is unknown or cannot be told.
    """
    task = workload.get("task")
    if task is None:
        task = _told_by_fields(workload)
    if task not in WHY:
        raise SizingError("workload.task", "{field} is {value}; allowed are training, inference, rag", value=task)
    return {"task": str(task), "why": WHY[str(task)]}


def _told_by_fields(workload: Mapping[str, Any]) -> str | None:
    if workload.get("documents"):
        return "rag"
    if any(workload.get(name) is not None for name in TRAINING_FIELDS):
        return "training"
    if any(workload.get(name) is not None for name in SERVING_FIELDS):
        return "inference"
    return None
