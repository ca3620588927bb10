"""What a training step computes, by matrix product and by attention block, before anything is divided."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sizing.architecture.layers import EXPERT, ROUTER, Attention, LayerGroup
from sizing.architecture.lora import adapters
from sizing.architecture.shape import Architecture
from sizing.workload import Lora

BACKWARD_ATTENTION: Final = 2.5
"""FLOPs of a flash attention's backward pass against its forward pass: five products instead of two [–]."""

_RECURRENCE_FLOPS: Final = 8
"""Linear attention: decay, read, write and query of each element of its state for each token [FLOP]."""

_RMS_EAGER: Final = 34
_NORM_FUSED: Final = 6
_RESIDUAL: Final = 6
"""Traffic for each hidden value, forward [B]: an RMS norm in separate kernels (cast up, square, mean, scale, cast down,
weight), any norm in one kernel, an addition to the residual stream."""

_ROTARY_EAGER: Final = 20
_ROTARY_FUSED: Final = 6
"""Traffic of the rotary embedding for each value of queries and keys, forward [B]."""

_GATED_EAGER: Final = 10
_GATED_FUSED: Final = 6
_GELU: Final = 4
_GELU_PYTHON: Final = 40
_BIASED_EXPERT: Final = 36
"""Traffic of the activation function for each value of the feed-forward width, forward [B]: gated, one kernel, GPT-2's
formula in tensor operations, and experts with biases and clamps, for which no stack has a fused kernel."""

_PERMUTE_EAGER: Final = 16
_PERMUTE_FUSED: Final = 8
"""Traffic of sorting tokens by expert and back, for each routed hidden value, forward [B]."""


@dataclass(frozen=True, slots=True)
class Product:
    """A matrix product that layers have in common: `weights` active weights over the whole model [–].

    `copies` is the number of kernels over all layers for one pass, `experts` how many stand in one layer, `share` the
    part of the tokens that one of them sees.
    """

    name: str
    inputs: int
    outputs: int
    weights: float
    stored: float
    copies: float
    experts: int = 0
    share: float = 1.0
    is_head: bool = False
    is_row: bool = False


@dataclass(frozen=True, slots=True)
class AttentionWork:
    """Attention blocks of one shape: `layers` of them, FLOPs for each token and each token looked at."""

    layers: int
    heads: int
    head_dim: int
    flops_per_pair: float
    window: int | None
    causal: bool
    kv_bytes_per_token: float
    recurrence_flops_per_token: float


@dataclass(frozen=True, slots=True)
class AdapterWork:
    """Adapters that one token passes: summed inputs and outputs, matrices, and parameters in all [–].

    `norm_elements` are the weights whose column norms DoRA computes in each forward pass, `norm_flops` what forming
    the products of its factors takes [FLOP]; both 0 for other adapters.
    """

    inputs: float
    outputs: float
    matrices: float
    parameters: float
    norm_elements: float
    norm_flops: float


@dataclass(frozen=True, slots=True)
class Profile:
    """All that the speed model reads of an architecture; worked out once for each.

    Element-wise traffic is in bytes for each token and forward pass, for kernels left apart (`eager`) and for
    kernels fused as far as they can be (`fused`); `hidden` parts live on the residual stream, `inner` parts inside
    attention and feed-forward blocks.
    """

    products: tuple[Product, ...]
    attention: tuple[AttentionWork, ...]
    layers: int
    moe_layers: int
    top_k: float
    hidden_size: int
    vocab_size: int
    eager_hidden_bytes: float
    eager_inner_bytes: float
    fused_hidden_bytes: float
    fused_inner_bytes: float
    matmul_weights: float
    layer_weights: float
    expert_stored: float
    routed_bytes_per_token: float
    kv_bytes_per_token: float


@lru_cache(maxsize=512)
def profile(architecture: Architecture) -> Profile:
    """The work of an architecture, merged over layers of the same shape."""
    products = _products(architecture)
    groups = architecture.layers
    eager_hidden = sum(group.count * _hidden_bytes(group, architecture.hidden_size)[0] for group in groups)
    fused_hidden = sum(group.count * _hidden_bytes(group, architecture.hidden_size)[1] for group in groups)
    eager_inner = sum(group.count * _inner_bytes(group, architecture.hidden_size)[0] for group in groups)
    fused_inner = sum(group.count * _inner_bytes(group, architecture.hidden_size)[1] for group in groups)
    attention = tuple(_attention(group.attention, group.count) for group in groups if group.attention)
    crossed = tuple(_attention(group.cross_attention, group.count) for group in groups if group.cross_attention)
    moe = [group for group in groups if group.moe]
    moe_layers = sum(group.count for group in moe)
    top_k = sum(group.count * group.moe.top_k for group in moe if group.moe) / moe_layers if moe_layers else 0.0
    return Profile(
        products=products,
        attention=attention + crossed,
        layers=architecture.layer_count,
        moe_layers=moe_layers,
        top_k=top_k,
        hidden_size=architecture.hidden_size,
        vocab_size=architecture.vocab_size,
        eager_hidden_bytes=eager_hidden,
        eager_inner_bytes=eager_inner,
        fused_hidden_bytes=fused_hidden,
        fused_inner_bytes=fused_inner,
        matmul_weights=sum(product.weights for product in products),
        layer_weights=sum(product.weights for product in products if not product.is_head),
        expert_stored=sum(product.stored for product in products if product.experts),
        routed_bytes_per_token=2.0 * architecture.hidden_size * top_k * moe_layers,
        kv_bytes_per_token=sum(work.layers * work.kv_bytes_per_token for work in attention + crossed),
    )


