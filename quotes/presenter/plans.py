"""How a job runs on its machines, in words: method, division over GPUs, offload; the same on form, page and paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quotes.presenter import words

NAMES = {
    "micro_batch": gettext_lazy("Micro-batch"),
    "gradient_accumulation": gettext_lazy("Gradient accumulation"),
    "activation_checkpointing": gettext_lazy("Recomputation of activations"),
    "sharding": gettext_lazy("Sharding of states"),
    "data": gettext_lazy("Data parallel"),
    "tensor": gettext_lazy("Tensor parallel"),
    "pipeline": gettext_lazy("Pipeline parallel"),
    "context": gettext_lazy("Context parallel"),
    "expert": gettext_lazy("Expert parallel"),
    "offload": gettext_lazy("Offload to the host"),
    "framework": gettext_lazy("Framework"),
    "engine": gettext_lazy("Serving engine"),
}
SHORT = ("sharding", "data", "tensor", "pipeline", "context", "expert", "offload", "micro_batch", "engine")


def parts(plan: Mapping[str, Any], names: tuple[str, ...] = tuple(NAMES)) -> list[str]:
    """Give the fields of a plan that say something: degrees of one are left out."""
    return [
        _("%(name)s: %(value)s") % {"name": NAMES[name], "value": words.word(plan[name])}
        for name in names
        if plan.get(name) not in (None, "")
        and not (isinstance(plan[name], int) and plan[name] == 1 and name != "micro_batch")
    ]


def in_few_words(estimate: Mapping[str, Any]) -> str:
    """Say in a line by which plan an estimate was made, e.g. "QLoRA; Data parallel: 4; Micro-batch: 2"."""
    plan = estimate.get("plan") or {}
    if not plan:
        return ""
    method = words.of(words.SHORT_METHODS, estimate.get("method")) if estimate.get("method") else ""
    weights = words.word(plan["weights"]) if not method and plan.get("weights") else ""
    told = {name: plan.get(name) for name in SHORT if plan.get(name) != "none"}
    found = [*filter(None, (method[:1].upper() + method[1:], weights)), *parts(told, SHORT)]
    return "; ".join(found)
