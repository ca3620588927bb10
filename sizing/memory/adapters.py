"""Adapters of a job on the layers of a stage."""

from __future__ import annotations

from typing import Final

from sizing.architecture import lora
from sizing.architecture.shape import Architecture
from sizing.memory.pipeline import Stage
from sizing.workload import Lora

HEAD_NAME: Final = "lm_head"
OUTSIDE_LAYERS: Final = -1
NO_ADAPTERS: Final = lora.Adapters(())


def adapter_counts(model: Architecture, stage: Stage, adapter: Lora | None, tensor: int) -> tuple[float, float]:
    """Adapter parameters of a stage, and of its largest layer; one factor of each is divided by tensor parallelism."""
    if adapter is None:
        return 0.0, 0.0
    found = adapters_of(model, adapter)
    total = largest = 0.0
    for index, count in stage.layers:
        each = float(sum(part.parameters_per_layer for part in found.in_group(index)))
        total += count * each
        largest = max(largest, each)
    if stage.head:
        total += sum(part.parameters for part in found.in_group(OUTSIDE_LAYERS))
        if isinstance(adapter.targets, tuple) and HEAD_NAME in adapter.targets:
            total += adapter.rank * (model.hidden_size + model.vocab_size)
    share = (1 + 1 / tensor) / 2
    return total * share, largest * share


def norm_workspace_bytes(model: Architecture, adapter: Lora | None, tensor: int) -> float:
    """What the column norms of DoRA's largest matrix take while they are computed [byte].

    The product of the factors is formed from a unit matrix, scaled, and added to the weights, each time in a tensor of
    its own; fp32 adapters also cast the weights.

    References
    ----------
    .. [1] S. Liu et al., DoRA: Weight-Decomposed Low-Rank Adaptation, 2024, section 4.
    .. [2] PEFT, tuners/lora/dora.py: DoraLinearLayer.forward and get_weight_norm.
    """
    if adapter is None or adapter.kind != "dora":
        return 0.0
    size, tensors = (4.0, 4) if adapter.dtype == "fp32" else (2.0, 3)
    wrapped = [part.linear for part in adapters_of(model, adapter).parts]
    return max((size * (tensors * one.inputs * one.outputs + one.inputs**2) / tensor for one in wrapped), default=0.0)


def adapters_of(model: Architecture, adapter: Lora | None) -> lora.Adapters:
    """The adapters of a job on its model."""
    if adapter is None:
        return NO_ADAPTERS
    return lora.adapters(model, adapter.rank, adapter_targets(adapter), kind=adapter.kind)


def adapter_targets(adapter: Lora) -> str | tuple[str, ...]:
    """Targets inside the layers; an adapter on the output matrix is counted apart."""
    targets = adapter.targets
    if isinstance(targets, str) or HEAD_NAME not in targets:
        return targets
    return tuple(name for name in targets if name != HEAD_NAME) or lora.ALL_LINEAR
