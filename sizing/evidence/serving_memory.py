"""Published memory of inference servers, part by part: what start-up logs and benchmarks print beside the estimate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sizing.architecture.quantised import weight_bytes
from sizing.assumptions import Ledger
from sizing.case import Interval
from sizing.datafiles import read_json_lines
from sizing.evidence.scoring import Comparison
from sizing.serving import cache as kv_cache
from sizing.serving import memory, reading, space
from sizing.serving.case import ServingCase
from sizing.units import GIB

CASES: Final = "evidence/serving_memory.jsonl"
REQUEST: Final = ("id", "workload", "hardware", "plan")
LONG_TOKENS: Final = 16_384
"""Tokens over which the cache of one token is averaged: whole blocks of every engine [tokens]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point(Comparison):
    """One published part beside its estimate [GiB]; `cache_token_bytes` in bytes."""

    case: str
    part: str
    group: str
    engine: str
    gpu: str


@cache
def cases() -> tuple[Mapping[str, Any], ...]:
    """The published readings in the format that `estimate` reads, each with its parts and source."""
    return tuple(read_json_lines(CASES))


def points() -> list[Point]:
    """Every published part with its estimate."""
    return [_point(case, part) for case in cases() for part in case["expected"]["parts"]]


def _point(published: Mapping[str, Any], part: str) -> Point:
    case = reading.read({name: published[name] for name in REQUEST if name in published}, Ledger())
    found, unit = PARTS[part](case), 1.0 if part == "cache_token_bytes" else float(GIB)
    return Point(
        case=published["id"],
        part=part,
        group=published["source"]["group"],
        engine=published["workload"]["engine"],
        gpu=published["hardware"].get("gpu", ""),
        published=published["expected"]["parts"][part],
        predicted=found.expected / unit,
        low=found.low / unit,
        high=found.high / unit,
    )


def _around(value: float, share: float) -> Interval:
    return Interval(value, value * (1 - share), value * (1 + share))


def _token(case: ServingCase) -> Interval:
    return _around(kv_cache.per_request(case, LONG_TOKENS) / LONG_TOKENS, memory.CACHE_BAND)


def _file(case: ServingCase) -> Interval:
    return _around(weight_bytes(case.architecture, case.workload.weights).total, memory.WEIGHTS_BAND)


def _held(case: ServingCase) -> Interval:
    """Weights and cache when the last token is there, without the peak of the prompt."""
    kept = memory.cache_per_gpu(case, case.workload.input_tokens + case.workload.output_tokens)
    return _around(memory.weights_per_gpu(case) + kept, memory.WEIGHTS_BAND)


PARTS: Final[Mapping[str, Callable[[ServingCase], Interval]]] = {
    "weights": lambda case: _around(memory.weights_per_gpu(case), memory.WEIGHTS_BAND),
    "file": _file,
    "held": _held,
    "cache_token_bytes": _token,
    "pool": lambda case: _around(kv_cache.pool_bytes(case), memory.SHOWN_BAND),
    "workspace": lambda case: _around(space.workspace_bytes(case), memory.SPACE_BAND),
    "allocated": lambda case: memory.estimate(case).needed.allocated,
    "device": lambda case: memory.estimate(case).shown,
    "allocated_before": lambda case: _around(memory.most_bytes(case), memory.SHOWN_BAND),
    "device_before": lambda case: _around(memory.most_bytes(case) + space.CONTEXT_BYTES, memory.SHOWN_BAND),
}
"""What a publication may print, as the engine estimates it."""
