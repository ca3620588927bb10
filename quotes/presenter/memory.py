"""Memory of one GPU in words: names of its parts, the gauge with its labels, the verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from quotes.charts import labels, memory
from quotes.presenter import quantities as q
from quotes.presenter.quantities import Quantity

NAMES = {
    "weights": gettext_lazy("Model weights"),
    "adapters": gettext_lazy("LoRA adapters"),
    "gradients": gettext_lazy("Gradients"),
    "optimizer": gettext_lazy("Optimizer states"),
    "activations": gettext_lazy("Saved activations"),
    "logits": gettext_lazy("Logits and loss"),
    "kv_cache": gettext_lazy("KV cache"),
    "buffers": gettext_lazy("Temporary buffers"),
    "rest": gettext_lazy("CUDA context and communication"),
}
SHORT = {
    "weights": pgettext_lazy("short", "Weights"),
    "adapters": pgettext_lazy("short", "Adapters"),
    "gradients": pgettext_lazy("short", "Gradients"),
    "optimizer": pgettext_lazy("short", "Optimizer"),
    "activations": pgettext_lazy("short", "Activations"),
    "logits": pgettext_lazy("short", "Logits"),
    "kv_cache": pgettext_lazy("short", "KV cache"),
    "buffers": pgettext_lazy("short", "Buffers"),
    "rest": pgettext_lazy("short", "CUDA context"),
}
FAMILIES = (("adapters", "gradients", "optimizer"), ("buffers", "rest"))
PAPER_WIDTH = 643.0
PAPER_TEXT = 10.6
SOLD_SIZE = re.compile(r"\s+\d+\s?GB$")
NEGLIGIBLE = 0.004


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the breakdown, e.g. weights, 36.80 GiB, 64 %."""

    key: str
    css: str
    name: str
    size: Quantity
    share: Quantity


def rows(answer: Mapping[str, Any]) -> list[Row]:
    """Give the breakdown of the needed memory, in the order of the drawing; sizes add up to the expected amount."""
    whole = memory.used(answer).get("expected")
    return [
        Row(
            key=key,
            css=memory.FILLS[key][0],
            name=str(NAMES[key]),
            size=q.gib(size, 2),
            share=q.percent(size / whole if whole else None),
        )
        for key, size in memory.parts_of(answer)
    ]


NEEDED = gettext_lazy("Needed: live tensors and the driver’s share")
ON_DEVICE = gettext_lazy("On the device, as nvidia-smi shows")


def counters(answer: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Give what a job needs and what the device shows [B], each under the one name that every section uses.

    Answers of engines that did not tell them apart have the device's figure alone.
    """
    rows = ((NEEDED, answer.get("needed") or {}), (ON_DEVICE, answer.get("device") or {}))
    return [(str(label), band) for label, band in rows if band.get("expected")]


def title(drawn: memory.Gauge) -> str:
    """Say in one sentence what the gauge shows: its text alternative."""
    said = {
        "expected": q.gib(drawn.expected_bytes),
        "band": q.band(q.gib(drawn.low_bytes), q.gib(drawn.high_bytes)),
        "capacity": q.gib(drawn.capacity_bytes),
    }
    if drawn.capacity_bytes is None:
        return _("Memory of one GPU: %(expected)s expected, 90%% band %(band)s") % said
    return _("Memory of one GPU: %(expected)s expected, 90%% band %(band)s, capacity %(capacity)s") % said


def band_text(drawn: memory.Gauge) -> str:
    """Say the expected amount and its band."""
    return _("expected %(expected)s, 90%% band %(band)s") % {
        "expected": q.gib(drawn.expected_bytes),
        "band": q.band(Quantity(q.gib(drawn.low_bytes).text), Quantity(q.gib(drawn.high_bytes).text)),
    }


def limit_text(drawn: memory.Gauge, gpu: str = "") -> str:
    """Say where the card ends."""
    capacity = q.gib(drawn.capacity_bytes)
    if gpu:
        return f"{without_size(gpu)}: {capacity}"
    return _("capacity %(capacity)s") % {"capacity": capacity}


def without_size(gpu: str) -> str:
    """Drop the sold capacity from a GPU's name, so that GB and GiB never stand in one figure."""
    return SOLD_SIZE.sub("", gpu)


def spare_text(drawn: memory.Gauge) -> str:
    """Say how much is left, or lacking, at the upper edge of the band."""
    if drawn.capacity_bytes is None:
        return ""
    if drawn.short_bytes:
        return _("%(size)s short at the upper edge") % {"size": q.gib(drawn.short_bytes)}
    return _("%(size)s free at the upper edge") % {"size": q.gib(drawn.capacity_bytes - drawn.high_bytes)}


def uncapped(name: str) -> str:
    """Begin a name in small letters inside a list; abbreviations stay: CUDA context, logits, KV cache."""
    return name if name[:2].isupper() else name[:1].lower() + name[1:]


def paper_labels(drawn: memory.Gauge, *, width: float = PAPER_WIDTH) -> list[labels.Label]:
    """Place the names of the parts above the bar; small parts of one family share a name."""
    begin, stretches = 0.0, []
    for group, size, is_wide in _groups(drawn):
        name = ", ".join(
            str(SHORT[key]) if index == 0 else uncapped(str(SHORT[key])) for index, key in enumerate(group)
        )
        if len(group) == 1 and group[0] != "rest":
            name = str(NAMES[group[0]])
        text = name if is_wide else f"{name} {q.gib(size).text}"
        if size > NEGLIGIBLE * drawn.end_bytes:
            stretches.append((begin, begin + size, text))
        begin += size
    right = width
    if drawn.capacity_bytes and drawn.expected_bytes <= drawn.capacity_bytes:
        right = drawn.capacity_bytes / drawn.end_bytes * width - 4
    return labels.staircase(stretches, end=drawn.end_bytes, width=width, size=PAPER_TEXT, right=right)


def _groups(drawn: memory.Gauge) -> list[tuple[list[str], float, bool]]:
    groups: list[tuple[list[str], float, bool]] = []
    for part in drawn.parts:
        family = next((one for one in FAMILIES if part.key in one), ())
        if groups and not part.is_wide and not groups[-1][2] and groups[-1][0][0] in family:
            keys, size, _wide = groups[-1]
            groups[-1] = ([*keys, part.key], size + part.size_bytes, False)
        else:
            groups.append(([part.key], part.size_bytes, part.is_wide))
    return groups
