"""Decoders whose layers differ in kind: Llama 4, Gemma 4, Qwen3-Next and Qwen3.5."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sizing.architecture.assembly import Outside, assemble
from sizing.architecture.families.decoders import LLAMA, Traits, attention_of, projections, qk_norm_size
from sizing.architecture.families.experts import MoeTraits, routed
from sizing.architecture.fields import MOST_HEADS, MOST_LAYERS, Fields
from sizing.architecture.layers import ROUTER, SHARED_EXPERT, Attention, LayerGroup, Linear, LinearState
from sizing.architecture.parts import (
    attention_kind,
    expert_matrices,
    gated_mlp,
    grouped,
    layer_windows,
    mlp_of,
    moe_of,
)
from sizing.architecture.shape import Architecture

_HYBRID = MoeTraits(LLAMA, shared="width", wrapped=True)


def read_llama4(fields: Fields) -> Architecture:
    """Llama 4: chunked attention in three layers of four, experts in every or every second layer."""
    layers = fields.count("num_hidden_layers", high=MOST_LAYERS)
    pattern = ["full_attention" if (i + 1) % 4 == 0 else "chunked_attention" for i in range(layers)]
    windows = layer_windows(fields, layers, pattern, window="attention_chunk_size")
    step = fields.count("interleave_moe_layer_step", 1, high=MOST_LAYERS)
    listed = fields.counts("moe_layers", high=MOST_LAYERS)
    sparse = [i in listed if listed else (i + 1) % step == 0 for i in range(layers)]
    kinds = [(flag, window) for flag, (_, window) in zip(sparse, windows, strict=True)]
    groups = grouped(kinds, lambda kind, positions: _llama4_layer(fields, kind, positions))
    return assemble(fields, groups, Outside(norm_parameters=fields.count("hidden_size")))


def _llama4_layer(fields: Fields, kind: tuple[bool, int | None], positions: tuple[int, ...]) -> LayerGroup:
    sparse, window = kind
    hidden = fields.count("hidden_size")
    attention = attention_of(fields, LLAMA, window=window)
    matrices = projections(fields, LLAMA, attention)
    width = fields.count("intermediate_size")
    moe = None
    if sparse:
        moe = moe_of(fields, width, shared_width=width)
        matrices += expert_matrices(hidden, moe, router="router") + gated_mlp(hidden, width, role=SHARED_EXPERT)
    else:
        width = fields.count("intermediate_size_mlp", width)
        matrices += gated_mlp(hidden, width)
    dense = None if sparse else mlp_of(width, "silu")
    return LayerGroup(positions, attention, dense, moe, matrices, norm_parameters=2 * hidden)


def read_hybrid(fields: Fields) -> Architecture:
    """Qwen3-Next and Qwen3.5: three layers of linear attention to one of full attention."""
    layers = fields.count("num_hidden_layers", high=MOST_LAYERS)
    every = fields.count("full_attention_interval", 4, high=MOST_LAYERS)
    pattern = ["full_attention" if (i + 1) % every == 0 else "linear_attention" for i in range(layers)]
    kinds = [kind for kind, _ in layer_windows(fields, layers, pattern)]
    groups = grouped(kinds, lambda kind, positions: _hybrid_layer(fields, kind, positions))
    hidden = fields.count("hidden_size")
    return assemble(fields, groups, Outside(norm_parameters=hidden, norm_kind="rms_plus_one"))


def _hybrid_layer(fields: Fields, kind: str, positions: tuple[int, ...]) -> LayerGroup:
    hidden = fields.count("hidden_size")
    if kind == "linear_attention":
        attention, matrices, norms, other = _delta_rule(fields)
    else:
        traits = Traits(qk_norm="head", head_dim=256)
        attention = replace(attention_of(fields, traits), output_gate=True)
        matrices, norms, other = projections(fields, traits, attention), qk_norm_size(attention), 0
    if fields.has("experts"):
        moe, experts = routed(fields, _HYBRID)
        mlp = None
        matrices += experts
    else:
        moe, width = None, fields.count("intermediate_size")
        mlp = mlp_of(width, fields.text("hidden_act", "silu"))
        matrices += gated_mlp(hidden, width)
    return LayerGroup(
        positions,
        attention,
        mlp,
        moe,
        matrices,
        norm_kind="rms_plus_one",
        norm_parameters=2 * hidden + norms,
        other_parameters=other,
    )


def _delta_rule(fields: Fields) -> tuple[Attention, tuple[Linear, ...], int, int]:
    """Gated delta rule: its block, matrices, norm parameters and other parameters."""
    hidden = fields.count("hidden_size")
    state = LinearState(
        fields.count("linear_num_key_heads", 16, high=MOST_HEADS),
        fields.count("linear_num_value_heads", 32, high=MOST_HEADS),
        fields.count("linear_key_head_dim", 128),
        fields.count("linear_value_head_dim", 128),
        fields.count("linear_conv_kernel_dim", 4, high=256),
    )
    values = state.value_heads * state.value_head_dim
    attention = Attention(
        "linear",
        state.value_heads,
        state.key_heads,
        state.key_head_dim,
        state.value_head_dim,
        state=state,
        output_gate=True,
    )
    inputs: tuple[Linear, ...]
    if fields.text("model_type").startswith("qwen3_next"):
        inputs = (
            Linear("in_proj_qkvz", hidden, state.channels + values),
            Linear("in_proj_ba", hidden, 2 * state.value_heads),
        )
    else:
        inputs = (
            Linear("in_proj_qkv", hidden, state.channels),
            Linear("in_proj_z", hidden, values),
            Linear("in_proj_b", hidden, state.value_heads),
            Linear("in_proj_a", hidden, state.value_heads),
        )
    other = state.channels * state.convolution + 2 * state.value_heads
    return attention, (*inputs, Linear("out_proj", values, hidden)), state.value_head_dim, other


def read_gemma4(fields: Fields) -> Architecture:
    """Gemma 4: local layers with their own head shape, global ones that share keys and values."""
    if fields.count("hidden_size_per_layer_input", 0, low=0):
        raise fields.error(
            "hidden_size_per_layer_input",
            "Gemma models with per-layer embeddings ({field} above 0) cannot be sized yet.",
            fields.config.get("hidden_size_per_layer_input"),
        )
    if fields.count("num_kv_shared_layers", 0, low=0, high=MOST_LAYERS):
        raise fields.error(
            "num_kv_shared_layers",
            "Gemma models whose layers share keys and values ({field} above 0) cannot be sized yet.",
            fields.config.get("num_kv_shared_layers"),
        )
    layers = fields.count("num_hidden_layers", high=MOST_LAYERS)
    pattern = ["full_attention" if (i + 1) % 6 == 0 else "sliding_attention" for i in range(layers)]
    kinds = layer_windows(fields, layers, pattern)
    groups = grouped(kinds, lambda kind, positions: _gemma4_layer(fields, kind[1], positions))
    hidden = fields.count("hidden_size")
    outside = Outside(
        tied=True,
        norm_parameters=hidden,
        norm_kind="rms_plus_one",
        logit_softcap=fields.has("final_logit_softcapping"),
    )
    return assemble(fields, groups, outside)


def _gemma4_attention(fields: Fields, window: int | None) -> tuple[Attention, tuple[Linear, ...]]:
    hidden = fields.count("hidden_size")
    heads = fields.count("num_attention_heads", high=MOST_HEADS)
    kv_heads = fields.count("num_key_value_heads", heads, high=MOST_HEADS)
    head_dim = fields.count("head_dim", 256)
    if window is None:
        kv_heads = fields.count("num_global_key_value_heads", kv_heads, high=MOST_HEADS)
        head_dim = fields.count("global_head_dim", head_dim)
    shared = window is None and fields.flag("attention_k_eq_v", False)
    attention = Attention(
        attention_kind(heads, kv_heads), heads, kv_heads, head_dim, head_dim, window=window, qk_norm="head"
    )
    values = () if shared else (Linear("v_proj", hidden, attention.value_width),)
    return attention, (
        Linear("q_proj", hidden, attention.query_width),
        Linear("k_proj", hidden, attention.key_width),
        *values,
        Linear("o_proj", attention.output_width, hidden),
    )


def _gemma4_layer(fields: Fields, window: int | None, positions: tuple[int, ...]) -> LayerGroup:
    hidden = fields.count("hidden_size")
    attention, matrices = _gemma4_attention(fields, window)
    width = fields.count("intermediate_size")
    matrices += gated_mlp(hidden, width)
    moe, norms, other = None, 4, 0
    if fields.flag("enable_moe_block", False):
        moe = moe_of(fields, fields.count("expert_width"), kind="geglu")
        matrices += (
            Linear("router.proj", hidden, moe.experts, role=ROUTER),
            *expert_matrices(hidden, moe)[1:],
        )
        norms, other = 7, hidden + moe.experts
    return LayerGroup(
        positions,
        attention,
        mlp_of(width, "gelu"),
        moe,
        matrices,
        norms=norms,
        norm_kind="rms_plus_one",
        norm_parameters=norms * hidden + qk_norm_size(attention),
        other_parameters=other,
    )


READERS: dict[str, Callable[[Fields], Architecture]] = {
    "llama4_text": read_llama4,
    "gemma4_text": read_gemma4,
    "qwen3_next": read_hybrid,
    "qwen3_5_text": read_hybrid,
    "qwen3_5_moe_text": read_hybrid,
}
