"""The memory gauge: what fills one GPU, its band, and where the card ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from quotes.charts.scale import Tick, at, ticks

GIB = 2**30
HEADROOM = 1.06
NARROWEST_FOR_A_VALUE = 0.07
FILLS = {
    "weights": ("mem-weights", "#0b4c5b", "#ffffff"),
    "adapters": ("mem-adapters", "#2b7685", "#ffffff"),
    "gradients": ("mem-gradients", "#5699a6", "#ffffff"),
    "optimizer": ("mem-optimizer", "#8dbfc7", "#12181b"),
    "activations": ("mem-activations", "#a5640c", "#ffffff"),
    "logits": ("mem-logits", "#d6a145", "#12181b"),
    "kv_cache": ("mem-kv", "#6f4a8e", "#ffffff"),
    "buffers": ("mem-buffers", "#7d8a90", "#ffffff"),
    "rest": ("mem-context", "#b3bdc1", "#12181b"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """One stretch of the bar, e.g. the weights: where it begins, how long it is, what it holds [B]."""

    key: str
    css: str
    fill: str
    ink: str
    size_bytes: float
    x: str
    width: str
    end: str
    middle: str
    is_wide: bool


@dataclass(frozen=True, slots=True)
class Gauge:
    """A bar of memory with its band and its limit; positions in percent of the scale, sizes in bytes."""

    parts: tuple[Part, ...]
    expected_bytes: float
    low_bytes: float
    high_bytes: float
    capacity_bytes: float | None
    short_bytes: float
    fits: bool | None
    end_bytes: float
    track: str
    low_at: str
    expected_at: str
    high_at: str
    band_width: str
    limit_at: str
    limit_is_left: bool
    ticks: tuple[Tick, ...]
    moment: str = ""

    @property
    def verdict(self) -> str:
        """Give the word of the drawing: fits or over."""
        return "over" if self.fits is False else "fits"


def gauge(memory: Mapping[str, Any] | None, *, end_bytes: float | None = None) -> Gauge | None:
    """Lay out the memory of one GPU [B] as the engine's answer has it; None where the answer holds none.

    Parameters
    ----------
    memory
        ``memory`` of an estimate: ``per_gpu``, ``needed``, ``capacity``, ``fits``.
    end_bytes
        End of the scale [B], where several gauges share one.
    """
    band = used(memory)
    if memory is None or not band.get("high"):
        return None
    expected, low, high = (float(band.get(name) or 0) for name in ("expected", "low", "high"))
    capacity = float(memory["capacity"]) if memory.get("capacity") else None
    end = end_bytes or HEADROOM * max(high, capacity or 0.0)
    steps = ticks(end / GIB)
    return Gauge(
        parts=tuple(_parts(memory.get("per_gpu") or {}, expected, end)),
        expected_bytes=expected,
        low_bytes=low,
        high_bytes=high,
        capacity_bytes=capacity,
        short_bytes=max(0.0, high - capacity) if capacity else 0.0,
        fits=memory.get("fits"),
        end_bytes=end,
        track=at(capacity or high, end),
        low_at=at(low, end),
        expected_at=at(expected, end),
        high_at=at(high, end),
        band_width=at(high - expected, end),
        limit_at=at(capacity or 0.0, end),
        limit_is_left=bool(capacity and capacity < 0.3 * end),
        ticks=steps,
        moment=str(memory.get("peak") or ""),
    )


def used(memory: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Give the band of what a job needs [B]: live tensors and the driver's share.

    What nvidia-smi shows can be more, since an allocator keeps freed blocks and a serving engine takes its share
    beforehand; neither makes a job fail. Answers of engines that did not tell them apart show the device's figure.
    """
    found = memory or {}
    return found.get("needed") or found.get("device") or {}


def parts_of(memory: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    """Give the components [B] of one GPU in drawing order, with the driver's share up to what is needed."""
    per_gpu = memory.get("per_gpu") or {}
    sizes = [(key, float(per_gpu.get(key) or 0)) for key in FILLS if key != "rest"]
    rest = float(used(memory).get("expected") or 0) - sum(size for _key, size in sizes)
    return (*((key, size) for key, size in sizes if size > 0), *((("rest", rest),) if rest > 0 else ()))


def _parts(per_gpu: Mapping[str, Any], expected: float, end: float) -> Iterable[Part]:
    begin = 0.0
    for key, size in parts_of({"per_gpu": per_gpu, "needed": {"expected": expected}}):
        css, fill, ink = FILLS[key]
        yield Part(
            key=key,
            css=css,
            fill=fill,
            ink=ink,
            size_bytes=size,
            x=at(begin, end),
            width=at(size, end),
            end=at(begin + size, end),
            middle=at(begin + size / 2, end),
            is_wide=size > NARROWEST_FOR_A_VALUE * end,
        )
        begin += size
