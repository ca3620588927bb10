"""Nothing disappears: every GPU of the catalog has a row, and what a list leaves out is counted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Protocol

from sizing.hardware import Gpu
from sizing.hardware_data import HardwareCatalog
from sizing.outcome import Job
from sizing.recommend import named
from sizing.recommend.limits import Limits
from sizing.recommend.search import MOST_NODES, USUAL_BOARD
from sizing.units import format_bytes


class OfAGpu(Protocol):
    """What stands for a GPU in a list."""

    @property
    def gpu(self) -> Gpu:
        """The GPU."""


def cut[One: OfAGpu](ordered: list[One], most: int, *, seen: Collection[str] = ()) -> list[One]:
    """The first ones in their order, and of each GPU that is not `seen` at least its first."""
    known, firsts = set(seen), []
    for one in ordered:
        if one.gpu.slug not in known:
            known.add(one.gpu.slug)
            firsts.append(id(one))
    room = max(0, most - len(firsts))
    kept = set(firsts)
    for one in ordered:
        if room and id(one) not in kept:
            kept.add(id(one))
            room -= 1
    return [one for one in ordered if id(one) in kept]


def unplaced(shown: Iterable[str], catalog: HardwareCatalog, bounds: Limits, job: Job) -> list[dict[str, Any]]:
    """A rejection for each GPU of the catalog that stands in no list: why it was never placed."""
    seen = set(shown)
    return [_reason(gpu, catalog, bounds, job) for gpu in catalog.gpus if gpu.slug not in seen]


def _reason(gpu: Gpu, catalog: HardwareCatalog, bounds: Limits, job: Job) -> dict[str, Any]:
    limit, message = next(_reasons(gpu, catalog, bounds, job))
    return named.entry(gpu, None, limit, message) | {"limit": limit}


def _reasons(gpu: Gpu, catalog: HardwareCatalog, bounds: Limits, job: Job) -> Iterator[tuple[str, str]]:
    """Limits and sentences, the one that decides first."""
    if not gpu.memory_bytes or not gpu.dense_flops_per_s:
        yield "facts", f"Facts: memory or speed of {gpu.name} is not known."
    wanted, platform = bounds.must("gpu"), bounds.must("platform")
    if wanted and catalog.gpu(wanted).slug != gpu.slug:
        yield "gpu", f"GPU: {catalog.gpu(wanted).name} is asked for."
    support = [one.support_for(gpu.slug) for one in catalog.platforms]
    taken = [one for one in support if one is not None]
    if not taken:
        yield "support", f"Support: no server platform of the catalog takes {gpu.name}."
    if all(one.confirmation == "refuted" for one in taken):
        yield "support", f"Support: {gpu.name} was refuted for every platform that a list names for it."
    if platform:
        yield "platform", f"Platform: {catalog.platform(platform).title} is asked for and does not take {gpu.name}."
    most = MOST_NODES * max((one.max_count or USUAL_BOARD for one in taken), default=USUAL_BOARD)
    floor = format_bytes(job.floor_bytes())
    yield "memory", f"Memory: {floor} of weights alone cannot be divided over up to {most} {gpu.name}."


def left_out(candidates: int, rejected: int) -> dict[str, Any]:
    """How many configurations the lists do not show, and a sentence where there are any."""
    message = ""
    if candidates or rejected:
        parts = (f"{candidates} more that do the job", candidates), (f"{rejected} more that were rejected", rejected)
        listed = ", ".join(text for text, count in parts if count)
        message = f"Left out of the lists: {listed}; every GPU is shown with its best."
    return {"candidates": candidates, "rejected": rejected, "message": message}
