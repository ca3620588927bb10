"""The 90 % bands of serving figures: how far published runs lay from estimates made without their own source.

Each part is the half-width in the logarithm that the errors on the source left out ask for; independent parts add in
quadrature. The time to the first token has two parts that are known unequally well: reading the prompt, and waiting.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp, hypot
from typing import Final

from sizing.hardware import Gpu
from sizing.serving.case import ServingCase
from sizing.speed import roofline

THROUGHPUT: Final = 0.28
TOKEN: Final = 0.28
PROMPT: Final = 0.45
WAITING: Final = 1.30
"""Half-widths of a dense model with a stated layout on a measured chip and engine: throughput, time per token, reading
of a prompt, waiting of a request [–]."""

MIXTURE_THROUGHPUT: Final = 0.40
MIXTURE_TOKEN: Final = 0.20
FOUND_TOKEN: Final = 0.60
FOUND_THROUGHPUT: Final = 0.35
"""Where the rate that keeps the limits is found first: tokens follow the rate."""

CHOSEN_LAYOUT: Final = 0.35
UNMEASURED_ENGINE: Final = 0.30
UNMEASURED_CHIP: Final = 0.30
SEVERAL_NODES: Final = 0.15
MEASURED_ENGINES: Final = ("vllm", "sglang", "trtllm", "nim")
MEASURED_CHIPS: Final = ("ampere", "ada", "hopper", "blackwell", "blackwell-client", "cdna3", "cdna4")
"""Engines and generations of chips of which published serving runs are carried."""


@dataclass(frozen=True, slots=True)
class Widths:
    """Half-widths in the logarithm of each figure [–]."""

    throughput: float
    token: float
    prompt: float
    waiting: float


@lru_cache(maxsize=512)
def _widths(gpu: Gpu, engine: str, is_moe: bool, found: bool, chosen: bool, nodes: int) -> Widths:
    common = [
        CHOSEN_LAYOUT if chosen else 0.0,
        UNMEASURED_ENGINE if engine not in MEASURED_ENGINES else 0.0,
        UNMEASURED_CHIP if roofline.generation_of(gpu).key not in MEASURED_CHIPS else 0.0,
        SEVERAL_NODES if nodes > 1 else 0.0,
    ]
    mixed = (MIXTURE_THROUGHPUT, MIXTURE_TOKEN) if is_moe else (0.0, 0.0)
    searched = (FOUND_THROUGHPUT, FOUND_TOKEN) if found else (0.0, 0.0)
    return Widths(
        throughput=hypot(THROUGHPUT, mixed[0], searched[0], *common),
        token=hypot(TOKEN, mixed[1], searched[1], *common),
        prompt=hypot(PROMPT, *common),
        waiting=hypot(WAITING, *common),
    )


def widths(case: ServingCase) -> Widths:
    """Half-widths of a case's figures."""
    job, machines = case.workload, case.system
    found = job.scenario == "server"
    return _widths(machines.gpu, job.engine, case.architecture.is_moe, found, case.is_chosen, machines.nodes)


def doubts(case: ServingCase) -> list[str]:
    """What no published run that is carried speaks of, in sentences."""
    found = []
    if case.workload.engine not in MEASURED_ENGINES:
        found.append(f"No published serving run of {case.engine.title} is carried: its bands are wider.")
    if roofline.generation_of(case.system.gpu).key not in MEASURED_CHIPS:
        found.append(f"No published serving run on chips like {case.system.gpu.name} is carried: bands are wider.")
    return found


def around(value: float, width: float) -> tuple[float, float]:
    """Lower and upper end of a figure whose logarithm has this half-width."""
    return value * exp(-width), value * exp(width)


def first_token(case: ServingCase, first_seconds: float, prompt_seconds: float) -> tuple[float, float]:
    """Lower and upper end of the time to the first token [s]: its reading and its waiting, each in its own band."""
    both = widths(case)
    reading = min(prompt_seconds, first_seconds)
    read, waited = around(reading, both.prompt), around(first_seconds - reading, both.waiting)
    return read[0] + waited[0], read[1] + waited[1]
