"""Rows of the catalog as the engine's hardware: the only door between the two."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count, Max, QuerySet, Value
from django.utils import timezone

from catalog.models import Claim, ExchangeRate, Fact, GpuSupport, LanguageModel, Offer, Part, Price, Sku, SkuLine
from catalog.spec_rows import (
    FactsByPart,
    conflicts_of,
    cpu_row,
    gpu_row,
    item_row,
    module_row,
    platform_row,
    sources_of,
)
from catalog.spec_sales import exchange_rates_from, lead_times_from, prices_from, skus_from
from sizing import hardware
from sizing import hardware_data as reader
from sizing.errors import SizingError
from sizing.hardware_data import HardwareCatalog

__all__ = ["conflicts_of", "fingerprint", "hardware_catalog", "sources_of", "stamp"]

logger = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, slots=True)
class Loaded:
    """A built catalog with the state of the tables that it was built from."""

    stamp: str
    hardware: HardwareCatalog
    fingerprint: str
    refused: tuple[str, ...]


_last: Loaded | None = None


def hardware_catalog() -> HardwareCatalog:
    """The hardware as the engine sees it. One query while nothing has changed, a fixed number after a change."""
    return current().hardware


def fingerprint() -> str:
    """SHA-256 over everything of the catalog that can move a recommendation; equal rows give equal fingerprints."""
    return current().fingerprint


def current() -> Loaded:
    """The built catalog, built anew where the tables have changed since."""
    global _last
    now = stamp()
    if _last is None or _last.stamp != now:
        _last = _build(now)
    return _last


def stamp() -> str:
    """State of the catalog's tables in one query: counts, latest changes, and lengths of the histories."""
    tables: list[QuerySet[Any, Any]] = []
    for model in (Part, Fact, GpuSupport, Sku, SkuLine, Offer, Price, LanguageModel):
        rows = model._default_manager.order_by().annotate(table=Value(model.__name__)).values("table")
        tables.append(rows.annotate(rows=Count("pk"), latest=Max("changed_at")).order_by())
    for changing in (GpuSupport, Fact, Price, SkuLine, ExchangeRate):
        past = changing.history.model.objects.order_by()
        rows = past.annotate(table=Value(f"past {changing.__name__}")).values("table")
        tables.append(rows.annotate(rows=Count("history_id"), latest=Max("history_date")).order_by())
    united = tables[0].union(*tables[1:], all=True).order_by()
    today = timezone.localdate()
    return f"{today}|" + "|".join(sorted(f"{row['table']} {row['rows']} {row['latest']}" for row in united))


def _build(now: str) -> Loaded:
    refused: list[str] = []
    facts = FactsByPart.read()
    children = {name: list(rows) for name, rows in _part_rows().items()}
    gpus = [gpu for row in children["gpu"] if (gpu := _read(reader.from_row, gpu_row(row, facts), refused))]
    catalog = HardwareCatalog(
        gpus=tuple(gpus),
        platforms=_platforms(children["platform"], gpus, facts, refused),
        cpus=_all(reader.cpu_from_row, (cpu_row(row, facts) for row in children["cpu"]), refused),
        modules=_all(reader.module_from_row, (module_row(row, facts) for row in children["memory"]), refused),
        drives=_all(reader.drive_from_row, (item_row(row, facts, "ssd") for row in children["drive"]), refused),
        nics=_all(reader.nic_from_row, (item_row(row, facts, "nic") for row in children["nic"]), refused),
        switches=_all(reader.nic_from_row, (item_row(row, facts, "switch") for row in children["switch"]), refused),
        skus=skus_from(Sku.objects.order_by("pk").prefetch_related("lines__part", "sources")),
        prices=(*prices_from(Price.objects.all()), *_running_costs()),
        lead_times=lead_times_from(Offer.objects.all()),
        cloud=reader.packaged().cloud,
        exchange_rates=exchange_rates_from(ExchangeRate.objects.all()),
        sources={**facts.sources, **reader.packaged().sources},
    )
    for problem in refused:
        logger.warning("Left out of sizing: %s", problem)
    return Loaded(now, catalog, _hash(catalog), tuple(refused))


def _running_costs() -> Iterable[hardware.Price]:
    """Power, cooling overhead and floor space: dated figures of the engine that are nobody's goods."""
    return (price for price in reader.packaged().prices if price.group != "hardware")


def _part_rows() -> dict[str, QuerySet[Any, Any]]:
    models = {field.related_model: field.name for field in Part._meta.related_objects if field.one_to_one}
    return {
        {"memorymodule": "memory"}.get(name, name): model._default_manager.filter(is_listed=True)
        .order_by("pk")
        .values()
        for model, name in models.items()
        if name not in {"accessory", "service"}
    }


def _platforms(
    rows: Iterable[Mapping[str, Any]], gpus: list[hardware.Gpu], facts: FactsByPart, refused: list[str]
) -> tuple[hardware.Platform, ...]:
    by_slug = {gpu.slug: gpu for gpu in gpus}
    support: dict[int, list[GpuSupport]] = {}
    for claim in GpuSupport.objects.order_by("pk").select_related("gpu").prefetch_related("sources"):
        if claim.state != Claim.State.REFUTED and claim.gpu.slug in by_slug:
            support.setdefault(claim.platform_id, []).append(claim)
    found = []
    for row in rows:
        claims = support.get(row["id"], [])
        given = platform_row(row, facts, [claim.gpu.slug for claim in claims])
        platform = _read(lambda given: reader.platform_from_row(given, by_slug, facts.sources), given, refused)
        if platform is not None:
            found.append(dataclasses.replace(platform, support=_supported(platform, claims)))
    return tuple(found)


def _supported(platform: hardware.Platform, claims: list[GpuSupport]) -> tuple[hardware.GpuSupport, ...]:
    rows = []
    for read, claim in zip(platform.support, claims, strict=True):
        changes: dict[str, Any] = {"max_count": claim.max_count, "confirmation": claim.standing}
        if claim.interconnect != read.with_bridges:
            changes |= {"interconnect": claim.interconnect, "topology": None}
        sources = tuple(sorted(source.key for source in claim.sources.all()))
        rows.append(dataclasses.replace(read, sources=sources, **changes))
    return tuple(rows)


def _all(read: Any, rows: Iterable[Mapping[str, Any]], refused: list[str]) -> tuple[Any, ...]:
    return tuple(part for row in rows if (part := _read(read, row, refused)) is not None)


def _read(read: Any, row: Mapping[str, Any], refused: list[str]) -> Any:
    """One row read by the engine; what it refuses is left out and remembered with the reason."""
    try:
        return read(row)
    except SizingError as error:
        refused.append(str(error))
    except (TypeError, ValueError, KeyError) as error:
        refused.append(f"{row.get('id')}: {error!r}")
    return None


def _hash(catalog: HardwareCatalog) -> str:
    lists = (
        *("gpus", "platforms", "cpus", "modules", "drives", "nics", "switches"),
        *("skus", "prices", "lead_times", "cloud", "exchange_rates"),
    )
    document: dict[str, Any] = {name: [dataclasses.asdict(row) for row in getattr(catalog, name)] for name in lists}
    document["models"] = list(LanguageModel.objects.order_by("slug").values_list("slug", "parameters", "config"))
    text = json.dumps(document, sort_keys=True, default=sorted, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
