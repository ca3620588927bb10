"""Names of the engine's fields in words, for the ledger, the request and the difference of two revisions."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

NAMES: dict[str, Any] = {
    "workload.task": _("Task"),
    "workload.method": _("Method"),
    "workload.tokens": _("Tokens in all"),
    "workload.steps": _("Steps"),
    "workload.parallel_experiments": _("Experiments at once"),
    "workload.scenario": _("Scenario"),
    "workload.documents": _("Documents"),
    "limits.deadline_hours": _("Deadline, h"),
    "limits.budget": _("Budget"),
    "limits.rack_power_watts": _("Rack power, W"),
    "limits.rack_units": _("Rack units"),
    "limits.racks": _("Racks"),
    "limits.cooling": _("Cooling"),
    "limits.form_factor": _("Form factor"),
    "limits.region": _("Place of the data"),
    "limits.gpu": _("GPU asked for"),
    "limits.network_gbit_per_gpu": _("Network between servers, for each accelerator"),
    "article": _("Article"),
    "in_mind.gpu": _("GPU in mind"),
    "in_mind.gpus": _("Number of GPUs in mind"),
    "candidate.keeps_limits": _("Keeps every limit that must hold"),
    "candidate.keeps_budget": _("Keeps the budget that must hold"),
    "workload.checkpoint_every_steps": _("Steps between checkpoints"),
    "workload.users": _("Users"),
    "workload.requests_per_second": _("Requests a second"),
    "workload.utilisation_hours_per_day": _("Use of the server a day"),
    "workload.framework_version": _("Version of the framework"),
}
ORDER = (
    "workload.task",
    "workload.method",
    "workload.lora.rank",
    "workload.lora.targets",
    "workload.weights",
    "workload.optimizer",
    "workload.sequence_length",
    "workload.micro_batch",
    "workload.global_batch",
    "workload.gradient_accumulation",
    "workload.dataset_tokens",
    "workload.tokens",
    "workload.epochs",
    "workload.steps",
    "workload.parallel_experiments",
    "workload.checkpoint_every_minutes",
    "workload.checkpoints_kept",
    "workload.framework",
    "workload.engine",
    "workload.scenario",
    "workload.concurrency",
    "workload.input_tokens",
    "workload.output_tokens",
    "workload.documents",
    "limits.deadline_hours",
    "limits.budget",
    "limits.rack_power_watts",
    "limits.rack_units",
    "limits.racks",
    "limits.cooling",
    "limits.form_factor",
    "limits.region",
    "economics.price",
    "economics.tariff",
    "economics.years",
    "economics.pue",
    "economics.space_per_kw_month",
    "economics.yearly_share",
    "economics.staff_share",
    "economics.residual_share",
    "economics.interest_rate",
    "economics.rent_per_gpu_hour",
    "economics.rent_as_of",
    "economics.egress_gb_per_month",
    "economics.egress_per_gb",
    "economics.cloud_storage_per_gb_month",
    "economics.currency",
    "economics.exchange_rate",
    "economics.exchange_rate_as_of",
    "article",
    "in_mind.gpu",
    "in_mind.gpus",
)


def name_of(key: str, otherwise: str = "") -> str:
    """Name a field in words, as the document does; a field without a name keeps the engine's own, readable."""
    from quotes.presenter.assumptions import EXCHANGED, LABELS, label

    found = NAMES.get(key) or LABELS.get(key)
    if found:
        return str(found)
    if key.startswith(EXCHANGED):
        return label({"key": key})
    words = otherwise or key.rsplit(".", 1)[-1]
    return words.replace("_", " ").strip().capitalize()
