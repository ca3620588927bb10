"""Weights of a served model on one GPU: stored bytes by part, and how a plan divides them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sizing.architecture.layers import EXPERT
from sizing.architecture.quantised import KEPT_BYTES, weight_bytes
from sizing.architecture.shape import Architecture
from sizing.plan import Plan
from sizing.units import BITS_PER_BYTE

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
