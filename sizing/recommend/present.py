"""Placements and rejections in the contract's form."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sizing.answer import interval
from sizing.hardware_data import HardwareCatalog
from sizing.outcome import Job
from sizing.recommend import delivery, more_gpus
from sizing.recommend.build import Build, Line
from sizing.recommend.ranking import reasons_against, reasons_for
from sizing.recommend.search import Placement
from sizing.units import DAY, format_seconds


def candidate(
    placement: Placement,
    labels: list[str],
    rank: int,
    job: Job,
    catalog: HardwareCatalog,
    *,
    deadline_seconds: float | None,
) -> dict[str, Any]:
    """One candidate with everything that a page or a quote shows of it."""
    build = built(placement)
    estimate = job.estimate(placement.outcome, explain=bool(labels))
    extras = job.extras(placement.outcome) if labels else {}
    if labels:
        extras["scaling"] = more_gpus.curve(placement, job, catalog) | extras.get("scaling", {})
    return {
        "rank": rank,
        "labels": labels,
        "platform": placement.platform.slug,
        "platform_title": placement.platform.title,
        "sku": None,
        "gpu": placement.gpu.slug,
        "gpu_name": placement.gpu.name,
        "gpus_per_node": placement.per_node,
        "nodes": placement.nodes,
        "interconnect": placement.outcome.machines.interconnect,
        "copies": placement.outcome.copies,
        "does_the_job": not placement.violations,
        "conditional": placement.conditions,
        "estimate": estimate,
        "host": host(build),
        "storage": build.storage,
        "network": {
            "interconnect": placement.outcome.machines.interconnect,
            "gbit_per_gpu": placement.outcome.machines.network_bytes_per_s * 8 / 1e9 if placement.nodes > 1 else None,
        },
        "facility": facility(placement, build),
        "software": [asdict(one) for one in placement.software],
        "ready": ready(placement, catalog),
        "price": price(build),
        "budget": placement.budget,
        "lines": [line(one) for one in build.lines],
        "conflicts": disagreements(placement, catalog) if labels else [],
        "preferences_missed": placement.missed,
        "reasons_for": reasons_for(placement, labels, deadline_seconds=deadline_seconds, wishes=placement.has_wishes),
        "reasons_against": [
            *(v.message for v in placement.violations),
            *reasons_against(placement, task=job.task),
            *ethernet(extras.get("ethernet")),
        ],
    } | extras


def disagreements(placement: Placement, catalog: HardwareCatalog) -> list[dict[str, Any]]:
    """Facts of the GPU and the platform on which sources disagree: every value seen, the one used and why."""
    parts = (("gpu", placement.gpu.name, placement.gpu), ("platform", placement.platform.title, placement.platform))
    return [
        {
            "kind": kind,
            "part": name,
            "field": one.field,
            "values": [
                {"value": value, "source": catalog.sources[key].title if key in catalog.sources else key}
                for value, key in one.values
            ],
            "chosen": one.chosen,
            "why": one.why,
        }
        for kind, name, part in parts
        for one in part.conflicts
        if len({str(value) for value, _key in one.values}) > 1
    ]


def built(placement: Placement) -> Build:
    """The server around a judged placement."""
    if placement.build is None:
        raise TypeError("a placement is shown only after it was judged")
    return placement.build


def ethernet(found: dict[str, Any] | None) -> list[str]:
    """What the nodes lose without a fabric, as a sentence."""
    if not found or not found.get("seconds"):
        return []
    time = format_seconds(found["seconds"]["expected"])
    return [f"Over {found['gbit_per_node']:g} Gbit/s of Ethernet a node the same machines would take {time}."]


def ready(placement: Placement, catalog: HardwareCatalog) -> dict[str, Any]:
    """When the result is there: delivery, installation and run, in days from the order."""
    seconds = placement.outcome.seconds
    run = seconds.scaled(1 / DAY) if seconds else None
    coming = delivery.of(placement, built(placement).lines, catalog)
    parts = {"delivery_days": coming.days, "installation_days": delivery.INSTALLATION_DAYS}
    if run is not None:
        parts["run_days"] = run
    ends = {name: sum(getattr(part, name) for part in parts.values()) for name in ("expected", "low", "high")}
    shown: dict[str, Any] = {
        name: {"expected": part.expected, "low": part.low, "high": part.high} for name, part in parts.items()
    }
    offer = coming.offer
    said = {"supplier": offer.supplier, "days": offer.days, "confirmation": offer.confirmation} if offer else None
    return shown | {"days_from_order": ends, "delivery_offer": said}


def host(build: Build) -> dict[str, Any]:
    """Host needs of one node [B, cores, ports, lanes], and how they divide over its NUMA domains."""
    return {
        "memory_bytes": round(build.host.memory_bytes),
        "needed_bytes": round(build.host.needed_bytes),
        "cores": build.host.cores,
        "nics": build.host.nics,
        "pcie_lanes": {
            "needed": build.lanes.needed,
            "available": build.lanes.available,
            "gpus": build.lanes.gpus,
            "nics": build.lanes.nics,
            "drives": build.lanes.drives,
            "system": build.lanes.system,
            "is_switched": build.lanes.is_switched,
        },
        "numa": {
            "domains": build.lanes.domains,
            "gpus": list(build.lanes.gpus_per_domain),
            "memory_bytes": round(build.lanes.memory_bytes),
        },
    }


def facility(placement: Placement, build: Build) -> dict[str, Any]:
    """Power [W], heat and height, of one node and of all."""
    one = build.facility
    return {
        "node_power_watts": interval(one.power_w),
        "power_watts": interval(one.power_w.scaled(placement.nodes)),
        "power_is_derived": one.is_derived,
        "heat_btu_per_hour": round(one.heat_btu_per_h * placement.nodes),
        "rack_units": one.rack_units * placement.nodes if one.rack_units else None,
        "cooling": list(one.cooling),
        "mass_kg": placement.platform.mass_kg,
        "psu_redundancy": placement.platform.psu_redundancy,
    }


def price(build: Build) -> dict[str, Any] | None:
    """Band over the priced lines, and how many of all lines are priced."""
    if build.price_low is None:
        return None
    return {
        "low": round(build.price_low, 2),
        "high": round(build.price_high or 0.0, 2),
        "currency": build.currency,
        "lines_priced": build.priced,
        "lines_total": len(build.lines),
        "is_complete": build.priced == len(build.lines),
        "is_exchanged": any(one.exchange is not None for one in build.lines),
    }


def line(one: Line) -> dict[str, Any]:
    """One order line."""
    return asdict(one)


def rejection(placement: Placement) -> dict[str, Any]:
    """A placement that breaks a limit, with the reason."""
    first = placement.violations[0]
    return {
        "platform": placement.platform.slug,
        "platform_title": placement.platform.title,
        "gpu": placement.gpu.slug,
        "gpu_name": placement.gpu.name,
        "gpus_per_node": placement.per_node,
        "nodes": placement.nodes,
        "limit": first.limit,
        "cause": first.limit.replace("_", " "),
        "message": " ".join(v.message for v in placement.violations),
    }
