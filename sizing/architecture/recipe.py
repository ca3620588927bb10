"""How the layers of a model are run, as far as what they keep for the backward pass depends on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sizing.architecture.lora import ExpertBehaviour

Kernel = Literal["flash", "sdpa", "eager", "flex"]


@dataclass(frozen=True, slots=True)
class LoraRecipe:
    """Adapters as far as saved activations depend on them."""

    rank: int
    targets: str | tuple[str, ...]
    dtype_bytes: int = 2
    kind: str = "lora"
    expert_behaviour: ExpertBehaviour = "fused"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the layers are run.

    Parameters
    ----------
    attention : str
        ``flash``, ``sdpa`` and ``flex`` keep no scores; ``eager`` keeps them.
    element_bytes : int
        Bytes of an activation: 2 for 16-bit compute and under autocast, 4 for 32-bit compute [byte].
    residual_bytes : int
        Bytes of an element between the layers: 4 with 32-bit parameters, also under autocast [byte].
    autocast : bool
        Products run under autocast.
    lora : LoraRecipe or None
        Adapters; the base weights are then frozen.
    dropout : float
        Above 0 where the model applies dropout.
    padded : bool
        A padding mask is given: ``sdpa`` copies keys and values to every head and keeps a mask in each layer.
    fused_norm, fused_activation : bool
        Kernels that keep only the input of a norm, and that recompute the activation function.
    experts : str
        ``grouped`` (grouped matrix product) or ``loop`` over the experts.
    linear_input_bytes : float or None
        Bytes of an element kept as a matrix's input, where it differs from the activation's (FP8) [byte].
    on_cpu : bool
        Count what only the CPU's kernels keep, as the recorded runs do.
    """

    attention: Kernel = "flash"
    element_bytes: int = 2
    residual_bytes: int = 2
    autocast: bool = False
    lora: LoraRecipe | None = None
    dropout: float = 0.0
    padded: bool = False
    fused_norm: bool = False
    fused_activation: bool = False
    experts: Literal["loop", "grouped"] = "grouped"
    linear_input_bytes: float | None = None
    on_cpu: bool = False

    @property
    def frozen(self) -> bool:
        """Whether the base weights get no gradient."""
        return self.lora is not None


@dataclass(frozen=True, slots=True)
class Term:
    """One kind of tensor that a layer keeps.

    Parameters
    ----------
    bytes_per_token : float
        For each token of the batch [byte/token].
    bytes_per_layer : float
        Once for each layer [byte].
    tensor_parallel : bool
        Divided between the ranks of a tensor-parallel group; the other terms are divided by sequence parallelism only.
    """

    name: str
    bytes_per_token: float
    bytes_per_layer: float = 0.0
    tensor_parallel: bool = False
