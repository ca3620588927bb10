"""Drawings of the desk: places on a scale, as percentages, out of stored answers in bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

GIB = 2**30
ROUND_UP_TO_GIB = 50
PARTS = (
    ("weights", "mem-weights", "#0b4c5b", _("Model weights")),
    ("adapters", "mem-adapters", "#2b7685", _("LoRA adapters")),
    ("gradients", "mem-gradients", "#5699a6", _("Gradients")),
    ("optimizer", "mem-optimizer", "#8dbfc7", _("Optimizer states")),
    ("activations", "mem-activations", "#a5640c", _("Saved activations")),
    ("logits", "mem-logits", "#d6a145", _("Logits and loss")),
    ("kv_cache", "mem-kv", "#6f4a8e", _("KV cache")),
    ("buffers", "mem-buffers", "#7d8a90", _("Temporary buffers")),
)
REST = ("context", "mem-context", "#b3bdc1", _("Allocator slack and CUDA context"))


@dataclass(frozen=True, slots=True)
class Part:
    """One stretch of the bar, e.g. the weights: where it begins and how long it is."""

    css: str
    fill: str
    label: Any
    size_bytes: float
    x: str
    width: str
    end: str


@dataclass(frozen=True, slots=True)
class Gauge:
    """A bar of memory with its band and its limit, all in percent of the scale."""

    parts: tuple[Part, ...]
    expected_bytes: float
    low_bytes: float
    high_bytes: float
    capacity_bytes: float | None
    fits: bool
    track: str
    low_at: str
    expected_at: str
    high_at: str
    band_width: str
    limit_at: str


def spread(values: Iterable[Any]) -> float:
    """Give the end of a scale that holds all values [bytes], a multiple of 50 GiB."""
    largest = max((float(value) for value in values if value), default=0.0)
    steps = int(largest / (ROUND_UP_TO_GIB * GIB)) + 1
    return float(steps * ROUND_UP_TO_GIB * GIB)


def at(value: float, scale: float) -> str:
    """Write a place on a scale as a percentage with a point, whatever the language."""
    return f"{max(0.0, min(100.0, 100 * value / scale)):.2f}%"


def gauge(memory: Mapping[str, Any], *, scale: float | None = None) -> Gauge | None:
    """Give the bar of one GPU's memory; None where the answer holds none."""
    device = memory.get("device") or {}
    if not device.get("high"):
        return None
    expected, low, high = (float(device.get(name) or 0) for name in ("expected", "low", "high"))
    capacity = memory.get("capacity")
    end = scale or 1.06 * max(high, float(capacity or 0))
    parts = tuple(_parts(memory.get("per_gpu") or {}, expected, end))
    return Gauge(
        parts=parts,
        expected_bytes=expected,
        low_bytes=low,
        high_bytes=high,
        capacity_bytes=capacity,
        fits=bool(memory.get("fits")),
        track=at(float(capacity or high), end),
        low_at=at(low, end),
        expected_at=at(expected, end),
        high_at=at(high, end),
        band_width=at(high - expected, end),
        limit_at=at(float(capacity or 0), end),
    )


def _parts(per_gpu: Mapping[str, Any], expected: float, end: float) -> Iterable[Part]:
    begin = 0.0
    for name, css, fill, label in PARTS:
        size = float(per_gpu.get(name) or 0)
        if size > 0:
            yield Part(css, fill, label, size, at(begin, end), at(size, end), at(begin + size, end))
            begin += size
    rest = expected - begin
    if rest > 0:
        _name, css, fill, label = REST
        yield Part(css, fill, label, rest, at(begin, end), at(rest, end), at(expected, end))
