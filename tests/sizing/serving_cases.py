"""Serving cases for tests, read the way requests are."""

from __future__ import annotations

from typing import Any

from sizing.assumptions import Ledger
from sizing.serving import reading
from sizing.serving.case import ServingCase


def asked(model: str = "llama-3.1-8b", gpu: str = "h100-sxm", *, hardware: dict[str, Any] | None = None,
          plan: dict[str, Any] | None = None, **workload: Any) -> dict[str, Any]:  # fmt: skip
    """A request as the contract reads it."""
    load = {"weights": "bf16", "engine": "vllm", "input_tokens": 1000, "output_tokens": 300, "concurrency": 16}
    if "batch" in workload or "requests_per_second" in workload or workload.get("scenario") in ("offline", "server"):
        load.pop("concurrency")
    request = {
        "workload": {"task": "inference", "model": {"name": model}, **load, **workload},
        "hardware": {"gpu": gpu, **(hardware or {})},
    }
    return request | ({"plan": plan} if plan else {})


def case(*args: Any, **kwargs: Any) -> ServingCase:
    """The same, complete."""
    return reading.read(asked(*args, **kwargs), Ledger())
