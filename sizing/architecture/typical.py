"""A typical shape for a bare number of parameters."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from functools import cache, lru_cache
from math import isfinite, log
from typing import Final

from sizing.architecture.config import from_config
from sizing.architecture.packaged import by_name
from sizing.architecture.shape import Architecture, Note
from sizing.errors import SizingError
from sizing.units import format_count

FEWEST_PARAMETERS: Final = 10**7
MOST_PARAMETERS: Final = 5 * 10**12
_FFN_STEP: Final = 8
_ANCHORS: Final = (
    "smollm2-135m",
    "qwen3-0.6b",
    "llama-3.2-1b",
    "llama-3.2-3b",
    "llama-3.1-8b",
    "qwen3-14b",
    "qwen2.5-32b",
    "llama-3.1-70b",
    "llama-3.1-405b",
)
"""Dense decoders whose widths and depths are interpolated."""


def from_parameters(parameters: float, *, path: str = "model.parameters") -> Architecture:
    """A dense decoder of Llama's kind with about the given number of parameters.

    Width and depth are interpolated, on logarithms, between published models; the feed-forward width is then chosen
    so that the count comes out.

    Parameters
    ----------
    parameters : float
        Number of parameters, 10 million to 5 trillion [–].

    Returns
    -------
    Architecture
        ``exact`` is False, and the notes say what was supposed.
    """
    if isinstance(parameters, bool) or not isinstance(parameters, int | float):
        raise SizingError(path, "The number of parameters has to be a number, not {value}.", value=parameters)
    if not FEWEST_PARAMETERS <= parameters <= MOST_PARAMETERS or not isfinite(parameters):
        raise SizingError(
            path,
            "{value} parameters is outside of what can be sized ({low} to {high}); 7 billion is written 7e9.",
            value=parameters,
            low=format_count(FEWEST_PARAMETERS),
            high=format_count(MOST_PARAMETERS),
        )
    return _typical(round(parameters))


@lru_cache(maxsize=256)
def _typical(parameters: int) -> Architecture:
    nearest, hidden, layers = _interpolated(parameters)
    head_dim = 128 if hidden >= 2048 else 64
    heads = hidden // head_dim
    group = nearest.layers[0]
    kv_heads = heads if heads % 8 else 8
    vocabulary = min(nearest.vocab_size, max(8_192, parameters // (4 * hidden)))
    tables = hidden * vocabulary * (1 if nearest.tied else 2)
    attention = 2 * hidden * head_dim * (heads + kv_heads)
    room = parameters - tables - layers * (attention + 2 * hidden) - hidden
    width = max(_FFN_STEP, round(room / (3 * hidden * layers * _FFN_STEP)) * _FFN_STEP)
    config = {
        "model_type": "llama",
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "head_dim": head_dim,
        "intermediate_size": width,
        "vocab_size": vocabulary,
        "tie_word_embeddings": nearest.tied,
        "max_position_embeddings": nearest.max_positions,
    }
    count = format_count(parameters)
    message = (
        "Only a number of parameters ({count}) was given: a dense decoder with {layers} layers of width {hidden}, "
        "{heads} heads ({kv_heads} for keys and values), feed-forward width {width} and a vocabulary of {vocabulary} "
        "is supposed, after {model}."
    )
    values = {**config, "count": count, "layers": layers, "hidden": hidden, "heads": heads, "kv_heads": kv_heads}
    values |= {"width": width, "vocabulary": vocabulary, "model": nearest.title}
    wanted = ("count", "layers", "hidden", "heads", "kv_heads", "width", "vocabulary", "model")
    note = Note("typical_shape", message, tuple((name, str(values[name])) for name in wanted))
    read = from_config(config, name=f"{count} parameters")
    return replace(read, exact=False, notes=(note,), dropout=0.0, native_dtype="bf16", layers=read.layers or (group,))


@cache
def _anchors() -> tuple[tuple[float, Architecture], ...]:
    models = [by_name(slug) for slug in _ANCHORS]
    return tuple((log(model.parameters), model) for model in models)


def _interpolated(parameters: int) -> tuple[Architecture, int, int]:
    """The nearest anchor, and the width and depth for the number of parameters."""
    anchors = _anchors()
    place = log(parameters)
    above = min(max(1, bisect_left([size for size, _ in anchors], place)), len(anchors) - 1)
    (low_size, low), (high_size, high) = anchors[above - 1], anchors[above]
    share = (place - low_size) / (high_size - low_size)
    nearest = low if share < 0.5 else high
    width = low.hidden_size * (high.hidden_size / low.hidden_size) ** share
    depth = low.layer_count * (high.layer_count / low.layer_count) ** share
    step = 1024 if width >= 3072 else 512 if width >= 1024 else 64
    return nearest, max(step, round(width / step) * step), max(2, round(depth))
