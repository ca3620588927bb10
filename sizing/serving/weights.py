"""Weights of a served model on one GPU: stored bytes by part, and how a plan divides them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from sizing.architecture import gguf
from sizing.architecture.layers import EXPERT
from sizing.architecture.quantised import KEPT_BYTES, weight_bytes
from sizing.architecture.shape import Architecture
from sizing.plan import Plan
from sizing.serving.case import ServingCase
from sizing.units import BITS_PER_BYTE, ceil_div

EXPERTS_ONLY: Final = ("mxfp4", "int4")
"""Formats that makers of mixtures publish for the routed experts alone, the rest staying 16-bit."""


@dataclass(frozen=True, slots=True)
class Stored:
    """Bytes and parameters of a model's parts.

    Parameters
    ----------
    dense_bytes, dense_parameters : float
        What every token passes: attention, dense feed-forward blocks, shared experts [B, –].
    expert_bytes, expert_parameters : float
        Routed experts [B, –].
    head_bytes, table_bytes : float
        The output matrix; the token table where it is a matrix of its own [B].
    """

    dense_bytes: float
    dense_parameters: float
    expert_bytes: float
    expert_parameters: float
    head_bytes: float
    head_parameters: float
    table_bytes: float

    @property
    def total_bytes(self) -> float:
        """All weights [B]."""
        return self.dense_bytes + self.expert_bytes + self.head_bytes + self.table_bytes

    def on_gpu(self, plan: Plan) -> float:
        """Bytes on one GPU [B].

        Notes
        -----
        (dense + head + table) / (tensor x pipeline) + experts / (tensor x pipeline x attention copies): copies of
        attention hold all dense weights, the experts are divided among them.
        """
        split = plan.tensor * plan.pipeline
        rest = self.dense_bytes + self.head_bytes + self.table_bytes
        return rest / split + self.expert_bytes / (split * plan.attention_data)


@lru_cache(maxsize=512)
def stored(model: Architecture, weights: str) -> Stored:
    """Bytes of a model's parts in a format."""
    whole = weight_bytes(model, weights)
    experts = float(sum(group.count * group.parameters_of(EXPERT) for group in model.layers))
    head = float(model.head_parameters)
    table = 0.0 if model.tied else float(model.embedding_parameters + model.position_parameters)
    dense = model.parameters - experts - table - (0.0 if model.tied and not head else head)
    if model.is_moe and weights in EXPERTS_ONLY:
        per_expert = whole.bits_per_quantised_weight / BITS_PER_BYTE
        dense_bytes = KEPT_BYTES * dense
        kept = KEPT_BYTES
    elif whole.quantised_parameters and whole.kept_bytes == 0:
        per_expert = kept = whole.total / model.parameters  # type: ignore[assignment]
        dense_bytes = per_expert * dense
    else:
        per_expert = whole.bits_per_quantised_weight / BITS_PER_BYTE or KEPT_BYTES
        kept = 4 if weights == "fp32" else KEPT_BYTES
        dense_bytes = whole.total - per_expert * experts - kept * (head + table)
    return Stored(dense_bytes, dense, per_expert * experts, experts, kept * head, head, kept * table)


def on_gpu(case: ServingCase) -> float:
    """Weights on one GPU as the case's engine holds them [B].

    Notes
    -----
    As `Stored.on_gpu`; MXFP4 experts are filled up to the multiple of the engine's kernels, and a token table that
    stays in host memory is left out. A serving engine keeps sines and cosines of every position that the model takes,
    on each GPU: positions x turned width x 2 B, which is what vLLM's logs have above Llama 3.1 8B's on one, two, four
    and eight GPUs.
    """
    shape, kind, used = case.architecture, case.workload.weights, case.engine
    parts = stored(shape, kind)
    if kind == "mxfp4":
        filled = ceil_div(shape.hidden_size, used.expert_multiple) * used.expert_multiple / shape.hidden_size
        parts = replace(parts, expert_bytes=parts.expert_bytes * filled)
    if used.table_on_host and kind in gguf.MIXTURES:
        parts = replace(parts, table_bytes=0.0)
    return parts.on_gpu(case.plan) + (angle_bytes(shape) if used.preallocates else 0.0)


def angle_bytes(model: Architecture) -> float:
    """One table of sines and cosines in 16 bit for each position that a model takes [B]; none where they are learnt."""
    if model.position_parameters:
        return 0.0
    widths = [
        group.attention.rope_dim or group.attention.head_dim
        for group in model.layers
        if group.attention is not None and group.attention.kind != "linear"
    ]
    return float(KEPT_BYTES * max(widths, default=0) * (model.max_positions or 0))
