"""Language models that come with the engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from catalog.models import LanguageModel, Source
from catalog.starter.sources import model_source_key
from catalog.starter.sync import Report, read, sync
from sizing import datafiles
from sizing.architecture.packaged import names


def load_language_models(report: Report) -> None:
    """Bring the language models up to the engine's, with exact parameter counts."""
    rows = sync(LanguageModel, _rows(), report)
    ids = dict(Source.objects.values_list("key", "pk"))
    through = LanguageModel.sources.through
    have = set(through.objects.values_list("languagemodel_id", "source_id"))
    links = {
        (rows[slug].pk, ids[model_source_key(source)])
        for slug, model in datafiles.language_models().items()
        for source in model["sources"]
    }
    through.objects.bulk_create(through(languagemodel_id=row, source_id=source) for row, source in sorted(links - have))


def _rows() -> Iterator[dict[str, Any]]:
    own = read("language_models.yaml")
    documents = datafiles.language_models()
    for model in names():
        config = documents[model.slug]["config"]
        yield {
            "slug": model.slug,
            "name": model.title,
            "maker": own["makers"].get(model.hf_id.split("/")[0], ""),
            "family": model.family,
            "hf_id": model.hf_id,
            "license": _license(model.slug, own["licenses"]),
            "context_length": context_length(config),
            "parameters": model.parameters,
            "active_parameters": model.active_parameters,
            "is_verified": model.verified,
            "config": config,
            "notes": str(documents[model.slug].get("notes") or ""),
        }


def context_length(config: dict[str, Any]) -> int | None:
    """Longest sequence that a configuration names; None where it names none."""
    inner = config.get("text_config") if isinstance(config.get("text_config"), dict) else {}
    for name in ("max_position_embeddings", "n_positions", "max_sequence_length", "seq_length", "n_ctx"):
        value = config.get(name) or (inner or {}).get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
    return None


def _license(slug: str, licenses: dict[str, str]) -> str:
    matching = [start for start in licenses if slug.startswith(start)]
    return licenses[max(matching, key=len)] if matching else ""
