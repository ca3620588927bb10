"""The estimate beside the form: the same workload on three classes of GPU, and what was assumed for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quotes import intake
from quotes.charts.memory import used
from quotes.forms.route import DOCUMENTS, SERVICE, deadline_hours
from quotes.forms.serving import concurrent_answers
from sizing import contract

LADDER = ("l40s", "h100-sxm", "h200-sxm", "b200-sxm")
LARGE = ("h100-sxm", "h200-sxm", "b200-sxm")
NODE_GPUS = 8
OWN = "workload."
MOST_DOUBLINGS = 7
CLASSES = 3
COUNTS = (1, 2, 4, 8)
SECONDS_PER_HOUR = 3600
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


@dataclass(slots=True)
class Preview:
    """What the page shows beside the form; `missing` says what is still needed where there is no estimate."""

    rows: list[Row] = field(default_factory=list)
    main: Row | None = None
    missing: list[str] = field(default_factory=list)
    error: str = ""
    conversions: list[str] = field(default_factory=list)
    fallbacks: list[dict[str, Any]] = field(default_factory=list)
    deadline_seconds: float | None = None
    is_service: bool = False
    needed_answers: int | None = None
    before: dict[str, Any] = field(default_factory=dict)
    scaling: list[Row] = field(default_factory=list)
    question: dict[str, Any] = field(default_factory=dict)

    def remembered(self) -> dict[str, Any]:
        """Give what the next preview compares itself with: class of GPU and memory [byte]."""
        if self.main is None:
            return {}
        return {"class": f"{self.main.gpus} x {self.main.gpu}", "device_bytes": self.main.device["expected"]}

    @property
    def moved_bytes(self) -> float | None:
        """What the last answer moved on the same class of GPU; None where nothing did [byte]."""
        if self.main is None or self.before.get("class") != self.remembered()["class"]:
            return None
        moved = self.main.device["expected"] - float(self.before["device_bytes"])
        return moved or None

    @property
    def first_word_limit(self) -> float | None:
        """The stated limit on the first word [s]; None where none was stated."""
        limit = (self.question.get("workload") or {}).get("ttft_ms")
        return limit / MS_PER_SECOND if limit else None

    @property
    def is_late(self) -> bool:
        """Say whether even the quick end of the band misses the deadline."""
        seconds = self.main.seconds if self.main else None
        return bool(seconds and self.deadline_seconds and seconds["low"] > self.deadline_seconds)

    @property
    def assumptions(self) -> list[dict[str, Any]]:
        """What the engine took for itself."""
        return [one for one in self._of_main("assumptions") if one.get("origin") == "assumed"]

    @property
    def plain_assumptions(self) -> list[dict[str, Any]]:
        """Assumptions about the job itself, which the customer can judge."""
        return [one for one in self.assumptions if str(one.get("key", "")).startswith(OWN)]

    @property
    def further_assumptions(self) -> list[dict[str, Any]]:
        """Assumptions about software and hardware, which the engineer judges."""
        return [one for one in self.assumptions if not str(one.get("key", "")).startswith(OWN)]

    @property
    def warnings(self) -> list[str]:
        """What the engine warns of."""
        return self._of_main("warnings")

    def _of_main(self, name: str) -> list[Any]:
        return list(self.main.answer.get(name) or []) if self.main else []


def parts_of(memory: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give the parts of the memory on one GPU with name, size [byte] and color; they add up to the device's figure."""
    sizes = memory["per_gpu"]
    parts = [
        {"label": label, "size_bytes": sizes[name], "color": color} for name, label, color in PARTS if sizes.get(name)
    ]
    rest = used(memory)["expected"] - sum(sizes.values())
    return [*parts, {"label": _("CUDA context and communication"), "size_bytes": rest, "color": "context"}]


