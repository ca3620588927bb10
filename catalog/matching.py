"""What an article's reading says against the catalog: rows it names, and whether they go together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalog.models import Cpu, Gpu, GpuSupport, MemoryModule, Part, Platform, SkuLine, Standing
from catalog.units import figure, unit_of
from sizing.hardware_data import cpu_family, squashed, takes_cpu

Read = Mapping[str, Any]
KINDS = SkuLine.Kind
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Matched:
    """One line of an article: what was read, the row it names, and how the two go together."""

    kind: str
    kind_label: str
    title: str
    detail: str
    quantity: int | None
    text: str
    certainty: str
    part: Part | None
    fit: str
    fit_word: str


class Shelf:
    """Rows that lines can name, read in a fixed number of queries."""

    def __init__(self, lines: Iterable[Read]) -> None:
        named = [str(line["value"]) for line in lines]
        self.parts: dict[str, Part] = {
            part.slug: part for model in (Gpu, Platform) for part in model._default_manager.filter(slug__in=named)
        }
        self.cpus = {squashed(cpu.name): cpu for cpu in Cpu.objects.all()}
        self.modules = list(MemoryModule.objects.order_by("capacity_gb", "speed_mt_s", "pk"))
        platforms = [part for part in self.parts.values() if isinstance(part, Platform)]
        self.platform = platforms[0] if platforms else None
        self.support = {
            claim.gpu_id: claim
            for claim in GpuSupport.objects.filter(platform=self.platform).prefetch_related("sources")
        }

    def part_of(self, line: Read) -> Part | None:
        """The row that a line names, None where the catalog has none."""
        if line["kind"] == KINDS.CPU:
            return self.cpus.get(squashed(str(line["value"])))
        if line["kind"] == KINDS.MEMORY:
            modules = self.modules_of(line)
            return modules[0] if len(modules) == 1 else None
        if variant_of(line):
            return None
        return self.parts.get(str(line["value"]))

    def modules_of(self, line: Read) -> list[MemoryModule]:
        """Modules of the catalog that a line may mean: of its size, and of its kind and speed where it states them."""
        said = line.get("details") or {}
        kind, speed = str(said.get("memory_type", "")).removeprefix("TRU"), said.get("mt_s")
        return [
            module
            for module in self.modules
            if module.capacity_gb == line["value"]
            and (not kind or not module.memory_type or kind.split("-")[0].split()[0] in module.memory_type.upper())
            and (speed is None or module.speed_mt_s in (None, speed))
        ]


def variant_of(line: Read) -> str:
    """The edition of a card that is another card than the one it is listed under, e.g. Max-Q; empty for none."""
    return str((line.get("details") or {}).get("variant", ""))


def match(lines: Iterable[Read]) -> list[Matched]:
    """Match the lines of a reading to rows of the catalog; the number of queries does not grow with the lines."""
    read = list(lines)
    shelf = Shelf(read)
    return [_matched(line, shelf) for line in read]


def _matched(line: Read, shelf: Shelf) -> Matched:
    part = shelf.part_of(line)
    fit, word = _fit(line, part, shelf)
    return Matched(
        kind=line["kind"],
        kind_label=str(KINDS(line["kind"]).label),
        title=str(part) if part else written(line),
        detail=_detail(part, line) or _of_several(line, shelf) or ("" if part else _("not in the catalog")),
        quantity=line["count"],
        text=line["text"],
        certainty=line["certainty"],
        part=part,
        fit=fit,
        fit_word=word,
    )


def written(line: Read) -> str:
    """What a line names, in the words of its reading and with the unit."""
    columns = {KINDS.MEMORY: "size_gb", KINDS.DRIVE: "size_tb", KINDS.NIC: "speed_gbit_s", KINDS.PSU: "power_w"}
    if not isinstance(line["value"], int | float):
        return str(line["text"] if variant_of(line) else line["value"])
    return f"{figure(line['value'])} {unit_of(columns.get(line['kind'], ''))}".strip()


def _detail(part: Part | None, line: Read) -> str:
    if isinstance(part, Platform):
        units = _("%(units)sU") % {"units": part.rack_units} if part.rack_units else ""
        return ", ".join(text for text in (units, part.gpu_form_factor, part.cooling) if text)
    if isinstance(part, Gpu):
        return ", ".join(text for text in (part.architecture, part.form_factor) if text)
    if isinstance(part, Cpu):
        return _cpu_detail(part)
    if isinstance(part, MemoryModule) and line["count"]:
        return _("%(size)s GB in all") % {"size": part.capacity_gb * line["count"]}
    return ""


def _of_several(line: Read, shelf: Shelf) -> str:
    modules = shelf.modules_of(line) if line["kind"] == KINDS.MEMORY else []
    names = ", ".join(str(module) for module in modules[:MOST_NAMED])
    return _("could be several of the catalog: %s") % names if len(modules) > 1 else ""


def _cpu_detail(cpu: Cpu) -> str:
    """Cores and power of a processor, as far as they are known; what nobody read is left out."""
    cores = ngettext("%(count)s core", "%(count)s cores", cpu.cores) % {"count": cpu.cores} if cpu.cores else ""
    power = f"{figure(cpu.tdp_w)} {unit_of('tdp_w')}" if cpu.tdp_w else ""
    return ", ".join(text for text in (cores, power) if text)


def _fit(line: Read, part: Part | None, shelf: Shelf) -> tuple[str, str]:
    """How a line goes with the platform: a standing and its words."""
    if shelf.platform is not None and line["kind"] == KINDS.MEMORY:
        return _memory_fit(line, shelf.platform)
    if part is None or shelf.platform is None or part is shelf.platform:
        return ("", "")
    if isinstance(part, Gpu):
        return _gpu_fit(part, line, shelf)
    if isinstance(part, Cpu):
        takes = takes_cpu(tuple(shelf.platform.cpu_family_list), part.name)
        if takes is None:
            return Standing.UNCONFIRMED, _("the platform’s processors are not read")
        family = cpu_family(part.name) or ""
        return (Standing.VENDOR, family) if takes else (Standing.REFUTED, _("the platform does not take %s") % family)
    return ("", "")


def _memory_fit(line: Read, platform: Platform) -> tuple[str, str]:
    slots, count = platform.dimm_slots, line["count"]
    if not slots or not count:
        return ("", "")
    word = _("%(count)s of %(slots)s slots") % {"count": count, "slots": slots}
    return (Standing.VENDOR if count <= slots else Standing.REFUTED), word


def _gpu_fit(gpu: Gpu, line: Read, shelf: Shelf) -> tuple[str, str]:
    claim = shelf.support.get(gpu.pk)
    if claim is None:
        sockets = {row.platform_socket for row in shelf.support.values()}
        if gpu.socket and sockets and gpu.socket not in sockets:
            return Standing.REFUTED, _("wrong form factor: %s") % gpu.get_socket_display()
        return Standing.UNCONFIRMED, _("on no list that was read")
    if claim.max_count and (line["count"] or 0) > claim.max_count:
        return Standing.REFUTED, _("more than %s") % claim.max_count
    word = _("up to %s") % claim.max_count if claim.max_count else _("on the maker’s list")
    return (claim.standing if claim.standing != Standing.UNCONFIRMED else Standing.VENDOR), word
