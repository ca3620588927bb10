"""What the customer wants done, complete: nothing here is optional or guessed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Task = Literal["training", "inference", "rag"]
Method = Literal["full", "lora", "qlora", "pretraining"]
Checkpointing = Literal["none", "selective", "full"]
Attention = Literal["eager", "sdpa", "flash", "flex"]
Loss = Literal["standard", "chunked", "fused"]
Packing = Literal["packed", "padded", "exact"]


@dataclass(frozen=True, slots=True)
class Lora:
    """Adapters beside frozen weights.

    Parameters
    ----------
    rank : int
        Inner dimension of each adapter [–].
    targets : "all-linear", "attention" or a tuple of module names
    dtype : "bf16" or "fp32"
        Number format of the adapter weights, their gradients and optimizer states.
    kind : "lora", "dora", "adapter" or "other"
    """

    rank: int
    targets: str | tuple[str, ...]
    dtype: str = "bf16"
    kind: str = "lora"


@dataclass(frozen=True, slots=True)
class Training:
    """A training job as the memory and speed rooms read it (names and values: the contract's).

    `weights` is the storage format of the (frozen or trained) parameters, `compute` that of the matrix products,
    `autocast` says that parameters are fp32 and cast for each product. `tokens` is the data the job goes through in
    all [tokens], `global_batch` sequences an optimizer step over the whole system. `stack_efficiency` is the speed of
    the customer's software against what is usual for its framework [–].
    """

    method: Method
    weights: str
    compute: str
    master_weights: str
    gradients: str
    optimizer: str
    optimizer_states: str
    optimizer_in_backward: bool
    sequence_length: int
    micro_batch: int
    gradient_accumulation: int
    activation_checkpointing: Checkpointing
    activation_offload: bool
    attention: Attention
    compile: bool
    loss: Loss
    packing: Packing
    framework: str
    lora: Lora | None = None
    tokens: float | None = None
    autocast: bool = False
    stack_efficiency: float | None = None
    task: Literal["training"] = "training"

    @property
    def is_frozen(self) -> bool:
        """Whether the base weights stay as they are."""
        return self.lora is not None


@dataclass(frozen=True, slots=True)
class Serving:
    """A serving job: one scenario of load on one model (format: contract, INFERENCE fields)."""

    weights: str
    compute: str
    kv_cache_dtype: str
    engine: str
    input_tokens: int
    output_tokens: int
    scenario: str
    batch: int | None = None
    concurrency: int | None = None
    requests_per_second: float | None = None
    ttft_limit_ms: float | None = None
    tpot_limit_ms: float | None = None
    memory_fraction: float | None = None
    task: Literal["inference"] = "inference"
