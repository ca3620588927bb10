"""Decoders of Llama's kind: pre- or post-normalised, rotary, gated; families differ in a few traits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sizing.architecture.assembly import Outside, assemble
from sizing.architecture.fields import MOST_LAYERS, Fields
from sizing.architecture.layers import Attention, LayerGroup, Linear, Mlp
from sizing.architecture.parts import (
    attention_kind,
    fused_gated_mlp,
    fused_projections,
    gated_mlp,
    grouped,
    heads,
    layer_windows,
    mlp_of,
    plain_mlp,
    separate_projections,
)
from sizing.architecture.shape import Architecture


@dataclass(frozen=True, slots=True)
class Traits:
    """How a family departs from Llama.

    Parameters
    ----------
    qkv_bias, o_bias : bool or None
        Biases of the projections; None is what ``attention_bias`` says.
    norms : int
        Norms over the hidden width in each layer [–].
    norm_kind : str
        ``rms``; ``rms_plus_one`` (Gemma: in 32 bit to the end, weight 1 + w); ``rms_after`` (OLMo 2: in 32 bit to the
        end, after the block); ``layer``, ``layer_bias`` or ``plain`` (a layer norm without parameters).
    sliding_every : int
        Every so many layers one looks at the whole context, the others at the window; 0 for no such pattern [–].
    window_everywhere : bool
        A ``sliding_window`` that is given holds for each layer.
    """

    qkv_bias: bool | None = None
    o_bias: bool | None = None
    mlp_bias: bool = False
    qk_norm: str = "none"
    norms: int = 2
    norm_kind: str = "rms"
    fused_qkv: str = ""
    fused_mlp: bool = False
    gated: bool = True
    mlp_names: tuple[str, str] = ("up_proj", "down_proj")
    activation: str = "silu"
    head_dim: int | None = None
    tied: bool = False
    softcap: bool = False
    sliding_every: int = 0
    window_everywhere: bool = False
    parallel: bool = False
    vocabulary: int | None = None
    ffn_divisor: int = 1


LLAMA = Traits()
_LAYER_NORM = Traits(norm_kind="layer_bias")

FAMILIES: dict[str, Traits] = {
    "llama": LLAMA,
    "mistral": Traits(qkv_bias=False, o_bias=False, window_everywhere=True),
    "ministral": Traits(qkv_bias=False, o_bias=False),
    "qwen2": Traits(qkv_bias=True, o_bias=False),
    "qwen2_vl": Traits(qkv_bias=True, o_bias=False),
    "qwen2_5_vl": Traits(qkv_bias=True, o_bias=False),
    "qwen2_5_vl_text": Traits(qkv_bias=True, o_bias=False),
    "qwen3": Traits(qk_norm="head", head_dim=128),
    "qwen3_vl_text": Traits(qk_norm="head", head_dim=128),
    "qwen": Traits(qkv_bias=True, o_bias=False, fused_qkv="c_attn", ffn_divisor=2),
    "gemma": Traits(activation="gelu", tied=True, head_dim=256, norm_kind="rms_plus_one"),
    "gemma2": Traits(
        activation="gelu",
        tied=True,
        head_dim=256,
        norm_kind="rms_plus_one",
        norms=4,
        softcap=True,
        sliding_every=2,
    ),
    "gemma3_text": Traits(
        activation="gelu",
        tied=True,
        head_dim=256,
        norm_kind="rms_plus_one",
        norms=4,
        qk_norm="head",
        sliding_every=6,
        vocabulary=262_208,
    ),
    "phi3": Traits(qkv_bias=False, o_bias=False, fused_qkv="qkv_proj", fused_mlp=True, window_everywhere=True),
    "olmo": Traits(norm_kind="plain"),
    "olmo2": Traits(qk_norm="full", norm_kind="rms_after"),
    "olmo3": Traits(qk_norm="full", norm_kind="rms_after", sliding_every=4),
    "glm": Traits(o_bias=False, fused_mlp=True, head_dim=128),
    "glm4": Traits(o_bias=False, fused_mlp=True, head_dim=128, norms=4),
    "chatglm": Traits(qkv_bias=True, o_bias=False, fused_qkv="query_key_value", fused_mlp=True),
    "granite": LLAMA,
    "smollm3": Traits(tied=True),
    "internlm2": Traits(fused_qkv="wqkv"),
    "internlm3": LLAMA,
    "baichuan": Traits(qkv_bias=False, o_bias=False, fused_qkv="W_pack"),
    "seed_oss": Traits(qkv_bias=True, o_bias=False),
    "hunyuan_v1_dense": Traits(qk_norm="head"),
    "ernie4_5": Traits(qkv_bias=False, o_bias=False, tied=True),
    "exaone4": Traits(qkv_bias=False, o_bias=False, qk_norm="head"),
    "stablelm": Traits(o_bias=False, norm_kind="layer_bias"),
    "starcoder2": replace(
        _LAYER_NORM,
        qkv_bias=True,
        o_bias=True,
        mlp_bias=True,
        gated=False,
        mlp_names=("c_fc", "c_proj"),
        activation="gelu_pytorch_tanh",
        tied=True,
    ),
    "nemotron": replace(_LAYER_NORM, gated=False, activation="relu2"),
    "cohere": Traits(norms=1, norm_kind="layer", tied=True, parallel=True),
    "cohere2": Traits(norms=1, norm_kind="layer", tied=True, parallel=True, sliding_every=4),
}
"""Traits by ``model_type``, from the modelling code of transformers 5.24 and of the models' own repositories."""


