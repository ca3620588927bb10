"""Which assumptions would put full tuning on one card of 48 GB: each named set computed for the case at hand.

Guides quote 40 to 48 GB for a model of seven billion parameters and leave out what they took for granted. The sets here
are what such a figure can rest on; the last ones are the least that is kept on the card at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sizing import contract
from sizing.units import GB, GIB

CARD_GB = 48
MIXED: dict[str, Any] = {
    "optimizer": "adamw",
    "master_weights": "fp32",
    "optimizer_states": "fp32",
    "weights": "bf16",
}
PURE_8BIT: dict[str, Any] = {
    "optimizer": "adamw_8bit",
    "optimizer_states": "int8",
    "master_weights": "none",
    "gradients": "bf16",
    "weights": "bf16",
}
PURE_16BIT: dict[str, Any] = PURE_8BIT | {"optimizer": "adamw", "optimizer_states": "bf16"}
IN_BACKWARD: dict[str, Any] = {"optimizer_in_backward": True, "gradient_accumulation": 1}
LEAST_ACTIVATIONS: dict[str, Any] = {"activation_checkpointing": "full"}
OF_THE_SETS = ("optimizer_in_backward", "gradient_accumulation", "global_batch", "micro_batch", "profile")


@dataclass(frozen=True, slots=True)
class Assumed:
    """One set of assumptions: its name in the answer, what it takes for granted, what it costs."""

    name: str
    assumes: str
    costs: str
    workload: Mapping[str, Any]
    plan: Mapping[str, Any] = field(default_factory=dict)


SETS = (
    Assumed(
        "mixed", "mixed precision with AdamW, fp32 master weights, full recomputation",
        "what most recipes train with", MIXED | LEAST_ACTIVATIONS,
    ),
    Assumed(
        "pure_16bit", "bf16 throughout, AdamW without master weights, full recomputation",
        "small updates are lost in the rounding of bf16 weights", PURE_16BIT | LEAST_ACTIVATIONS,
    ),
    Assumed(
        "pure_8bit", "bf16 throughout, 8-bit AdamW, full recomputation",
        "rounding of bf16 weights and of 8-bit states; compare the quality with a short run",
        PURE_8BIT | LEAST_ACTIVATIONS,
    ),
    Assumed(
        "pure_8bit_in_backward", "bf16 throughout, 8-bit AdamW inside the backward pass, full recomputation",
        "no accumulation over micro-batches and no clipping by the norm of all gradients",
        PURE_8BIT | LEAST_ACTIVATIONS | IN_BACKWARD,
    ),
    Assumed(
        "offloaded", "mixed precision with AdamW, states and master weights in host memory, full recomputation",
        "every step waits for PCIe and for the host's processors", MIXED | LEAST_ACTIVATIONS, {"offload": "optimizer"},
    ),
)  # fmt: skip


def answer(workload: Mapping[str, Any], *, card_gb: float = CARD_GB) -> dict[str, Any]:
    """Memory of the customer's case on one card under each set, one example at a time; and which of them hold.

    Parameters
    ----------
    workload : mapping
        The `workload` of a request for full tuning; what a set says takes the place of what it says.
    card_gb : float
        Capacity as sold [GB], all of which counts.
    """
    kept = {name: value for name, value in workload.items() if name not in OF_THE_SETS}
    rows = [row for one in SETS if (row := _row(one, kept, card_gb)) is not None]
    return {"card_gb": card_gb, "sets": rows, "holding": [row["name"] for row in rows if row["fits"]]}


def on_card(workload: Mapping[str, Any], card_gb: float, plan: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The engine's estimate of a workload on one card of a capacity as sold [GB]."""
    hardware = {"memory_gib": card_gb * GB / GIB, "gpus_per_node": 1}
    return contract.estimate({"workload": dict(workload), "hardware": hardware, "plan": dict(plan or {})})


def _row(one: Assumed, kept: Mapping[str, Any], card_gb: float) -> dict[str, Any] | None:
    """A set's figures, None where the framework of the request cannot run it."""
    asked = {**kept, "micro_batch": 1, **one.workload}
    found = on_card(asked, card_gb, one.plan)
    if "error" in found:
        return None
    memory = found["memory"]
    return {
        "name": one.name,
        "assumes": one.assumes,
        "costs": one.costs,
        "needed": memory["needed"],
        "fits": memory["fits"],
        "per_gpu": memory["per_gpu"],
        "host_bytes": memory["host_per_node"]["expected"] if one.plan else None,
        "workload": dict(one.workload),
        "plan": dict(one.plan),
    }
