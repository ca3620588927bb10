"""The same job on more and on fewer of the same GPUs: what each number of them gives, and where more stop to pay."""

from __future__ import annotations

from typing import Any

from sizing import speed
from sizing.answer import interval
from sizing.case import Interval
from sizing.hardware_data import HardwareCatalog
from sizing.outcome import Job, Outcome
from sizing.recommend import comparison, search
from sizing.recommend.search import Placement
from sizing.units import BITS_PER_BYTE, GIGA, HOUR

COUNTS = (1, 2, 4, 8)
NODES = (2, 4, 8)


def curve(placement: Placement, job: Job, catalog: HardwareCatalog) -> dict[str, Any]:
    """What 1, 2, 4 and 8 GPUs of one server give, and 2, 4 and 8 full servers; each number by its own best plan.

    Parts of a board that is sold whole are shown as well: they can be rented. A step of `gained_share` is what the
    GPUs added since the point before do of their share [–].
    """
    tried = [
        (gpus, nodes, outcome) for gpus, nodes in _sizes(placement) if (outcome := _on(placement, job, gpus, nodes))
    ]
    timed = [(gpus * nodes, one.seconds) for gpus, nodes, one in tried if one.fits and one.seconds is not None]
    gained = dict(zip((gpus for gpus, _seconds in timed), speed.gains(timed), strict=True))
    points = [
        {
            "gpus": gpus * nodes,
            "nodes": nodes,
            "fits": one.fits,
            "keeps_load": one.load,
            "is_offloaded": one.offload,
            "needed_high_bytes": one.device.high,
            "seconds": _shown(one.seconds),
            "gained_share": gained.get(gpus * nodes),
            "room": _room(job, one),
            **_cost(placement, gpus * nodes, one.seconds, catalog),
        }
        for gpus, nodes, one in tried
    ]
    return {"points": points, "worth_having": speed.knee(timed)}


def _sizes(placement: Placement) -> list[tuple[int, int]]:
    most = max(placement.support.max_count or placement.platform.max_gpus or 1, placement.per_node)
    return [(count, 1) for count in COUNTS if count < most] + [(most, nodes) for nodes in (1, *NODES)]


def _on(placement: Placement, job: Job, gpus: int, nodes: int) -> Outcome | None:
    own = placement.outcome.machines
    if (gpus, nodes) == (own.gpus_per_node, own.nodes):
        return placement.outcome
    gbit = own.network_bytes_per_s * BITS_PER_BYTE / GIGA
    return job.on(search.machines(placement.gpu, placement.support, gpus, nodes, gbit or None))


def _cost(placement: Placement, gpus: int, seconds: Interval | None, catalog: HardwareCatalog) -> dict[str, Any]:
    hours = seconds.expected / HOUR * gpus if seconds is not None else None
    return {"gpu_hours": hours, "rent": comparison.rent(placement.gpu.slug, hours, catalog)}


def _shown(seconds: Interval | None) -> dict[str, int] | None:
    return interval(seconds) if seconds is not None else None


def _room(job: Job, one: Outcome) -> int | None:
    """Requests at the same time that a service has room for [–]."""
    if job.task == "training" or not one.fits:
        return None
    found = (job.estimate(one, explain=False).get("speed") or {}).get("max_concurrency")
    return int(found) if found else None
