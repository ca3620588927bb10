"""What would make a component of the peak smaller, and what that costs in time: both estimated again, never quoted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from sizing import speed
from sizing.case import Case, Lever
from sizing.memory.inventory import QUANTISED
from sizing.memory.peak import moments

WORTH_SAYING: Final = 0.01

type Change = tuple[str, Case]


def reductions(case: Case, component: str) -> tuple[Lever, ...]:
    """What would make a component's peak smaller, the largest saving first.

    Both figures are computed: the job is estimated again, its memory and its speed.
    """
    before = _largest(case)
    saved = []
    for what, changed in _changes(case, component):
        less = before - _largest(changed)
        if less > WORTH_SAYING * before:
            saved.append(Lever(what, less, _time_factor(case, changed)))
    return tuple(sorted(saved, key=lambda one: -one.saved_bytes))


def _time_factor(case: Case, changed: Case) -> float | None:
    """Time of the same tokens the other way, against the way asked for [–]; None where the GPU's speed is unknown."""
    if not case.system.gpu.dense_flops_per_s:
        return None
    now, then = (speed.estimate(one).tokens_per_second_per_gpu.expected for one in (case, changed))
    return now / then


def _largest(case: Case) -> float:
    return max(moment.total for moment in moments(case))


def _changes(case: Case, component: str) -> Iterator[Change]:
    job, plan = case.workload, case.plan
    if component == "activations":
        if job.activation_checkpointing != "full":
            full = replace(job, activation_checkpointing="full")
            yield "full activation checkpointing", replace(case, workload=full)
        if job.activation_checkpointing == "full" and not job.activation_offload:
            offloaded = replace(job, activation_offload=True)
            yield "checkpoints offloaded to host memory", replace(case, workload=offloaded)
        if job.micro_batch > 1:
            half = replace(job, micro_batch=job.micro_batch // 2, gradient_accumulation=2 * job.gradient_accumulation)
            yield "half the micro-batch, twice the accumulation", replace(case, workload=half)
    if component == "logits" and job.loss != "fused":
        yield "fused loss", replace(case, workload=replace(job, loss="fused"))
    if component == "optimizer" and job.lora is None:
        small = replace(job, optimizer="adamw_8bit", optimizer_states="int8")
        yield "8-bit optimizer states", replace(case, workload=small)
        if plan.offload == "none":
            yield "optimizer states in host memory", replace(case, plan=replace(plan, offload="optimizer"))
    if component == "gradients" and job.lora is None and not job.optimizer_in_backward:
        within = replace(job, optimizer_in_backward=True, gradient_accumulation=1)
        yield "optimizer step inside the backward pass", replace(case, workload=within)
    if component == "weights" and plan.sharding in ("none", "ddp", "zero1", "zero2") and plan.data > 1:
        divided = replace(plan, sharding="fsdp", shard=plan.data * plan.context)
        yield "weights sharded over the GPUs (FSDP)", replace(case, plan=divided)
    if component == "weights" and job.method == "lora" and job.weights not in QUANTISED:
        quantised = replace(job, method="qlora", weights="nf4_double_quant")
        yield "4-bit base weights (QLoRA)", replace(case, workload=quantised)
