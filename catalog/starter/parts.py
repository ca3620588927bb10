"""Hardware of the reviewed files as columns of our tables, and what each column's sources are."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Model

from catalog.models import Accessory, Cpu, Drive, Gpu, MemoryModule, Nic, Part, Platform, Service, Switch
from catalog.services import fact_text
from catalog.starter import platforms
from catalog.starter.sync import Report, read, sync
from sizing import datafiles

Row = Mapping[str, Any]
NOT_COLUMNS = {"id", "kind", "vendor", "name", "model", "confidence", "conflicts", "notes", "source_documents", "src"}
RENAMED = {"port_speed_gb_s": "port_speed_gbit_s", "capacity_tb_s": "capacity_tbit_s"}


@dataclass(frozen=True, slots=True)
class FileFact:
    """One value that a reviewed file gives for one column of one part, and the keys of its sources."""

    slug: str
    field: str
    value: str
    sources: tuple[str, ...]
    is_chosen: bool = True
    why: str = ""


def load_parts(report: Report) -> list[FileFact]:
    """Load parts of every kind and return what the files say about each of their columns."""
    facts: list[FileFact] = []
    for model, kind, rows in _tables():
        columns = []
        for row in rows:
            values, row_facts = _columns(model, kind, row)
            columns.append(values)
            facts += row_facts
        sync(model, columns, report)
    return facts


def _tables() -> Iterator[tuple[type[Model], Part.Kind, list[Row]]]:
    yield Gpu, Part.Kind.GPU, [_with_socket(row) for row in datafiles.read_yaml("hardware/gpus.yaml")["gpus"]]
    yield Platform, Part.Kind.PLATFORM, datafiles.read_yaml("hardware/platforms.yaml")["platforms"]
    yield Cpu, Part.Kind.CPU, datafiles.read_yaml("hardware/cpus.yaml")["cpus"]
    yield (
        MemoryModule,
        Part.Kind.MEMORY,
        [_module(row) for row in datafiles.read_yaml("hardware/modules.yaml")["modules"]],
    )
    items = datafiles.read_yaml("hardware/network_storage.yaml")["items"]
    own = read("components.yaml")
    yield Drive, Part.Kind.DRIVE, [row for row in items if row["kind"] == "ssd"]
    yield (
        Nic,
        Part.Kind.NIC,
        [{**row, "is_dpu": row["kind"] == "dpu"} for row in items if row["kind"] in {"nic", "dpu"}],
    )
    yield Switch, Part.Kind.SWITCH, [row for row in items if row["kind"] == "switch"]
    yield Accessory, Part.Kind.ACCESSORY, own["accessories"]
    yield Service, Part.Kind.SERVICE, own["services"]


def _with_socket(row: Row) -> Row:
    """A GPU whose list names no socket with the one the engine supposes: the form-factor rule needs it."""
    if row.get("socket"):
        return {**row, "src": {**row["src"], "socket": row["src"].get("form_factor", [])}}
    supplied = next(
        (
            extra
            for extra in datafiles.read_yaml("hardware/supplement.yaml")["gpus"]
            if extra["gpu"] == row["id"] and extra["field"] == "socket"
        ),
        None,
    )
    if supplied is None:
        return row
    return {**row, "socket": supplied["value"], "src": {**row["src"], "socket": supplied["src"]}}


def _module(row: Row) -> Row:
    speed = f"-{row['rated_mt_s']}" if row["rated_mt_s"] else ""
    kind = row["kind"].replace("DDR5", f"DDR5{speed}")
    values = {"capacity_gb": row["capacity_gb"], "memory_type": row["kind"], "speed_mt_s": row["rated_mt_s"]}
    return {
        "id": row["id"],
        "vendor": "",
        "name": f"{kind} {row['capacity_gb']} GB",
        **values,
        "src": dict.fromkeys(values, row["src"]),
    }


def _columns(model: type[Model], kind: Part.Kind, row: Row) -> tuple[dict[str, Any], list[FileFact]]:
    """Columns of one row and the facts behind them; unknown stays null, or empty for text."""
    values: dict[str, Any] = {
        "slug": row["id"],
        "kind": kind,
        "vendor": row["vendor"],
        "name": row.get("name") or row["model"],
        "confidence": row.get("confidence") or "",
        "notes": str(row.get("notes") or ""),
    }
    known: dict[str, str] = {}
    for field, given in row.items():
        if field in NOT_COLUMNS or given is None:
            continue
        expanded = platforms.expand(field, given) if model is Platform else {RENAMED.get(field, field): given}
        for column, value in expanded.items():
            values[column] = _typed(column, value)
            known[column] = field
    _settle(model, row, values)
    facts = [
        FileFact(row["id"], column, fact_text(values[column]), _sources_of(row, field))
        for column, field in known.items()
        if column != "is_dpu"
    ]
    return values, _with_conflicts(row, facts)


def _sources_of(row: Row, field: str) -> tuple[str, ...]:
    """Keys of a field's sources; each tested configuration names its own."""
    if field == "tested_configurations":
        return tuple(dict.fromkeys(tested["src"] for tested in row[field]))
    return tuple((row.get("src") or {}).get(field) or ())


def _settle(model: type[Model], row: Row, values: dict[str, Any]) -> None:
    """Put in columns that only a disagreement of the list speaks of, such as a depth named by one source."""
    columns = {column.name for column in model._meta.concrete_fields}
    for conflict in row.get("conflicts") or ():
        column = platforms.conflict_column(conflict["field"])
        if conflict["chosen"] is not None and column in columns and column not in values:
            values[column] = conflict["chosen"]


def _typed(column: str, value: Any) -> Any:
    if column == "launch_date":
        return datetime.date.fromisoformat(str(value))
    if column in {"compute_capability", "min_cuda", "min_rocm", "chip", "part_number"}:
        return str(value)
    return value


def _with_conflicts(row: Row, facts: list[FileFact]) -> list[FileFact]:
    """Facts with every other value that was seen, and why the chosen one was taken."""
    by_column = {fact.field: fact for fact in facts}
    extra: dict[tuple[str, str], FileFact] = {}
    for conflict in row.get("conflicts") or ():
        column = platforms.conflict_column(conflict["field"])
        chosen = by_column.get(column)
        if chosen is not None:
            by_column[column] = FileFact(chosen.slug, column, chosen.value, chosen.sources, True, conflict["why"])
        for seen in conflict["values"]:
            text = fact_text(seen["value"])
            if chosen is not None and text == chosen.value:
                continue
            in_use = chosen is None and conflict["chosen"] is not None and text == fact_text(conflict["chosen"])
            former = extra.get((column, text))
            sources = (*(former.sources if former else ()), seen["src"])
            extra[column, text] = FileFact(row["id"], column, text, sources, in_use, conflict["why"])
    return [*by_column.values(), *extra.values()]