def read_decoder(fields: Fields, traits: Traits) -> Architecture:
    """A decoder whose layers are all of Llama's kind."""
    layers = fields.count("num_hidden_layers", high=MOST_LAYERS)
    mlp, mlp_matrices = _feed_forward(fields, traits)
    hidden = fields.count("hidden_size")

    def layer(window: int | None, positions: tuple[int, ...]) -> LayerGroup:
        attention = attention_of(fields, traits, window=window)
        return LayerGroup(
            positions,
            attention,
            mlp,
            None,
            projections(fields, traits, attention) + mlp_matrices,
            norms=traits.norms,
            norm_kind=traits.norm_kind,
            norm_parameters=traits.norms * norm_size(hidden, traits.norm_kind) + qk_norm_size(attention),
        )

    return assemble(fields, grouped(_windows(fields, traits, layers), layer), outside_of(fields, traits))


def outside_of(fields: Fields, traits: Traits) -> Outside:
    """Final norm and head of the family."""
    return Outside(
        tied=traits.tied,
        norm_parameters=norm_size(fields.count("hidden_size"), traits.norm_kind),
        norm_kind=traits.norm_kind,
        logit_softcap=traits.softcap,
        default_vocabulary=traits.vocabulary,
    )


def norm_size(width: int, kind: str) -> int:
    """Parameters of one norm [–]."""
    return {"layer_bias": 2, "plain": 0}.get(kind, 1) * width


def qk_norm_size(attention: Attention) -> int:
    """Parameters of the norms over queries and keys in one layer [–]."""
    if attention.qk_norm == "head":
        return 2 * attention.head_dim
    return attention.query_width + attention.key_width if attention.qk_norm == "full" else 0


def attention_of(fields: Fields, traits: Traits, *, window: int | None = None) -> Attention:
    """Attention block of the family."""
    count, kv_heads, width = heads(fields, head_dim=traits.head_dim)
    biased = traits.qkv_bias if traits.qkv_bias is not None else _attention_bias(fields)
    return Attention(
        attention_kind(count, kv_heads),
        count,
        kv_heads,
        width,
        width,
        window=window,
        projection="fused" if traits.fused_qkv else "separate",
        qk_norm=traits.qk_norm,
        softcap=traits.softcap,
        bias=biased,
    )


def projections(fields: Fields, traits: Traits, attention: Attention) -> tuple[Linear, ...]:
    """Matrices of the attention block."""
    hidden = fields.count("hidden_size")
    o_bias = traits.o_bias if traits.o_bias is not None else _attention_bias(fields)
    if traits.fused_qkv:
        names = (traits.fused_qkv, "o_proj")
        return fused_projections(hidden, attention, names=names, qkv_bias=attention.bias, o_bias=o_bias)
    return separate_projections(hidden, attention, qkv_bias=attention.bias, o_bias=o_bias)


def _attention_bias(fields: Fields) -> bool:
    for name in ("attention_bias", "use_qkv_bias", "add_qkv_bias"):
        if fields.has(name):
            return fields.flag(name, False)
    return False


def _feed_forward(fields: Fields, traits: Traits) -> tuple[Mlp, tuple[Linear, ...]]:
    hidden = fields.count("hidden_size")
    width = fields.count("intermediate_size") // traits.ffn_divisor
    bias = fields.flag("mlp_bias", traits.mlp_bias)
    activation = fields.text("hidden_act") or fields.text("hidden_activation") or traits.activation
    mlp = mlp_of(width, activation, gated=traits.gated, fused=traits.fused_mlp, parallel=traits.parallel)
    if not traits.gated:
        return mlp, plain_mlp(hidden, width, names=traits.mlp_names, bias=bias)
    build: Callable[..., tuple[Linear, ...]] = fused_gated_mlp if traits.fused_mlp else gated_mlp
    return mlp, build(hidden, width, bias=bias)


def _windows(fields: Fields, traits: Traits, layers: int) -> list[int | None]:
    every = traits.sliding_every
    if every:
        every = fields.count("sliding_window_pattern", every, high=MOST_LAYERS)
        pattern = ["full_attention" if (i + 1) % every == 0 else "sliding_attention" for i in range(layers)]
        return [window for _, window in layer_windows(fields, layers, pattern)]
    if fields.has("layer_types") and (traits.window_everywhere or fields.flag("use_sliding_window", True)):
        return [window for _, window in layer_windows(fields, layers, ())]
    if traits.window_everywhere and fields.has("sliding_window"):
        return [fields.count("sliding_window", high=2**40)] * layers
    if fields.flag("use_sliding_window", False) and fields.has("sliding_window"):
        first = fields.count("max_window_layers", 0, low=0, high=MOST_LAYERS)
        window = fields.count("sliding_window", high=2**40)
        return [window if i >= first else None for i in range(layers)]
    return [None] * layers
