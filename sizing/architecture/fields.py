"""Reading values out of a configuration that anybody may have written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Final

from sizing.errors import SizingError

MOST_LAYERS: Final = 2_000
MOST_WIDTH: Final = 2**22
MOST_HEADS: Final = 2**14
MOST_VOCABULARY: Final = 2**26
MOST_EXPERTS: Final = 2**15
MOST_POSITIONS: Final = 2**34
_MOST_KEYS: Final = 2_000

ALIASES: Final[dict[str, tuple[str, ...]]] = {
    "hidden_size": ("hidden_size", "n_embd", "d_model", "dim", "n_embed", "model_dim"),
    "num_hidden_layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "num_attention_heads": ("num_attention_heads", "n_head", "n_heads", "num_heads"),
    "num_key_value_heads": (
        "num_key_value_heads",
        "num_kv_heads",
        "n_kv_heads",
        "n_head_kv",
        "multi_query_group_num",
        "num_query_groups",
    ),
    "intermediate_size": (
        "intermediate_size",
        "ffn_hidden_size",
        "n_inner",
        "ffn_dim",
        "d_ff",
        "ffn_size",
        "inner_size",
    ),
    "vocab_size": ("vocab_size", "padded_vocab_size", "n_vocab"),
    "max_position_embeddings": (
        "max_position_embeddings",
        "n_positions",
        "max_seq_len",
        "n_ctx",
        "seq_length",
        "max_sequence_length",
    ),
    "head_dim": ("head_dim", "kv_channels", "attention_head_dim"),
    "experts": ("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"),
    "top_k": ("num_experts_per_tok", "top_k_experts", "moe_top_k", "moe_topk", "num_experts_per_token"),
    "expert_width": ("moe_intermediate_size", "expert_intermediate_size", "moe_ffn_hidden_size"),
}
"""Names that configurations of different ages give to the same thing; the first is today's."""


class Fields:
    """A configuration with checked access; every complaint names the field.

    Parameters
    ----------
    config : Mapping
        A Hugging Face ``config.json`` as parsed.
    path : str
        Where the configuration stands in the request, for messages.
    """

    def __init__(self, config: Mapping[str, Any], path: str = "model.config") -> None:
        if not isinstance(config, Mapping):
            raise SizingError(path, "A model configuration is a JSON object; this is {value}.", value=config)
        if len(config) > _MOST_KEYS:
            raise SizingError(path, "This configuration has more keys than a model's would.", value=config)
        if not all(isinstance(key, str) for key in config):
            raise SizingError(path, "The keys of a model configuration are names.", value=config)
        self.config = config
        self.path = path

    def names(self, name: str) -> tuple[str, ...]:
        """The names under which a field may stand, today's first."""
        return ALIASES.get(name, (name,))

    def find(self, name: str) -> tuple[str, Any]:
        """The key that is there and its value, or today's name and None."""
        for key in self.names(name):
            if self.config.get(key) is not None:
                return key, self.config[key]
        return name, None

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self.find(name)[1] is not None

    def count(self, name: str, default: int | None = None, *, low: int = 1, high: int = MOST_WIDTH) -> int:
        """A whole number; the field must be there unless a default is given."""
        key, value = self.find(name)
        if value is None:
            if default is None:
                raise self.missing(name)
            return default
        if isinstance(value, float) and isfinite(value) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error(key, "{field} has to be a whole number, not {value}.", value)
        if not low <= value <= high:
            raise self.error(
                key, "{field} is {value}; a model that can be sized has {low} to {high}.", value, low=low, high=high
            )
        return value

    def number(self, name: str, default: float, *, low: float, high: float) -> float:
        """A number; null or absent is the default."""
        key, value = self.find(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(_as_float(value)):
            raise self.error(key, "{field} has to be a number, not {value}.", value)
        if not low <= value <= high:
            raise self.error(key, "{field} is {value}; it has to be {low} to {high}.", value, low=low, high=high)
        return float(value)

    def flag(self, name: str, default: bool) -> bool:
        """True or false; null or absent is the default."""
        key, value = self.find(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.error(key, "{field} has to be true or false, not {value}.", value)
        return value

    def text(self, name: str, default: str = "") -> str:
        """A short text; null or absent is the default."""
        key, value = self.find(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.error(key, "{field} has to be a text, not {value}.", value)
        return value[:200]

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of short texts; null or absent is empty."""
        key, value = self.find(name)
        if value is None:
            return ()
        is_list = isinstance(value, Sequence) and not isinstance(value, str | bytes)
        if not is_list or len(value) > MOST_LAYERS or not all(isinstance(item, str) for item in value):
            raise self.error(key, "{field} has to be a list of names, not {value}.", value)
        return tuple(item[:80] for item in value)

    def counts(self, name: str, *, high: int) -> tuple[int, ...]:
        """A list of whole numbers from 0; null or absent is empty."""
        key, value = self.find(name)
        if value is None:
            return ()
        is_list = isinstance(value, Sequence) and not isinstance(value, str | bytes)
        if not is_list or len(value) > MOST_LAYERS:
            raise self.error(key, "{field} has to be a list of whole numbers, not {value}.", value)
        if not all(isinstance(item, int) and not isinstance(item, bool) and 0 <= item <= high for item in value):
            raise self.error(key, "{field} has to be a list of whole numbers from 0 to {high}.", value, high=high)
        return tuple(value)

    def child(self, name: str) -> Fields | None:
        """A configuration inside the configuration, if there is one."""
        value = self.config.get(name)
        return Fields(value, f"{self.path}.{name}") if isinstance(value, Mapping) and value else None

    def missing(self, name: str) -> SizingError:
        """The complaint about a field that is not there."""
        others = ", ".join(self.names(name)[1:4])
        message = "The configuration has no {field}, and nothing that can stand for it."
        if others:
            message = "The configuration has no {field} (nor {others}); without it the model cannot be sized."
        return SizingError(f"{self.path}.{name}", message, others=others)

    def error(self, key: str, message: str, value: object, **params: object) -> SizingError:
        """A complaint about a field that is there."""
        return SizingError(f"{self.path}.{key}", message, value=value, **params)


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf")
