"""The micro-batch of a stated global batch where the request is silent: as many sequences as fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from sizing import memory
from sizing.assumptions import Assumption, Ledger
from sizing.case import Case
from sizing.workload import Training

CANDIDATES: Final = (64, 32, 16, 8, 4, 2)


def with_micro_batch(case: Case, stated: Mapping[str, Any], ledger: Ledger) -> Training:
    """The job with the largest micro-batch that divides the stated global batch and whose upper memory band fits."""
    job, machines = case.workload, case.system
    wanted = stated.get("global_batch")
    if wanted is None or "micro_batch" in stated or "gradient_accumulation" in stated or not machines.memory_bytes:
        return job
    each = int(wanted) // case.plan.data
    for micro in CANDIDATES:
        if each % micro:
            continue
        larger = replace(case, workload=replace(job, micro_batch=micro, gradient_accumulation=each // micro))
        if memory.estimate(larger, Ledger()).fits:
            why = "the largest that divides the global batch and fits"
            ledger.restate(
                Assumption("workload.micro_batch", micro, "sequences", why, "memory estimate", low=1, high=micro)
            )
            return larger.workload
    return job
