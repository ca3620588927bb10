"""Stages of a pipeline: which layers each has, and how many micro-batches it holds at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sizing.architecture.shape import Architecture
from sizing.plan import Plan
from sizing.units import ceil_div
from sizing.workload import Training


@dataclass(frozen=True, slots=True)
class Stage:
    """Which layers a pipeline stage has, and what stands before and after them.

    `layers` pairs a group's index with how many of its layers are here.
    """

    layers: tuple[tuple[int, int], ...]
    embedding: bool
    head: bool
    index: int
    count: int

    @property
    def layer_count(self) -> int:
        """Layers of the stage [–]."""
        return sum(count for _, count in self.layers)


@lru_cache(maxsize=1024)
def stages(model: Architecture, pipeline: int, device_map: bool) -> tuple[Stage, ...]:
    """The stages worth looking at: the only one, or the first and the last of a pipeline."""
    if pipeline == 1:
        everything = tuple((index, group.count) for index, group in enumerate(model.layers))
        return (Stage(everything, True, True, 0, 1),)
    total = model.layer_count
    each = ceil_div(total, pipeline)
    rest = max(0, total - each * (pipeline - 1))
    last_from = total - (rest or each)
    if device_map:
        last_from = total // pipeline * (pipeline - 1)
    return (
        Stage(_between(model, 0, each), True, False, 0, pipeline),
        Stage(_between(model, last_from, total), False, True, pipeline - 1, pipeline),
    )


def _between(model: Architecture, start: int, stop: int) -> tuple[tuple[int, int], ...]:
    encoders = sum(group.count for group in model.layers if group.stack == "encoder")
    found = []
    for index, group in enumerate(model.layers):
        shift = 0 if group.stack == "encoder" else encoders
        count = sum(start <= place + shift < stop for place in group.positions)
        if count:
            found.append((index, count))
    return tuple(found)


def in_flight(job: Training, plan: Plan, stage: Stage) -> float:
    """Micro-batches whose activations a stage holds at once under 1F1B, in units of the whole stage [–].

    Notes
    -----
    Stage i of p holds p - i micro-batches; interleaved over v chunks it holds (2 (p - i - 1) + (v - 1) p + 1) / v.

    References
    ----------
    .. [1] D. Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters, 2021, section 2.2.
    """
    if plan.pipeline == 1 or plan.sharding == "device_map":
        return 1.0
    behind = plan.pipeline - stage.index
    waves = float(behind)
    if plan.virtual_pipeline > 1:
        chunks = 2 * (behind - 1) + (plan.virtual_pipeline - 1) * plan.pipeline + 1
        waves = chunks / plan.virtual_pipeline
    return max(1.0, min(float(job.gradient_accumulation), waves))
