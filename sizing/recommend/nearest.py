"""What comes nearest where nothing keeps every limit, and the limits that bind it."""

from __future__ import annotations

from math import log
from typing import Any

from sizing.hardware_data import HardwareCatalog
from sizing.outcome import Job
from sizing.recommend import budget, present
from sizing.recommend.limits import Limits
from sizing.recommend.search import MOST_NODES, Placement

MENDED_BY_NODES = ("load", "deadline", "memory")


def excess(one: Placement) -> tuple[float, ...]:
    """How far a placement is from keeping every must: whether it runs at all, then how much has to give in all.

    A machine whose memory is short cannot be relaxed into running, so it stands behind every one that runs.
    """
    runs = not any(v.limit in ("memory", "software", "host_memory") for v in one.violations)
    return (not runs, sum(log(max(v.ratio, 1.0)) for v in one.violations), *one.size)


def answer(
    refused: list[Placement], job: Job, catalog: HardwareCatalog, bounds: Limits, deadline: float | None
) -> dict[str, Any] | None:
    """The placement that breaks fewest limits, by least, and the limits that bind; an open budget after the broken.

    A placement whose price is not whole counts as far above a budget that must hold as the dearest known one: not to
    know a price, or a part of it, never makes it nearer. The ones without any price come last; among the others, where
    all else is alike, the ones whose known lines alone are above the budget.
    """
    if not refused:
        return None
    unknown = log(max(map(_over, refused)))

    def distance(one: Placement) -> tuple[float, ...]:
        runs, excess_of_it, *size = excess(one)
        if not budget.is_unknown(one.build, bounds):
            return (runs, False, excess_of_it, False, *size)
        over, has_none = _over(one), one.build is None or one.build.price_low is None
        return (runs, has_none, excess_of_it - log(over) + unknown, over > 1.0, *size)

    one = min(refused, key=distance)
    shown = present.candidate(one, ["nearest"], 1, job, catalog, deadline_seconds=deadline)
    binding = [{"limit": v.limit, "message": v.message, "ratio": round(v.ratio, 3)} for v in one.violations]
    binding += [
        {"limit": "budget", "message": message, "ratio": None} for message in budget.open_must(one.build, bounds)
    ]
    binding += _end_of_search(one)
    return shown | {"binding": binding}


def _over(one: Placement) -> float:
    """What the known lines come to over the budget, 1 where it is not broken [–]."""
    return max((v.ratio for v in one.violations if v.limit == "budget"), default=1.0)


def _end_of_search(one: Placement) -> list[dict[str, Any]]:
    """The search's own bound, where more nodes than it tries could do what the nearest placement cannot."""
    asked = max((v.ratio for v in one.violations if v.limit in MENDED_BY_NODES), default=1.0)
    if one.nodes < MOST_NODES or asked <= 1.0:
        return []
    message = f"Search: no more than {MOST_NODES} nodes are tried; a larger installation has to be planned by hand."
    return [{"limit": "most_nodes", "message": message, "ratio": round(asked, 3)}]
