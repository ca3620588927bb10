"""Answers over documents: the index and its making, and searching against fine-tuning for the same documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import quantities as q
from quotes.presenter.blocks import Block, prose, tabled
from quotes.presenter.engine_words import say
from quotes.presenter.reading import Reading, dig
from quotes.presenter.tables import table


def index(reading: Reading) -> Block | None:
    """Give the index of the documents: what it holds, where it lies, how long its making takes."""
    found = dig(reading.candidate, "rag") or {}
    if not found.get("chunks"):
        return None
    rows = [
        [_("Passages in the index"), q.large(found["chunks"])],
        [_("Tokens of all documents"), q.large(found.get("tokens"))],
        [_("Kind of index, format of the vectors"), f"{str(found.get('index')).upper()}, {found.get('vector_dtype')}"],
        [_("Index in memory"), str(q.gigabytes(found.get("index_bytes")))],
        [_("Models that embed and sort"), _models(found)],
        [_("Embedding all documents once"), _band(found.get("ingestion_seconds"))],
    ]
    return tabled(table("storage", [(_("Index of the documents"), "text"), (_("Figure"), "num")], rows))


def _models(found: Mapping[str, Any]) -> str:
    return ", ".join(str(found[name]) for name in ("embedding_model", "reranker_model") if found.get(name))


def _band(seconds: Any) -> str:
    low, high = dig(seconds, "low"), dig(seconds, "high")
    if low is None or high is None:
        return q.NOTHING
    unit = q.duration_unit(high)
    return str(q.band(q.duration(low, unit), q.duration(high, unit)))


def search_or_tune(reading: Reading) -> list[Block]:
    """Give searching against fine-tuning for the same documents, and the engine's advice."""
    found = dig(reading.candidate, "rag", "compare") or {}
    ways = [found.get("rag") or {}, found.get("fine_tune") or {}]
    if not all(ways):
        return []
    lines = (
        (_("Until it is in use"), lambda way: _band(way.get("first_use_seconds"))),
        (_("An update of the documents"), lambda way: str(q.duration(way.get("update_seconds")))),
        (_("GPU-hours of making it"), lambda way: q.significant(way.get("build_gpu_hours"), 2)),
        (_("Rent of making it"), lambda way: _cost(way.get("build_cost"))),
        (_("What speaks for it, and what it asks"), lambda way: " ".join(say(one) for one in way.get("reasons") or [])),
    )
    columns = ["", _("Search in documents"), _("Fine-tuning on them")]
    rows = [[label, *(_said(way, make) for way in ways)] for label, make in lines]
    advice = say(str(found.get("advice") or ""))
    made = tabled(table("compare2", columns, rows, caption=_("Search or fine-tune: the same documents")))
    return [made, prose(advice)] if advice else [made]


def _said(way: Mapping[str, Any], make: Any) -> str:
    return str(make(way))


def _cost(cost: Any) -> str:
    if not isinstance(cost, Mapping) or cost.get("low") is None:
        return q.NOTHING
    currency = str(cost.get("currency") or "")
    return str(q.band(q.money(cost["low"], currency, digits=0), q.money(cost["high"], currency, digits=0)))
