"""Rows of parts in the words of the engine's reviewed lists, with their sources and disagreements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from catalog.models import Fact, Source
from catalog.starter.parts import RENAMED
from catalog.starter.platforms import collapse
from sizing import datafiles, hardware
from sizing.hardware_data.sources import Source as EngineSource

Row = Mapping[str, Any]
Conflicts = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class FactsByPart:
    """Facts of all parts, read in three queries."""

    facts: Mapping[int, list[Fact]]
    sources: dict[str, EngineSource]

    @classmethod
    def read(cls) -> FactsByPart:
        """Read all facts with their sources."""
        facts: dict[int, list[Fact]] = defaultdict(list)
        for fact in Fact.objects.order_by("pk").prefetch_related("sources"):
            facts[fact.part_id].append(fact)
        return cls(facts, {source.key: engine_source(source) for source in Source.objects.all()})


def engine_source(source: Source) -> EngineSource:
    """A source as the engine keeps it."""
    return EngineSource(source.key, source.title, source.address, source.kind, source.read, source.as_of, source.via)


def sources_of(facts: list[Fact]) -> dict[str, list[str]]:
    """Source keys by column, of the values in use."""
    return {
        RENAMED_BACK.get(fact.field, fact.field): [source.key for source in fact.sources.all()]
        for fact in facts
        if fact.is_chosen
    }


def conflicts_of(facts: list[Fact]) -> Conflicts:
    """Columns for which more than one value was seen."""
    seen: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        seen[fact.field].append(fact)
    found = []
    for field, values in seen.items():
        if len(values) > 1 or not values[0].is_chosen:
            chosen = next((fact for fact in values if fact.is_chosen), None)
            listed = [
                {"value": number_or_text(fact.value), "src": source.key}
                for fact in values
                for source in fact.sources.all()
            ]
            why = (chosen or values[0]).why
            found.append(
                {
                    "field": field,
                    "values": listed,
                    "chosen": number_or_text(chosen.value) if chosen else None,
                    "why": why,
                }
            )
    return found


def number_or_text(value: str) -> float | int | str:
    """A fact's value as the lists have it."""
    try:
        number = float(value)
    except ValueError:
        return value
    return int(number) if number.is_integer() and "." not in value else number


RENAMED_BACK = {new: old for old, new in RENAMED.items()}
_NEVER = {"part_ptr_id", "slug", "kind", "is_listed", "edited_at", "changed_at"}


def _base(row: Row, facts: FactsByPart) -> dict[str, Any]:
    """Columns with empty text as unknown, under the names of the lists."""
    own = facts.facts.get(row["id"], [])
    values = {
        RENAMED_BACK.get(name, name): None if value == "" else value
        for name, value in row.items()
        if name not in _NEVER and name != "id"
    }
    return {**values, "id": row["slug"], "model": row["name"], "src": sources_of(own), "conflicts": conflicts_of(own)}


def gpu_row(row: Row, facts: FactsByPart) -> Row:
    """A GPU as in gpus.yaml; what the engine cannot do without and nobody entered is supplied as it supplies it."""
    values = _base(row, facts)
    supplied = []
    for extra in datafiles.read_yaml("hardware/supplement.yaml")["gpus"]:
        if extra["gpu"] == values["id"] and values.get(extra["field"]) is None:
            supplied.append(hardware.Supplied(extra["field"], extra["value"], extra["why"], tuple(extra["src"])))
    return {**values, **{given.field: given.value for given in supplied}, "supplied": tuple(supplied)}


def platform_row(row: Row, facts: FactsByPart, gpus: list[str]) -> Row:
    """A platform as in platforms.yaml."""
    texts = ("cpu_families", "tested_configurations", "psu_options_w")
    values = _base(row, facts)
    for name in texts:
        values[name] = values[name] or ""
    return {**collapse(values), "supported_gpus": gpus}


def cpu_row(row: Row, facts: FactsByPart) -> Row:
    """A processor as in cpus.yaml."""
    return _base(row, facts)


def module_row(row: Row, facts: FactsByPart) -> Row:
    """A memory module as in modules.yaml."""
    values = _base(row, facts)
    kind = values["memory_type"] or "DDR5 RDIMM"
    return {**values, "kind": kind, "rated_mt_s": values["speed_mt_s"], "src": values["src"].get("capacity_gb", [])}


def item_row(row: Row, facts: FactsByPart, kind: str) -> Row:
    """A drive, card or switch as in network_storage.yaml."""
    values = _base(row, facts)
    return {**values, "kind": "dpu" if values.get("is_dpu") else kind}
