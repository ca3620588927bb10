"""Floating-point operations of one token, matrix products and attention apart.

One multiplication and one addition are two operations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from sizing.architecture.layers import Attention, LayerGroup
from sizing.architecture.shape import Architecture

Recomputation = Literal["none", "selective", "full"]


@dataclass(frozen=True, slots=True)
class Flops:
    """Operations of one token [FLOP/token].

    Parameters
    ----------
    matmul, attention : float
        Products with weights; products of queries, keys and values.
    """

    matmul: float
    attention: float

    @property
    def total(self) -> float:
        """Both together [FLOP/token]."""
        return self.matmul + self.attention

    def times(self, matmul: float, attention: float | None = None) -> Flops:
        """The same with each part multiplied."""
        return Flops(self.matmul * matmul, self.attention * (matmul if attention is None else attention))


@dataclass(frozen=True, slots=True)
class ForwardFlops:
    """Operations of one token's way through the model.

    Parameters
    ----------
    layers : tuple of Flops
        One layer of each group of ``Architecture.layers``.
    head : float
        The output matrix, and matrices outside the layers.
    whole : Flops
        All layers and the head.
    """

    layers: tuple[Flops, ...]
    head: float
    whole: Flops


@dataclass(frozen=True, slots=True)
class TrainingFlops:
    """Operations that training spends on one token.

    Parameters
    ----------
    forward, backward, recompute : Flops
        ``recompute`` is what activation checkpointing repeats.
    """

    forward: Flops
    backward: Flops
    recompute: Flops

    @property
    def model(self) -> float:
        """What the model needs, without repetition: the numerator of MFU [FLOP/token]."""
        return self.forward.total + self.backward.total

    @property
    def hardware(self) -> float:
        """What the hardware does [FLOP/token]."""
        return self.model + self.recompute.total


def forward_per_token(
    architecture: Architecture, sequence: int, causal: bool = True, *, windowed: bool = True
) -> ForwardFlops:
    """Forward operations of one token in a sequence, on average.

    Parameters
    ----------
    sequence : int
        Length of the sequence [tokens].
    causal : bool
        Count only the tokens that a query may look at; False counts the full square, as kernels without causal
        skipping compute it and as some papers count it.
    windowed : bool
        Local layers and sparse attention only look at their window.

    Notes
    -----
    2 x matmul parameters active + 2 x heads x (query width + value width) x keys for each layer. Equal to torch's
    ``FlopCounterMode`` with ``causal=False, windowed=False``.
    """
    return _forward(architecture, sequence, causal, windowed)


@lru_cache(maxsize=2048)
def _forward(model: Architecture, sequence: int, causal: bool, windowed: bool) -> ForwardFlops:
    layers = tuple(
        Flops(2 * group.matmul_parameters, _attention(group, sequence, causal, windowed)) for group in model.layers
    )
    head = 2.0 * (model.head_parameters + sum(linear.active_weights for linear in model.outer_linears))
    matmul = sum(group.count * flops.matmul for group, flops in zip(model.layers, layers, strict=True))
    attention = sum(group.count * flops.attention for group, flops in zip(model.layers, layers, strict=True))
    return ForwardFlops(layers, head, Flops(matmul + head, attention))


def decode_per_token(architecture: Architecture, context: int) -> Flops:
    """Operations of producing one token after ``context`` tokens [FLOP/token].

    Latent attention works on the compressed cache: each head meets the latent twice.
    """
    attention = sum(group.count * _decode_attention(group, context) for group in architecture.layers)
    layers = sum(g.count * g.matmul_parameters for g in architecture.layers if g.stack == "decoder")
    return Flops(2.0 * (layers + architecture.head_parameters), attention)


def training_per_token(
    architecture: Architecture,
    sequence: int,
    *,
    frozen: bool = False,
    adapter_flops: float = 0.0,
    recomputation: Recomputation = "none",
    causal: bool = True,
    windowed: bool = True,
) -> TrainingFlops:
    """Operations of a training step for one token.

    Parameters
    ----------
    frozen : bool
        Base weights get no gradient: the backward pass has one product a matrix instead of two.
    adapter_flops : float
        Forward operations of the adapters, which are trained [FLOP/token].
    recomputation : str
        ``none``; ``selective`` repeats the attention products; ``full`` repeats the layers.

    Notes
    -----
    Backward: gradient of the input and gradient of the weight each cost what the forward product costs; attention
    has two products forward and four backward.
    """
    forward = forward_per_token(architecture, sequence, causal, windowed=windowed)
    base = forward.whole
    backward = Flops(base.matmul * (1 if frozen else 2) + 2 * adapter_flops, 2 * base.attention)
    with_adapters = Flops(base.matmul + adapter_flops, base.attention)
    return TrainingFlops(with_adapters, backward, _recomputed(with_adapters, forward.head, recomputation))


def _recomputed(forward: Flops, head: float, recomputation: Recomputation) -> Flops:
    if recomputation == "full":
        return Flops(forward.matmul - head, forward.attention)
    return Flops(0.0, forward.attention if recomputation == "selective" else 0.0)


def keys_seen(sequence: float, *, window: int | None, causal: bool) -> float:
    """Keys that a query meets on average in a sequence [tokens].

    Notes
    -----
    Causal: s/2 without a window; w - w^2/(2s) with a window w below s.
    """
    if window is None or window >= sequence:
        return sequence / 2 if causal else sequence
    return window - window * window / (2 * sequence) if causal else window


def _attention(group: LayerGroup, sequence: int, causal: bool, windowed: bool) -> float:
    total = 0.0
    for attention in (group.attention, group.cross_attention):
        if attention is None:
            continue
        if attention.kind == "linear":
            total += _delta_rule(attention)
            continue
        window = _window(attention) if windowed else None
        keys = keys_seen(sequence, window=window, causal=causal and attention.causal)
        total += 2 * attention.heads * (attention.head_dim + attention.v_head_dim) * keys
        if attention.index_heads and windowed:
            everything = keys_seen(sequence, window=None, causal=causal)
            total += 2 * attention.index_heads * attention.index_dim * everything
    return total


def _window(attention: Attention) -> int | None:
    return attention.window or attention.index_top_k or None


def _delta_rule(attention: Attention) -> float:
    """Gated delta rule: decay and read, write and query a state of key width x value width for each head."""
    state = attention.state
    if state is None:
        return 0.0
    return 6.0 * state.recurrent_elements + 2.0 * state.channels * state.convolution


def _decode_attention(group: LayerGroup, context: int) -> float:
    attention = group.attention
    if attention is None or group.stack != "decoder":
        return 0.0
    if attention.kind == "linear":
        return _delta_rule(attention)
    keys = min(context, _window(attention) or context)
    index = 2.0 * attention.index_heads * attention.index_dim * context
    if attention.kind == "mla":
        return 2.0 * attention.heads * (2 * attention.kv_lora_rank + attention.rope_dim) * keys + index
    return 2.0 * attention.heads * (attention.head_dim + attention.v_head_dim) * keys + index
