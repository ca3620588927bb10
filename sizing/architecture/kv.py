"""The key/value cache of a model: what grows with each token, what stops at a window, what is constant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sizing.architecture.layers import Attention, LayerGroup
from sizing.architecture.shape import Architecture
from sizing.errors import SizingError
from sizing.units import ceil_div

DTYPE_BYTES: Final = {
    "fp32": 4.0,
    "bf16": 2.0,
    "fp16": 2.0,
    "fp8": 1.0,
    "int8": 1.0,
    "nvfp4": 0.5 + 1 / 16,
    "int4": 0.5 + 1 / 16,
}
"""Bytes of one cached element; four-bit formats with their scale [byte]."""

_STATE_BYTES: Final = 4
_CONVOLUTION_BYTES: Final = 2


@dataclass(frozen=True, slots=True)
class Cache:
    """Shape of one sequence's cache.

    Parameters
    ----------
    bytes_per_token : float
        Layers that keep every token [byte/token].
    windows : tuple of (int, float)
        Layers that keep the last so many tokens: (window [tokens], bytes of a token in them [byte/token]).
    state_bytes : float
        Constant state of linear-attention layers [byte].
    indexer_bytes_per_token : float
        Keys of a sparse-attention indexer [byte/token].
    source_bytes_per_token : float
        Keys and values of an encoder's tokens for cross-attention [byte/token].
    """

    bytes_per_token: float
    windows: tuple[tuple[int, float], ...] = ()
    state_bytes: float = 0.0
    indexer_bytes_per_token: float = 0.0
    source_bytes_per_token: float = 0.0

    @property
    def windowed_bytes_per_token(self) -> float:
        """Layers with a window, while the window is not full [byte/token]."""
        return sum(size for _, size in self.windows)

    def bytes_at(self, tokens: float, *, source_tokens: float = 0) -> float:
        """Cache of one sequence of so many tokens, everything together [byte]."""
        kept = (self.bytes_per_token + self.indexer_bytes_per_token) * tokens
        windowed = sum(size * min(tokens, window) for window, size in self.windows)
        return kept + windowed + self.state_bytes + self.source_bytes_per_token * source_tokens


def bytes_per_token(architecture: Architecture, dtype: str = "bf16") -> float:
    """What a further token adds to the cache while no window is full [byte/token]."""
    shape = cache(architecture, dtype)
    return shape.bytes_per_token + shape.windowed_bytes_per_token + shape.indexer_bytes_per_token


def bytes_at(architecture: Architecture, tokens: float, dtype: str = "bf16") -> float:
    """Cache of one sequence of so many tokens [byte]."""
    return cache(architecture, dtype).bytes_at(tokens)


def cache(architecture: Architecture, dtype: str = "bf16", *, tensor: int = 1) -> Cache:
    """Shape of one sequence's cache on one rank of a tensor-parallel group.

    Key/value heads are divided between the ranks and copied where there are fewer heads than ranks; the latent of
    multi-head latent attention is copied to each rank.

    Parameters
    ----------
    dtype : str
        Number format of the cache.
    tensor : int
        Ranks of the tensor-parallel group [–].

    Notes
    -----
    2 x kv heads x head width for each layer; latent rank + rope width for latent attention.
    """
    if dtype not in DTYPE_BYTES:
        raise SizingError(
            "workload.kv_cache_dtype",
            "{value} is not a format of the key/value cache; these are: {known}.",
            value=dtype,
            known=", ".join(DTYPE_BYTES),
        )
    if tensor < 1:
        raise SizingError("plan.tensor", "Tensor parallelism has 1 rank or more, not {value}.", value=tensor)
    return _cache(architecture, DTYPE_BYTES[dtype], tensor)


@lru_cache(maxsize=1024)
def _cache(model: Architecture, element_bytes: float, tensor: int) -> Cache:
    kept = indexer = state = source = 0.0
    windows: dict[int, float] = {}
    for group in model.layers:
        attention = group.attention
        if attention is None or group.stack == "encoder":
            continue
        if attention.kind == "linear":
            state += group.count * _state_bytes(attention, tensor)
            continue
        size = group.count * element_bytes * cached_elements(attention, tensor)
        if attention.window is None:
            kept += size
        else:
            windows[attention.window] = windows.get(attention.window, 0.0) + size
        indexer += group.count * element_bytes * attention.index_dim
        source += _cross_bytes(group, element_bytes, tensor)
    return Cache(kept, tuple(sorted(windows.items())), state, indexer, source)


def cached_elements(attention: Attention, tensor: int = 1) -> int:
    """Elements that one token leaves in one layer's cache on one rank [–]."""
    if attention.kind == "mla":
        return attention.kv_lora_rank + attention.rope_dim
    return ceil_div(attention.kv_heads, tensor) * (attention.head_dim + attention.v_head_dim)


def _state_bytes(attention: Attention, tensor: int) -> float:
    state = attention.state
    if state is None:
        return 0.0
    both = _STATE_BYTES * state.recurrent_elements + _CONVOLUTION_BYTES * state.convolution_elements
    return both / min(tensor, state.key_heads)


def _cross_bytes(group: LayerGroup, element_bytes: float, tensor: int) -> float:
    if group.cross_attention is None:
        return 0.0
    return group.count * element_bytes * cached_elements(group.cross_attention, tensor)
