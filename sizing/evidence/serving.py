"""Published serving measurements, and how the engine's estimates compare with them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from io import StringIO
from typing import Any, Final

from sizing.datafiles import read_json_lines, read_text
from sizing.evidence.scoring import Comparison

CASES: Final = "evidence/inference.jsonl"
PAIRS: Final = "evidence/inference_pairs.jsonl"
RETRIEVAL: Final = "evidence/rag_facts.csv"
FIGURES: Final = ("output_tokens_per_second_per_gpu", "requests_per_second", "ttft_ms", "tpot_ms")
SLOWER_IS_MORE: Final = ("ttft_ms", "tpot_ms")
GIB: Final = 2**30

type Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point(Comparison):
    """One published figure beside its estimate, both in the figure's unit."""

    case: str
    figure: str
    group: str
    engine: str
    scenario: str
    gpu: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One published fact on the retrieval side; a range has its ends, a rule its text."""

    key: str
    topic: str
    subject: str
    low: float | None
    high: float | None
    rule: str
    unit: str
    conditions: str
    reliability: str
    source: str


@cache
def cases() -> tuple[Mapping[str, Any], ...]:
    """The published measurements in the format that `estimate` reads, each with its results and source."""
    return tuple(read_json_lines(CASES))


@cache
def pairs() -> tuple[Mapping[str, Any], ...]:
    """Pairs of systems that did the same; `ratio` is the speed of `a` over that of `b`."""
    return tuple(read_json_lines(PAIRS))


@cache
def facts() -> tuple[Fact, ...]:
    """Published facts on vector indexes, embedding and reranking."""
    return tuple(_fact(row) for row in csv.DictReader(StringIO(read_text(RETRIEVAL))))


def _fact(row: Mapping[str, str]) -> Fact:
    low, high = row["value"] or row["value_low"], row["value"] or row["value_high"]
    return Fact(
        key=row["id"],
        topic=row["topic"],
        subject=row["subject"],
        low=float(low) if low else None,
        high=float(high) if high else None,
        rule=row["formula_or_text"],
        unit=row["unit"],
        conditions=row["conditions"],
        reliability=row["reliability"],
        source=row["source_title"],
    )


def points(ask: Ask) -> list[Point]:
    """Every published figure with its estimate; what `ask` refuses is left out."""
    found = []
    for case in cases():
        answer = ask({name: case[name] for name in ("id", "workload", "hardware", "plan") if name in case})
        speed = answer.get("speed") or {}
        found += [_point(case, name, speed) for name in FIGURES if case["expected"].get(name) and speed.get(name)]
        if case["expected"].get("memory") and "memory" in answer:
            found.append(_memory(case, answer["memory"]))
    return found


def _point(case: Mapping[str, Any], name: str, speed: Mapping[str, Any]) -> Point:
    ends = sorted((speed["low"][name], speed["high"][name]))
    return _made(case, name, case["expected"][name], speed[name], ends)


def _memory(case: Mapping[str, Any], memory: Mapping[str, Any]) -> Point:
    published = case["expected"]["memory"]
    middle = (published["gib_low"] + published["gib_high"]) / 2 * GIB
    if published["kind"] == "weights":
        weights = memory["per_gpu"]["weights"]
        return _made(case, "weights", middle, weights, [weights * 0.985, weights * 1.015])
    shown = memory["device"]
    return _made(case, "memory", middle, shown["expected"], [shown["low"], shown["high"]])


def _made(case: Mapping[str, Any], name: str, published: float, predicted: float, ends: list[float]) -> Point:
    workload = case["workload"]
    return Point(
        case=case["id"],
        figure=name,
        group=case["source"]["group"],
        engine=workload.get("engine", ""),
        scenario=workload.get("scenario", ""),
        gpu=case["hardware"].get("gpu", ""),
        published=published,
        predicted=predicted,
        low=ends[0],
        high=ends[1],
    )


def right_order(of: Iterable[Point]) -> float:
    """Share of the pairs in which the faster system is estimated to be the faster one [–]."""
    predicted = {(point.case, point.figure): point.predicted for point in of}
    right = known = 0
    for pair in pairs():
        name = pair["metric"]
        first, second = predicted.get((pair["a"], name)), predicted.get((pair["b"], name))
        if first is None or second is None:
            continue
        is_faster = first < second if name in SLOWER_IS_MORE else first > second
        known += 1
        right += is_faster == (pair["ratio"] > 1)
    return right / known if known else 0.0
