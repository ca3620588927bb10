"""Packaged data: the only place of the engine that opens files."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

DATA = Path(__file__).parent / "data"


def read_json(name: str) -> Any:
    """A packaged JSON file, e.g. ``models/gpt2.json``."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def read_json_lines(name: str) -> list[Any]:
    """The objects of a packaged JSON Lines file."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def read_text(name: str) -> str:
    """A packaged text file."""
    return (DATA / name).read_text(encoding="utf-8")


@cache
def read_yaml(name: str) -> Any:
    """A packaged YAML file; read once, not to be changed by the caller."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load((DATA / name).read_text(encoding="utf-8"), Loader=loader)  # noqa: S506


@cache
def language_models() -> MappingProxyType[str, Any]:
    """Packaged language models by slug, each with its sources and its configuration."""
    files = sorted((DATA / "models").glob("*.json"))
    return MappingProxyType({file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files})
