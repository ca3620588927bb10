"""A hardware catalog as a document that can be stored, and back: what answered once can be asked again."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any

from sizing.hardware_data.catalog import HardwareCatalog


def to_document(catalog: HardwareCatalog) -> dict[str, Any]:
    """Every row of the catalog in plain lists and mappings, ready for JSON."""
    return {field.name: _plain(getattr(catalog, field.name)) for field in dataclasses.fields(catalog) if field.init}


def from_document(document: Mapping[str, Any]) -> HardwareCatalog:
    """The catalog of a document that `to_document` made; equal to the one it was made of.

    Raises
    ------
    KeyError, TypeError, ValueError
        Where the document is none of this engine version.
    """
    return typing.cast(HardwareCatalog, _restored(HardwareCatalog, document))


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value) if field.init}
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    return [_plain(one) for one in value] if isinstance(value, (tuple, list)) else value


@cache
def _hints(kind: type) -> dict[str, Any]:
    named = typing.get_type_hints(kind)
    return {field.name: named[field.name] for field in dataclasses.fields(kind) if field.init}


def _restored(kind: Any, value: Any) -> Any:
    """A plain value as the annotated kind; what is annotated loosely gets tuples for lists, as rows have them."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return value
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return kind(**{name: _restored(hint, value[name]) for name, hint in _hints(kind).items()})
    if origin is tuple and inner[-1] is Ellipsis:
        return tuple(_restored(inner[0], one) for one in value)
    if origin is tuple:
        return tuple(_restored(hint, one) for hint, one in zip(inner, value, strict=True))
    if origin is frozenset:
        return frozenset(value)
    if isinstance(value, Mapping):
        held = inner[1] if len(inner) == 2 else Any
        return {name: _restored(held, one) for name, one in value.items()}
    return tuple(_restored(Any, one) for one in value) if isinstance(value, list) else value
