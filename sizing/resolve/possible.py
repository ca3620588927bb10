"""What cannot run is refused by name; what contradicts itself is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing import software
from sizing.architecture.lora import adapters
from sizing.architecture.published import published_format
from sizing.architecture.shape import Architecture
from sizing.assumptions import Ledger
from sizing.case import Case
from sizing.errors import SizingError
from sizing.hardware import System
from sizing.plan import Plan
from sizing.resolve.quantity import global_batch
from sizing.units import GIB
from sizing.workload import Training

MEMORY_TOLERANCE = 1.10
AMOUNTS = ("tokens", "dataset_tokens", "steps")


def check(case: Case) -> None:
    """Refuse a plan that no framework can run, and a length that the model cannot take.

    Raises
    ------
    SizingError
        Naming the degree or the length, and what bounds it.
    """
    shape, plan = case.architecture, case.plan
    _pipeline(shape, plan)
    _tensor(shape, plan)
    _experts(shape, plan)
    job = case.workload
    limit = shape.max_positions
    if shape.position_parameters and limit and job.sequence_length > limit:
        raise SizingError(
            "workload.sequence_length",
            "{field} is {value}; the model's learned positions end at {limit}",
            value=job.sequence_length,
            limit=limit,
        )


def _pipeline(shape: Architecture, plan: Plan) -> None:
    stages = plan.pipeline * plan.virtual_pipeline
    if plan.pipeline > shape.layer_count or stages > shape.layer_count + plan.pipeline:
        name = "plan.pipeline" if plan.pipeline > shape.layer_count else "plan.virtual_pipeline"
        message = "{field}: {stages} stages for {layers} layers; a stage needs a layer at least"
        raise SizingError(name, message, stages=stages, layers=shape.layer_count)


def _tensor(shape: Architecture, plan: Plan) -> None:
    if plan.tensor == 1:
        return
    for group in shape.layers:
        if group.attention is not None and group.attention.heads % plan.tensor:
            message = "{field} is {value}, which does not divide the model's {heads} attention heads"
            raise SizingError("plan.tensor", message, value=plan.tensor, heads=group.attention.heads)


def _experts(shape: Architecture, plan: Plan) -> None:
    if plan.expert == 1:
        return
    if not shape.is_moe:
        raise SizingError("plan.expert", "{field} is {value}, but the model has no experts", value=plan.expert)
    for group in shape.layers:
        if group.moe is not None and group.moe.experts % plan.expert:
            message = "{field} is {value}, which does not divide the model's {experts} experts"
            raise SizingError("plan.expert", message, value=plan.expert, experts=group.moe.experts)


def warn(case: Case, stated: Mapping[str, Any], ledger: Ledger) -> None:
    """Tell which statements contradict each other, which targets match nothing and what the GPU lacks."""
    job, machines = case.workload, case.system
    wanted = stated.get("global_batch")
    if wanted is not None and global_batch(job, case.plan) != wanted:
        got = global_batch(job, case.plan)
        ledger.warn(f"A global batch of {wanted} cannot be made of these parts; {got} sequences a step are computed.")
    given = [name for name in AMOUNTS if name in stated]
    if len(given) > 1:
        ledger.warn(f"Of {', '.join(given)} only {given[0]} is used.")
    _warn_hardware(machines, ledger)
    _warn_software(job, machines, ledger)
    _warn_native(case.architecture, job, ledger)
    if job.lora is not None and isinstance(job.lora.targets, tuple):
        _warn_targets(case.architecture, job.lora.rank, job.lora.targets, ledger)


def _warn_hardware(machines: System, ledger: Ledger) -> None:
    gpu = machines.gpu
    if gpu.memory_bytes and machines.memory_bytes > MEMORY_TOLERANCE * max(
        gpu.memory_bytes, gpu.marketed_memory_gb * 1e9
    ):
        ledger.warn(
            f"{machines.memory_bytes / GIB:.0f} GiB were stated; {gpu.name} has {gpu.memory_bytes / GIB:.1f} GiB."
        )
    if machines.interconnect == "nvswitch" and gpu.socket == "pcie":
        ledger.warn(f"{gpu.name} is a PCIe card and cannot be joined by NVSwitch.")


def _warn_software(job: Training, machines: System, ledger: Ledger) -> None:
    if not machines.gpu.dense_flops_per_s:
        return
    for one in software.checks(machines.gpu, weights=job.weights, compute=job.compute, attention=job.attention):
        if one.status != "ok":
            ledger.warn(one.message)


def _warn_native(shape: Architecture, job: Training, ledger: Ledger) -> None:
    if published_format(shape) == "fp8" and job.weights in ("bf16", "fp16", "fp32"):
        ledger.warn(
            "The model is published in FP8: a 16-bit copy has to be made first and takes twice the bytes of the files."
        )


def _warn_targets(shape: Architecture, rank: int, targets: tuple[str, ...], ledger: Ledger) -> None:
    for name in targets:
        try:
            adapters(shape, rank, (name,))
        except SizingError:
            ledger.warn(f"The adapter target {name!r} matches no matrix of the model and was left out.")
