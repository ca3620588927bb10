"""Decoders with routed experts and ordinary (grouped-query) attention."""

from __future__ import annotations

from dataclasses import dataclass

from sizing.architecture.assembly import Outside, assemble
from sizing.architecture.families.decoders import (
    Traits,
    attention_of,
    norm_size,
    projections,
    qk_norm_size,
)
from sizing.architecture.fields import MOST_LAYERS, Fields
from sizing.architecture.layers import ROUTER, SHARED_EXPERT, LayerGroup, Linear, Moe
from sizing.architecture.parts import (
    expert_matrices,
    gated_mlp,
    grouped,
    layer_windows,
    mlp_of,
    moe_of,
)
from sizing.architecture.shape import Architecture


@dataclass(frozen=True, slots=True)
class MoeTraits:
    """How a family of expert models departs from Mixtral.

    Parameters
    ----------
    decoder : Traits
        Attention, norms and biases.
    shared : str
        Expert that each token passes: ``none``, ``count`` (``n_shared_experts`` of the routed experts' width) or
        ``width`` (``shared_expert_intermediate_size``, behind a gate of one output).
    wrapped : bool
        PEFT's ``all-linear`` reaches the fused expert tensors.
    """

    decoder: Traits
    shared: str = "none"
    wrapped: bool = False
    router: str = "gate"
    router_bias: bool = False
    expert_bias: bool = False
    sinks: bool = False
    head_bias: bool = False


_QWEN3 = Traits(qk_norm="head", head_dim=128)
_PLAIN = Traits(qkv_bias=False, o_bias=False)

FAMILIES: dict[str, MoeTraits] = {
    "mixtral": MoeTraits(Traits(qkv_bias=False, o_bias=False, window_everywhere=True), wrapped=True),
    "qwen2_moe": MoeTraits(Traits(qkv_bias=True, o_bias=False), shared="width", wrapped=True),
    "qwen3_moe": MoeTraits(_QWEN3, wrapped=True),
    "qwen3_vl_moe_text": MoeTraits(_QWEN3, wrapped=True),
    "phimoe": MoeTraits(Traits(norm_kind="layer_bias"), router="router", head_bias=True),
    "gpt_oss": MoeTraits(
        Traits(qkv_bias=True, o_bias=True, sliding_every=2),
        router="router",
        router_bias=True,
        expert_bias=True,
        sinks=True,
    ),
    "minimax_m2": MoeTraits(Traits(qkv_bias=False, o_bias=False, qk_norm="full"), wrapped=True),
    "glm4_moe": MoeTraits(Traits(o_bias=False), shared="count", wrapped=True),
    "deepseek": MoeTraits(_PLAIN, shared="count", wrapped=True),
    "dots1": MoeTraits(Traits(qk_norm="head"), shared="count", wrapped=True),
    "ernie4_5_moe": MoeTraits(_PLAIN, shared="count"),
    "olmoe": MoeTraits(Traits(qk_norm="full"), wrapped=True),
    "granitemoe": MoeTraits(Traits(), router="router.layer"),
}
"""Traits by ``model_type``, from the modelling code of transformers 5.24."""


def read_experts(fields: Fields, traits: MoeTraits) -> Architecture:
    """A decoder some or all of whose layers route to experts."""
    layers = fields.count("num_hidden_layers", high=MOST_LAYERS)
    sparse = sparse_layers(fields, layers)
    windows = _windows(fields, traits, layers)
    kinds = list(zip(sparse, windows, strict=True))
    groups = grouped(kinds, lambda kind, positions: _layer(fields, traits, kind, positions))
    hidden = fields.count("hidden_size")
    outside = Outside(
        norm_parameters=norm_size(hidden, traits.decoder.norm_kind),
        norm_kind=traits.decoder.norm_kind,
        head_bias=fields.flag("lm_head_bias", traits.head_bias),
    )
    return assemble(fields, groups, outside)


def sparse_layers(fields: Fields, layers: int) -> list[bool]:
    """Which layers have experts, by the several ways in which families say so."""
    dense = set(fields.counts("mlp_only_layers", high=MOST_LAYERS))
    first = fields.count("first_k_dense_replace", 0, low=0, high=MOST_LAYERS)
    step = fields.count("decoder_sparse_step", 1, high=MOST_LAYERS)
    every = fields.count("moe_layer_freq", 1, high=MOST_LAYERS) if not _is_list(fields) else 1
    return [i not in dense and i >= first and (i + 1) % step == 0 and i % every == 0 for i in range(layers)]


def _is_list(fields: Fields) -> bool:
    return isinstance(fields.config.get("moe_layer_freq"), list)


def routed(fields: Fields, traits: MoeTraits) -> tuple[Moe, tuple[Linear, ...]]:
    """Router, experts and shared expert of one layer."""
    hidden = fields.count("hidden_size")
    width = fields.count("expert_width", fields.count("intermediate_size", 1))
    shared = shared_width(fields, traits.shared, width)
    moe = moe_of(
        fields,
        width,
        shared_width=shared,
        wrapped_by_all_linear=traits.wrapped,
        wide_router=traits.shared == "count",
    )
    matrices = expert_matrices(
        hidden, moe, router=traits.router, router_bias=traits.router_bias, bias=traits.expert_bias
    )
    if shared:
        matrices += gated_mlp(hidden, shared, role=SHARED_EXPERT)
    if traits.shared == "width" and shared:
        matrices += (Linear("shared_expert_gate", hidden, 1, role=ROUTER),)
    return moe, matrices


def shared_width(fields: Fields, kind: str, expert_width: int) -> int:
    """Width of the expert that each token passes; 0 for none [–]."""
    if kind == "count":
        return fields.count("n_shared_experts", 0, low=0, high=1_000) * expert_width
    return fields.count("shared_expert_intermediate_size", 0, low=0) if kind == "width" else 0


def _windows(fields: Fields, traits: MoeTraits, layers: int) -> list[int | None]:
    every = traits.decoder.sliding_every
    if every:
        pattern = ["full_attention" if (i + 1) % every == 0 else "sliding_attention" for i in range(layers)]
        return [window for _, window in layer_windows(fields, layers, pattern)]
    if traits.decoder.window_everywhere and fields.has("sliding_window"):
        return [fields.count("sliding_window", high=2**40)] * layers
    return [None] * layers


def _layer(fields: Fields, traits: MoeTraits, kind: tuple[bool, int | None], positions: tuple[int, ...]) -> LayerGroup:
    sparse, window = kind
    hidden = fields.count("hidden_size")
    decoder = _with_qk_norm(fields, traits.decoder)
    attention = attention_of(fields, decoder, window=window)
    matrices = projections(fields, decoder, attention)
    moe, experts = routed(fields, traits) if sparse else (None, ())
    dense_width = 0 if sparse else fields.count("intermediate_size")
    dense = () if sparse else gated_mlp(hidden, dense_width)
    return LayerGroup(
        positions,
        attention,
        None if sparse else mlp_of(dense_width, fields.text("hidden_act", "silu")),
        moe,
        matrices + dense + experts,
        norms=decoder.norms,
        norm_kind=decoder.norm_kind,
        norm_parameters=decoder.norms * norm_size(hidden, decoder.norm_kind) + qk_norm_size(attention),
        other_parameters=attention.heads if traits.sinks else 0,
    )


def _with_qk_norm(fields: Fields, decoder: Traits) -> Traits:
    """GLM and its kin say in the configuration whether queries and keys are normalised."""
    if decoder.qk_norm == "none" and fields.flag("use_qk_norm", False):
        return Traits(decoder.qkv_bias, decoder.o_bias, qk_norm="head")
    return decoder
