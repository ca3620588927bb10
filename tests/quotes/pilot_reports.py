"""Reports as the pilot script writes them, made from a load."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

from quotes.pilot.profile import SCHEMA, identity

L4 = {"kind": "cuda", "name": "NVIDIA L4", "count": 1, "memory_bytes": 23_600_000_000, "capability": "8.9"}
STAGE = {"allocated_peak_bytes": 8 * 2**30, "reserved_peak_bytes": 9 * 2**30, "device_used_bytes": 10 * 2**30}


def report_of(load: Mapping[str, Any], *, device: Mapping[str, Any] = L4, **changes: Any) -> dict[str, Any]:
    """Write a report of a run that ended well; `changes` go into the load."""
    ran = copy.deepcopy(dict(load)) | {"gpu": device["name"]} | changes
    return {
        "schema": SCHEMA,
        "quote": "R-2026-0001",
        "written_at": "2026-11-27T10:00:00Z",
        "asked_sha256": identity(load),
        "load_sha256": identity(ran),
        "load": ran,
        "device": dict(device),
        "model": {"type": "llama", "trained_parameters": 41_943_040},
        "weights": "random",
        "data": {"source": "made up", "rows": 64, "filled_share": 0.8},
        "stages": [
            {"stage": name, "seconds": 2.5, "host_rss_bytes": 5 * 2**30, **STAGE}
            for name in ("load", "adapters", "forward", "backward", "optimizer_step", "steady_step")
        ],
        "step_seconds": {"median": 101.5, "p10": 100.9, "p90": 103.0},
        "steps": {"warmup": 3, "measured": 14, "seed": 1},
        "tokens_per_second": 645.0,
        "peak_bytes": 13 * 2**30,
        "checkpoint_bytes": 170_000_000,
        "run_seconds": 1750.0,
        "loss": {"first": 2.1, "last": 1.9, "finite": True, "fell": True},
        "versions": {"python": "3.12.4", "torch": "2.13.0", "driver": "570.86"},
        "outcome": {"status": "ok"},
    }


def out_of_memory(load: Mapping[str, Any]) -> dict[str, Any]:
    """Write the report of a run whose memory ran out in the backward pass."""
    found = report_of(load)
    for name in ("step_seconds", "steps", "tokens_per_second", "loss", "checkpoint_bytes"):
        del found[name]
    return found | {"outcome": {"status": "out_of_memory", "stage": "backward", "message": "CUDA out of memory"}}


def encoded(report: Mapping[str, Any]) -> bytes:
    """Give a report as the file holds it."""
    return json.dumps(report).encode()
