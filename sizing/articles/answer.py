"""The answer of ``check-sku``: what an article names, and whether it does the job."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sizing.articles.reader import platform_of, read
from sizing.articles.reading import Message, Reading, message
from sizing.errors import SizingError
from sizing.hardware import Gpu, Interconnect, System
from sizing.hardware_data import HardwareCatalog, packaged
from sizing.units import BITS_PER_BYTE, GIB, GIGA, format_bytes, format_count

Verdict = Callable[[System], Mapping[str, Any]]
"""Estimate (in the contract's words) of the request's workload on a system."""

_STATE_BYTES = (16, 18)
"""Bytes a parameter of full training with Adam: 2 weight + 2 gradient + 12 fp32 copy and moments; 18 with fp32
gradients (Rajbhandari et al., ZeRO, 2020, section 3.1)."""

NOTHING_TO_READ = "{field} has to be the text of an article; nothing to read was given."
_BLOCKING = frozenset({"form_factor", "gpu_count"})
_UNSETTLED = frozenset({"gpu_mix", "gpu_counts", "gpu_memory"})
"""Conflicts that leave open which GPUs, or how many, an article offers: nothing can be said about the job."""
_SHOWN = ("kind", "value", "count", "text", "certainty", "start", "end")


def check(
    request: Mapping[str, Any], catalog: HardwareCatalog | None = None, verdict: Verdict | None = None
) -> dict[str, Any]:
    """Read ``request["article"]`` and judge it for ``request["workload"]``.

    Parameters
    ----------
    request : mapping
        ``id``, ``article`` and, if the article is to be judged, ``workload``.
    verdict : callable, optional
        Gives the estimate of the workload on a system; without it there is no verdict.

    Returns
    -------
    dict
        JSON: ``id, lines, unread, not_stated, conflicts, notes, verdict, to_confirm``, or ``id, error``.
    """
    article = request.get("article")
    if not isinstance(article, str) or not article.strip():
        error = SizingError("article", NOTHING_TO_READ, value=article)
        return {"id": request.get("id"), "error": {"field": error.field, "message": error.text}}
    known = catalog or packaged()
    reading = read(article, catalog=known)
    return {
        "id": request.get("id"),
        "lines": [
            {name: getattr(line, name) for name in _SHOWN} | {"details": dict(line.details)} for line in reading.lines
        ],
        "unread": list(reading.unread),
        "not_stated": list(reading.not_stated),
        "conflicts": [found.text for found in reading.conflicts],
        "notes": [note.text for note in reading.notes],
        "verdict": _verdict(reading, known, verdict) if request.get("workload") is not None and verdict else None,
        "to_confirm": [asked.text for asked in reading.to_confirm],
    }  # fmt: skip


def system_of(reading: Reading, catalog: HardwareCatalog, *, gpus: int | None = None) -> System | None:
    """The machine that a reading describes, None where GPU or count is missing.

    `gpus` counts fewer of them, to see whether fewer would do.
    """
    by_slug = {gpu.slug: gpu for gpu in catalog.gpus}
    line = next((line for line in reading.of("gpu") if line.value in by_slug), None)
    if line is None or not (gpus or line.count):
        return None
    gpu = by_slug[str(line.value)]
    platform_line = reading.first("platform")
    count = gpus or line.count or 1
    return System(
        gpu=gpu,
        gpus_per_node=count,
        nodes=platform_line.count if platform_line is not None and platform_line.count and gpus is None else 1,
        interconnect=_interconnect(reading, gpu, catalog, count),
        network_bytes_per_s=_network_bits(reading) / BITS_PER_BYTE / count,
        memory_bytes=gpu.memory_bytes,
    )


def _interconnect(reading: Reading, gpu: Gpu, catalog: HardwareCatalog, count: int) -> Interconnect:
    if count == 1:
        return "none"
    platform = platform_of(reading, catalog)
    support = platform.support_for(gpu.slug) if platform is not None else None
    if any(line.detail("what") == "NVLink bridge" for line in reading.of("other")) and gpu.bridge_sizes:
        return "nvlink_bridge"
    if support is not None:
        return support.interconnect
    if gpu.socket is None or gpu.socket == "pcie":
        return "pcie"
    return "nvswitch" if gpu.vendor == "NVIDIA" else "infinity_fabric"


def _network_bits(reading: Reading) -> float:
    """Network of a node in all, one direction [bit/s]; 0 where the text names none."""
    return sum(line.value * GIGA * (line.count or 1) for line in reading.of("nic") if isinstance(line.value, int))


def _verdict(reading: Reading, catalog: HardwareCatalog, verdict: Verdict) -> dict[str, Any]:
    blocked = next((found for found in reading.conflicts if found.code in _BLOCKING), None)
    if blocked is not None:
        return {"fits": False, "message": blocked.text, "reasons": [], "estimate": None}
    unsettled = next((found for found in reading.conflicts if found.code in _UNSETTLED), None)
    if unsettled is not None:
        return {"fits": None, "message": unsettled.text, "reasons": [], "estimate": None}
    system = system_of(reading, catalog)
    if system is None:
        sentence = message("no_gpu")
        return {"fits": None, "message": sentence.text, "reasons": [], "estimate": None}
    estimate = verdict(system)
    if "error" in estimate:
        text = str(estimate["error"].get("message", ""))
        return {"fits": None, "message": text, "reasons": [], "estimate": None}
    host = _host_need(estimate)
    ram_bytes = ram_gb(reading) * GIB
    fits = bool(estimate["memory"]["fits"]) and not (ram_bytes and host > ram_bytes)
    is_alone = fits and _offload(estimate) == "none"
    fewest = _fewest(reading, catalog, system, verdict) if is_alone else None
    reasons = [*_offload_reasons(estimate, host, ram_bytes), *_state_reasons(estimate, system)]
    sentence = _sentence(system, estimate["memory"], fewest, fits=fits)
    return {
        "fits": fits,
        "message": sentence.text,
        "reasons": [reason.text for reason in reasons],
        "estimate": dict(estimate),
    }


def ram_gb(reading: Reading) -> float:
    """Memory of the server that a reading names [GB of 2^30 bytes], 0 where it names none."""
    modules = [line for line in reading.of("memory") if line.count is not None and line.detail("total_gb") is None]
    counted = sum(float(line.value) * (line.count or 0) for line in modules)
    return counted or float(max((line.detail("total_gb") or 0 for line in reading.of("memory")), default=0))


def _offload(estimate: Mapping[str, Any]) -> str:
    return str((estimate.get("plan") or {}).get("offload") or "none")


def _host_need(estimate: Mapping[str, Any]) -> float:
    """Host memory of a node that the plan takes, upper band [B]."""
    need = estimate["memory"].get("host_per_node") or {}
    return float(need.get("high") or 0)


def _offload_reasons(estimate: Mapping[str, Any], host: float, ram_bytes: float) -> Iterator[Message]:
    if _offload(estimate) == "none":
        return
    yield message("offload", offload=_offload(estimate))
    if host and ram_bytes:
        yield message("offload_host", host=format_bytes(host), ram=format_bytes(ram_bytes))
    elif not ram_bytes:
        yield message("offload_ram")


def _state_reasons(estimate: Mapping[str, Any], system: System) -> Iterator[Message]:
    """Full training with Adam: what the states alone take, at both usual precisions of the gradients."""
    parameters = (estimate.get("model") or {}).get("parameters")
    optimizer = str((estimate.get("plan") or {}).get("optimizer", ""))
    is_full = estimate.get("method") in ("full", "pretraining")
    if not is_full or not parameters or optimizer not in ("adamw", "adamw_fused", "adamw_foreach"):
        return
    low, high = (bytes_each * parameters for bytes_each in _STATE_BYTES)
    yield message(
        "states",
        parameters=format_count(parameters),
        low=format_bytes(low),
        high=format_bytes(high),
        capacity=format_bytes(system.memory_bytes * system.gpus),
    )


def _fewest(reading: Reading, catalog: HardwareCatalog, system: System, verdict: Verdict) -> int | None:
    """The smallest power of two of GPUs that does the job as well, None where all are needed [–]."""
    count = 1
    while count < system.gpus:
        smaller = system_of(reading, catalog, gpus=count)
        estimate = verdict(smaller) if smaller is not None else {}
        if estimate.get("memory", {}).get("fits") and _offload(estimate) == "none":
            return count
        count *= 2
    return None


def _sentence(system: System, memory: Mapping[str, Any], fewest: int | None, *, fits: bool) -> Message:
    device = memory["needed"]
    if not memory["fits"] and device["high"] <= memory["capacity"]:
        device = memory["device"]
    params = {
        "need": format_bytes(device["expected"]),
        "high": format_bytes(device["high"]),
        "capacity": format_bytes(memory["capacity"]),
        "gpu": system.gpu.name,
        "count": system.gpus,
    }
    if not memory["fits"]:
        return message("short", **params)
    if not fits:
        return message("short_of_ram", **params)
    if fewest is not None:
        return message("ample", fewest=fewest, **params)
    return message("fits", **params)
