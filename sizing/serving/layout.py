"""Ways to divide a system into replicas: tensor, pipeline, experts and copies of the attention part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from sizing.architecture.shape import Architecture
from sizing.hardware import System
from sizing.plan import Plan
from sizing.serving import cache, memory, speed
from sizing.serving.case import ServingCase
from sizing.speed import collectives
from sizing.workload import Serving

TENSORS: Final = (1, 2, 4, 8, 16)


def chosen(shape: Architecture, job: Serving, machines: System, stated: Mapping[str, Any]) -> Plan | None:
    """The layout with the highest throughput among those that hold the weights; the widest where none does.

    None where the stated degrees leave no layout.
    """
    plans = list(options(shape, machines, stated))
    cases = [ServingCase(shape, job, machines, plan) for plan in plans]
    holding = [case for case in cases if cache.pool_bytes(case) > 0]
    if not holding:
        return min(cases, key=memory.weights_per_gpu).plan if cases else None
    if len(holding) == 1 or not machines.gpu.dense_flops_per_s:
        return holding[0].plan
    return max(holding, key=lambda case: speed.estimate(case).requests_per_s).plan


def options(shape: Architecture, machines: System, stated: Mapping[str, Any]) -> Iterator[Plan]:
    """Layouts that the model's heads and the machines' fast links allow, as far as the plan leaves them open."""
    gpus, reach = machines.gpus, max(1, collectives.domain(machines))
    pipeline = int(stated.get("pipeline", 1))
    for tensor in TENSORS:
        if gpus % (tensor * pipeline) or tensor > reach or not divides_heads(shape, tensor):
            continue
        data = gpus // (tensor * pipeline)
        if stated.get("data") not in (None, data):
            continue
        yield from with_experts(shape, Plan(tensor=tensor, pipeline=pipeline, data=data), stated, reach)


def plain(shape: Architecture, machines: System, stated: Mapping[str, Any]) -> Iterator[Plan]:
    """Layouts by tensor parallelism inside a node, which every engine offers; experts are split by tensor."""
    for plan in options(shape, machines, {"expert": 1, **stated}):
        if plan.tensor <= machines.gpus_per_node:
            yield plan


def with_experts(shape: Architecture, plan: Plan, stated: Mapping[str, Any], reach: int) -> Iterator[Plan]:
    """A layout with its experts split by tensor, and spread over the tensor group or over copies of attention."""
    copies = int(stated.get("attention_data", 1))
    if not shape.is_moe or plan.data % copies:
        yield plan
        return
    if "expert" in stated or "attention_data" in stated:
        yield replace(plan, expert=int(stated.get("expert", 1)), attention_data=copies)
        return
    yield plan
    for shared in (2, 4, 8, 16, 32, 64):
        if plan.tensor == 1 and plan.data % shared == 0 and shared <= reach:
            yield replace(plan, expert=shared, attention_data=shared)
    if plan.tensor > 1:
        yield replace(plan, expert=plan.tensor)


def divides_heads(shape: Architecture, tensor: int) -> bool:
    """Whether query heads can be divided among so many GPUs."""
    return all(group.attention.heads % tensor == 0 for group in shape.layers if group.attention is not None)
