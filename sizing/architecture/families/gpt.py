"""Decoders of GPT's kind: layer norms with bias, two-matrix feed-forward, most with learned or no positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sizing.architecture.assembly import Outside, assemble
from sizing.architecture.fields import MOST_HEADS, MOST_LAYERS, MOST_POSITIONS, Fields
from sizing.architecture.layers import Attention, LayerGroup, Linear
from sizing.architecture.parts import attention_kind, fused_projections, heads, mlp_of, plain_mlp
from sizing.architecture.shape import Architecture


def _multi_head(
    fields: Fields, *, bias: bool, projection: str = "fused", rotary: bool = False, upcast: bool = True
) -> Attention:
    count = fields.count("num_attention_heads", high=MOST_HEADS)
    hidden = fields.count("hidden_size")
    if hidden % count:
        raise fields.error(
            fields.find("num_attention_heads")[0],
            "A width of {hidden} does not divide into {value} heads.",
            count,
            hidden=hidden,
        )
    width = hidden // count
    return Attention("mha", count, count, width, width, projection=projection, rotary=rotary, upcast=upcast, bias=bias)


def _separate(hidden: int, names: tuple[str, str, str, str], *, bias: bool, o_bias: bool) -> tuple[Linear, ...]:
    *inner, output = names
    return (*(Linear(name, hidden, hidden, bias) for name in inner), Linear(output, hidden, hidden, o_bias))


def _layers(
    fields: Fields,
    attention: Attention,
    matrices: tuple[Linear, ...],
    *,
    width: int,
    activation: str,
    norms: int = 2,
    norm_bias: bool = True,
    parallel: bool = False,
) -> tuple[LayerGroup, ...]:
    hidden = fields.count("hidden_size")
    count = fields.count("num_hidden_layers", high=MOST_LAYERS)
    mlp = mlp_of(width, activation, gated=False, parallel=parallel)
    kind = "layer_bias" if norm_bias else "layer"
    size = norms * hidden * (2 if norm_bias else 1)
    group = LayerGroup(
        tuple(range(count)), attention, mlp, None, matrices, norms=norms, norm_kind=kind, norm_parameters=size
    )
    return (group,)


def _learned_positions(fields: Fields, *, extra: int = 0) -> int:
    positions = fields.count("max_position_embeddings", high=MOST_POSITIONS)
    return (positions + extra) * fields.count("hidden_size")


def read_gpt2(fields: Fields) -> Architecture:
    """GPT-2 and what copies it: Conv1D weights, learned positions, tied head."""
    hidden = fields.count("hidden_size")
    width = fields.count("intermediate_size", 4 * hidden)
    attention = _multi_head(fields, bias=True, upcast=False)
    matrices = fused_projections(
        hidden, attention, names=("c_attn", "attn.c_proj"), qkv_bias=True, o_bias=True, convolution=True
    ) + plain_mlp(hidden, width, names=("c_fc", "c_proj"), bias=True, convolution=True)
    activation = fields.text("activation_function") or fields.text("hidden_act") or "gelu_new"
    outside = Outside(
        tied=True,
        norm_parameters=2 * hidden,
        norm_kind="layer_bias",
        position_parameters=_learned_positions(fields),
        dropout=fields.number("resid_pdrop", 0.1, low=0, high=1),
    )
    return assemble(fields, _layers(fields, attention, matrices, width=width, activation=activation), outside)


def read_gpt_bigcode(fields: Fields) -> Architecture:
    """StarCoder (first generation) and SantaCoder: GPT-2 with one key/value head."""
    hidden = fields.count("hidden_size")
    width = fields.count("intermediate_size", 4 * hidden)
    attention = _multi_head(fields, bias=True, upcast=False)
    if fields.flag("multi_query", True):
        attention = replace(attention, kind="mqa", kv_heads=1)
    matrices = fused_projections(
        hidden, attention, names=("c_attn", "attn.c_proj"), qkv_bias=True, o_bias=True
    ) + plain_mlp(hidden, width, names=("c_fc", "c_proj"), bias=True)
    activation = fields.text("activation_function") or fields.text("hidden_act") or "gelu_pytorch_tanh"
    outside = Outside(
        tied=True,
        norm_parameters=2 * hidden,
        norm_kind="layer_bias",
        position_parameters=_learned_positions(fields),
        dropout=fields.number("resid_pdrop", 0.1, low=0, high=1),
    )
    return assemble(fields, _layers(fields, attention, matrices, width=width, activation=activation), outside)


def read_gpt_neo(fields: Fields) -> Architecture:
    """GPT-Neo: separate projections, bias on the output only, learned positions."""
    hidden = fields.count("hidden_size")
    width = fields.count("intermediate_size", 4 * hidden)
    attention = _multi_head(fields, bias=False, projection="separate")
    names = ("q_proj", "k_proj", "v_proj", "out_proj")
    matrices = _separate(hidden, names, bias=False, o_bias=True) + plain_mlp(
        hidden, width, names=("c_fc", "c_proj"), bias=True
    )
    outside = Outside(
        tied=True,
        norm_parameters=2 * hidden,
        norm_kind="layer_bias",
        position_parameters=_learned_positions(fields),
    )
    return assemble(fields, _layers(fields, attention, matrices, width=width, activation="gelu_new"), outside)


def read_gptj(fields: Fields) -> Architecture:
    """GPT-J: one norm, attention and feed-forward side by side, head with bias."""
    hidden = fields.count("hidden_size")
    width = fields.count("intermediate_size", 4 * hidden)
    attention = _multi_head(fields, bias=False, projection="separate", rotary=True)
    names = ("q_proj", "k_proj", "v_proj", "out_proj")
    matrices = _separate(hidden, names, bias=False, o_bias=False) + plain_mlp(
        hidden, width, names=("fc_in", "fc_out"), bias=True
    )
    layers = _layers(fields, attention, matrices, width=width, activation="gelu_new", norms=1, parallel=True)
    outside = Outside(norm_parameters=2 * hidden, norm_kind="layer_bias", head_bias=True)
    return assemble(fields, layers, outside)


def read_phi(fields: Fields) -> Architecture:
    """Phi-1, 1.5 and 2: one norm, attention and feed-forward side by side, biases everywhere."""
    hidden = fields.count("hidden_size")
    width = fields.count("intermediate_size", 4 * hidden)
    count, kv_heads, head_dim = heads(fields)
    attention = Attention(attention_kind(count, kv_heads), count, kv_heads, head_dim, head_dim, bias=True)
    matrices = (
        Linear("q_proj", hidden, attention.query_width, True),
        Linear("k_proj", hidden, attention.key_width, True),
        Linear("v_proj", hidden, attention.value_width, True),
        Linear("dense", attention.output_width, hidden, True),
        *plain_mlp(hidden, width, names=("fc1", "fc2"), bias=True),
    )
    layers = _layers(fields, attention, matrices, width=width, activation="gelu_new", norms=1, parallel=True)
    outside = Outside(norm_parameters=2 * hidden, norm_kind="layer_bias", head_bias=True)
    return assemble(fields, layers, outside)


def read_gpt_neox(fields: Fields) -> Architecture:
    """GPT-NeoX and Pythia: fused projections, attention and feed-forward side by side."""
    hidden = fields.count("hidden_size")
    width = fields.count("intermediate_size")
    bias = fields.flag("attention_bias", True)
    attention = _multi_head(fields, bias=bias, rotary=True)
    matrices = fused_projections(
        hidden, attention, names=("query_key_value", "dense"), qkv_bias=bias, o_bias=bias
    ) + plain_mlp(hidden, width, names=("dense_h_to_4h", "dense_4h_to_h"), bias=True)
    parallel = fields.flag("use_parallel_residual", True)
    layers = _layers(
        fields,
        attention,
        matrices,
        width=width,
        activation=fields.text("hidden_act", "gelu"),
        parallel=parallel,
    )
    return assemble(fields, layers, Outside(norm_parameters=2 * hidden, norm_kind="layer_bias"))


def read_bloom(fields: Fields) -> Architecture:
    """BLOOM: ALiBi positions, a norm after the token table, tied head."""
    hidden = fields.count("hidden_size")
    width = 4 * hidden
    attention = _multi_head(fields, bias=True)
    matrices = fused_projections(
        hidden, attention, names=("query_key_value", "dense"), qkv_bias=True, o_bias=True
    ) + plain_mlp(hidden, width, names=("dense_h_to_4h", "dense_4h_to_h"), bias=True)
    layers = _layers(fields, attention, matrices, width=width, activation="gelu_new")
    outside = Outside(tied=True, norm_parameters=4 * hidden, norm_kind="layer_bias", embedding_norm=True)
    return assemble(fields, layers, outside)


def read_mpt(fields: Fields) -> Architecture:
    """MPT as transformers builds it: ALiBi positions, no biases, tied head."""
    hidden = fields.count("hidden_size")
    ratio = fields.number("expansion_ratio", 4, low=0.1, high=64)
    width = round(ratio * hidden)
    attention = _multi_head(fields, bias=False)
    matrices = fused_projections(
        hidden, attention, names=("Wqkv", "out_proj"), qkv_bias=False, o_bias=False
    ) + plain_mlp(hidden, width, names=("up_proj", "down_proj"), bias=False)
    layers = _layers(fields, attention, matrices, width=width, activation="gelu", norm_bias=False)
    return assemble(fields, layers, Outside(tied=True, norm_parameters=hidden, norm_kind="layer"))


def read_opt(fields: Fields) -> Architecture:
    """OPT: learned positions with two extra rows, ReLU, biases everywhere."""
    hidden = fields.count("hidden_size")
    width = fields.count("intermediate_size")
    bias = fields.flag("enable_bias", True)
    attention = _multi_head(fields, bias=bias, projection="separate")
    names = ("q_proj", "k_proj", "v_proj", "out_proj")
    matrices = _separate(hidden, names, bias=bias, o_bias=bias) + plain_mlp(
        hidden, width, names=("fc1", "fc2"), bias=bias
    )
    table = fields.count("word_embed_proj_dim", hidden)
    bridges = () if table == hidden else (Linear("project_in", table, hidden), Linear("project_out", hidden, table))
    final = fields.flag("do_layer_norm_before", True) and not fields.flag("_remove_final_layer_norm", False)
    outside = Outside(
        tied=True,
        norm_parameters=2 * hidden if final else 0,
        norm_kind="layer_bias",
        position_parameters=_learned_positions(fields, extra=2),
        linears=bridges,
        embedding_width=table,
        dropout=fields.number("dropout", 0.1, low=0, high=1),
    )
    activation = fields.text("activation_function", "relu")
    return assemble(fields, _layers(fields, attention, matrices, width=width, activation=activation), outside)


def read_falcon(fields: Fields) -> Architecture:
    """Falcon: shared key/value heads, attention and feed-forward side by side, tied head."""
    hidden = fields.count("hidden_size")
    width = fields.count("intermediate_size", 4 * hidden)
    bias = fields.flag("bias", False)
    newer = fields.flag("new_decoder_architecture", False)
    parallel = newer or fields.flag("parallel_attn", True)
    plain = _multi_head(fields, bias=bias, rotary=not fields.flag("alibi", False))
    shared = 1 if fields.flag("multi_query", True) else plain.heads
    kv_heads = heads(fields)[1] if newer else shared
    kind = attention_kind(plain.heads, kv_heads)
    attention = replace(plain, kind=kind, kv_heads=kv_heads)
    matrices = fused_projections(
        hidden, attention, names=("query_key_value", "dense"), qkv_bias=bias, o_bias=bias
    ) + plain_mlp(hidden, width, names=("dense_h_to_4h", "dense_4h_to_h"), bias=bias)
    norms = fields.count("num_ln_in_parallel_attn", 2 if newer else 1, low=1, high=2) if parallel else 2
    layers = _layers(fields, attention, matrices, width=width, activation="gelu", norms=norms, parallel=parallel)
    return assemble(fields, layers, Outside(tied=True, norm_parameters=2 * hidden, norm_kind="layer_bias"))


READERS: dict[str, Callable[[Fields], Architecture]] = {
    "gpt2": read_gpt2,
    "gpt_bigcode": read_gpt_bigcode,
    "gpt_neo": read_gpt_neo,
    "gptj": read_gptj,
    "phi": read_phi,
    "gpt_neox": read_gpt_neox,
    "bloom": read_bloom,
    "mpt": read_mpt,
    "opt": read_opt,
    "falcon": read_falcon,
    "RefinedWeb": read_falcon,
    "RefinedWebModel": read_falcon,
}
