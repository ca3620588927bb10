"""A model's shape: exact parameter counts, adapters, quantized weights, caches, FLOPs and saved activations."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sizing.architecture.config import from_config
from sizing.architecture.packaged import ModelName, by_name, names, suggestions
from sizing.architecture.shape import (
    Architecture,
    Attention,
    LayerGroup,
    Linear,
    Mlp,
    Moe,
    Note,
    ParameterCounts,
)
from sizing.architecture.typical import from_parameters
from sizing.errors import SizingError

__all__ = [
    "Architecture",
    "Attention",
    "LayerGroup",
    "Linear",
    "Mlp",
    "ModelName",
    "Moe",
    "Note",
    "ParameterCounts",
    "by_name",
    "from_config",
    "from_parameters",
    "names",
    "read",
    "suggestions",
]


def read(model: Mapping[str, Any], *, path: str = "model") -> Architecture:
    """Shape of a model as a request gives it.

    Parameters
    ----------
    model : Mapping
        ``{"name": …}``, ``{"config": {…}}`` or ``{"parameters": …}``; a name beside a configuration is its title.

    Raises
    ------
    SizingError
        Naming the field, when nothing or something unusable was given.
    """
    if not isinstance(model, Mapping):
        raise SizingError(path, "A model is given by its name, config or parameters; this is {value}.", value=model)
    name = model.get("name")
    if model.get("config") is not None:
        title = name if isinstance(name, str) else ""
        return _one_object(from_config(model["config"], name=title, path=f"{path}.config"))
    if name is not None:
        return by_name(name, path=f"{path}.name")
    if model.get("parameters") is not None:
        return from_parameters(model["parameters"], path=f"{path}.parameters")
    raise SizingError(path, "No model is given: its name, its config.json or its number of parameters is needed.")


@lru_cache(maxsize=256)
def _one_object(shape: Architecture) -> Architecture:
    """Give equal shapes as one object: what is remembered of a shape is then found without comparing its layers."""
    return shape
