"""Matrices of the blocks that many families share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from sizing.architecture.fields import MOST_EXPERTS, MOST_HEADS, Fields
from sizing.architecture.layers import (
    EXPERT,
    MLP,
    ROUTER,
    SHARED_EXPERT,
    Attention,
    LayerGroup,
    Linear,
    Mlp,
    Moe,
)


def grouped[Kind: Hashable](
    kinds: Sequence[Kind], make: Callable[[Kind, tuple[int, ...]], LayerGroup]
) -> tuple[LayerGroup, ...]:
    """Layers of the same kind as one group each, in the order of their first appearance."""
    positions: dict[Kind, list[int]] = {}
    for position, kind in enumerate(kinds):
        positions.setdefault(kind, []).append(position)
    return tuple(make(kind, tuple(places)) for kind, places in positions.items())


def heads(fields: Fields, *, head_dim: int | None = None) -> tuple[int, int, int]:
    """Query heads, key/value heads and head width, checked against each other."""
    count = fields.count("num_attention_heads", high=MOST_HEADS)
    kv_heads = fields.count("num_key_value_heads", count, high=MOST_HEADS)
    if count % kv_heads:
        raise fields.error(
            fields.find("num_key_value_heads")[0],
            "{heads} query heads cannot share {value} key/value heads evenly.",
            kv_heads,
            heads=count,
        )
    hidden = fields.count("hidden_size")
    if not fields.has("head_dim") and head_dim is None and hidden % count:
        raise fields.error(
            fields.find("num_attention_heads")[0],
            "A width of {hidden} does not divide into {value} heads, and head_dim is not given.",
            count,
            hidden=hidden,
        )
    width = fields.count("head_dim", head_dim or hidden // count)
    return count, kv_heads, width


def attention_kind(count: int, kv_heads: int) -> str:
    """``mha``, ``gqa`` or ``mqa`` by how many heads share keys and values."""
    if kv_heads == count:
        return "mha"
    return "mqa" if kv_heads == 1 else "gqa"


def separate_projections(hidden: int, attention: Attention, *, qkv_bias: bool, o_bias: bool) -> tuple[Linear, ...]:
    """q, k, v and o matrices; the queries carry their output gate where there is one."""
    gate = 2 if attention.output_gate else 1
    return (
        Linear("q_proj", hidden, gate * attention.query_width, qkv_bias),
        Linear("k_proj", hidden, attention.key_width, qkv_bias),
        Linear("v_proj", hidden, attention.value_width, qkv_bias),
        Linear("o_proj", attention.output_width, hidden, o_bias),
    )


def fused_projections(
    hidden: int,
    attention: Attention,
    *,
    names: tuple[str, str],
    qkv_bias: bool,
    o_bias: bool,
    convolution: bool = False,
) -> tuple[Linear, ...]:
    """One matrix for q, k and v, and the output matrix."""
    width = attention.query_width + attention.key_width + attention.value_width
    return (
        Linear(names[0], hidden, width, qkv_bias, convolution=convolution),
        Linear(names[1], attention.output_width, hidden, o_bias, convolution=convolution),
    )


def gated_mlp(hidden: int, width: int, *, bias: bool = False, role: str = MLP) -> tuple[Linear, ...]:
    """Gate, up and down matrices."""
    prefix = "shared_experts." if role == SHARED_EXPERT else ""
    return (
        Linear(f"{prefix}gate_proj", hidden, width, bias, role=role),
        Linear(f"{prefix}up_proj", hidden, width, bias, role=role),
        Linear(f"{prefix}down_proj", width, hidden, bias, role=role),
    )


def fused_gated_mlp(hidden: int, width: int, *, bias: bool = False) -> tuple[Linear, ...]:
    """Gate and up in one matrix, and down."""
    return (
        Linear("gate_up_proj", hidden, 2 * width, bias, role=MLP),
        Linear("down_proj", width, hidden, bias, role=MLP),
    )


def plain_mlp(
    hidden: int, width: int, *, names: tuple[str, str], bias: bool, convolution: bool = False
) -> tuple[Linear, ...]:
    """Up and down matrices without a gate."""
    return (
        Linear(names[0], hidden, width, bias, role=MLP, convolution=convolution),
        Linear(names[1], width, hidden, bias, role=MLP, convolution=convolution),
    )


def mlp_of(width: int, activation: str, *, gated: bool = True, fused: bool = False, parallel: bool = False) -> Mlp:
    """Description of a dense feed-forward block from HF's name of its activation."""
    return Mlp(_activation_kind(activation, gated), width, gated, fused, parallel)


def _activation_kind(activation: str, gated: bool) -> str:
    name = activation.lower()
    if gated:
        return "geglu" if "gelu" in name else "swiglu"
    if name in ("gelu_new", "gelu_fast", "gelu_accurate"):
        return "gelu_python"
    if name.startswith("relu"):
        return "relu"
    return "gelu"


def moe_of(
    fields: Fields,
    expert_width: int,
    *,
    kind: str = "swiglu",
    shared_width: int = 0,
    wrapped_by_all_linear: bool = False,
    wide_router: bool = False,
) -> Moe:
    """Description of a mixture of experts, its counts checked."""
    experts = fields.count("experts", high=MOST_EXPERTS)
    top_k = fields.count("top_k", high=MOST_EXPERTS)
    if top_k > experts:
        raise fields.error(
            fields.find("top_k")[0], "A token cannot go to {value} of {experts} experts.", top_k, experts=experts
        )
    return Moe(experts, top_k, expert_width, kind, shared_width, wrapped_by_all_linear, wide_router)


def expert_matrices(
    hidden: int, moe: Moe, *, router: str = "gate", router_bias: bool = False, bias: bool = False
) -> tuple[Linear, ...]:
    """Router and routed experts, the experts in one tensor each for gate-and-up and for down."""
    width = moe.expert_width
    return (
        Linear(router, hidden, moe.experts, router_bias, role=ROUTER, fused=True),
        Linear("experts.gate_up_proj", hidden, 2 * width, bias, moe.experts, moe.top_k, EXPERT, fused=True),
        Linear("experts.down_proj", width, hidden, bias, moe.experts, moe.top_k, EXPERT, fused=True),
    )


def layer_windows(
    fields: Fields, layers: int, default: Sequence[str], *, window: str = "sliding_window"
) -> tuple[tuple[str, int | None], ...]:
    """For each layer its type and how far it looks back.

    ``layer_types`` of the configuration wins over the family's pattern.
    """
    types = fields.texts("layer_types") or tuple(default)
    if len(types) < layers:
        raise fields.error(
            "layer_types", "{field} names {value} layers, the model has {layers}.", len(types), layers=layers
        )
    local = ("sliding_attention", "chunked_attention")
    limit = fields.count(window, 4096, high=2**40) if any(kind in local for kind in types) else None
    return tuple((kind, limit if kind in local else None) for kind in types[:layers])
