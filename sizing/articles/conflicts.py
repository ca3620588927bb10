"""Where the components of an article contradict each other or what is known of them."""

from __future__ import annotations

from collections.abc import Iterator

from sizing.articles.reading import Line, Message, Reading, message
from sizing.hardware import Gpu, Platform
from sizing.hardware_data import HardwareCatalog, cpu_family, takes_cpu
from sizing.units import GB, GIB, TB

_CHANNELS = {
    **dict.fromkeys(
        ("Xeon Scalable gen 3", "Xeon Scalable gen 4", "Xeon Scalable gen 5", "Xeon 6700P", "Xeon 6500P"), 8
    ),
    **dict.fromkeys(("EPYC 7002", "EPYC 7003"), 8),
    **dict.fromkeys(("EPYC 9004", "EPYC 9005", "Xeon 6900P"), 12),
}
"""Memory channels of a socket by processor family [–]: ``cpus.yaml``; EPYC 7000 and Xeon gen 3 by their makers."""

_GB_PER_TB = 1024
"""Makers count a terabyte of modules as 1024 GB: 32 x 256 GB are "8 TB" [GB]."""


def conflicts(
    reading: Reading, platform: Platform | None, catalog: HardwareCatalog
) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """What cannot be, and what can be but should be known."""
    by_slug = {gpu.slug: gpu for gpu in catalog.gpus}
    gpus = [(line, by_slug[str(line.value)]) for line in reading.of("gpu")
            if line.value in by_slug and line.detail("left_open") is None]  # fmt: skip
    found = list(_gpus(gpus, platform, catalog))
    found += _processors(reading, platform)
    found += _modules(reading, platform)
    found += _supplies(reading, platform)
    return tuple(found), tuple(_notes(reading, gpus, platform))


def _gpus(gpus: list[tuple[Line, Gpu]], platform: Platform | None, catalog: HardwareCatalog) -> Iterator[Message]:
    if len({gpu.slug for _, gpu in gpus}) > 1:
        names = ", ".join(dict.fromkeys(gpu.name for _, gpu in gpus))
        yield message("gpu_mix", gpus=names)
    counts = {line.count for line, _ in gpus if line.count is not None}
    if len({gpu.slug for _, gpu in gpus}) == 1 and len(counts) > 1:
        yield message("gpu_counts",
                      counts=", ".join(str(count) for count in sorted(counts)))  # fmt: skip
    for line, gpu in gpus:
        yield from _gpu_memory(line, gpu)
        if platform is not None:
            yield from _gpu_in_platform(line, gpu, platform, catalog)


def _gpu_memory(line: Line, gpu: Gpu) -> Iterator[Message]:
    printed = line.detail("memory_gb")
    possible: tuple[float, ...] = (gpu.marketed_memory_gb, gpu.memory_bytes / GIB, gpu.memory_bytes / GB)
    possible += tuple(gpu.marketed_memory_gb * count for count in (2, 4, 8))
    possible += tuple(float(v) for c in gpu.conflicts if c.field == "memory_gb" for v, _ in c.values
                      if isinstance(v, int | float))  # fmt: skip
    if isinstance(printed, int) and all(abs(printed - size) > 2 for size in possible):
        yield message("gpu_memory", text=line.text, gpu=gpu.name, right=gpu.marketed_memory_gb, printed=printed)


def _gpu_in_platform(line: Line, gpu: Gpu, platform: Platform, catalog: HardwareCatalog) -> Iterator[Message]:
    support = platform.support_for(gpu.slug)
    if platform.sockets and gpu.socket and gpu.socket not in platform.sockets:
        fitting = [p.title for p in catalog.platforms if p.support_for(gpu.slug)][:3]
        yield message(
            "form_factor", gpu=gpu.name, socket=(gpu.socket or "").upper(), platform=platform.title,
            sockets=", ".join(s.upper() for s in platform.sockets), fitting=", ".join(fitting) or "no platform listed",
        )  # fmt: skip
        return
    most = support.max_count if support is not None else platform.max_gpus
    if most is not None and line.count is not None and line.count > most:
        yield message("gpu_count", platform=platform.title, most=most, gpu=gpu.name, count=line.count)


def _processors(reading: Reading, platform: Platform | None) -> Iterator[Message]:
    for line in reading.of("cpu"):
        if platform is None:
            continue
        if takes_cpu(platform.cpu_families, str(line.value)) is False:
            yield message("cpu_family", platform=platform.title, families=", ".join(platform.cpu_families),
                          cpu=line.value)  # fmt: skip
        if platform.cpu_sockets is not None and line.count is not None and line.count > platform.cpu_sockets:
            yield message("cpu_count", platform=platform.title, sockets=platform.cpu_sockets, count=line.count)


