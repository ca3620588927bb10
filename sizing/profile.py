"""What the customer measured: it replaces the estimate of the same load, and of no other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing import fields
from sizing.assumptions import Assumption, Ledger
from sizing.case import Case, Interval, MemoryEstimate, SpeedEstimate
from sizing.resolve.reader import warn_unknown
from sizing.units import GIB

PROFILE: Mapping[str, fields.Field] = {
    "sequence_length": fields.Number(1, fields.MAX_SEQUENCE),
    "micro_batch": fields.Number(1, 65_536),
    "gpu": fields.Text(80),
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


def _other_load(stated: dict[str, Any], case: Case) -> str | None:
    job = case.workload
    for name in ("sequence_length", "micro_batch"):
        if name in stated and stated[name] != getattr(job, name):
            return f"{name} {stated[name]} instead of {getattr(job, name)}"
    if "sequence_length" not in stated:
        return "it does not say its sequence length"
    return None


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
