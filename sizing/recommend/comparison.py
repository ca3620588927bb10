"""Which GPU and which method: the smallest machine of each that does the job, with time, energy and rent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sizing import economics
from sizing.answer import interval
from sizing.assumptions import Ledger
from sizing.errors import SizingError
from sizing.hardware_data import HardwareCatalog
from sizing.outcome import Job
from sizing.recommend import search
from sizing.recommend.limits import Limits
from sizing.recommend.search import MOST_NODES, Placement, does_the_job
from sizing.units import HOUR

METHODS = ("qlora", "lora", "full")
FIELDS_OF_METHOD = ("method", "weights", "master_weights", "gradients", "optimizer_states", "lora")
QUALITY = {
    "qlora": "Quality is usually close to LoRA; the 4-bit base can cost a little on hard tasks.",
    "lora": "Quality is usually close to full tuning where the task is near what the model knows.",
    "full": "All weights can change: the most freedom, and the most to forget.",
}


def by_gpu(found: list[Placement], catalog: HardwareCatalog) -> list[dict[str, Any]]:
    """For each GPU its smallest placement: time, GPU hours, energy and rent of one finished job."""
    smallest: dict[str, Placement] = {}
    for one in sorted(found, key=lambda placement: placement.size):
        smallest.setdefault(one.gpu.slug, one)
    return [_row(one, catalog) for one in smallest.values()]


def _row(one: Placement, catalog: HardwareCatalog) -> dict[str, Any]:
    seconds = one.outcome.seconds
    power = one.build.facility.power_w.scaled(one.nodes) if one.build else None
    hours = seconds.expected / HOUR * one.gpus if seconds else None
    return {
        "gpu": one.gpu.slug,
        "gpu_name": one.gpu.name,
        "platform": one.platform.slug,
        "gpus": one.gpus,
        "nodes": one.nodes,
        "seconds": interval(seconds) if seconds else None,
        "gpu_hours": hours,
        "energy_kwh": seconds.expected / HOUR * power.expected / 1000 if seconds and power else None,
        "rent": rent(one.gpu.slug, hours, catalog),
    }


def rent(gpu: str, hours: float | None, catalog: HardwareCatalog) -> dict[str, Any] | None:
    """What so many GPU-hours cost at the lowest and the highest known rent; None where no rent or time is known."""
    offers, rented = economics.offers_for(gpu, catalog.cloud)
    rates = sorted(offer.per_gpu_hour for offer in offers)
    if not rates or not hours:
        return None
    return {"gpu": rented, "low": rates[0] * hours, "high": rates[-1] * hours, "currency": "USD"}


def by_method(
    request: Mapping[str, Any],
    catalog: HardwareCatalog,
    bounds: Limits,
    read: Callable[[Mapping[str, Any], Mapping[str, Any], Ledger], Job],
    *,
    deadline_seconds: float | None,
) -> list[dict[str, Any]]:
    """QLoRA, LoRA and full tuning of the same customer case: the smallest machine that each needs."""
    workload = request["workload"]
    rows = []
    for method in METHODS:
        kept = {name: value for name, value in workload.items() if name not in FIELDS_OF_METHOD}
        asked = {**kept, "method": method}
        if method == workload.get("method"):
            asked = dict(workload)
        elif method != "full" and isinstance(workload.get("lora"), Mapping):
            asked["lora"] = workload["lora"]
        try:
            job = read({**request, "workload": asked}, asked, Ledger())
        except SizingError as refused:
            rows.append({"method": method, "message": refused.text})
            continue
        rows.append(_smallest(method, job, catalog, bounds, deadline_seconds))
    return rows


def _smallest(
    method: str, job: Job, catalog: HardwareCatalog, bounds: Limits, deadline_seconds: float | None
) -> dict[str, Any]:
    best: Placement | None = None
    for platform, support, gpu in search.rows(catalog, bounds):
        if any(one.status == "no" for one in job.software(gpu)):
            continue
        for one in search.placements(
            platform, support, gpu, job, most_nodes=MOST_NODES, enough_seconds=deadline_seconds
        ):
            if does_the_job(one.outcome, deadline_seconds) and not one.outcome.offload:
                best = one if best is None or one.size < best.size else best
                break
    if best is None:
        return {"method": method, "message": "No machine of the catalog does it in time without offload."}
    seconds = best.outcome.seconds
    return {
        "method": method,
        "gpu": best.gpu.slug,
        "gpu_name": best.gpu.name,
        "platform": best.platform.slug,
        "gpus": best.gpus,
        "nodes": best.nodes,
        "needed": interval(best.outcome.device),
        "seconds": interval(seconds) if seconds else None,
        "board_power_watts": round(best.gpus * best.gpu.power_w),
        "quality": QUALITY[method],
        "message": None,
    }