def _modules(reading: Reading, platform: Platform | None) -> Iterator[Message]:
    counted = [line for line in reading.of("memory") if line.count is not None and line.detail("total_gb") is None]
    for line in reading.of("memory"):
        if (rate := line.detail("impossible_mt_s")) is not None:
            yield message("memory_speed", text=line.text, rate=rate)
    count = sum(line.count or 0 for line in counted)
    total_gb = sum(float(line.value) * (line.count or 0) for line in counted)
    stated = [line.detail("total_gb") for line in reading.of("memory") if line.detail("total_gb") is not None]
    if counted and stated and all(abs(total_gb - float(total)) > 0.05 * total_gb for total in stated):
        yield message("memory_total", sum=total_gb, total=stated[0])
    if platform is None or not counted:
        return
    if platform.dimm_slots is not None and count > platform.dimm_slots:
        yield message("dimm_slots", platform=platform.title, slots=platform.dimm_slots, count=count)
    if platform.memory_max_bytes is not None and total_gb > platform.memory_max_bytes / TB * _GB_PER_TB:
        yield message("memory_max", platform=platform.title, most=platform.memory_max_bytes / TB, total=total_gb)


def _supplies(reading: Reading, platform: Platform | None) -> Iterator[Message]:
    for line in reading.of("psu"):
        if platform is None or not isinstance(line.value, int):
            continue
        if platform.psu_options_w and line.value not in platform.psu_options_w:
            options = ", ".join(str(option) for option in platform.psu_options_w)
            yield message("psu_power", platform=platform.title, options=options, watts=line.value)


def _notes(reading: Reading, gpus: list[tuple[Line, Gpu]], platform: Platform | None) -> Iterator[Message]:
    counted = [line for line in reading.of("memory") if line.count is not None and line.detail("total_gb") is None]
    count = sum(line.count or 0 for line in counted)
    ram_gb = sum(float(line.value) * (line.count or 0) for line in counted) or sum(
        float(line.detail("total_gb") or 0) for line in reading.of("memory")
    )
    gpu_gb = sum(gpu.marketed_memory_gb * (line.count or 0) for line, gpu in gpus)
    if 0 < ram_gb < gpu_gb:
        yield message("ram_below_gpu", ram=ram_gb, gpu=gpu_gb)
    cpu = reading.first("cpu")
    family = cpu_family(str(cpu.value)) if cpu else None
    channels = _CHANNELS.get(family or "")
    sockets = (cpu.count if cpu else None) or (platform.cpu_sockets if platform else None)
    if count and channels and sockets and count % (channels * sockets):
        yield message("dimm_channels", count=count, sockets=sockets, channels=channels)
    if platform and channels and sockets and count > channels * sockets:
        at_one, at_two = platform.memory_mt_s
        if at_one is not None and at_two is not None and at_two < at_one:
            yield message("two_per_channel", platform=platform.title, two=at_two, one=at_one)
    supplies = sum(line.count or 0 for line in reading.of("psu"))
    if platform and platform.psu_count and supplies and supplies < platform.psu_count:
        yield message("psu_count", platform=platform.title, listed=platform.psu_count, count=supplies)


def to_confirm(reading: Reading, platform: Platform | None, catalog: HardwareCatalog) -> Iterator[Message]:
    """What the seller has to confirm before anyone buys."""
    by_slug = {gpu.slug: gpu for gpu in catalog.gpus}
    for line in reading.lines:
        gpu = by_slug.get(str(line.value)) if line.kind == "gpu" else None
        if line.kind == "platform" and line.value not in {p.slug for p in catalog.platforms}:
            yield message(
                "unknown_platform",
                text=line.text,
            )
        elif (words := line.detail("left_open")) is not None:
            yield message("left_open", text=line.text, words=words)
        elif line.kind == "gpu" and gpu is None:
            yield message("unknown_gpu", text=line.text)
        elif gpu is not None and (variant := line.detail("variant")) is not None:
            yield message("variant", text=line.text, variant=variant, gpu=gpu.name)
        elif line.kind != "other" and line.certainty != "read":
            taken = gpu.name if gpu else _title(line, catalog)
            yield message("taken_as", text=line.text, value=taken)
        if line.kind == "gpu" and line.count is None:
            yield message("gpu_count_missing", gpu=gpu.name if gpu else line.text)
        if gpu is not None and platform is not None and gpu.socket in platform.sockets:
            yield from _support(gpu, platform)
    for part in reading.not_stated:
        yield message("not_stated", part=part)


def _title(line: Line, catalog: HardwareCatalog) -> str:
    if line.kind == "platform":
        return next((p.title for p in catalog.platforms if p.slug == line.value), str(line.value))
    unit = {"memory": "GB of memory", "drive": "TB drive", "nic": "Gbit/s network", "psu": "W power supply"}
    named = isinstance(line.value, str)
    return str(line.value) if named else f"{line.value:g} {unit.get(line.kind, '')}".strip()


def _support(gpu: Gpu, platform: Platform) -> Iterator[Message]:
    support = platform.support_for(gpu.slug)
    if support is None:
        yield message("not_listed", gpu=gpu.name, platform=platform.title)
    elif support.confirmation != "confirmed":
        yield message("support", platform=platform.title, gpu=gpu.name)
    if gpu.bridge_sizes:
        yield message("bridges", gpu=gpu.name)
