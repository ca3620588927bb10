"""One class of GPU with its estimate, as the preview and the private page show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quotes.charts.memory import used
from quotes.presenter import plans

MS_PER_SECOND = 1000
PARTS = (
    ("weights", gettext_lazy("Model weights"), "weights"),
    ("adapters", gettext_lazy("LoRA adapters"), "adapters"),
    ("gradients", gettext_lazy("Gradients"), "gradients"),
    ("optimizer", gettext_lazy("Optimizer states"), "optimizer"),
    ("activations", gettext_lazy("Saved activations"), "activations"),
    ("logits", gettext_lazy("Logits and loss"), "logits"),
    ("kv_cache", gettext_lazy("KV cache"), "kv"),
    ("buffers", gettext_lazy("Temporary buffers"), "buffers"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One class of GPU: how many, the estimate on it."""

    gpu: str
    count: int
    nodes: int
    answer: dict[str, Any]
    needed: int | None = None

    @property
    def fits(self) -> bool:
        """Say whether the upper band ends below the capacity, and a service has room for its load."""
        return bool(self.answer["memory"]["fits"]) and not self.is_crowded

    @property
    def is_crowded(self) -> bool:
        """Say whether fewer answers run at the same time than are needed."""
        return self.needed is not None and self.concurrency is not None and self.concurrency < self.needed

    @property
    def is_offloaded(self) -> bool:
        """Say whether the plan keeps states or weights in host memory."""
        return (self.answer.get("plan") or {}).get("offload") not in (None, "none")

    @property
    def plan(self) -> str:
        """Say in a line by which plan the work runs here."""
        return plans.in_few_words(self.answer)

    @property
    def name(self) -> str:
        """Name the class, e.g. "H200 SXM 141GB"."""
        return str(self.answer["system"]["gpu_name"])

    @property
    def gpus(self) -> int:
        """Number of GPUs in all [–]."""
        return self.count * self.nodes

    @property
    def device(self) -> dict[str, float]:
        """Memory that is needed on the device: expected, low, high [byte]."""
        return dict(used(self.answer["memory"]))

    @property
    def capacity(self) -> int:
        """Capacity of one GPU [byte]."""
        return int(self.answer["memory"]["capacity"])

    @property
    def left(self) -> float:
        """What is left above the upper band; negative where it does not fit [byte]."""
        return self.capacity - self.device["high"]

    @property
    def short(self) -> float:
        """What is missing at the upper band [byte]."""
        return -self.left

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Parts of the memory on one GPU with name, size [byte] and color; they add up to the device's figure."""
        return parts_of(self.answer["memory"])

    @property
    def concurrency(self) -> int | None:
        """Answers that run at the same time [–]; None for training."""
        return (self.answer.get("speed") or {}).get("max_concurrency")

    @property
    def latency(self) -> dict[str, Any] | None:
        """First word [s] and speed of one answer [token/s], each with its band; None for training."""
        speed = self.answer.get("speed") or {}
        if not speed.get("ttft_ms") or not speed.get("tpot_ms"):
            return None
        sides = {"expected": speed, "low": speed["low"], "high": speed["high"]}
        return {
            "first_word_seconds": {name: side["ttft_ms"] / MS_PER_SECOND for name, side in sides.items()},
            "tokens_per_second": {
                "expected": MS_PER_SECOND / speed["tpot_ms"],
                "low": MS_PER_SECOND / speed["high"]["tpot_ms"],
                "high": MS_PER_SECOND / speed["low"]["tpot_ms"],
            },
        }

    @property
    def index(self) -> dict[str, Any] | None:
        """The search index of documents: passages and bytes in host memory; None where nothing is searched."""
        return self.answer.get("rag")

    @property
    def seconds(self) -> dict[str, float] | None:
        """Time to the result: expected, low, high [s]; None where the amount of data is not known."""
        speed = self.answer.get("speed") or {}
        if not speed.get("seconds_to_result"):
            return None
        ends = sorted(speed[side]["seconds_to_result"] for side in ("low", "high"))
        return {"expected": speed["seconds_to_result"], "low": ends[0], "high": ends[1]}


def parts_of(memory: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give the parts of the memory on one GPU with name, size [byte] and color; they add up to the device's figure."""
    sizes = memory["per_gpu"]
    parts = [
        {"label": label, "size_bytes": sizes[name], "color": color} for name, label, color in PARTS if sizes.get(name)
    ]
    rest = used(memory)["expected"] - sum(sizes.values())
    return [*parts, {"label": _("CUDA context and communication"), "size_bytes": rest, "color": "context"}]
