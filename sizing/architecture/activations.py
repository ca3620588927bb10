"""Bytes that the forward pass keeps for the backward pass, layer by layer, without checkpointing.

Closed forms of what PyTorch's autograd saves for the modules of transformers 5.24, checked to the byte against
recorded runs; see `activation_terms` for the terms. Multi-head latent and linear attention have no recorded runs and
follow from the same rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from sizing.architecture import activation_terms
from sizing.architecture.lora import Adapter, adapters
from sizing.architecture.recipe import Kernel, LoraRecipe, Recipe, Term
from sizing.architecture.shape import Architecture

__all__ = [
    "LOGITS_PEAK_BYTES",
    "LOGITS_SAVED_BYTES",
    "Kernel",
    "LoraRecipe",
    "Recipe",
    "Saved",
    "Term",
    "base_bytes",
    "base_bytes_per_token",
    "checkpoint_bytes_per_token",
    "logits_bytes",
    "saved",
    "saved_bytes",
    "saved_bytes_per_layer",
    "weight_cast_bytes_per_layer",
]

LOGITS_SAVED_BYTES: Final = 4
"""32-bit log-softmax kept for each token and word of the vocabulary [byte]."""
LOGITS_PEAK_BYTES: Final = 14
"""At the start of the backward pass: 16-bit logits 2, their 32-bit copy 4, log-softmax 4, gradient 4 [byte]."""
_INDEX_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class Saved:
    """What one layer keeps."""

    terms: tuple[Term, ...]
    bytes_per_token: float = field(init=False)
    bytes_per_layer: float = field(init=False)
    tensor_parallel_bytes_per_token: float = field(init=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "bytes_per_token", sum(term.bytes_per_token for term in self.terms))
        put(self, "bytes_per_layer", sum(term.bytes_per_layer for term in self.terms))
        split = sum(term.bytes_per_token for term in self.terms if term.tensor_parallel)
        put(self, "tensor_parallel_bytes_per_token", split)

    def total(self, tokens: float) -> float:
        """One layer with so many tokens in the batch [byte]."""
        return self.bytes_per_token * tokens + self.bytes_per_layer

    def sharded(self, tokens: float, *, tensor: int = 1, sequence_parallel: bool = False) -> float:
        """One layer on one rank of a tensor-parallel group [byte]."""
        if sequence_parallel:
            return self.bytes_per_token * tokens / tensor + self.bytes_per_layer
        split = self.tensor_parallel_bytes_per_token
        return (self.bytes_per_token - split + split / tensor) * tokens + self.bytes_per_layer


def saved(architecture: Architecture, group: int, recipe: Recipe, *, batch: int, sequence: int) -> Saved:
    """What one layer of a group keeps.

    Parameters
    ----------
    group : int
        Index in ``Architecture.layers``.
    batch, sequence : int
        Sequences at a time [–] and their length [tokens].
    """
    eager = recipe.attention == "eager"
    length = sequence if eager or _has_mask(architecture, group, recipe, sequence) else 0
    return _saved(architecture, group, recipe, eager and batch == 1, length)


def _has_mask(model: Architecture, group: int, recipe: Recipe, sequence: int) -> bool:
    """Whether ``sdpa`` is given a mask: for padding, and in local layers once the sequence fills the window."""
    if recipe.attention != "sdpa":
        return False
    attention = model.layers[group].attention
    window = attention.window if attention else None
    return recipe.padded or (window is not None and sequence >= window)


def saved_bytes_per_layer(
    architecture: Architecture, group: int, recipe: Recipe, *, batch: int, sequence: int
) -> float:
    """What one layer of a group keeps for the whole batch [byte]."""
    return saved(architecture, group, recipe, batch=batch, sequence=sequence).total(batch * sequence)


def saved_bytes(architecture: Architecture, recipe: Recipe, *, batch: int, sequence: int) -> float:
    """What all layers keep, without the base [byte]."""
    return sum(
        group.count * saved_bytes_per_layer(architecture, index, recipe, batch=batch, sequence=sequence)
        for index, group in enumerate(architecture.layers)
    )


def base_bytes_per_token(architecture: Architecture, recipe: Recipe) -> float:
    """What is kept outside the layers, without logits: final norm, token and label numbers [byte/token]."""
    norm = activation_terms.norm_bytes(architecture.final_norm_kind, architecture.hidden_size, recipe)
    head_input = 0.0 if recipe.frozen or not architecture.head_parameters else recipe.element_bytes
    numbers = _INDEX_BYTES if recipe.frozen else 2 * _INDEX_BYTES
    return norm + head_input * architecture.hidden_size + numbers


def base_bytes(
    architecture: Architecture, recipe: Recipe, *, batch: int, sequence: int, checkpointed: bool = False
) -> float:
    """What is kept outside the layers, without logits: per token, rotary tables, positions [byte].

    Parameters
    ----------
    checkpointed : bool
        Layers are checkpointed. Otherwise the rotary tables are kept too, and with a frozen token table the first
        layer's input has no gradient, so that its first norm keeps nothing.
    """
    total = base_bytes_per_token(architecture, recipe) * batch * sequence
    attention = architecture.layers[0].attention
    if recipe.frozen and not checkpointed:
        first = architecture.layers[0].norm_kind
        total -= activation_terms.norm_bytes(first, architecture.hidden_size, recipe) * batch * sequence
    if attention is not None and attention.rotary:
        if checkpointed:
            return total
        width = attention.rope_dim or attention.head_dim
        return total + 2 * width * recipe.residual_bytes * sequence
    return total + _INDEX_BYTES * sequence


def checkpoint_bytes_per_token(architecture: Architecture, recipe: Recipe) -> float:
    """A layer's input, which is all that a checkpointed layer keeps [byte/token]."""
    return float(recipe.residual_bytes * architecture.hidden_size)


def logits_bytes(architecture: Architecture, tokens: float, *, peak: bool = True) -> float:
    """Logits and loss of the standard loss: kept, or at the start of the backward pass [byte]."""
    each = LOGITS_PEAK_BYTES if peak else LOGITS_SAVED_BYTES
    return float(each * tokens * architecture.vocab_size)


def weight_cast_bytes_per_layer(architecture: Architecture, group: int, recipe: Recipe) -> float:
    """16-bit copies of 32-bit matrices and adapters that autocast keeps until the backward pass [byte]."""
    if not recipe.autocast:
        return 0.0
    if recipe.residual_bytes != 4:
        wide = recipe.lora is not None and recipe.lora.dtype_bytes == 4
        found = _adapted(architecture, group, recipe) if wide else ()
        return 2.0 * sum(adapter.parameters_per_layer for adapter in found)
    return 2.0 * architecture.layers[group].linear_parameters


def _adapted(model: Architecture, group: int, recipe: Recipe) -> tuple[Adapter, ...]:
    lora = recipe.lora
    if lora is None:
        return ()
    found = adapters(model, lora.rank, lora.targets, kind=lora.kind, expert_behaviour=lora.expert_behaviour)
    return found.in_group(group)


@lru_cache(maxsize=8192)
def _saved(model: Architecture, group: int, recipe: Recipe, single: bool, sequence: int) -> Saved:
    adapted = _adapted(model, group, recipe)
    layer = activation_terms.Layer(model, model.layers[group], recipe, adapted, single, sequence)
    return Saved(tuple(term for term in activation_terms.terms(layer) if term.bytes_per_token or term.bytes_per_layer))
