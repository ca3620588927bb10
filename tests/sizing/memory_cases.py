"""Requests and cases that several tests of the memory room start from."""

from typing import Any

from sizing import contract
from sizing.assumptions import Ledger
from sizing.case import Case
from sizing.units import GIB


def request(
    method: str = "lora", model: str = "llama-3.1-8b", gpu: str | None = "h100-sxm", **more: Any
) -> dict[str, Any]:
    """A training request; `hardware` and `plan` are taken apart, everything else is the workload's."""
    hardware = {"gpu": gpu} if gpu else {}
    hardware |= more.pop("hardware", {})
    plan = more.pop("plan", None)
    workload = {
        "task": "training",
        "method": method,
        "model": {"name": model},
        "framework": "hf",
        "sequence_length": 2048,
        "micro_batch": 1,
        "gradient_accumulation": 1,
        "activation_checkpointing": "full",
        "attention": "flash",
        "loss": "standard",
        "packing": "exact",
    }
    asked: dict[str, Any] = {"workload": workload | more, "hardware": hardware}
    if plan is not None:
        asked["plan"] = plan
    elif hardware.get("gpus_per_node", 1) == 1:
        asked["plan"] = {"sharding": "none"}
    return asked


def case(*positional: Any, **named: Any) -> Case:
    """The complete case of a request."""
    return contract.complete(request(*positional, **named), Ledger())[0]


def answer(*positional: Any, **named: Any) -> dict[str, Any]:
    """The engine's answer to a request."""
    found = contract.estimate(request(*positional, **named))
    assert "error" not in found, found
    return found


def memory(*positional: Any, **named: Any) -> dict[str, Any]:
    """The memory part of the answer."""
    return answer(*positional, **named)["memory"]


def gib(figure: float) -> float:
    """Bytes as GiB."""
    return figure / GIB
