"""Names of the engine's fields in words, for the ledger, the request and the difference of two revisions."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

NAMES: dict[str, Any] = {
    "workload.task": _("Task"),
    "workload.method": _("Method"),
    "workload.lora.rank": _("LoRA rank"),
    "workload.lora.targets": _("LoRA layers"),
    "workload.lora.dtype": _("Format of the adapters"),
    "workload.weights": _("Format of the weights"),
    "workload.compute": _("Format of the computation"),
    "workload.optimizer": _("Optimizer"),
    "workload.sequence_length": _("Sequence length"),
    "workload.micro_batch": _("Micro-batch"),
    "workload.global_batch": _("Global batch"),
    "workload.gradient_accumulation": _("Gradient accumulation"),
    "workload.activation_checkpointing": _("Activation recomputation"),
    "workload.attention": _("Attention kernel"),
    "workload.loss": _("Loss kernel"),
    "workload.packing": _("Packing of sequences"),
    "workload.dataset_tokens": _("Dataset, tokens"),
    "workload.tokens": _("Tokens in all"),
    "workload.epochs": _("Epochs"),
    "workload.steps": _("Steps"),
    "workload.parallel_experiments": _("Experiments at once"),
    "workload.checkpoint_every_minutes": _("Checkpoint every"),
    "workload.checkpoints_kept": _("Checkpoints kept"),
    "workload.framework": _("Framework"),
    "workload.stack_efficiency": _("Efficiency of the software stack"),
    "workload.engine": _("Serving engine"),
    "workload.scenario": _("Scenario"),
    "workload.concurrency": _("Concurrent users"),
    "workload.input_tokens": _("Prompt, tokens"),
    "workload.output_tokens": _("Answer, tokens"),
    "workload.kv_cache_dtype": _("Format of the KV cache"),
    "workload.documents": _("Documents"),
    "workload.pages_per_document": _("Pages a document"),
    "limits.deadline_hours": _("Deadline, h"),
    "limits.budget": _("Budget"),
    "limits.rack_power_watts": _("Rack power, W"),
    "limits.rack_units": _("Rack units"),
    "limits.racks": _("Racks"),
    "limits.cooling": _("Cooling"),
    "limits.form_factor": _("Form factor"),
    "limits.region": _("Place of the data"),
    "storage.text_bytes_per_token": _("Text bytes a token"),
    "storage.gpu_hours_between_failures": _("GPU hours between interruptions"),
    "host.rank_bytes": _("Host memory a GPU process takes"),
    "host.floor_bytes": _("Smallest host memory sold"),
    "host.cores_per_gpu": _("Processor cores a GPU"),
    "facility.power": _("Power of a node at the wall"),
    "article": _("Article"),
}


def name_of(key: str, otherwise: str = "") -> str:
    """Name a field in words; a field without a name keeps the engine's own, readable."""
    if key in NAMES:
        return str(NAMES[key])
    words = otherwise or key.rsplit(".", 1)[-1]
    return words.replace("_", " ").strip().capitalize()
