"""Machines named in a request: unknown names are refused, what does not go together is rejected with the reason."""

from __future__ import annotations

from typing import Any

from sizing.assumptions import Ledger
from sizing.errors import SizingError
from sizing.hardware import Gpu, Platform
from sizing.hardware_data import HardwareCatalog
from sizing.recommend.limits import Limits

LOCAL_REGIONS = ("on_premises", "on-premises", "country")
MOST_NAMED = 4


def check_names(bounds: Limits, catalog: HardwareCatalog, ledger: Ledger) -> None:
    """Refuse a maker that the catalog does not know; tell what a limit leaves to people.

    Raises
    ------
    SizingError
        For an unknown maker, with those that are known.
    """
    vendor = bounds.get("vendor")
    makers = sorted({p.vendor for p in catalog.platforms} | {g.vendor for g in catalog.gpus})
    if vendor and str(vendor.value).lower() not in (maker.lower() for maker in makers):
        known = ", ".join(makers)
        raise SizingError(
            "limits.vendor", "{value} is not in the catalog; known makers are " + known, value=vendor.value
        )
    region = bounds.get("region")
    if region and str(region.value).lower() not in LOCAL_REGIONS:
        ledger.warn(
            f"The region {str(region.value)[:60]!r} is not held against platforms: every candidate is a server to own."
        )
    budget = bounds.get("budget")
    if budget and not budget.currency:
        ledger.warn("The budget has no currency; it is held against prices in US dollars.")
    storage = bounds.get("storage")
    if storage:
        ledger.warn("The wish for storage is passed on to the engineer; drives are sized from the job.")


def impossible(bounds: Limits, catalog: HardwareCatalog) -> list[dict[str, Any]]:
    """A named GPU that no platform takes, or that does not go into the named one, with the reason."""
    gpu_name, platform_name = bounds.any("gpu"), bounds.any("platform")
    if not gpu_name:
        return []
    gpu = catalog.gpu(gpu_name)
    takers = [platform for platform in catalog.platforms if platform.support_for(gpu.slug)]
    if not platform_name:
        message = f"Support: no server platform of the catalog takes {gpu.name}."
        return [] if takers else [entry(gpu, None, "support", message)]
    platform = catalog.platform(platform_name)
    if platform in takers:
        return []
    where = ", ".join(one.title for one in takers[:MOST_NAMED]) or "no platform of the catalog"
    if len(takers) > MOST_NAMED:
        where += f" and {len(takers) - MOST_NAMED} more"
    if gpu.socket not in platform.sockets:
        takes = ", ".join(socket.upper() for socket in platform.sockets) or "no published form factor"
        message = (
            f"Form factor: {platform.title} takes {takes}; {gpu.name} is {(gpu.socket or 'unknown').upper()}. "
            f"It goes into {where}."
        )
        return [entry(gpu, platform, "form factor", message)]
    message = f"Support: no list of the maker names {gpu.name} for {platform.title}. It goes into {where}."
    return [entry(gpu, platform, "support", message)]


def entry(gpu: Gpu, platform: Platform | None, cause: str, message: str) -> dict[str, Any]:
    """A rejection of a GPU that was never placed."""
    return {
        "platform": platform.slug if platform else None,
        "platform_title": platform.title if platform else "",
        "gpu": gpu.slug,
        "gpu_name": gpu.name,
        "gpus_per_node": None,
        "nodes": None,
        "limit": "platform" if platform else "gpu",
        "cause": cause,
        "message": message,
    }
