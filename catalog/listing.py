"""Rows of the catalog's lists, each with how well it is documented."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.db.models import QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from catalog.models import Claim, Fact, Gpu, Part, Platform, Standing
from catalog.presenting import label_of
from catalog.services import fact_text
from catalog.units import figure, shown, unit_of
from sizing import hardware

DECISIVE = {
    *("memory_gb", "memory_bandwidth_tb_s", "bf16_tflops", "nvlink_gb_s", "tdp_w", "form_factor"),
    *("rack_units", "max_gpus", "gpu_form_factor", "cooling", "cores", "capacity_gb", "port_speed_gbit_s"),
    *("seq_read_mb_s", "ports", "category", "unit"),
}


@dataclass(slots=True)
class Summary:
    """How well a part is documented, in one line of a list."""

    total: int = 0
    unconfirmed: int = 0
    conflicts: int = 0
    standings: set[str] = field(default_factory=set)

    @property
    def standing(self) -> str:
        """The weakest standing among the values that decide a recommendation."""
        order = (Standing.REFUTED, Standing.STALE, Standing.UNCONFIRMED, Standing.MEASURED, Standing.VENDOR)
        weakest = next((word for word in order if word in self.standings), Standing.CONFIRMED)
        return weakest if self.standings else Standing.UNCONFIRMED


def summaries(facts: Iterable[Fact]) -> dict[int, Summary]:
    """How well each part is documented; reads facts with their sources fetched."""
    found: dict[int, Summary] = defaultdict(Summary)
    fields: dict[tuple[int, str], int] = defaultdict(int)
    for fact in facts:
        fields[fact.part_id, fact.field] += 1
        if fact.is_chosen:
            summary = found[fact.part_id]
            summary.total += 1
            if fact.field in DECISIVE:
                summary.standings.add(fact.standing)
            summary.unconfirmed += fact.standing in {Standing.UNCONFIRMED, Standing.STALE, Standing.REFUTED}
    for (part, _field), count in fields.items():
        found[part].conflicts += count > 1
    return found


@dataclass(frozen=True, slots=True)
class GpuRow:
    """One GPU of the list."""

    gpu: Gpu
    usable_gib: float | None
    is_assumed: bool
    links: str
    summary: Summary


def gpu_rows(gpus: Iterable[Gpu], found: dict[int, Summary], engine: Iterable[hardware.Gpu]) -> list[GpuRow]:
    """GPUs with how well each is documented; memory that nobody read is the engine's supposition, and marked."""
    supposed = {
        known.slug: float(given.value or 0)
        for known in engine
        for given in known.supplied
        if given.field == "memory_usable_gib"
    }
    return [
        GpuRow(
            gpu,
            gpu.memory_usable_gib or supposed.get(gpu.slug),
            gpu.memory_usable_gib is None and gpu.slug in supposed,
            links_of(gpu),
            found.get(gpu.pk, Summary()),
        )
        for gpu in gpus
    ]


def links_of(gpu: Gpu) -> str:
    """How GPUs of this kind reach each other, in words."""
    if gpu.nvlink_gb_s == 0:
        return _("none beyond PCIe")
    speed = f", {figure(gpu.nvlink_gb_s)} {unit_of('nvlink_gb_s')}" if gpu.nvlink_gb_s else ""
    if gpu.nvlink_bridge_max_gpus:
        text = _("bridge of 2 or 4") if gpu.nvlink_bridge_max_gpus >= 4 else _("bridge of 2")
        return text + speed
    if gpu.socket == "oam":
        return ("Infinity Fabric" if gpu.vendor == "AMD" else _("links on the board")) + speed
    if gpu.socket.startswith("sxm") or gpu.socket == "superchip":
        return "NVSwitch" + speed
    return _("not read") if gpu.nvlink_gb_s is None else "NVLink" + speed


@dataclass(frozen=True, slots=True)
class PlatformRow:
    """One platform of the list."""

    platform: Platform
    gpus: tuple[Gpu, ...]
    sockets: str
    topology: str
    summary: Summary


def platform_rows(platforms: QuerySet[Platform], found: dict[int, Summary]) -> list[PlatformRow]:
    """Platforms with the GPUs that each takes. Runs two queries."""
    rows = []
    for row in platforms.prefetch_related("support__gpu"):
        support = [claim for claim in row.support.all() if claim.state != Claim.State.REFUTED]
        sockets = dict.fromkeys(claim.get_platform_socket_display() for claim in support if claim.platform_socket)
        gpus = tuple(sorted((claim.gpu for claim in support), key=lambda gpu: gpu.name))
        rows.append(PlatformRow(row, gpus, ", ".join(sockets), topology_of(row), found.get(row.pk, Summary())))
    return rows


def topology_of(platform: Platform) -> str:
    """Name of the picture of how a platform joins its GPUs; empty where nobody says."""
    words = platform.gpu_topology.lower()
    if "nvswitch" in words or "infinity" in words or "point to point" in words:
        return "topo-nvswitch"
    if "pcie" in words or "root" in words or "direct" in words:
        return "topo-pcie"
    sockets = {claim.platform_socket for claim in platform.support.all()}
    if sockets & {"sxm4", "sxm5", "sxm6", "oam"}:
        return "topo-nvswitch"
    return ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a plain list: the column's name, the value and its unit."""

    label: str
    text: str
    unit: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class PartRow:
    """One part of a plain list."""

    part: Part
    cells: tuple[Cell, ...]
    summary: Summary


def model_of(kind: str) -> type[Part]:
    """The table of a kind of part."""
    name = {"memory": "memorymodule"}.get(kind, kind)
    return apps.get_model("catalog", name)


def plural_of(kind: str) -> str:
    """A kind of part in words, many of them."""
    return str(capfirst(model_of(kind)._meta.verbose_name_plural))


def column_of(model: type[Part], name: str) -> Cell:
    """Heading of a column."""
    column = model._meta.get_field(name)
    is_number = column.get_internal_type() not in {"CharField", "TextField"}
    return Cell(label_of(model, name), "", unit_of(name), is_number)


def part_rows(parts: QuerySet[Any], names: Sequence[str], found: dict[int, Summary]) -> list[PartRow]:
    """Parts of one kind with some of their columns."""
    headings = {name: column_of(parts.model, name) for name in names}
    return [
        PartRow(
            part,
            tuple(
                Cell(head.label, shown(name, fact_text(getattr(part, name))), head.unit, head.is_number)
                for name, head in headings.items()
            ),
            found.get(part.pk, Summary()),
        )
        for part in parts
    ]
