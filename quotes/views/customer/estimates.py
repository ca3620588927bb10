"""The estimate beside the form: the same workload on three classes of GPU, and what was assumed for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod
from typing import Any

from quotes import intake
from quotes.forms.calendar import calendar, run_hours
from quotes.forms.derived import Derived, derived
from quotes.forms.route import DOCUMENTS, SERVICE
from quotes.forms.serving import concurrent_answers
from quotes.views.customer.explained import size_apart
from quotes.views.customer.rows import MS_PER_SECOND, Row
from sizing import contract

LADDER = ("l40s", "h100-sxm", "h200-sxm", "b200-sxm")
LARGE = ("h100-sxm", "h200-sxm", "b200-sxm")
NODE_GPUS = 8
OWN = "workload."
MOST_DOUBLINGS = 7
CLASSES = 3
COUNTS = (1, 2, 4, 8)
SECONDS_PER_HOUR = 3600
# A change of the time that is smaller than this share of it is not worth a line.
LEAST_SHOWN = 0.01
# Twenty people at one worker, each with the last few questions; an answer takes 50 to 100 KB.
QUESTIONS_REMEMBERED = 128


@dataclass(slots=True)
class Preview:
    """What the page shows beside the form; `missing` says what is still needed where there is no estimate."""

    rows: list[Row] = field(default_factory=list)
    main: Row | None = None
    missing: list[str] = field(default_factory=list)
    error: str = ""
    derived: list[Derived] = field(default_factory=list)
    calendar: str = ""
    apart: str = ""
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
        seconds = self.main.seconds
        return {
            "class": f"{self.main.gpus} x {self.main.gpu}",
            "name": f"{self.main.gpus}\u00a0× {self.main.name}",
            "device_bytes": self.main.device["expected"],
            "seconds": seconds["expected"] if seconds else None,
        }

    @property
    def moved_bytes(self) -> float | None:
        """What the last answer moved on the same class of GPU; None where nothing did [byte]."""
        if self.main is None or self.before.get("class") != self.remembered()["class"]:
            return None
        moved = self.main.device["expected"] - float(self.before["device_bytes"])
        return moved or None

    @property
    def moved_seconds(self) -> float | None:
        """What the last answer moved of the time on the same class of GPU; None where nothing did [s]."""
        now, then = self.remembered().get("seconds"), self.before.get("seconds")
        if now is None or then is None or self.before.get("class") != self.remembered()["class"]:
            return None
        moved = now - float(then)
        return moved if abs(moved) > LEAST_SHOWN * now else None

    @property
    def former_class(self) -> str:
        """The class of GPU before the last answer, where that answer changed it, e.g. "1 × L40S 48GB"."""
        if self.main is None or self.before.get("class") in (None, self.remembered()["class"]):
            return ""
        return str(self.before.get("name") or "")

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
    def assumed_count(self) -> int:
        """How much was assumed in all, what was derived from the customer's words included."""
        return len(self.assumptions) + len(self.derived)

    @property
    def measured(self) -> list[dict[str, Any]]:
        """What the customer measured and the engine took as measured."""
        return [one for one in self._of_main("assumptions") if one.get("origin") == "measured"]

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


def preview_of(answers: Mapping[str, Any], *, way: str) -> Preview:
    """Estimate valid answers on three classes of GPU; the engine's refusal becomes the preview's error."""
    question = intake.to_request(answers, route=way)
    is_service = way in (SERVICE, DOCUMENTS)
    hours = None if is_service else run_hours(answers)
    counted = None if is_service else calendar(answers)
    preview = Preview(
        deadline_seconds=hours * SECONDS_PER_HOUR if hours else None,
        is_service=is_service,
        derived=derived(answers, way=way),
        calendar=counted.sentence if counted else "",
    )
    if preview.is_service:
        preview.needed_answers = concurrent_answers(dict(answers))[0]
    preview.rows, preview.error = _rows(question)
    fitting = [row for row in preview.rows if _settles(row, question)] or [row for row in preview.rows if row.fits]
    preview.main = fitting[0] if fitting else (preview.rows[-1] if preview.rows else None)
    preview.question = question
    if preview.main:
        preview.apart = size_apart(answers, (preview.main.answer.get("model") or {}).get("parameters"))
    if preview.main and not preview.is_service and (answers.get("when") == "compare" or preview.is_late):
        preview.scaling = _scaling(question, preview.main)
    return preview


def conversions(answers: Mapping[str, Any], *, way: str) -> list[str]:
    """Say how words became numbers: data to tokens, people to answers at the same time."""
    return [one.sentence for one in derived(answers, way=way)]


def _settles(row: Row, question: Mapping[str, Any]) -> bool:
    """Say whether no larger class has to be tried: it fits, and states go to host memory only where that was asked."""
    asked = (question.get("plan") or {}).get("offload") not in (None, "none")
    return row.fits and (asked or not row.is_offloaded)


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
    """Estimate the work, or take the estimate of the same work: limits, budget and site do not change it."""
    work = {name: question[name] for name in ("workload", "plan") if name in question}
    rows, error = _classes(json.dumps(work, sort_keys=True))
    return list(rows), error


@lru_cache(maxsize=QUESTIONS_REMEMBERED)
def _classes(work: str) -> tuple[tuple[Row, ...], str]:
    """Estimate on three classes of GPU.

    The engine answers the same question always the same, from data that comes with the code, in the language of its
    source: an answer never grows old while a process lives, and is translated where it is shown.
    """
    rows, error = _climb(json.loads(work))
    return tuple(rows), error


def _climb(question: Mapping[str, Any]) -> tuple[list[Row], str]:
    """Try one GPU of each class, then more of the large ones, until one class fits."""
    rows: list[Row] = []
    least = _least(question)
    if least > 1:
        return _large_rows(question, rows, least)
    for place, gpu in enumerate(LADDER):
        row, error = _on(question, gpu, 1, 1)
        if row is None:
            return [], error
        rows.append(row)
        if _settles(row, question):
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
        if any(_settles(row, question) for row in large):
            return large, ""
        rows = large or rows
    return rows, "" if rows else error


def _on(question: Mapping[str, Any], gpu: str, count: int, nodes: int) -> tuple[Row | None, str]:
    asked = {name: question[name] for name in ("id", "workload") if name in question}
    if question.get("plan"):
        asked["plan"] = question["plan"]
    asked["hardware"] = {"gpu": gpu, "gpus_per_node": count, "nodes": nodes}
    answer = contract.on_machines(asked)
    if answer.get("error"):
        return None, str(answer["error"].get("message", ""))
    return Row(gpu, count, nodes, answer, needed=question["workload"].get("concurrency")), ""
