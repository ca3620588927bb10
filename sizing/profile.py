"""What the customer measured: it replaces the estimate of the same load, and of no other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing import fields
from sizing.assumptions import Assumption, Ledger
from sizing.case import Case, Interval, MemoryEstimate, SpeedEstimate
from sizing.hardware_data.names import GpuNames
from sizing.resolve.reader import warn_unknown
from sizing.units import GIB

LOAD: Mapping[str, fields.Field] = {
    "sequence_length": fields.Number(1, fields.MAX_SEQUENCE),
    "micro_batch": fields.Number(1, 65_536),
    "gradient_accumulation": fields.COUNT,
    "gpu": fields.Text(80),
    "gpus": fields.COUNT,
    "sharding": fields.Text(20),
    "parameters": fields.Number(1, 1e15),
    "method": fields.Text(20),
    "weights": fields.Text(20),
    "master_weights": fields.Text(20),
    "compute": fields.Text(20),
    "optimizer": fields.Text(40),
    "activation_checkpointing": fields.Text(20),
    "attention": fields.Text(20),
    "packing": fields.Text(20),
    "lora_rank": fields.Number(1, 65_536),
    "lora_targets": fields.Text(6000),
    "lora_kind": fields.Text(20),
    "lora_dtype": fields.Text(20),
}
MACHINES = ("gpu", "gpus", "sharding")
PROFILE: Mapping[str, fields.Field] = {
    **LOAD,
    "peak_gib": fields.Number(0.01, 100_000, whole=False),
    "step_seconds": fields.Number(1e-6, 1e7, whole=False),
}
REPEAT_MEMORY = 0.01
REPEAT_SPEED = 0.025
SOURCE = "the customer's profile"
REPEATS = "repeats of one published run differ by 1 % in memory and 2.5 % in speed at the median"


def apply(
    raw: object, case: Case, needed: MemoryEstimate, time: SpeedEstimate | None, ledger: Ledger
) -> tuple[MemoryEstimate, SpeedEstimate | None]:
    """The estimates with measured values where the profile is of this very load.

    A profile of another load changes nothing and leaves a warning.
    """
    if raw is None:
        return needed, time
    stated, unknown = fields.read(raw, PROFILE, "workload.profile")
    warn_unknown(unknown, ledger)
    if (reason := _other_load(stated, case)) is not None:
        ledger.warn(f"The profile measured another load ({reason}); its figures are not carried over to this one.")
        return needed, time
    if "peak_gib" in stated:
        needed = _measured_memory(needed, stated["peak_gib"] * GIB)
        ledger.assume(_measured("memory.allocated", stated["peak_gib"], "GiB"))
    if "step_seconds" in stated and time is not None:
        time = _measured_speed(time, stated["step_seconds"])
        ledger.assume(_measured("speed.step_seconds", stated["step_seconds"], "s"))
    return needed, time


def load_of(case: Case) -> dict[str, str | int]:
    """What a measurement of a case depends on, by the names of `LOAD`; adapters only where there are some.

    ``gpus`` counts those of one run [–], ``parameters`` those of the model without adapters [–], ``sequence_length``
    is in tokens, ``micro_batch`` in sequences.
    """
    job, plan, adapter = case.workload, case.plan, case.workload.lora
    load: dict[str, str | int] = {
        "gpu": case.system.gpu.slug,
        "gpus": plan.gpus,
        "sharding": plan.sharding,
        "parameters": case.architecture.parameters,
        "method": job.method,
        "weights": job.weights,
        "master_weights": job.master_weights,
        "compute": job.compute,
        "sequence_length": job.sequence_length,
        "micro_batch": job.micro_batch,
        "gradient_accumulation": job.gradient_accumulation,
        "optimizer": job.optimizer,
        "activation_checkpointing": job.activation_checkpointing,
        "attention": job.attention,
        "packing": job.packing,
    }
    if adapter is not None:
        targets = adapter.targets if isinstance(adapter.targets, str) else ",".join(adapter.targets)
        load |= {"lora_rank": adapter.rank, "lora_targets": targets}
        load |= {"lora_kind": adapter.kind, "lora_dtype": adapter.dtype}
    return load


def _other_load(stated: dict[str, Any], case: Case) -> str | None:
    if "sequence_length" not in stated:
        return "it does not say its sequence length"
    load = load_of(case)
    same = {name: stated[name] == load.get(name) for name in LOAD if name in stated}
    if "gpu" in stated:
        same["gpu"] = _is_gpu(stated["gpu"], case)
    if not all(same.get(name, True) for name in MACHINES):
        return "measured on other machines"
    wrong = next((name for name, is_same in same.items() if not is_same), None)
    return f"{wrong} {stated[wrong]} instead of {load.get(wrong, 'none')}" if wrong else None


def _is_gpu(name: str, case: Case) -> bool:
    """Whether a name as people spell it is that of the case's GPU."""
    gpu = case.system.gpu
    found = GpuNames([gpu]).read(name)
    return found is not None and found.slugs[0] == gpu.slug


def _measured(key: str, value: float, unit: str) -> Assumption:
    return Assumption(key, value, unit, REPEATS, SOURCE, origin="measured")


def _measured_memory(needed: MemoryEstimate, peak_bytes: float) -> MemoryEstimate:
    shift = peak_bytes - needed.allocated.expected
    parts = dict(needed.per_gpu)
    parts["activations"] = max(0.0, parts.get("activations", 0.0) + shift)
    parts["buffers"] = parts.get("buffers", 0.0) + peak_bytes - sum(parts.values())
    spread = REPEAT_MEMORY * peak_bytes

    def moved(old: Interval) -> Interval:
        return Interval(old.expected + shift, old.expected + shift - spread, old.expected + shift + spread)

    return MemoryEstimate(
        per_gpu=tuple(parts.items()),
        allocated=moved(needed.allocated),
        reserved=moved(needed.reserved),
        device=moved(needed.device),
        capacity_bytes=needed.capacity_bytes,
        host_bytes_per_node=needed.host_bytes_per_node,
        peak=needed.peak,
    )


def _measured_speed(time: SpeedEstimate, step_seconds: float) -> SpeedEstimate:
    ratio = step_seconds / time.step_seconds.expected

    def around(value: float) -> Interval:
        return Interval(value, value * (1 - REPEAT_SPEED), value * (1 + REPEAT_SPEED))

    result = time.seconds_to_result
    return SpeedEstimate(
        tokens_per_second_per_gpu=around(time.tokens_per_second_per_gpu.expected / ratio),
        step_seconds=around(step_seconds),
        mfu=around(time.mfu.expected / ratio),
        seconds_to_result=around(result.expected * ratio) if result else None,
        parts_seconds=time.parts_seconds,
    )
