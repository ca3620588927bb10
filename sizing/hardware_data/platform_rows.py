"""Rows of the platform list as engine objects: sockets, counts and topology by GPU made explicit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from sizing.errors import SizingError
from sizing.hardware import Gpu, GpuSupport, Platform, Topology
from sizing.hardware_data import wording
from sizing.hardware_data.names import GpuNames
from sizing.hardware_data.rows import Row, conflicts_of, sources_of
from sizing.hardware_data.sources import Source
from sizing.units import TB


def platform_from_row(row: Row, gpus: Mapping[str, Gpu], sources: Mapping[str, Source]) -> Platform:
    """One platform from a row with the columns of ``platforms.yaml``.

    Raises
    ------
    SizingError
        For a GPU that does not exist or whose socket the platform does not have.
    """
    slug = str(row["id"])
    named = [_known(slug, name, gpus) for name in row.get("supported_gpus") or ()]
    stated = wording.sockets_of(row.get("gpu_form_factor"))
    sockets = stated or tuple(dict.fromkeys(gpu.socket for gpu in named if gpu.socket))
    topologies = wording.topologies_of(row.get("gpu_topology"))
    max_gpus, by_slots = wording.counts_by_slots(row.get("max_gpus"))
    documented = _documented(row, named, sources)
    support = tuple(_support(row, gpu, sockets, topologies, is_documented=gpu.slug in documented) for gpu in named)
    return Platform(
        slug=slug,
        vendor=str(row["vendor"]),
        model=str(row["model"]),
        sockets=sockets,
        max_gpus=max_gpus,
        max_gpus_by_slots=by_slots,
        topologies=topologies or tuple(dict.fromkeys(s.topology for s in support if s.topology)),
        topology_wording=row.get("gpu_topology"),
        cooling=wording.cooling_of(row.get("cooling")),
        cooling_wording=row.get("cooling"),
        rack_units=row.get("rack_units"),
        cpu_sockets=row.get("cpu_sockets"),
        cpu_families=wording.cpu_families(row.get("cpu_families")),
        cpu_max_tdp_w=_least(row.get("cpu_max_tdp_w")),
        dimm_slots=row.get("dimm_slots"),
        memory_type=row.get("memory_type"),
        memory_max_bytes=_tb(row.get("memory_max_tb")),
        memory_mt_s=_speeds(row.get("memory_speed_mt_s")),
        nvme_bays=row.get("nvme_hot_swap"),
        drive_bays=row.get("drive_bays"),
        nic_slots=row.get("nic_slots"),
        pcie_slots=row.get("pcie_slots"),
        psu_count=row.get("psu_count"),
        psu_options_w=_options(row.get("psu_w")),
        psu_redundancy=row.get("psu_redundancy"),
        psu_efficiency=row.get("psu_efficiency"),
        max_power_w=row.get("max_system_power_w"),
        mass_kg=max((row.get("weight_kg") or {}).values(), default=None),
        depth_mm=_depth(row),
        inlet_max_c=max(row["operating_temp_c"]) if row.get("operating_temp_c") else None,
        support=support,
        confidence=str(row.get("confidence") or "low"),
        derived=() if stated or not sockets else ("sockets",),
        conflicts=conflicts_of(row),
        sources=sources_of(row),
        notes=str(row.get("notes") or ""),
    )


def _known(platform: str, slug: str, gpus: Mapping[str, Gpu]) -> Gpu:
    if slug not in gpus:
        raise SizingError(f"platforms.{platform}.supported_gpus", "{field} names {value}, which is no known GPU.",
                          value=slug)  # fmt: skip
    return gpus[slug]


def _support(
    row: Row, gpu: Gpu, sockets: tuple[str, ...], stated: tuple[Topology, ...], *, is_documented: bool
) -> GpuSupport:
    where = f"platforms.{row['id']}.supported_gpus"
    if gpu.socket is None or gpu.socket not in sockets:
        message = "{field} lists {value}, whose form factor {socket} is not among the platform's: {sockets}."
        raise SizingError(where, message, value=gpu.slug, socket=gpu.socket, sockets=", ".join(sockets))
    topology = wording.topology_for(gpu.socket, gpu.vendor, stated)
    return GpuSupport(
        platform=str(row["id"]),
        gpu=gpu.slug,
        socket=gpu.socket,
        max_count=_max_count(row, gpu),
        topology=topology,
        interconnect=wording.INTERCONNECT[topology] if topology else "pcie",
        bridge_sizes=gpu.bridge_sizes if gpu.socket == "pcie" else (),
        confidence=str(row.get("confidence") or "low"),
        is_documented=is_documented,
        sources=tuple((row.get("src") or {}).get("supported_gpus") or ()),
        notes=str(row.get("notes") or ""),
    )


def _max_count(row: Row, gpu: Gpu) -> int | None:
    total, by_slots = wording.counts_by_slots(row.get("max_gpus"))
    if not by_slots:
        return total
    return dict(by_slots).get(gpu.slots or 0)


def _documented(row: Row, named: Iterable[Gpu], sources: Mapping[str, Source]) -> set[str]:
    """Those of the platform's GPUs that a dated original shows in it."""
    names = GpuNames(named)
    shown = set()
    for tested in row.get("tested_configurations") or ():
        source = sources.get(tested["src"])
        config = re.match(r"\s*\d+x\s*([^,]+)", tested["config"])
        found = names.read(config[1]) if config and source and source.is_dated_original else None
        if found is not None:
            shown.add(found.slugs[0])
    return shown


def _least(value: Any) -> float | None:
    """The smallest of a map of ceilings: what holds whatever the option."""
    least: float | None = min(value.values()) if isinstance(value, dict) else value
    return least


def _tb(value: Any) -> int | None:
    largest = max(value.values()) if isinstance(value, dict) else value
    return None if largest is None else round(largest * TB)


def _speeds(value: Any) -> tuple[int | None, int | None]:
    """Memory speed at one and at two modules per channel; a single figure is that of one [MT/s]."""
    return (value.get("1dpc"), value.get("2dpc")) if isinstance(value, dict) else (value, None)


def _options(value: Any) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, list) else () if value is None else (value,)


def _depth(row: Row) -> float | None:
    if row.get("dimensions_mm_hwd"):
        depth = row["dimensions_mm_hwd"][2]
        return None if depth is None else float(depth)
    return next((float(c["chosen"]) for c in row.get("conflicts") or () if c["field"] == "depth_mm"), None)
