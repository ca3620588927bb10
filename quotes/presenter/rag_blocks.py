"""Answers over documents: the index and its making, and searching against fine-tuning for the same documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import exchange
from quotes.presenter import quantities as q
from quotes.presenter.blocks import Block, prose, tabled
from quotes.presenter.engine_words import say
from quotes.presenter.reading import Reading, dig
from quotes.presenter.tables import table

WHOLE_FROM = 10
"""Amount from which the cents are left out [currency]."""


def index(reading: Reading) -> Block | None:
    """Give the index of the documents: what it holds, where it lies, how long its making takes."""
    found = dig(reading.candidate, "rag") or {}
    if not found.get("chunks"):
        return None
    kind = f"{_kind(found.get('index'))}, {found.get('vector_dtype')}, {q.number(found.get('dimensions'))}"
    rows = [
        [_("Passages in the index"), q.large(found["chunks"])],
        [_("Tokens of all documents"), q.large(found.get("tokens"))],
        [_("Kind of index, format and width of the vectors"), kind],
        [_("Index in memory"), _up_to(found.get("index_bytes"), found.get("index_high_bytes"))],
        [_("Models that embed and sort"), _models(found)],
        [_("On each GPU: models that embed and sort"), str(q.gib(dig(found, "split", "gpu_bytes")))],
        [_("In host memory: the index, up to"), str(q.gigabytes(dig(found, "split", "host_bytes")))],
        [_("On NVMe: index, vectors and texts, twice"), str(q.gigabytes(dig(found, "split", "drive_bytes")))],
        [_("Embedding all documents once"), _band(found.get("ingestion_seconds"))],
        [_("Building the index"), _band(found.get("build_seconds"))],
        [_("Sorting the passages of one question"), str(q.figure(found.get("rerank_ms"), "ms"))],
    ]
    return tabled(table("storage", [(_("Index of the documents"), "text"), (_("Figure"), "num")], rows))


def options(reading: Reading) -> Block | None:
    """Give the memory of every kind of index for the same passages, each with the source of its formula."""
    found = dig(reading.candidate, "rag") or {}
    if not found.get("options"):
        return None
    rows = [
        [
            f"{_kind(one.get('index'))}, {one.get('vector_dtype')}",
            str(q.gigabytes(one.get("memory_bytes"))),
            str(q.gigabytes(one.get("drive_bytes"))),
            say(str(one.get("source") or "")),
        ]
        for one in found["options"]
    ]
    columns = [
        (_("Other kinds of index"), "text"),
        (_("In memory"), "num"),
        (_("On drives"), "num"),
        (_("Where the formula is from"), "text"),
    ]
    return tabled(table("index-options", columns, rows, css="long"))


def _kind(name: Any) -> str:
    return str(name or "").upper().replace("_", "-")


def _up_to(expected: Any, high: Any) -> str:
    if high is None:
        return str(q.gigabytes(expected))
    return _("%(expected)s, up to %(high)s") % {"expected": q.gigabytes(expected), "high": q.gigabytes(high)}


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
        (_("Memory of a GPU"), lambda way: str(q.gib(way.get("gpu_bytes_each")))),
        (_("Host memory and drives"), _beside_gpu),
        (_("Until it is in use"), lambda way: _band(way.get("first_use_seconds"))),
        (_("An update of the documents"), lambda way: str(q.duration(way.get("update_seconds")))),
        (_("GPU-hours of making it"), lambda way: q.significant(way.get("build_gpu_hours"), 2)),
        (_("Rent of making it"), lambda way: _cost(reading, way.get("build_cost"))),
        (_("Rent of an update"), lambda way: _cost(reading, way.get("update_cost"))),
        (_("What speaks for it, and what it asks"), lambda way: " ".join(say(one) for one in way.get("reasons") or [])),
    )
    columns = ["", _("Search in documents"), _("Fine-tuning on them")]
    rows = [[label, *(_said(way, make) for way in ways)] for label, make in lines]
    share = found.get("updated_share")
    if share:
        said = {"share": q.percent(share), "epochs": q.number(found.get("epochs"))}
        assumed = _(
            "An update changes %(share)s of the documents; fine-tuning goes %(epochs)s times through their text. "
            "Both are our assumptions."
        )
        if reading.workload.get("updated_share") is not None:
            assumed = _(
                "An update of a day changes %(share)s of the documents, by your figures; fine-tuning goes %(epochs)s "
                "times through their text, which is our assumption."
            )
    advice = say(str(found.get("advice") or ""))
    made = tabled(table("compare2", columns, rows, caption=_("Search or fine-tune: the same documents")))
    converted = exchange.of_rents(reading, [way.get("build_cost") or {} for way in ways])
    return [made, *(prose(text) for text in (advice, assumed % said if share else "", converted) if text)]


def _said(way: Mapping[str, Any], make: Any) -> str:
    return str(make(way))


def _beside_gpu(way: Mapping[str, Any]) -> str:
    if way.get("host_bytes") is None:
        return say(str(way["why"])) if way.get("why") else q.NOTHING
    return f"{q.gigabytes(way['host_bytes'])}, {q.gigabytes(way.get('drive_bytes'))}"


def _cost(reading: Reading, cost: Any) -> str:
    if not isinstance(cost, Mapping) or cost.get("low") is None:
        return q.NOTHING
    low, high, currency = exchange.rent(reading, cost)
    digits = 0 if high >= WHOLE_FROM else 2
    return str(q.band(*(q.money(one, currency, digits=digits) for one in (low, high))))
