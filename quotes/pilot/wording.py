"""What a load and a profile are called on a page."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quotes.presenter import quantities as q
from quotes.presenter import words

LABELS = {
    "gpu": "GPU",
    "gpus": gettext_lazy("Number of GPUs"),
    "sharding": gettext_lazy("Division over the GPUs"),
    "offload": gettext_lazy("Moved to host memory"),
    "parameters": gettext_lazy("Parameters of the model"),
    "method": gettext_lazy("Method"),
    "weights": gettext_lazy("Format of the weights"),
    "master_weights": gettext_lazy("Copy of the weights for the optimizer"),
    "gradients": gettext_lazy("Format of the gradients"),
    "optimizer_states": gettext_lazy("Format of the optimizer states"),
    "optimizer_in_backward": gettext_lazy("Optimizer inside the backward pass"),
    "compute": gettext_lazy("Format of the products"),
    "compile": gettext_lazy("Compiled kernels"),
    "loss": gettext_lazy("Loss"),
    "sequence_length": gettext_lazy("Sequence length"),
    "micro_batch": gettext_lazy("Micro-batch"),
    "gradient_accumulation": gettext_lazy("Gradient accumulation"),
    "optimizer": gettext_lazy("Optimizer"),
    "activation_checkpointing": gettext_lazy("Recomputation"),
    "activation_offload": gettext_lazy("Activations in host memory"),
    "attention": gettext_lazy("Attention"),
    "packing": gettext_lazy("Rows"),
    "lora_rank": gettext_lazy("Rank of the adapters"),
    "lora_targets": gettext_lazy("Matrices with adapters"),
    "lora_kind": gettext_lazy("Kind of adapters"),
    "lora_dtype": gettext_lazy("Format of the adapters"),
}
STAGES = {
    "load": gettext_lazy("Model loaded"),
    "adapters": gettext_lazy("Adapters attached"),
    "first_forward": gettext_lazy("First forward pass"),
    "first_backward": gettext_lazy("First backward pass"),
    "first_optimizer_step": gettext_lazy("First optimizer step"),
    "forward": gettext_lazy("Forward pass"),
    "backward": gettext_lazy("Backward pass"),
    "optimizer_step": gettext_lazy("Optimizer step"),
    "steady_step": gettext_lazy("Steady step"),
    "checkpoint_save": gettext_lazy("Checkpoint saved"),
}


def label_of(name: str) -> str:
    """Name a part of a load."""
    return str(LABELS.get(name, name))


def stage_of(name: str) -> str:
    """Name a stage of a run."""
    return str(STAGES.get(name, name))


def say(value: Any) -> str:
    """Say a value of a load: numbers with their separators, coded values in words, nothing as a dash."""
    if value is None:
        return str(_("not stated"))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return q.number(value)
    return words.of(words.SHORT_METHODS, value) if value in ("lora", "qlora") else words.word(value)
