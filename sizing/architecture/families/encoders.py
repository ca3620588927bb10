"""Encoders for embeddings and ranking (BERT, XLM-R) and encoder-decoders (T5)."""

from __future__ import annotations

from collections.abc import Callable

from sizing.architecture.assembly import Outside, assemble
from sizing.architecture.fields import MOST_HEADS, MOST_LAYERS, MOST_POSITIONS, Fields
from sizing.architecture.layers import MLP, Attention, LayerGroup, Linear
from sizing.architecture.parts import mlp_of, plain_mlp
from sizing.architecture.shape import Architecture, Note


def _purpose(fields: Fields) -> str:
    names = fields.texts("architectures")
    return names[0].rsplit("For", 1)[-1] if names and "For" in names[0] else "embedding"


def _labels(fields: Fields) -> int:
    labels = fields.child("id2label")
    return fields.count("num_labels", len(labels.config) if labels else 1, high=10_000)


def _bert_outside(fields: Fields, *, roberta: bool) -> Outside:
    hidden = fields.count("hidden_size")
    positions = fields.count("max_position_embeddings", 512, high=MOST_POSITIONS)
    types = fields.count("type_vocab_size", 1 if roberta else 2, low=0, high=1_000)
    purpose = _purpose(fields)
    dense = Linear("dense", hidden, hidden, bias=True)
    masked = purpose == "MaskedLM"
    pooler: tuple[Linear, ...] = (dense,)
    if purpose == "SequenceClassification":
        classifier = Linear("out_proj" if roberta else "classifier", hidden, _labels(fields), bias=True)
        pooler = (dense, classifier)
    elif purpose == "TokenClassification":
        pooler = (Linear("classifier", hidden, _labels(fields), bias=True),)
    elif masked:
        pooler = (Linear("transform", hidden, hidden, bias=True),)
    return Outside(
        tied=masked,
        has_head=masked,
        head_bias=masked,
        norm_parameters=(4 if masked else 2) * hidden,
        norm_kind="layer_bias",
        position_parameters=(positions + types) * hidden,
        linears=pooler,
        embedding_norm=True,
        dropout=fields.number("hidden_dropout_prob", 0.1, low=0, high=1),
    )


def _read_bert(fields: Fields, *, roberta: bool) -> Architecture:
    hidden = fields.count("hidden_size")
    width = fields.count("intermediate_size")
    heads = fields.count("num_attention_heads", high=MOST_HEADS)
    if hidden % heads:
        raise fields.error(
            "num_attention_heads", "A width of {hidden} does not divide into {value} heads.", heads, hidden=hidden
        )
    head_dim = hidden // heads
    attention = Attention("mha", heads, heads, head_dim, head_dim, bias=True, causal=False, rotary=False, upcast=False)
    matrices = (
        *(Linear(name, hidden, hidden, True) for name in ("query", "key", "value", "attention.output.dense")),
        *plain_mlp(hidden, width, names=("intermediate.dense", "output.dense"), bias=True),
    )
    layers = tuple(range(fields.count("num_hidden_layers", high=MOST_LAYERS)))
    mlp = mlp_of(width, fields.text("hidden_act", "gelu"), gated=False)
    group = LayerGroup(
        layers,
        attention,
        mlp,
        None,
        matrices,
        norms=2,
        norm_kind="layer_bias",
        norm_parameters=4 * hidden,
        stack="encoder",
    )
    return assemble(fields, (group,), _bert_outside(fields, roberta=roberta))


def read_bert(fields: Fields) -> Architecture:
    """BERT and what copies it: learned positions and segment types, a pooler unless a head replaces it."""
    return _read_bert(fields, roberta=False)


def read_roberta(fields: Fields) -> Architecture:
    """RoBERTa, XLM-R, CamemBERT: BERT with one segment type and another classifier."""
    return _read_bert(fields, roberta=True)


