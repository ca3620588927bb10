"""One way to run a workload on a system: how model, data and states are divided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Sharding = Literal["none", "ddp", "zero1", "zero2", "zero3", "fsdp", "hsdp", "device_map"]
Offload = Literal["none", "optimizer", "parameters", "optimizer+parameters"]


@dataclass(frozen=True, slots=True)
class Plan:
    """Degrees of parallelism and what is sharded or moved to the host.

    `data` x `tensor` x `pipeline` x `context` GPUs in all; `expert` divides the experts inside `data` x `context`
    (Megatron's rule). `shard` is the number of GPUs that share one copy of the sharded states.
    """

    sharding: Sharding = "none"
    data: int = 1
    tensor: int = 1
    pipeline: int = 1
    context: int = 1
    expert: int = 1
    sequence_parallel: bool = False
    reshard_after_forward: bool = True
    virtual_pipeline: int = 1
    offload: Offload = "none"
    shard: int = 1
    attention_data: int = 1

    @property
    def gpus(self) -> int:
        """GPUs the plan occupies [–]."""
        return self.data * self.tensor * self.pipeline * self.context
