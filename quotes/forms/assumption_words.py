"""The engine's assumptions in the form's own words: the same labels and choices a person could have answered with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from quotes.forms import numbers
from quotes.forms.serving import ServingForm
from quotes.forms.tuning import AdaptersForm

SERVING_ROOTS = ("kv_cache_dtype", "engine", "input_tokens", "output_tokens", "concurrency")
RENAMED = {"rank": "lora_rank", "targets": "lora_targets", "dtype": "adapter_dtype"}
FURTHER = {
    "stack_efficiency": gettext_lazy("Efficiency of the software against the reference"),
    "optimizer_states": gettext_lazy("Format of the optimizer states"),
    "gradients": gettext_lazy("Format of the gradients"),
    "parameters": gettext_lazy("Parameters"),
    "dataset_tokens": gettext_lazy("Dataset"),
    "tokens": gettext_lazy("Tokens in all"),
    "compile": gettext_lazy("Compiled model"),
    "gpus_per_node": gettext_lazy("GPUs a node"),
    "nodes": gettext_lazy("Nodes"),
    "interconnect": gettext_lazy("Exchange between GPUs"),
    "network_gbit_per_gpu": gettext_lazy("Network for each GPU"),
    "gpu": "GPU",
    "scenario": gettext_lazy("Kind of load"),
    "memory_fraction": gettext_lazy("Share of memory the engine may take"),
    "pages_per_document": gettext_lazy("Pages a document"),
    "checkpoint_every_minutes": gettext_lazy("Checkpoint every"),
    "checkpoint_every_steps": gettext_lazy("Checkpoint every"),
    "utilisation_hours_per_day": gettext_lazy("Use of the server"),
}
PLAIN_UNITS = ("", "–", "-")


def _field(key: str) -> Any:
    name = RENAMED.get(last(key), last(key))
    form = ServingForm if name in SERVING_ROOTS else AdaptersForm
    return form.base_fields.get(name)


def last(key: str) -> str:
    """Return the field's own name, e.g. ``rank`` of ``workload.lora.rank``."""
    return key.rsplit(".", 1)[-1]


def label(one: Mapping[str, Any]) -> str:
    """Name an assumption as the form names the question; else by its own label, translated where it is known."""
    key = str(one.get("key") or "")
    field = _field(key)
    if field is not None:
        return str(getattr(field, "short", "") or field.label)
    if last(key) in FURTHER:
        return str(FURTHER[last(key)])
    text = str(one.get("label") or key).replace("_", " ")
    return gettext(text[:1].upper() + text[1:]) if text else ""


def value(one: Mapping[str, Any]) -> str:
    """Write the value of an assumption as the form offers it, with its unit."""
    given, unit = one.get("value"), str(one.get("unit") or "")
    if isinstance(given, bool):
        return _("yes") if given else _("no")
    if isinstance(given, int | float):
        text = numbers.say(round(given, 3))
        return text if unit in PLAIN_UNITS else f"{text}\u00a0{_unit(unit, given)}"
    field = _field(str(one.get("key") or ""))
    named = dict(getattr(field, "choices", ()) or ())
    if isinstance(given, list | tuple):
        return ", ".join(str(each) for each in given)
    return str(named.get(given) or _("not stated")) if given is None or given in named else str(given).replace("_", " ")


def _unit(unit: str, count: float) -> str:
    if unit in ("sequences", "sequence"):
        return ngettext("sequence", "sequences", int(count))
    if unit in ("tokens", "token"):
        return ngettext("token", "tokens", int(count))
    return gettext(unit)


def why(one: Mapping[str, Any]) -> str:
    """Say why a value was taken, translated where the sentence is known."""
    text = str(one.get("why") or "")
    return gettext(text) if text else ""
