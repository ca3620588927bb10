"""How much there is to do: batch over the whole system, tokens in all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sizing.errors import SizingError
from sizing.plan import Plan
from sizing.units import ceil_div
from sizing.workload import Training


def with_batch(job: Training, stated: Mapping[str, Any], plan: Plan) -> Training:
    """The job with the accumulation that a stated global batch asks for.

    Raises
    ------
    SizingError
        Where micro-batch x accumulation x data parallelism cannot give the global batch that was stated.
    """
    wanted = stated.get("global_batch")
    if wanted is None or "gradient_accumulation" in stated:
        return job
    if "micro_batch" in stated and job.micro_batch * plan.data > wanted:
        raise SizingError(
            "workload.global_batch",
            "{field} of {value} is smaller than micro-batch x data parallelism, {product}",
            value=wanted,
            product=job.micro_batch * plan.data,
        )
    return replace(job, gradient_accumulation=max(1, ceil_div(int(wanted), job.micro_batch * plan.data)))


def global_batch(job: Training, plan: Plan) -> int:
    """Sequences in one optimizer step over the whole system [–]."""
    return job.micro_batch * job.gradient_accumulation * plan.data


def with_tokens(job: Training, stated: Mapping[str, Any], plan: Plan) -> Training:
    """The job with the tokens it goes through, None where no amount was stated."""
    if "tokens" in stated:
        tokens: float | None = stated["tokens"]
    elif "dataset_tokens" in stated:
        tokens = stated["dataset_tokens"] * stated.get("epochs", 1.0)
    elif "steps" in stated:
        tokens = float(stated["steps"]) * global_batch(job, plan) * job.sequence_length
    else:
        tokens = None
    return replace(job, tokens=tokens)
