"""Articles of the reviewed files, their lines, and what they leave open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.text import slugify

from catalog.models import Part, Sku, SkuLine, Source
from catalog.starter.sync import REASON, Report, read, sync
from sizing import datafiles
from sizing.hardware import Price
from sizing.hardware_data import packaged, squashed

Row = Mapping[str, Any]
Line = dict[str, Any]
ALWAYS_ASKED = (SkuLine.Kind.CPU, SkuLine.Kind.MEMORY, SkuLine.Kind.DRIVE, SkuLine.Kind.NIC, SkuLine.Kind.PSU)


def load_skus(report: Report) -> None:
    """Bring articles and their lines up to the files; no line is ever confirmed by loading."""
    rows = list(_rows())
    skus = sync(Sku, [_columns(row) for row in rows], report, key="article")
    parts = {part.slug: part for part in Part.objects.all()}
    by_name = {squashed(part.name): part for part in parts.values() if part.kind == Part.Kind.CPU}
    with_lines = set(SkuLine.objects.values_list("sku_id", flat=True))
    for row in rows:
        sku = skus[row["sku"]]
        if sku.pk not in with_lines:
            _write_lines(sku, list(_lines(row, parts, by_name)), report)
    _link_sources(rows, skus)


def sku_slug(article: str) -> str:
    """An article as a part of an address."""
    return slugify(article.replace("×", "x").replace("+", "plus"))[:120] or "article"


def priced_articles() -> Iterator[Price]:
    """Published prices of whole servers, which are offers of an article and not of one part."""
    return (
        p for p in packaged().prices if p.group == "hardware" and p.subject[0] in {"server", "rack", "board", "other"}
    )


def _rows() -> Iterator[Row]:
    seen = set()
    for row in (*datafiles.read_yaml("hardware/skus.yaml")["skus"], *read("skus.yaml")["skus"]):
        seen.add(row["sku"])
        yield row
    for price in priced_articles():
        if price.item not in seen:
            seen.add(price.item)
            yield _of_price(price)


def _of_price(price: Price) -> Row:
    kind, slug, count = price.subject
    platforms = {platform.slug for platform in packaged().platforms}
    parsed: dict[str, Any] = {}
    if slug in platforms:
        parsed["platform"] = slug
    elif slug and kind != "other":
        parsed |= {"gpu": slug, "gpu_count": count}
    return {
        "sku": price.item,
        "kind": "server",
        "seller": "",
        "confirmation": "unconfirmed",
        "src": [],
        "parsed": parsed,
    }


def _columns(row: Row) -> dict[str, Any]:
    return {
        "article": row["sku"],
        "slug": sku_slug(row["sku"]),
        "article_folded": row["sku"].casefold(),
        "kind": row["kind"],
        "seller": row["seller"],
        "reading": row["confirmation"],
        "notes": str(row.get("notes") or "").strip(),
    }


def _lines(row: Row, parts: Mapping[str, Part], cpus: Mapping[str, Part]) -> Iterator[Line]:
    parsed = row["parsed"]
    server = row["kind"] in {"server", "system id"}
    if "platform" in parsed or server:
        name = " ".join(str(parsed[key]) for key in ("vendor", "base") if key in parsed)
        yield _line("platform", parts.get(parsed.get("platform", "")), 1 if "platform" in parsed else None, name)
    if "gpu" in parsed or server:
        count = parsed.get("gpu_count", 1 if row["kind"] == "gpu" else None)
        yield _line("gpu", parts.get(parsed.get("gpu", "")), count, str(parsed.get("variant", "")))
    if "cpu" in parsed:
        part = cpus.get(squashed(parsed["cpu"]))
        yield _line("cpu", part, parsed.get("cpu_count"), "" if part else parsed["cpu"])
    if "dimm_gb" in parsed:
        part = parts.get(f"ddr5-rdimm-{parsed['dimm_gb']}")
        yield _line("memory", part, parsed.get("dimm_count"), "" if part else f"{parsed['dimm_gb']} GB")
    if "ssd_tb" in parsed:
        yield _line("drive", None, parsed.get("ssd_count"), f"{parsed['ssd_tb']} TB")
    if "network_gb_s" in parsed:
        yield _line("nic", None, None, f"{parsed['network_gb_s']} Gbit/s")
    if server:
        said = {"cpu": "cpu", "memory": "dimm_gb", "drive": "ssd_tb", "nic": "network_gb_s"}
        yield from (_line(kind, None, None, "") for kind in ALWAYS_ASKED if said.get(kind) not in parsed)


def _line(kind: str, part: Part | None, quantity: int | None, text: str) -> Line:
    return {"kind": kind, "part": part, "quantity": quantity, "text": text}


def _write_lines(sku: Sku, lines: list[Line], report: Report) -> None:
    for position, values in enumerate(lines, start=1):
        line = SkuLine(sku=sku, position=position, **values)
        line._change_reason = REASON  # type: ignore[attr-defined]
        line.save()
        report.count(report.created, SkuLine)


def _link_sources(rows: list[Row], skus: Mapping[str, Sku]) -> None:
    ids = dict(Source.objects.values_list("key", "pk"))
    through = Sku.sources.through
    have = set(through.objects.values_list("sku_id", "source_id"))
    links = {(skus[row["sku"]].pk, ids[key]) for row in rows for key in row["src"]}
    through.objects.bulk_create(through(sku_id=sku, source_id=source) for sku, source in sorted(links - have))
