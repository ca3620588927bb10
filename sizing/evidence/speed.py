"""Published training speeds and measured link rates, and how the engine's estimates compare with them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from io import StringIO
from typing import Any, Final

from sizing.datafiles import read_json_lines, read_text
from sizing.evidence.scoring import Comparison

CASES: Final = "evidence/throughput.jsonl"
PAIRS: Final = "evidence/throughput_pairs.jsonl"
LINKS: Final = "evidence/interconnect.csv"

type Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point(Comparison):
    """One published run beside the estimate for it; speeds in tokens/s for each GPU."""

    case: str
    group: str
    method: str
    gpu: str
    sharding: str


@dataclass(frozen=True, slots=True)
class Link:
    """One measured rate: bus bandwidth of a collective or of a copy [B/s], payload [B] where it was stated."""

    kind: str
    hardware: str
    gpu: str
    gpus: int | None
    nodes: int | None
    test: str
    payload_bytes: float | None
    low_bytes_per_s: float
    high_bytes_per_s: float
    source: str


@cache
def cases() -> tuple[Mapping[str, Any], ...]:
    """The published runs in the format that `estimate` reads, each with what was measured and its source."""
    return tuple(read_json_lines(CASES))


@cache
def pairs() -> tuple[Mapping[str, Any], ...]:
    """Pairs of systems that ran the same job, with the ratio of their speeds."""
    return tuple(read_json_lines(PAIRS))


@cache
def links() -> tuple[Link, ...]:
    """Measured rates of links and networks."""
    rows = csv.DictReader(StringIO(read_text(LINKS)))
    return tuple(
        Link(
            kind=row["kind"],
            hardware=row["hardware"],
            gpu=row["gpu"],
            gpus=int(row["gpus"]) if row["gpus"] else None,
            nodes=int(row["nodes"]) if row["nodes"] else None,
            test=row["test"],
            payload_bytes=float(row["payload_bytes"]) if row["payload_bytes"] else None,
            low_bytes_per_s=float(row["gb_per_s_low"]) * 1e9,
            high_bytes_per_s=float(row["gb_per_s_high"]) * 1e9,
            source=row["source"],
        )
        for row in rows
        if row["gb_per_s_low"]
    )


def points(ask: Ask) -> list[Point]:
    """Every published run with the estimate that `ask` gives for it; runs that it refuses are left out."""
    found = []
    for case in cases():
        answer = ask({name: case[name] for name in ("id", "workload", "hardware", "plan") if name in case})
        speed = answer.get("speed")
        published = case["expected"].get("tokens_per_second_per_gpu")
        if speed and published:
            found.append(_point(case, speed, published))
    return found


def _point(case: Mapping[str, Any], speed: Mapping[str, Any], published: float) -> Point:
    name = "tokens_per_second_per_gpu"
    return Point(
        case=case["id"],
        group=case["source"]["group"],
        method=case["workload"]["method"],
        gpu=case["hardware"].get("gpu", ""),
        sharding=case.get("plan", {}).get("sharding", "none"),
        published=published,
        predicted=speed[name],
        low=speed["low"][name],
        high=speed["high"][name],
    )


def right_order(of: Iterable[Point]) -> float:
    """Share of the pairs in which the faster system is estimated to be the faster one [–]."""
    predicted = {point.case: point.predicted for point in of}
    known = [pair for pair in pairs() if pair["a"] in predicted and pair["b"] in predicted]
    right = sum((predicted[pair["a"]] > predicted[pair["b"]]) == (pair["ratio"] > 1) for pair in known)
    return right / len(known) if known else 0.0
