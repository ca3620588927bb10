"""A model's shape from its ``config.json``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from sizing.architecture.families import decoders, encoders, experts, gpt, latent, mixed
from sizing.architecture.fields import Fields
from sizing.architecture.shape import Architecture, Note
from sizing.errors import SizingError

MOST_PARAMETERS: Final = 10**14
_TEXT_PARTS: Final = ("text_config", "language_config", "llm_config")
UNSUPPORTED: Final = {
    "mamba": "a state-space model",
    "mamba2": "a state-space model",
    "falcon_mamba": "a state-space model",
    "jamba": "a mixture of state-space and attention layers",
    "bamba": "a mixture of state-space and attention layers",
    "nemotron_h": "a mixture of state-space and attention layers",
    "rwkv": "a recurrent model",
    "dbrx": "a family whose configuration is not read yet",
    "whisper": "a speech model",
    "wav2vec2": "a speech model",
    "clip": "an image model",
    "vit": "an image model",
    "siglip": "an image model",
    "gemma3n_text": "a family with per-layer embeddings",
}
_RENAMED: Final = {
    "gemma3": "gemma3_text",
    "gemma4": "gemma4_text",
    "llama4": "llama4_text",
    "qwen3_5": "qwen3_5_text",
    "qwen3_5_moe": "qwen3_5_moe_text",
    "mpt-hf": "mpt",
    "RWForCausalLM": "falcon",
}


def from_config(config: Mapping[str, Any], *, name: str = "", path: str = "model.config") -> Architecture:
    """Shape of the model that a Hugging Face ``config.json`` describes.

    Parameters
    ----------
    config : Mapping
        The parsed file. Names of older files (``n_embd``, ``n_layer``, ``d_model`` …) are understood.
    name : str
        Name to show; the configuration's own when empty.
    path : str
        Where the configuration stands in the request, for messages.

    Returns
    -------
    Architecture
        With notes about whatever had to be supposed.

    Raises
    ------
    SizingError
        Naming the field, for anything that cannot be sized.
    """
    outer = Fields(config, path)
    fields, notes = _text_part(outer)
    family = fields.text("model_type") or _family_of_class(fields)
    reader, supposed = _reader(family, fields)
    read = reader(_with_family(fields, family))
    if read.parameters > MOST_PARAMETERS:
        raise SizingError(
            path,
            "This configuration describes {value} parameters, more than any model that could be sized.",
            value=read.parameters,
        )
    shown = name or outer.text("_name_or_path") or read.name or "config.json"
    return replace(read, name=shown, title=read.title or shown, notes=(*notes, *supposed, *read.notes))


def _text_part(outer: Fields) -> tuple[Fields, tuple[Note, ...]]:
    """The language model inside a configuration of several towers."""
    for key in _TEXT_PARTS:
        inner = outer.child(key)
        if inner is None or (outer.has("num_hidden_layers") and outer.has("hidden_size")):
            continue
        merged = dict(inner.config)
        for shared in ("tie_word_embeddings", "torch_dtype", "quantization_config"):
            if shared in outer.config:
                merged.setdefault(shared, outer.config[shared])
        merged.setdefault("model_type", outer.text("model_type"))
        note = Note("text_tower", "Only the language model is counted; the other towers of the file are not.")
        return Fields(merged, inner.path), (note,)
    return outer, ()


def _family_of_class(fields: Fields) -> str:
    """``model_type`` from the name of the class, for files that only have ``architectures``."""
    names = fields.texts("architectures")
    stem = names[0].split("For")[0].removesuffix("LMHeadModel").removesuffix("Model") if names else ""
    known = {_plain(family): family for family in _known()}
    return known.get(_plain(stem), "")


def _plain(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum()).removesuffix("text")


def _known() -> tuple[str, ...]:
    return (
        *decoders.FAMILIES,
        *experts.FAMILIES,
        *latent.FAMILIES,
        *gpt.READERS,
        *encoders.READERS,
        *mixed.READERS,
    )


def _with_family(fields: Fields, family: str) -> Fields:
    return Fields({**fields.config, "model_type": family}, fields.path)


def _reader(family: str, fields: Fields) -> tuple[Callable[[Fields], Architecture], tuple[Note, ...]]:
    family = _RENAMED.get(family, family)
    if family in UNSUPPORTED:
        raise SizingError(
            f"{fields.path}.model_type",
            "{value} is {kind}; Sizewright sizes transformer language models only.",
            value=family,
            kind=UNSUPPORTED[family],
        )
    for readers in (gpt.READERS, encoders.READERS, mixed.READERS):
        if family in readers:
            return readers[family], ()
    if family in latent.FAMILIES:
        return latent.read_latent, ()
    if family in experts.FAMILIES:
        moe = experts.FAMILIES[family]
        return (lambda read: experts.read_experts(read, moe)), ()
    if family in decoders.FAMILIES:
        traits = decoders.FAMILIES[family]
        return (lambda read: decoders.read_decoder(read, traits)), ()
    return _supposed_reader(family, fields)


def _supposed_reader(family: str, fields: Fields) -> tuple[Callable[[Fields], Architecture], tuple[Note, ...]]:
    """An unknown family, read as what its keys look like."""
    shown = family or "not stated"
    if fields.has("kv_lora_rank"):
        kind, reader = "DeepSeek V3", _read_unknown_latent
    elif fields.has("experts"):
        kind, reader = "Qwen3-MoE without QK norms", _read_unknown_experts
    else:
        kind, reader = "Llama", _read_unknown_decoder
    message = "The model family ({family}) is not known; its keys are read as those of {kind}."
    return reader, (Note("family", message, (("family", shown), ("kind", kind))),)


def _read_unknown_latent(fields: Fields) -> Architecture:
    return replace(latent.read_latent(fields), exact=False)


def _read_unknown_experts(fields: Fields) -> Architecture:
    shared = "count" if fields.has("n_shared_experts") else "width"
    traits = experts.MoeTraits(decoders.LLAMA, shared=shared)
    return replace(experts.read_experts(fields, traits), exact=False)


def _read_unknown_decoder(fields: Fields) -> Architecture:
    return replace(decoders.read_decoder(fields, decoders.LLAMA), exact=False)
