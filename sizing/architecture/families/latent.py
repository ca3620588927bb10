"""Decoders with multi-head latent attention: DeepSeek V2 and V3, Kimi, Moonlight, GLM-4.7-Flash, GLM-5."""

from __future__ import annotations

from sizing.architecture.assembly import Outside, assemble
from sizing.architecture.families.decoders import LLAMA
from sizing.architecture.families.experts import MoeTraits, routed, sparse_layers
from sizing.architecture.fields import MOST_HEADS, MOST_LAYERS, Fields
from sizing.architecture.layers import Attention, LayerGroup, Linear
from sizing.architecture.parts import gated_mlp, grouped, mlp_of
from sizing.architecture.shape import Architecture

FAMILIES = (
    "deepseek_v2",
    "deepseek_v3",
    "deepseek_v32",
    "kimi_k2",
    "glm4_moe_lite",
    "glm_moe_dsa",
    "minicpm3",
)
"""``model_type`` of the families; all but the last route to experts."""

_TRAITS = MoeTraits(LLAMA, shared="count", wrapped=True)


def read_latent(fields: Fields) -> Architecture:
    """A decoder that caches one compressed latent for all heads."""
    layers = fields.count("num_hidden_layers", high=MOST_LAYERS)
    sparse = sparse_layers(fields, layers) if fields.has("experts") else [False] * layers
    groups = grouped(sparse, lambda kind, positions: _layer(fields, kind, positions))
    return assemble(fields, groups, Outside(norm_parameters=fields.count("hidden_size")))


def _attention(fields: Fields) -> Attention:
    heads = fields.count("num_attention_heads", high=MOST_HEADS)
    rope = fields.count("qk_rope_head_dim")
    nope = fields.count("qk_nope_head_dim")
    return Attention(
        "mla",
        heads,
        heads,
        nope + rope,
        fields.count("v_head_dim"),
        kv_lora_rank=fields.count("kv_lora_rank"),
        q_lora_rank=fields.count("q_lora_rank", 0),
        rope_dim=rope,
        nope_dim=nope,
        bias=fields.flag("attention_bias", False),
        index_heads=fields.count("index_n_heads", 0, high=MOST_HEADS),
        index_dim=fields.count("index_head_dim", 0),
        index_top_k=fields.count("index_topk", 0, high=2**30),
    )


def _matrices(fields: Fields, attention: Attention) -> tuple[Linear, ...]:
    hidden = fields.count("hidden_size")
    rank, bias = attention.q_lora_rank, attention.bias
    queries: tuple[Linear, ...] = (Linear("q_proj", hidden, attention.query_width),)
    if rank:
        queries = (
            Linear("q_a_proj", hidden, rank, bias),
            Linear("q_b_proj", rank, attention.query_width),
        )
    keys = attention.heads * (attention.nope_dim + attention.v_head_dim)
    return (
        *queries,
        Linear("kv_a_proj_with_mqa", hidden, attention.kv_lora_rank + attention.rope_dim, bias),
        Linear("kv_b_proj", attention.kv_lora_rank, keys),
        Linear("o_proj", attention.output_width, hidden, bias),
        *_indexer(hidden, attention),
    )


def _indexer(hidden: int, attention: Attention) -> tuple[Linear, ...]:
    """Matrices that choose which tokens a query looks at (DeepSeek sparse attention)."""
    if not attention.index_heads:
        return ()
    width = attention.index_heads * attention.index_dim
    return (
        Linear("indexer.wq_b", attention.q_lora_rank, width),
        Linear("indexer.wk", hidden, attention.index_dim),
        Linear("indexer.weights_proj", hidden, attention.index_heads),
    )


def _layer(fields: Fields, sparse: bool, positions: tuple[int, ...]) -> LayerGroup:
    hidden = fields.count("hidden_size")
    attention = _attention(fields)
    moe, experts = routed(fields, _TRAITS) if sparse else (None, ())
    width = 0 if sparse else fields.count("intermediate_size")
    dense = () if sparse else gated_mlp(hidden, width)
    index_norm = 2 * attention.index_dim if attention.index_heads else 0
    return LayerGroup(
        positions,
        attention,
        None if sparse else mlp_of(width, fields.text("hidden_act", "silu")),
        moe,
        _matrices(fields, attention) + dense + experts,
        norm_parameters=2 * hidden + attention.q_lora_rank + attention.kv_lora_rank + index_norm,
    )