def preview_of(answers: Mapping[str, Any], *, way: str) -> Preview:
    """Estimate valid answers on three classes of GPU; the engine's refusal becomes the preview's error."""
    question = intake.to_request(answers, route=way)
    hours = deadline_hours(dict(answers))
    preview = Preview(
        deadline_seconds=hours * SECONDS_PER_HOUR if hours else None,
        is_service=way in (SERVICE, DOCUMENTS),
        conversions=conversions(answers, way=way),
    )
    if preview.is_service:
        preview.needed_answers = concurrent_answers(dict(answers))[0]
    preview.rows, preview.error = _rows(question)
    fitting = [row for row in preview.rows if row.fits]
    preview.main = fitting[0] if fitting else (preview.rows[-1] if preview.rows else None)
    preview.question = question
    if preview.main and not preview.is_service and (answers.get("when") == "compare" or preview.is_late):
        preview.scaling = _scaling(question, preview.main)
    return preview


def conversions(answers: Mapping[str, Any], *, way: str) -> list[str]:
    """Say how words became numbers: data to tokens, people to answers at the same time."""
    data = intake.dataset(answers) if way not in (SERVICE, DOCUMENTS) else None
    people = concurrent_answers(dict(answers))[1] if way in (SERVICE, DOCUMENTS) else ""
    return [sentence for sentence in (data.sentence if data else "", people) if sentence]


def _scaling(question: Mapping[str, Any], main: Row) -> list[Row]:
    """Estimate the same work on 1, 2, 4 and 8 of the main class, from as many as it takes."""
    counts = [count for count in COUNTS if count >= _least(question)] if main.nodes == 1 else []
    found = [_on(question, main.gpu, count, 1)[0] for count in counts]
    return [row for row in found if row is not None and row.fits]


def _least(question: Mapping[str, Any]) -> int:
    """Give the fewest GPUs that the stated degrees of parallelism need [–]."""
    plan = question.get("plan") or {}
    return int(prod(plan.get(name) or 1 for name in ("tensor", "pipeline", "context")))


def _rows(question: Mapping[str, Any]) -> tuple[list[Row], str]:
    rows: list[Row] = []
    least = _least(question)
    if least > 1:
        return _large_rows(question, rows, least)
    for place, gpu in enumerate(LADDER):
        row, error = _on(question, gpu, 1, 1)
        if row is None:
            return [], error
        rows.append(row)
        if row.fits:
            start = max(0, min(place - 1, len(LADDER) - CLASSES))
            rest = [_on(question, gpu, 1, 1)[0] for gpu in LADDER[place + 1 : start + CLASSES]]
            return [*rows[start:], *(one for one in rest if one)], ""
    return _large_rows(question, rows, least)


def _large_rows(question: Mapping[str, Any], rows: list[Row], least: int) -> tuple[list[Row], str]:
    """Try 2, 4 and 8 GPUs, then servers of eight, twice as many each time, until one class fits."""
    error = ""
    sizes = [(count, 1) for count in COUNTS[1:]] + [(NODE_GPUS, 2**power) for power in range(1, MOST_DOUBLINGS)]
    for count, nodes in sizes:
        if count * nodes < least:
            continue
        tried = [_on(question, gpu, count, nodes) for gpu in LARGE]
        large = [row for row, _error in tried if row]
        error = error or tried[0][1]
        if any(row.fits for row in large):
            return large, ""
        rows = large or rows
    return rows, "" if rows else error


def _on(question: Mapping[str, Any], gpu: str, count: int, nodes: int) -> tuple[Row | None, str]:
    asked = {name: question[name] for name in ("id", "workload") if name in question}
    plan = question.get("plan")
    if plan:
        asked["plan"] = plan
    asked["hardware"] = {"gpu": gpu, "gpus_per_node": count, "nodes": nodes}
    answer = contract.estimate(asked)
    if answer.get("error"):
        return None, str(answer["error"].get("message", ""))
    return Row(gpu, count, nodes, answer, needed=question["workload"].get("concurrency")), ""
