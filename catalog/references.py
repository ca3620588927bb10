"""What a GPU can train and what a model needs: reference jobs asked of the engine, kept while the catalog stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.utils.translation import gettext_noop

import sizing
from catalog import specs
from sizing import contract

KEPT_SECONDS = 24 * 3600
JOBS = (
    (gettext_noop("QLoRA"), "qlora", "llama-3.1-8b"),
    (gettext_noop("LoRA"), "lora", "llama-3.1-8b"),
    (gettext_noop("Full fine-tuning"), "full", "llama-3.1-8b"),
    (gettext_noop("QLoRA"), "qlora", "llama-3.3-70b"),
    (gettext_noop("LoRA"), "lora", "llama-3.3-70b"),
    (gettext_noop("Full fine-tuning"), "full", "llama-3.3-70b"),
)
METHODS = (JOBS[0][:2], JOBS[1][:2], JOBS[2][:2])
COUNTS = (1, 2, 4, 8)
COMPARED_GPUS = ("l40s", "rtx-pro-6000-se", "h100-sxm", "h200-nvl", "h200-sxm", "b200-sxm", "mi300x")
SEQUENCE_LENGTH = 4096


@dataclass(frozen=True, slots=True)
class Need:
    """What one job needs on each of the fewest GPUs that hold it; `gpus` is None where eight do not."""

    label: str
    method: str
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
    """The reference jobs on a GPU, each on the fewest of one node that hold it."""
    return _kept(
        f"jobs {gpu}", lambda: [_fewest(label, method, {"name": model}, model, gpu) for label, method, model in JOBS]
    )


def needs_of(slug: str, config: dict[str, Any]) -> list[Need]:
    """What tuning a model by each method needs on each of the usual GPUs."""
    known = {gpu.slug for gpu in specs.hardware_catalog().gpus}
    gpus = [gpu for gpu in COMPARED_GPUS if gpu in known]
    return _kept(
        f"needs {slug}",
        lambda: [_fewest(label, method, {"config": config}, slug, gpu) for gpu in gpus for label, method in METHODS],
    )


def _fewest(label: str, method: str, model: dict[str, Any], name: str, gpu: str) -> Need | None:
    last: Need | None = None
    for count in COUNTS:
        answer = contract.estimate(_request(method, model, gpu, count))
        if "error" in answer:
            return None
        memory = answer["memory"]
        last = Need(
            label,
            method,
            name,
            gpu,
            count if memory["fits"] else None,
            memory["device"]["expected"],
            memory["device"]["high"],
            memory["capacity"],
        )
        if memory["fits"]:
            break
    return last


def _request(method: str, model: dict[str, Any], gpu: str, count: int) -> dict[str, Any]:
    return {
        "id": f"{method}-{gpu}-{count}",
        "workload": {"task": "training", "method": method, "model": model, "sequence_length": SEQUENCE_LENGTH},
        "hardware": {"gpu": gpu, "gpus_per_node": count, "nodes": 1},
    }


def _kept(name: str, compute: Any) -> list[Need]:
    key = f"references:{sizing.__version__}:{specs.fingerprint()}:{name}".replace(" ", "-")
    found: list[Need] | None = cache.get(key)
    if found is None:
        found = [need for need in compute() if need is not None]
        cache.set(key, found, KEPT_SECONDS)
    return found