def read_distilbert(fields: Fields) -> Architecture:
    """DistilBERT: BERT without segment types and without a pooler."""
    hidden = fields.count("dim")
    renamed = {
        **fields.config,
        "hidden_size": hidden,
        "intermediate_size": fields.count("hidden_dim", 4 * hidden),
        "type_vocab_size": 0,
        "hidden_act": fields.text("activation", "gelu"),
        "architectures": ["DistilBertForEmbedding"],
    }
    full = _read_bert(Fields(renamed, fields.path), roberta=False)
    outside = _bert_outside(Fields(renamed, fields.path), roberta=False)
    bare = Outside(
        has_head=False,
        norm_parameters=outside.norm_parameters,
        norm_kind="layer_bias",
        position_parameters=outside.position_parameters,
        embedding_norm=True,
        dropout=outside.dropout,
    )
    return assemble(Fields(renamed, fields.path), full.layers, bare)


def _t5_attention(fields: Fields, *, causal: bool, cross: bool) -> tuple[Attention, tuple[Linear, ...]]:
    hidden = fields.count("hidden_size")
    heads = fields.count("num_attention_heads", high=MOST_HEADS)
    width = fields.count("d_kv", 64)
    attention = Attention("mha", heads, heads, width, width, causal=causal, cross=cross, rotary=False)
    inner = attention.query_width
    inputs = tuple(Linear(name, hidden, inner) for name in ("q", "k", "v"))
    return attention, (*inputs, Linear("o", inner, hidden))


def _t5_feed_forward(fields: Fields) -> tuple[Linear, ...]:
    hidden = fields.count("hidden_size")
    width = fields.count("intermediate_size")
    entrances = ("wi_0", "wi_1") if _is_gated(fields) else ("wi",)
    inputs = tuple(Linear(name, hidden, width, role=MLP) for name in entrances)
    return (*inputs, Linear("wo", width, hidden, role=MLP))


def _is_gated(fields: Fields) -> bool:
    return fields.text("feed_forward_proj", "relu").startswith("gated")


def _t5_layers(fields: Fields, count: int, *, decoder: bool) -> LayerGroup:
    hidden = fields.count("hidden_size")
    attention, matrices = _t5_attention(fields, causal=decoder, cross=False)
    cross, cross_matrices = _t5_attention(fields, causal=False, cross=True)
    gated = _is_gated(fields)
    activation = fields.text("feed_forward_proj", "relu").removeprefix("gated-")
    mlp = mlp_of(fields.count("intermediate_size"), activation, gated=gated)
    norms = 3 if decoder else 2
    return LayerGroup(
        tuple(range(count)),
        attention,
        mlp,
        None,
        (*matrices, *(cross_matrices if decoder else ()), *_t5_feed_forward(fields)),
        norms=norms,
        norm_parameters=norms * hidden,
        cross_attention=cross if decoder else None,
        stack="decoder" if decoder else "encoder",
    )


def read_t5(fields: Fields) -> Architecture:
    """T5, Flan-T5, mT5, UMT5: encoder and decoder share the token table."""
    hidden = fields.count("hidden_size")
    encoder = fields.count("num_hidden_layers", high=MOST_LAYERS)
    decoder = fields.count("num_decoder_layers", encoder, high=MOST_LAYERS)
    heads = fields.count("num_attention_heads", high=MOST_HEADS)
    buckets = fields.count("relative_attention_num_buckets", 32, high=65_536)
    layers = (_t5_layers(fields, encoder, decoder=False), _t5_layers(fields, decoder, decoder=True))
    separate = not fields.flag("tie_word_embeddings", True)
    outside = Outside(
        tied=True,
        norm_parameters=2 * hidden,
        parameters=2 * buckets * heads,
        encoder_decoder=True,
        dropout=fields.number("dropout_rate", 0.1, low=0, high=1),
    )
    note = Note("separate_head", "The checkpoint stores the head apart from the token table; in memory they are one.")
    tied = Fields({**fields.config, "tie_word_embeddings": True}, fields.path)
    return assemble(tied, layers, outside, notes=(note,) if separate else ())


READERS: dict[str, Callable[[Fields], Architecture]] = {
    "bert": read_bert,
    "roberta": read_roberta,
    "xlm-roberta": read_roberta,
    "xlm-roberta-xl": read_roberta,
    "camembert": read_roberta,
    "distilbert": read_distilbert,
    "t5": read_t5,
    "mt5": read_t5,
    "umt5": read_t5,
}
