"""What would make a service smaller or faster, and what it changes: memory and times estimated again, never quoted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from sizing.architecture.quantised import weight_bytes
from sizing.case import Lever
from sizing.serving import cache, engines, formats, memory, speed
from sizing.serving.case import ServingCase
from sizing.serving.reading import compute_of
from sizing.workload import Serving

WORTH_SAYING: Final = 0.01
"""Share of a GPU's needed memory from which on a saving is listed [–]."""

WEIGHTS: Final = {"fp8": "FP8 weights", "awq": "4-bit weights (AWQ)", "nvfp4": "4-bit weights (NVFP4)"}
OF_LLAMA_CPP: Final = {"q8_0": "8-bit weights (Q8_0)", "q4_k_m": "4-bit weights (Q4_K_M)"}
"""Formats to go over to, by what each engine loads."""

CACHES: Final = ("bf16", "fp16", "fp32")
WITHOUT_FP8_CACHE: Final = (engines.LOOP, "llama.cpp")
COMPONENTS: Final = ("weights", "kv_cache")


def levers(case: ServingCase, component: str) -> tuple[Lever, ...]:
    """What would make a component of the needed memory smaller, the largest saving first."""
    before = memory.estimate(case).needed.allocated.expected
    found = []
    for what, job in changes(case, component):
        changed = replace(case, workload=job)
        saved = before - memory.estimate(changed).needed.allocated.expected
        if saved > WORTH_SAYING * before:
            found.append(_lever(what, saved, case, changed))
    return tuple(sorted(found, key=lambda one: -one.saved_bytes))


def _lever(what: str, saved: float, case: ServingCase, changed: ServingCase) -> Lever:
    """A lever with the times of a request against those of now; the time is that of a whole answer."""
    now, then = cache.most_concurrent(case), cache.most_concurrent(changed)
    room = then / now if now else None
    if not case.system.gpu.dense_flops_per_s:
        return Lever(what, saved, None, room=room)
    was, will = speed.estimate(case), speed.estimate(changed)
    more = max(0.0, case.workload.output_tokens - 1)
    whole = [one.ttft_seconds + more * one.tpot_seconds for one in (was, will)]
    return Lever(
        what,
        saved,
        whole[1] / whole[0],
        first_token=will.ttft_seconds / was.ttft_seconds,
        each_token=will.tpot_seconds / was.tpot_seconds,
        throughput=will.output_tokens_per_s / was.output_tokens_per_s,
        room=room,
    )


def changes(case: ServingCase, component: str) -> Iterator[tuple[str, Serving]]:
    """The loads to compare with: the same requests from smaller weights, or with a smaller cache.

    Weights that the GPU has no units for are left out where another format of their size runs there.
    """
    job, gpu = case.workload, case.system.gpu
    if component == "weights":
        now = weight_bytes(case.architecture, job.weights).total
        for name, what in (OF_LLAMA_CPP if job.engine == "llama.cpp" else WEIGHTS).items():
            use = formats.on(gpu, name).use
            runs = use == "native" or (use == "unpacked" and name != "nvfp4")
            if runs and weight_bytes(case.architecture, name).total < now:
                yield what, replace(job, weights=name, compute=compute_of(name))
    if component == "kv_cache" and job.kv_cache_dtype in CACHES and job.engine not in WITHOUT_FP8_CACHE:
        yield "fp8 cache", replace(job, kv_cache_dtype="fp8")
