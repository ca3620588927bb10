"""Adapters of a job on the layers of a stage."""

from __future__ import annotations

from typing import Final

from sizing.architecture import lora
from sizing.architecture.shape import Architecture
from sizing.memory.pipeline import Stage
from sizing.workload import Lora

HEAD_NAME: Final = "lm_head"
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
    if stage.head and isinstance(adapter.targets, tuple) and HEAD_NAME in adapter.targets:
        total += adapter.rank * (model.hidden_size + model.vocab_size)
    share = (1 + 1 / tensor) / 2
    return total * share, largest * share


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
