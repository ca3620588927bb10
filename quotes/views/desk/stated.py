"""What the customer stated, as name and value, out of the engine's input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quotes.summaries import model_name

NAMES = {
    "workload.task": gettext_lazy("Task"),
    "workload.method": gettext_lazy("Method"),
    "workload.lora.rank": gettext_lazy("LoRA rank"),
    "workload.lora.targets": gettext_lazy("LoRA layers"),
    "workload.weights": gettext_lazy("Weights"),
    "workload.optimizer": gettext_lazy("Optimizer"),
    "workload.sequence_length": gettext_lazy("Sequence, tokens"),
    "workload.micro_batch": gettext_lazy("Micro-batch"),
    "workload.global_batch": gettext_lazy("Global batch"),
    "workload.gradient_accumulation": gettext_lazy("Accumulation"),
    "workload.dataset_tokens": gettext_lazy("Dataset, tokens"),
    "workload.tokens": gettext_lazy("Tokens in all"),
    "workload.epochs": gettext_lazy("Epochs"),
    "workload.steps": gettext_lazy("Steps"),
    "workload.parallel_experiments": gettext_lazy("Experiments at once"),
    "workload.checkpoint_every_minutes": gettext_lazy("Checkpoint every, min"),
    "workload.checkpoints_kept": gettext_lazy("Checkpoints kept"),
    "workload.framework": gettext_lazy("Framework"),
    "workload.concurrency": gettext_lazy("Concurrent users"),
    "workload.input_tokens": gettext_lazy("Prompt, tokens"),
    "workload.output_tokens": gettext_lazy("Answer, tokens"),
    "workload.documents": gettext_lazy("Documents"),
    "limits.deadline_hours": gettext_lazy("Deadline, h"),
    "limits.budget": gettext_lazy("Budget"),
    "limits.rack_power_watts": gettext_lazy("Rack power, W"),
    "limits.rack_units": gettext_lazy("Rack units"),
    "limits.racks": gettext_lazy("Racks"),
    "limits.cooling": gettext_lazy("Cooling"),
    "limits.form_factor": gettext_lazy("Form factor"),
    "limits.region": gettext_lazy("Place of the data"),
    "article": gettext_lazy("Article"),
}


def facts(asked: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Give the stated fields in the order of the table, then the rest by their own names."""
    flat = dict(_flatten(asked))
    found: list[tuple[str, Any]] = []
    model = model_name((asked.get("workload") or {}).get("model") or {})
    if model:
        found.append((_("Model"), model))
    found += [(str(label), flat.pop(name)) for name, label in NAMES.items() if name in flat]
    return found + [(name.partition(".")[2].replace("_", " "), value) for name, value in flat.items() if "." in name]


def _flatten(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in data.items():
        path = f"{prefix}.{name}" if prefix else str(name)
        if path in ("workload.model", "workload.profile", "id"):
            continue
        if isinstance(value, Mapping) and not value.keys() & {"must", "prefer"}:
            yield from _flatten(value, path)
        elif isinstance(value, Mapping):
            yield path, _limit(value)
        elif value is not None:
            yield path, value


def _limit(limit: Mapping[str, Any]) -> Any:
    value = limit.get("must", limit.get("prefer"))
    strength = _("must") if "must" in limit else _("prefer")
    currency = f" {limit['currency']}" if limit.get("currency") else ""
    words = f"{value:,}" if isinstance(value, int | float) else str(value)
    return f"{words}{currency} ({strength})"