def _products(architecture: Architecture) -> tuple[Product, ...]:
    merged: dict[tuple[int, int, int, float], Product] = {}
    for group in architecture.layers:
        for linear in group.linears:
            experts = linear.copies if linear.role == EXPERT else 0
            share = linear.active / linear.copies if experts else 1.0
            key = (linear.inputs, linear.outputs, experts, share)
            earlier = merged.get(key)
            copies = group.count * (linear.copies if experts else linear.active)
            weights, stored = group.count * linear.active_weights, group.count * linear.weights
            merged[key] = Product(
                name=earlier.name if earlier else linear.name,
                inputs=linear.inputs,
                outputs=linear.outputs,
                weights=weights + (earlier.weights if earlier else 0),
                stored=stored + (earlier.stored if earlier else 0),
                copies=copies + (earlier.copies if earlier else 0),
                experts=experts,
                share=share,
                is_row=linear.outputs == architecture.hidden_size and linear.role != ROUTER,
            )
    products = [*merged.values()]
    head = architecture.head
    if head:
        products.append(Product("head", head.inputs, head.outputs, head.weights, head.weights, 1, is_head=True))
    return tuple(products)


def _attention(attention: Attention, layers: int) -> AttentionWork:
    state = attention.state
    recurrent = float(_RECURRENCE_FLOPS * state.recurrent_elements) if state else 0.0
    pair = 0.0 if state else 2.0 * attention.heads * (attention.head_dim + attention.v_head_dim)
    return AttentionWork(
        layers=layers,
        heads=attention.heads,
        head_dim=max(attention.head_dim, 1),
        flops_per_pair=pair,
        window=attention.window or attention.index_top_k or None,
        causal=attention.causal and not attention.cross,
        kv_bytes_per_token=0.0 if state else 2.0 * (attention.key_width + attention.value_width),
        recurrence_flops_per_token=recurrent,
    )


def _hidden_bytes(group: LayerGroup, hidden: int) -> tuple[float, float]:
    """Traffic of norms and residual additions of one layer, eager and fused [B/token]."""
    norm = _RMS_EAGER if group.norm_kind == "rms" else _NORM_FUSED
    residual = 2.0 * _RESIDUAL * hidden
    return group.norms * norm * hidden + residual, group.norms * _NORM_FUSED * hidden + residual / 2


def _inner_bytes(group: LayerGroup, hidden: int) -> tuple[float, float]:
    """Traffic of rotary embedding, activation function and routing of one layer, eager and fused [B/token]."""
    eager = fused = 0.0
    if group.attention:
        rotated = group.attention.query_width + group.attention.key_width
        eager, fused = float(_ROTARY_EAGER * rotated), float(_ROTARY_FUSED * rotated)
    for kind, gated, width in _feed_forward(group):
        if kind == "biased":
            eager, fused = eager + _BIASED_EXPERT * width, fused + _BIASED_EXPERT * width
        elif gated:
            eager, fused = eager + _GATED_EAGER * width, fused + _GATED_FUSED * width
        else:
            eager += (_GELU_PYTHON if kind == "gelu_python" else _GELU) * width
            fused += _GELU * width
    if group.moe:
        eager += _PERMUTE_EAGER * group.moe.top_k * hidden
        fused += _PERMUTE_FUSED * group.moe.top_k * hidden
    return eager, fused


def _feed_forward(group: LayerGroup) -> list[tuple[str, bool, float]]:
    blocks: list[tuple[str, bool, float]] = []
    if group.mlp:
        blocks.append((group.mlp.kind, group.mlp.gated, group.mlp.width))
    if group.moe:
        biased = any(linear.bias for linear in group.by_role(EXPERT))
        routed = group.moe.top_k * group.moe.expert_width
        blocks.append(("biased" if biased else group.moe.kind, True, routed))
        blocks.append((group.moe.kind, True, group.moe.shared_width))
    return blocks


@lru_cache(maxsize=512)
def adapter_work(architecture: Architecture, lora: Lora) -> AdapterWork:
    """The adapters of a run, summed over layers and wrapped matrices."""
    found = adapters(architecture, lora.rank, lora.targets, kind=lora.kind)
    parts = [(part, part.layers * part.linear.active) for part in found.parts]
    normed = [(part.layers * part.linear.copies, part) for part in found.parts if part.kind == "dora"]
    return AdapterWork(
        inputs=sum(passed * part.pieces * part.linear.inputs for part, passed in parts),
        outputs=sum(passed * part.linear.outputs for part, passed in parts),
        matrices=sum(passed * part.pieces for part, passed in parts),
        parameters=found.parameters,
        norm_elements=float(sum(count * one.linear.inputs * one.linear.outputs for count, one in normed)),
        norm_flops=sum(
            2.0 * count * one.rank * one.linear.inputs * (one.linear.inputs + one.linear.outputs)
            for count, one in normed
        ),
    )
