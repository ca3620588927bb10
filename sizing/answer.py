"""Estimates as plain JSON objects, in the contract's names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from sizing.architecture.shape import Architecture
from sizing.assumptions import Assumption, Ledger
from sizing.case import COMPONENTS, Case, Interval, Lever, MemoryEstimate, SpeedEstimate, Step
from sizing.hardware import System
from sizing.plan import Plan

SWITCHES = ("micro_batch", "gradient_accumulation", "activation_checkpointing", "framework", "optimizer", "weights")
SERVING_ONLY = ("ttft_ms", "tpot_ms", "output_tokens_per_second")


def interval(value: Interval) -> dict[str, int]:
    """A band in whole base units."""
    return {"expected": round(value.expected), "low": round(value.low), "high": round(value.high)}


def memory(needed: MemoryEstimate) -> dict[str, Any]:
    """Memory of the fullest GPU [B]; capacity and verdict are null where no GPU was named."""
    parts = dict(needed.per_gpu)
    capacity = needed.capacity_bytes or None
    return {
        "per_gpu": {name: round(parts.get(name, 0.0)) for name in COMPONENTS},
        "allocated": interval(needed.allocated),
        "reserved": interval(needed.reserved),
        "device": interval(needed.device),
        "needed": interval(needed.needed),
        "capacity": capacity,
        "fits": needed.fits if capacity else None,
        "peak": needed.peak,
        "host_per_node": interval(needed.host_bytes_per_node),
    }


def speed(time: SpeedEstimate | None) -> dict[str, Any] | None:
    """Speed and time to result; `low` and `high` hold the same names."""
    if time is None:
        return None

    def side(name: str) -> dict[str, Any]:
        result = time.seconds_to_result
        return {
            "tokens_per_second_per_gpu": getattr(time.tokens_per_second_per_gpu, name),
            "step_seconds": getattr(time.step_seconds, name),
            "mfu": getattr(time.mfu, name),
            "seconds_to_result": None if result is None else getattr(result, name),
        } | dict.fromkeys(SERVING_ONLY)

    return side("expected") | {
        "low": side("low"),
        "high": side("high"),
        "parts_seconds": dict(time.parts_seconds),
    }


def plan(chosen: Plan, case: Case) -> dict[str, Any]:
    """The plan with the switches of the workload that belong to it."""
    job = case.workload
    own = degrees(chosen)
    return own | {name: getattr(job, name) for name in SWITCHES if hasattr(job, name)}


def degrees(chosen: Plan) -> dict[str, Any]:
    """The plan's own fields."""
    return {one.name: getattr(chosen, one.name) for one in fields(chosen)}


def assumption(one: Assumption) -> dict[str, Any]:
    """One line of the ledger."""
    return {
        "key": one.key,
        "label": one.key.rsplit(".", 1)[-1].replace("_", " "),
        "value": one.value,
        "unit": one.unit,
        "low": one.low,
        "high": one.high,
        "source": one.source,
        "as_of": one.as_of,
        "why": one.why,
        "origin": one.origin,
        "moves": None,
        "decisive": False,
    }


def step(one: Step) -> dict[str, Any]:
    """One line of a derivation."""
    return {
        "key": one.key,
        "label": one.label,
        "formula": one.formula,
        "inputs": {name: [value, unit] for name, value, unit in one.inputs},
        "value": one.value,
        "unit": one.unit,
        "source": one.source,
        "reduce": [lever(way) for way in one.reduce],
    }


def lever(one: Lever) -> dict[str, Any]:
    """What would make a figure smaller [B], and what that does to times, throughput and room [–, 1 is as now]."""
    return {
        "what": one.what,
        "bytes": one.saved_bytes,
        "time_factor": one.time,
        "first_token_factor": one.first_token,
        "each_token_factor": one.each_token,
        "throughput_factor": one.throughput,
        "room_factor": one.room,
    }


def model(case: Case) -> dict[str, Any]:
    """What the engine took the model to be."""
    return model_of(case.architecture)


def model_of(shape: Architecture) -> dict[str, Any]:
    """A model's shape in short."""
    return {
        "name": shape.name,
        "title": shape.title or shape.name,
        "family": shape.family,
        "parameters": shape.parameters,
        "active_parameters": shape.active_parameters,
        "layers": shape.layer_count,
        "hidden_size": shape.hidden_size,
        "vocab_size": shape.vocab_size,
        "max_positions": shape.max_positions,
        "exact": shape.exact,
    }


def system(case: Case) -> dict[str, Any]:
    """What the engine took the machines to be."""
    return system_of(case.system)


def system_of(machines: System) -> dict[str, Any]:
    """Machines in short."""
    return {
        "gpu": machines.gpu.slug,
        "gpu_name": machines.gpu.name,
        "gpus_per_node": machines.gpus_per_node,
        "nodes": machines.nodes,
        "interconnect": machines.interconnect,
        "network_gbit_per_gpu": machines.network_bytes_per_s * 8 / 1e9,
    }


def training(
    case: Case, needed: MemoryEstimate, time: SpeedEstimate | None, ledger: Ledger, stated: Mapping[str, Any]
) -> dict[str, Any]:
    """The whole answer to a training request."""
    job = case.workload
    return {
        "task": "training",
        "method": stated["method"],
        "model": model(case),
        "system": system(case),
        "memory": memory(needed),
        "speed": speed(time),
        "plan": plan(case.plan, case),
        "tokens": getattr(job, "tokens", None),
        "assumptions": [assumption(one) for one in ledger],
        "warnings": list(ledger.warnings),
    }
