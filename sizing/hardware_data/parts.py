"""Rows of processors, modules, drives, cards and prices as engine objects."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sizing.errors import SizingError
from sizing.hardware import Cpu, Drive, MemoryModule, Nic, Price
from sizing.hardware_data.rows import Row, sources_of
from sizing.hardware_data.wording import cpu_family
from sizing.units import BITS_PER_BYTE, GIGA, MB, TB

_NET = " ex VAT"
_UNKNOWN = "unknown"
_PER = "/"


def cpu_from_row(row: Row) -> Cpu:
    """One processor from a row with the columns of ``cpus.yaml``; its family follows from the model's number."""
    model = str(row["model"])
    family = cpu_family(model)
    if family is None or not _agrees(family, str(row.get("generation") or family)):
        message = "{field} says {value}, the number of {model} says {family}."
        raise SizingError(
            f"cpus.{row['id']}.generation", message, value=row.get("generation"), model=model, family=family
        )
    return Cpu(
        slug=str(row["id"]),
        vendor=str(row["vendor"]),
        model=model,
        family=family,
        cores=row.get("cores"),
        threads=row.get("threads"),
        base_ghz=row.get("base_ghz"),
        boost_ghz=row.get("boost_ghz"),
        tdp_w=row.get("tdp_w"),
        pcie_gen=row.get("pcie_gen"),
        pcie_lanes=row.get("pcie_lanes"),
        memory_channels=row.get("memory_channels"),
        memory_mt_s=row.get("memory_max_mt_s"),
        sources=sources_of(row),
        notes=str(row.get("notes") or ""),
    )


def _agrees(family: str, generation: str) -> bool:
    return all(word in generation.replace("(", " ").replace(")", " ").split() for word in family.split())


def module_from_row(row: Row) -> MemoryModule:
    """One memory module."""
    return MemoryModule(
        str(row["id"]), int(row["capacity_gb"]), str(row["kind"]), row.get("rated_mt_s"), tuple(row.get("src") or ())
    )


def drive_from_row(row: Row) -> Drive:
    """One drive family; the list's MB/s are decimal."""
    return Drive(
        slug=str(row["id"]),
        vendor=str(row["vendor"]),
        model=str(row["model"]),
        interface=str(row["interface"]),
        read_bytes_per_s=_scaled(row.get("seq_read_mb_s"), MB),
        write_bytes_per_s=_scaled(row.get("seq_write_mb_s"), MB),
        max_capacity_bytes=_scaled(row.get("max_capacity_tb"), TB),
        dwpd=row.get("dwpd"),
        power_w=row.get("power_w"),
        sources=sources_of(row),
        notes=str(row.get("notes") or ""),
    )


def nic_from_row(row: Row) -> Nic:
    """One card or switch; the list's port speeds are Gbit/s."""
    return Nic(
        slug=str(row["id"]),
        kind=str(row["kind"]),
        vendor=str(row["vendor"]),
        model=str(row["model"]),
        ports=int(row["ports"]),
        port_bytes_per_s=float(row["port_speed_gb_s"]) * GIGA / BITS_PER_BYTE,
        fabric=row.get("fabric"),
        cage=row.get("cage"),
        rack_units=row.get("rack_units"),
        power_w=row.get("max_power_w") or row.get("typical_power_w"),
        sources=sources_of(row),
        notes=str(row.get("notes") or ""),
    )


def prices_from_csv(text: str, subjects: Mapping[str, list[Any]]) -> Iterator[Price]:
    """The printed prices; what currency or date is not printed stays None."""
    for row in csv.DictReader(text.splitlines()):
        low, high = float(row["low"]), float(row["high"])
        if not 0 < low <= high:
            raise SizingError(f"prices.{row['item']}", "{field}: {value} is no range.", value=f"{low:g}..{high:g}")
        unit = row["currency_or_unit"]
        kind, slug, count = subjects.get(row["item"], ["other", "", 1])
        yield Price(
            group=row["group"],
            item=row["item"],
            subject=(str(kind), str(slug), int(count)),
            low=low,
            high=high,
            currency=_currency(unit),
            unit=row["basis"],
            is_net=True if unit.endswith(_NET) else None,
            as_of=None if row["as_of"] == "undated" else row["as_of"],
            source=row["source"].strip(),
            confidence=row["confidence"],
        )


def _currency(unit: str) -> str | None:
    """The currency a unit starts with: ``EUR/kWh ex VAT`` is EUR; ``ratio`` and unknown ones are None."""
    code = unit.removesuffix(_NET).split(_PER)[0].strip()
    return code if len(code) == 3 and code.isupper() else None


def unique[T](rows: Iterable[T], field: str) -> dict[str, T]:
    """Rows by slug; raises where one comes twice."""
    found: dict[str, T] = {}
    for row in rows:
        slug = str(getattr(row, "slug", ""))
        if slug in found:
            raise SizingError(field, "{field} has {value} twice.", value=slug)
        found[slug] = row
    return found


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor
