"""Gradients, optimizer states and what an optimizer step needs for a moment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sizing.architecture.layers import ROUTER
from sizing.architecture.shape import Architecture
from sizing.memory.behaviours import Behaviour
from sizing.workload import Training

SINGLE: Final = 4.0
HALF: Final = 2.0
EIGHT_BIT_BLOCK: Final = 256
FOUR_BIT_BLOCK: Final = 128
LOW_RANK_DIVISOR: Final = 4
STATE_BYTES: Final[dict[str, float]] = {
    "fp32": 4.0,
    "bf16": 2.0,
    "fp16": 2.0,
    "fp8": 1.0,
    "int8": 1 + SINGLE / EIGHT_BIT_BLOCK,
    "int4": 0.5 + SINGLE / FOUR_BIT_BLOCK,
}
"""Bytes of one state of one parameter; block-wise formats with their fp32 scale [byte]."""

MOMENTS: Final[dict[str, float]] = {"lion": 1.0, "sgd": 0.0, "adafactor": 0.0, "muon": 1.0}
"""States a parameter has, where it is not AdamW's two [–]."""

LOW_RANK: Final = frozenset({"galore", "apollo"})


@dataclass(frozen=True, slots=True)
class StateBytes:
    """Bytes for each trained parameter of one rank before sharding, and of the step's temporaries.

    Parameters
    ----------
    gradient, state, master : float
        Gradient, optimizer states and fp32 copy of a parameter [byte].
    step : float
        Temporary of the step for each trained parameter [byte].
    step_fixed : float
        Temporary of the step for the largest matrix [byte].
    """

    gradient: float
    state: float
    master: float
    step: float
    step_fixed: float


def state_bytes(model: Architecture, job: Training, behaviour: Behaviour, largest: float) -> StateBytes:
    """Bytes of the states of a job.

    Parameters
    ----------
    largest : float
        Parameters of the largest matrix on the rank [–].
    """
    each = STATE_BYTES.get(_state_format(job), SINGLE)
    if behaviour.sharder == "deepspeed" and job.lora is not None:
        each = max(each, SINGLE)
    own = job.lora.dtype if job.lora is not None else job.weights
    gradient = SINGLE if job.gradients == "fp32" or (job.lora is not None and own == "fp32") else HALF
    master = SINGLE if job.master_weights == "fp32" else 0.0
    if behaviour.sharder == "deepspeed" and own != "fp32" and job.optimizer_states != "bf16":
        master = SINGLE
    step, fixed = _step(job, behaviour, each, largest)
    return StateBytes(gradient, _states(model, job, each), master, step, fixed)


def _state_format(job: Training) -> str:
    if "8bit" in job.optimizer:
        return "int8"
    return job.optimizer_states


def _states(model: Architecture, job: Training, each: float) -> float:
    """Optimizer states of one trained parameter [byte]."""
    name = job.optimizer
    if name.startswith("paged"):
        return 0.0
    if name in LOW_RANK and job.lora is None:
        return _low_rank(model, each, projector=name == "galore")
    if name == "badam":
        return 2 * SINGLE * model.largest_layer_parameters / max(1, model.parameters)
    if name == "muon":
        outside = model.embedding_parameters + (0 if model.tied else model.head_parameters)
        return each * (1 + outside / max(1, model.parameters))
    return each * MOMENTS.get(name, 2.0)


@lru_cache(maxsize=512)
def _low_rank(model: Architecture, each: float, *, projector: bool) -> float:
    """States of rank-reduced gradients, averaged over all parameters.

    A matrix of m x n (m <= n) keeps two moments of r x n and, for GaLore, a projector of m x r. Everything that is no
    matrix of a layer keeps AdamW's two moments.
    """
    rank = max(1, model.hidden_size // LOW_RANK_DIVISOR)
    total = matrices = 0.0
    for group in model.layers:
        for linear in group.linears:
            if linear.role == ROUTER:
                continue
            small, large = sorted((linear.inputs, linear.outputs))
            kept = min(rank, small)
            total += group.count * linear.copies * (2 * each * kept * large + (HALF * small * kept if projector else 0))
            matrices += group.count * linear.weights
    total += 2 * each * (model.parameters - matrices)
    return total / max(1, model.parameters)


def _step(job: Training, behaviour: Behaviour, each: float, largest: float) -> tuple[float, float]:
    """Temporaries: for each trained parameter, and for the largest matrix."""
    name = job.optimizer
    own = SINGLE if job.weights == "fp32" or job.master_weights == "fp32" else HALF
    if job.lora is not None:
        own = SINGLE if job.lora.dtype == "fp32" else HALF
    if name == "adamw_foreach" or (name in ("adamw", "muon", "lion") and behaviour.foreach):
        return max(own, each) if name != "lion" else own, 0.0
    if name == "adafactor":
        return 0.0, 2 * SINGLE * largest
    if name in LOW_RANK or name == "badam":
        return 0.0, 2 * SINGLE * largest
    if "8bit" in name or "fused" in name or name == "sgd":
        return 0.0, 0.0
    return 0.0, (2 * own * largest if behaviour.sharder not in ("megatron", "deepspeed") else 0.0)
