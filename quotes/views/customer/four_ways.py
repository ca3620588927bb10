"""Why the first question comes first: one model, four ways, one scale; computed by the engine, not drawn by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext_lazy as _

from sizing import contract
from sizing.units import GIB

MODEL = "llama-3.3-70b"
GPU = "h200-sxm"
NODE = 8
SEQUENCE = 4096
ROW_PX = 46
FIRST_ROW_PX = 38
TICK_GIB = 500
COLORS = {"kv_cache": "kv"}
PARTS = ("weights", "adapters", "gradients", "optimizer", "activations", "logits", "kv_cache", "buffers")
PRINT = {
    "weights": "#0b4c5b",
    "adapters": "#2b7685",
    "gradients": "#5699a6",
    "optimizer": "#8dbfc7",
    "activations": "#a5640c",
    "logits": "#d6a145",
    "kv_cache": "#6a4d99",
    "buffers": "#7d8a90",
}
SERVED = {"task": "inference", "weights": "bf16", "input_tokens": 2000, "output_tokens": 400, "concurrency": 16}
TRAINED = {"task": "training", "sequence_length": SEQUENCE, "micro_batch": 1, "activation_checkpointing": "full"}
WAYS: tuple[tuple[Any, dict[str, Any]], ...] = (
    ("QLoRA", TRAINED | {"method": "qlora"}),
    (_("Service, BF16"), SERVED),
    ("LoRA, BF16", TRAINED | {"method": "lora"}),
    (_("Full fine-tuning"), TRAINED | {"method": "full"}),
)


@dataclass(frozen=True, slots=True)
class Bar:
    """One way: its total [GiB] and its parts as places in per cent of the scale."""

    label: Any
    total_gib: float
    y: int
    parts: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The whole picture: bars, the capacity of one and of eight GPUs, ticks; all places in per cent."""

    bars: tuple[Bar, ...]
    one_percent: float
    eight_percent: float
    one_gib: float
    eight_gib: float
    ticks: tuple[dict[str, Any], ...]
    axis_y: int
    height: int


@cache
def picture() -> Picture | None:
    """Compute the picture once for the life of the process; None where the engine does not know the model."""
    totals = [(label, _total(workload)) for label, workload in WAYS]
    if any(total is None for _label, total in totals):
        return None
    known = [(label, total) for label, total in totals if total is not None]
    capacity = known[0][1]["capacity"] / GIB
    scale = max(1.05 * NODE * capacity, *(1.05 * sum(total["parts"].values()) / GIB for _label, total in known))
    bars = tuple(_bar(label, total, place, scale) for place, (label, total) in enumerate(known))
    axis = FIRST_ROW_PX + ROW_PX * len(bars) - 14
    steps = int(scale // TICK_GIB) + 1
    ticks = tuple({"x": round(100 * TICK_GIB * n / scale, 2), "gib": TICK_GIB * n} for n in range(steps))
    return Picture(
        bars=bars,
        one_percent=round(100 * capacity / scale, 2),
        eight_percent=round(100 * NODE * capacity / scale, 2),
        one_gib=capacity,
        eight_gib=NODE * capacity,
        ticks=ticks,
        axis_y=axis,
        height=axis + 30,
    )


def _total(workload: dict[str, Any]) -> dict[str, Any] | None:
    """Bytes by part, as if one GPU held the whole job, so that the ways differ by nothing else.

    They add up to what is needed, as the pages of GPUs and of quoted figures show it: what the driver takes beside the
    framework stands with the buffers.
    """
    asked = {
        "id": "ways",
        "workload": workload | {"model": {"name": MODEL}},
        "hardware": {"gpu": GPU, "gpus_per_node": 1, "nodes": 1},
        "plan": {"offload": "none"},
    }
    answer = contract.estimate(asked)
    if answer.get("error"):
        return None
    memory = answer["memory"]
    parts = dict(memory["per_gpu"])
    parts["buffers"] += memory["needed"]["expected"] - sum(parts.values())
    return {"parts": parts, "capacity": memory["capacity"]}


def _bar(label: Any, total: dict[str, Any], place: int, scale: float) -> Bar:
    y = FIRST_ROW_PX + ROW_PX * place
    parts: list[dict[str, Any]] = []
    at = 0.0
    for name in PARTS:
        width = 100 * total["parts"].get(name, 0) / GIB / scale
        if width:
            color = COLORS.get(name, name)
            parts.append({"x": round(at, 2), "width": round(width, 2), "color": color, "fill": PRINT[name]})
            at += width
    return Bar(label, sum(total["parts"].values()) / GIB, y, tuple(parts))
