"""Putting layers, tables and head together to a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sizing.architecture.fields import MOST_POSITIONS, MOST_VOCABULARY, Fields
from sizing.architecture.layers import LayerGroup, Linear
from sizing.architecture.shape import Architecture, Note


@dataclass(frozen=True, slots=True)
class Outside:
    """What a family has outside its layers."""

    tied: bool = False
    norm_parameters: int = 0
    norm_kind: str = "rms"
    position_parameters: int = 0
    linears: tuple[Linear, ...] = ()
    parameters: int = 0
    has_head: bool = True
    head_bias: bool = False
    embedding_width: int | None = None
    logit_softcap: bool = False
    embedding_norm: bool = False
    default_vocabulary: int | None = None
    dropout: float = 0.0
    encoder_decoder: bool = False


def assemble(
    fields: Fields, layers: Sequence[LayerGroup], outside: Outside, *, notes: tuple[Note, ...] = ()
) -> Architecture:
    """A model from its layers and what stands outside them; the configuration's own tie wins over the family's."""
    hidden = fields.count("hidden_size")
    vocabulary = fields.count("vocab_size", outside.default_vocabulary, high=MOST_VOCABULARY)
    table = vocabulary * (outside.embedding_width or hidden)
    positions = fields.count("max_position_embeddings", 0, low=0, high=MOST_POSITIONS)
    return Architecture(
        name=fields.text("_name_or_path") or fields.text("model_type"),
        family=fields.text("model_type"),
        hidden_size=hidden,
        vocab_size=vocabulary,
        layers=tuple(layers),
        embedding_parameters=table,
        head_parameters=table if outside.has_head else 0,
        tied=outside.has_head and fields.flag("tie_word_embeddings", outside.tied),
        position_parameters=outside.position_parameters,
        final_norm_parameters=outside.norm_parameters,
        final_norm_kind=outside.norm_kind,
        outer_parameters=outside.parameters,
        outer_linears=outside.linears,
        head_bias=vocabulary if outside.has_head and outside.head_bias else 0,
        max_positions=positions or None,
        encoder_decoder=outside.encoder_decoder,
        dropout=outside.dropout,
        logit_softcap=outside.logit_softcap,
        embedding_norm=outside.embedding_norm,
        mtp_layers=_mtp_layers(fields),
        native_dtype=_native_dtype(fields),
        native_quantisation=_native_quantisation(fields),
        notes=notes,
    )


def _mtp_layers(fields: Fields) -> int:
    """Layers that predict further tokens; they are in the checkpoint, not in what transformers builds."""
    for name in ("num_nextn_predict_layers", "mtp_num_hidden_layers"):
        if fields.has(name):
            return fields.count(name, 0, low=0, high=64)
    if fields.has("num_mtp_modules"):
        return fields.count("num_mtp_modules", 0, low=0, high=64)
    return 0


def _native_dtype(fields: Fields) -> str | None:
    names = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}
    return names.get(fields.text("torch_dtype") or fields.text("dtype"))


def _native_quantisation(fields: Fields) -> str | None:
    quantisation = fields.child("quantization_config")
    return quantisation.text("quant_method") or None if quantisation else None
