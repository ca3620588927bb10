"""What a GPU can do and what a model needs: reference jobs asked of the engine, kept while the catalog stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.utils.translation import gettext_noop

import sizing
from catalog import specs
from sizing import contract

KEPT_SECONDS = 24 * 3600
COUNTS = (1, 2, 4, 8)
COMPARED_GPUS = ("l40s", "rtx-pro-6000-se", "h100-sxm", "h200-nvl", "h200-sxm", "b200-sxm", "mi300x")
_TRAINING = {
    "task": "training",
    "sequence_length": 4096,
    "micro_batch": 1,
    "activation_checkpointing": "full",
}
_SERVING = {
    "task": "inference",
    "scenario": "closed_loop",
    "concurrency": 8,
    "input_tokens": 2048,
    "output_tokens": 512,
}


@dataclass(frozen=True, slots=True)
class Job:
    """One reference job without its model: its name and its workload."""

    label: str
    workload: dict[str, Any]

    def request(self, model: dict[str, Any], gpu: str, count: int) -> dict[str, Any]:
        """What the engine is asked about this job on GPUs of one node."""
        plan: dict[str, Any] = {"sharding": "fsdp" if count > 1 else "none", "offload": "none"}
        if self.workload["task"] == "inference":
            plan = {"tensor": count}
        return {
            "id": f"{self.label}-{gpu}-{count}",
            "workload": {**self.workload, "model": model},
            "hardware": {"gpu": gpu, "gpus_per_node": count, "nodes": 1},
            "plan": plan,
        }


TUNING = (
    Job(gettext_noop("QLoRA"), {**_TRAINING, "method": "qlora"}),
    Job(gettext_noop("LoRA"), {**_TRAINING, "method": "lora"}),
    Job(gettext_noop("Full fine-tuning"), {**_TRAINING, "method": "full"}),
)
SERVING = (
    Job(gettext_noop("Service, BF16"), {**_SERVING, "weights": "bf16"}),
    Job(gettext_noop("Service, FP8"), {**_SERVING, "weights": "fp8"}),
)
MODELS = ("llama-3.1-8b", "llama-3.3-70b")


@dataclass(frozen=True, slots=True)
class Need:
    """What one job needs on each of the fewest GPUs that hold it; `gpus` is None where eight do not."""

    label: str
    model: str
    gpu: str
    gpus: int | None
    expected_bytes: int
    high_bytes: int
    capacity_bytes: int

    @property
    def fits(self) -> bool:
        """Whether the upper band fits."""
        return self.gpus is not None


def jobs_of(gpu: str) -> list[Need]:
    """Tuning jobs on a GPU, each on the fewest of one node that hold it."""
    return _kept(
        f"jobs-{gpu}", lambda: [_fewest(job, {"name": model}, model, gpu) for model in MODELS for job in TUNING]
    )


def needs_of(slug: str, config: dict[str, Any]) -> list[Need]:
    """What tuning and serving a model needs on each of the usual GPUs."""
    known = {gpu.slug for gpu in specs.hardware_catalog().gpus}
    gpus = [gpu for gpu in COMPARED_GPUS if gpu in known]
    return _kept(
        f"needs-{slug}",
        lambda: [_fewest(job, {"config": config}, slug, gpu) for gpu in gpus for job in (*TUNING, *SERVING)],
    )


def _fewest(job: Job, model: dict[str, Any], name: str, gpu: str) -> Need | None:
    last: Need | None = None
    for count in COUNTS:
        answer = contract.estimate(job.request(model, gpu, count))
        if "error" in answer:
            continue
        memory = answer["memory"]
        device = memory["needed"]
        fits = bool(memory["fits"])
        last = Need(
            job.label, name, gpu, count if fits else None, device["expected"], device["high"], memory["capacity"]
        )
        if fits:
            break
    return last


def _kept(name: str, compute: Callable[[], list[Need | None]]) -> list[Need]:
    key = f"needed:{sizing.__version__}:{specs.fingerprint()}:{name}"
    found: list[Need] | None = cache.get(key)
    if found is None:
        found = [need for need in compute() if need is not None]
        cache.set(key, found, KEPT_SECONDS)
    return found
