"""What a document reads out of a snapshot: the chosen candidate, its figures, the limits; nothing is computed anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import quantities as q
from quotes.presenter.memory import without_size

SHOWN_LABELS = ("smallest", "recommended", "headroom", "article", "in_mind")
MOST_SHOWN = 4
HOUR = 3600


@dataclass(frozen=True, slots=True)
class Reading:
    """A snapshot with the kind of document it becomes."""

    snapshot: Mapping[str, Any]
    kind: str

    def dig(self, *path: str) -> Any:
        """Give what stands at a path, or None."""
        return dig(self.snapshot, *path)

    @property
    def output(self) -> Mapping[str, Any]:
        """Give the engine's answer."""
        return self.dig("output") or {}

    @property
    def workload(self) -> Mapping[str, Any]:
        """Give what was asked of the engine: the workload."""
        return self.dig("input", "workload") or {}

    @property
    def candidate(self) -> Mapping[str, Any] | None:
        """Give the chosen candidate; where none does the job, the one that comes nearest."""
        return self.dig("candidate") or self.output.get("nearest")

    @property
    def does_the_job(self) -> bool:
        """Say whether a candidate keeps every limit."""
        return bool(self.dig("candidate"))

    @property
    def estimate(self) -> Mapping[str, Any]:
        """Give the estimate of the candidate."""
        return dig(self.candidate, "estimate") or {}

    @property
    def memory(self) -> Mapping[str, Any]:
        """Give the memory of one GPU [B]."""
        return self.estimate.get("memory") or {}

    @property
    def speed(self) -> Mapping[str, Any]:
        """Give speed and time to result."""
        return self.estimate.get("speed") or {}

    @property
    def task(self) -> str:
        """Give the task: training, inference or rag."""
        return str(
            self.estimate.get("task") or dig(self.output, "route", "task") or self.workload.get("task") or "training"
        )

    @property
    def is_training(self) -> bool:
        """Say whether weights change."""
        return self.task == "training"

    @property
    def method(self) -> str:
        """Give the method of training."""
        return str(self.estimate.get("method") or self.workload.get("method") or "")

    @property
    def is_issued(self) -> bool:
        """Say whether the document carries a quote number."""
        return bool(self.dig("number")) and self.kind in ("short", "full")

    @property
    def is_quote(self) -> bool:
        """Say whether the document has lines and prices of ours."""
        return self.kind != "preliminary"

    @property
    def is_whole(self) -> bool:
        """Say whether the document has every section."""
        return self.kind in ("full", "draft")

    @property
    def compares(self) -> bool:
        """Say whether the customer asked to see what more and fewer GPUs give."""
        return bool(self.dig("answers", "when") == "compare")

    @property
    def model_title(self) -> str:
        """Name the model."""
        model = self.workload.get("model") or {}
        title = dig(self.output, "model", "title") or dig(self.output, "model", "name") or model.get("name") or ""
        if title and title != dig(self.output, "model", "family"):
            return str(title)
        parameters = dig(self.output, "model", "parameters") or model.get("parameters")
        size = f"{q.significant(parameters / 1e9)}B" if isinstance(parameters, int | float) else ""
        return " ".join(filter(None, (str(title), size)))

    @property
    def gpus(self) -> int:
        """Give the count of GPUs of the candidate."""
        return count_of(self.candidate)

    @property
    def nodes(self) -> int:
        """Give the count of servers."""
        return int(dig(self.candidate, "nodes") or 1)

    @property
    def gpu_name(self) -> str:
        """Name the GPU as the catalog does."""
        return str(dig(self.candidate, "gpu_name") or dig(self.candidate, "gpu") or "")

    @property
    def gpu_short(self) -> str:
        """Name the GPU without its sold capacity."""
        return without_size(self.gpu_name)

    @property
    def platform(self) -> str:
        """Name the server."""
        return str(dig(self.candidate, "platform_title") or dig(self.candidate, "platform") or "")

    @property
    def deadline_seconds(self) -> float | None:
        """Give the deadline [s], stated or assumed."""
        hours = limit(self.dig("input", "limits"), "deadline_hours")
        if hours is None:
            assumed = (one.get("value") for one in self.assumptions if one.get("key") == "limits.deadline_hours")
            hours = next(assumed, None)
        return float(hours) * HOUR if isinstance(hours, int | float) else None

    @property
    def has_own_deadline(self) -> bool:
        """Say whether the customer named a deadline, as a must or as a wish."""
        return limit(self.dig("input", "limits"), "deadline_hours") is not None

    @property
    def deadline_word(self) -> str:
        """Name the deadline with its length: the customer's, one that is wished for, or one that we assumed."""
        limits, said = self.dig("input", "limits"), {"limit": q.duration(self.deadline_seconds)}
        if not self.has_own_deadline:
            return _("assumed limit %(limit)s") % said
        if self.dig("answers", "when") == "date":
            return _("left for the work: %(limit)s") % said
        return (_("deadline %(limit)s") if must(limits, "deadline_hours") else _("wished for: %(limit)s")) % said

    @property
    def assumptions(self) -> list[Mapping[str, Any]]:
        """Give the ledger, decisive entries first."""
        entries = list(self.dig("assumptions") or [])
        return sorted(entries, key=lambda one: not one.get("decisive"))

    @property
    def lines(self) -> list[Mapping[str, Any]]:
        """Give the order lines; before a quote exists, the parts the engine put together."""
        return list(self.dig("lines") or [])

    @property
    def zone(self) -> str:
        """Give the time zone of the selling company."""
        return str(self.dig("issuer", "time_zone") or "")

    @property
    def issuer(self) -> str:
        """Name the selling company."""
        return str(self.dig("issuer", "name") or "")

    @property
    def candidates(self) -> list[Mapping[str, Any]]:
        """Give the candidates with a label and the chosen one, in the engine's order."""
        chosen = self.dig("chosen_rank")
        every = self.output.get("candidates") or []
        shown = [
            one
            for one in every
            if set(one.get("labels") or []) & set(SHOWN_LABELS) or (chosen is not None and one.get("rank") == chosen)
        ]
        if len(shown) > MOST_SHOWN:
            shown = [one for one in shown if one.get("labels") != ["headroom"] or one.get("rank") == chosen]
        return shown[:MOST_SHOWN]

    @property
    def rejected(self) -> list[Mapping[str, Any]]:
        """Give what was rejected."""
        return list(self.output.get("rejected") or [])


def dig(data: Any, *path: str) -> Any:
    """Give what stands at a path of nested objects, or None."""
    for name in path:
        if not isinstance(data, Mapping):
            return None
        data = data.get(name)
    return data


def limit(limits: Any, name: str) -> Any:
    """Give the value of a limit, whether it must or should be kept."""
    found = dig(limits, name)
    return found.get("must", found.get("prefer")) if isinstance(found, Mapping) else found


def must(limits: Any, name: str) -> bool:
    """Say whether a limit must be kept."""
    found = dig(limits, name)
    return "prefer" not in found if isinstance(found, Mapping) else found is not None


def count_of(candidate: Any) -> int:
    """Give the count of GPUs of a candidate."""
    return int(dig(candidate, "gpus_per_node") or 1) * int(dig(candidate, "nodes") or 1)


def band_of(speed: Mapping[str, Any], name: str) -> tuple[float, float, float] | None:
    """Give expected, low and high of a figure of speed; None where it is missing."""
    expected = speed.get(name)
    if not isinstance(expected, int | float):
        return None
    ends = sorted((dig(speed, "low", name) or expected, dig(speed, "high", name) or expected))
    return float(expected), float(ends[0]), float(ends[1])
