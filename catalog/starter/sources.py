"""Sources of all reviewed files."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import Any

from catalog.models import Source
from catalog.starter.sync import Report, read, sync
from sizing import datafiles

HARDWARE_FILES = ("gpus", "platforms", "cpus", "network_storage", "skus", "supplement")
OWN_FILES = ("components.yaml", "skus.yaml")
_READ = {"direct": Source.Read.DIRECT, "quoted": Source.Read.QUOTED, "derived": Source.Read.DERIVED}
_DATE = re.compile(r"^[12]\d{3}(-(0[1-9]|1[0-2])(-[0-3]\d)?)?$")
_MODEL_SOURCES = {
    "aic": "NVIDIA aiconfigurator model configurations",
    "litgpt": "LitGPT model configurations",
    "mlc": "MLC LLM model presets",
}


def load_sources(report: Report) -> dict[str, Source]:
    """Load every source that a reviewed file names."""
    rows: dict[str, dict[str, Any]] = {}
    for row in (*_hardware(), *_own(), *_language_models()):
        rows.setdefault(row["key"], row)
    return sync(Source, rows.values(), report, key="key")


def partial_date(text: object) -> str:
    """A year, month or day as written; empty where the text is none of them (a span, "undated")."""
    written = str(text or "").strip()
    return written if _DATE.match(written) else ""


def _hardware() -> Iterator[dict[str, Any]]:
    for name in HARDWARE_FILES:
        data = datafiles.read_yaml(f"hardware/{name}.yaml")
        compiled = data["meta"].get("compiled")
        read_on = datetime.date.fromisoformat(str(compiled)) if compiled else None
        for key, source in data["sources"].items():
            yield _row(key, source, read_on)


def _own() -> Iterator[dict[str, Any]]:
    for name in OWN_FILES:
        for key, source in read(name)["sources"].items():
            yield _row(key, source, None)


def _row(key: str, source: dict[str, Any], read_on: datetime.date | None) -> dict[str, Any]:
    return {
        "key": key,
        "title": str(source["title"])[:300],
        "address": str(source.get("address") or "")[:600],
        "kind": source["kind"],
        "read": _READ.get(source["read"], Source.Read.NOT_OPENED),
        "via": str(source.get("via") or "").strip()[:300],
        "as_of": partial_date(source.get("date")),
        "read_on": read_on,
    }


def _language_models() -> Iterator[dict[str, Any]]:
    seen = set()
    for model in datafiles.language_models().values():
        for source in model["sources"]:
            key = model_source_key(source)
            if key not in seen:
                seen.add(key)
                provenance = str(source.get("provenance") or source["kind"])
                yield {
                    "key": key,
                    "title": _MODEL_SOURCES.get(source["kind"], provenance)[:300],
                    "address": provenance[:600],
                    "kind": Source.Kind.MAKER_CODE if source["kind"] == "hf" else Source.Kind.SECONDARY,
                    "read": Source.Read.DIRECT,
                }


def model_source_key(source: dict[str, Any]) -> str:
    """Key under which the source of a language model's configuration is kept."""
    return f"model:{source['kind']}"[:80]
