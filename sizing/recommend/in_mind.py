"""The machine that the customer has in mind: a GPU and their number, judged like any other and never a limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sizing import fields
from sizing.assumptions import Ledger
from sizing.errors import SizingError
from sizing.hardware import Gpu, GpuSupport, Platform
from sizing.hardware_data import HardwareCatalog
from sizing.outcome import Job
from sizing.recommend import ranking, search
from sizing.recommend.limits import Limits
from sizing.recommend.search import MOST_NODES, Placement, Violation
from sizing.units import format_apart

LABEL = "in_mind"
FIELDS: Mapping[str, fields.Field] = {"gpu": fields.Text(80), "gpus": fields.Number(1, 1024)}
"""A GPU of the catalog, and how many of them in all."""
MADE_OF = ("gpu", "platform")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was named: the GPU and how many of them in all."""

    gpu: Gpu
    gpus: int


def read(request: Mapping[str, Any], catalog: HardwareCatalog, ledger: Ledger) -> Wanted | None:
    """The machine in mind of a request, None where none was named.

    Raises
    ------
    SizingError
        Where a GPU stands without a number or the other way round, or the catalog does not know it.
    """
    if request.get("in_mind") is None:
        return None
    given, unknown = fields.read(request["in_mind"], FIELDS, "in_mind")
    for name in unknown:
        ledger.warn(f"The field 'in_mind.{name}' is not known and was not used.")
    for name in FIELDS:
        if name not in given:
            raise SizingError(f"in_mind.{name}", "{field} is missing: a machine in mind is a GPU and a number of them")
    return Wanted(catalog.gpu(given["gpu"], field="in_mind.gpu"), given["gpus"])


def placements(wanted: Wanted, catalog: HardwareCatalog, bounds: Limits, job: Job) -> list[Placement]:
    """The job on exactly these GPUs, in every platform that takes them; empty where none does or it cannot start.

    Limits on names do not choose here: what was named stays as it was named, and what breaks a limit says so.
    """
    free = Limits({name: limit for name, limit in bounds.items() if name not in MADE_OF or not limit.is_must})
    network = bounds.any("network_gbit_per_gpu")
    found = []
    for platform, support, gpu in search.rows(catalog, free):
        division = _division(platform, support, wanted.gpus) if gpu.slug == wanted.gpu.slug else None
        if division is None:
            continue
        outcome = job.on(search.machines(gpu, support, *division, network))
        if outcome is not None:
            one = Placement(platform, support, gpu, *division, outcome)
            one.violations.extend(_other_names(one, catalog, bounds))
            found.append(one)
    return found


def _division(platform: Platform, support: GpuSupport, gpus: int) -> tuple[int, int] | None:
    """(GPUs a node, nodes) with the fewest nodes that make exactly this number; boards come whole."""
    if support.socket in search.BOARD_SOCKETS:
        (board,) = search.per_node_counts(platform, support)
        return (board, gpus // board) if gpus % board == 0 and gpus // board <= MOST_NODES else None
    most = support.max_count or platform.max_gpus or 1
    counts = (count for count in range(min(most, gpus), 0, -1) if gpus % count == 0 and gpus // count <= MOST_NODES)
    return next(((count, gpus // count) for count in counts), None)


def _other_names(one: Placement, catalog: HardwareCatalog, bounds: Limits) -> Iterator[Violation]:
    gpu, platform = bounds.must("gpu"), bounds.must("platform")
    if gpu and catalog.gpu(gpu).slug != one.gpu.slug:
        yield Violation("gpu", f"GPU: {one.gpu.name} instead of {catalog.gpu(gpu).name}.", 1.0)
    if platform and catalog.platform(platform).slug != one.platform.slug:
        wanted = catalog.platform(platform).title
        yield Violation("platform", f"Platform: {one.platform.title} instead of {wanted}.", 1.0)


def place(
    wanted: Wanted, catalog: HardwareCatalog, bounds: Limits, job: Job, found: list[Placement],
    refused: list[Placement], judge: Callable[[Placement], None],
) -> Placement | None:  # fmt: skip
    """The machine in mind on its best platform: fewest broken limits, then wishes, then the order of the list.

    Where it does the job it joins `found`, so that it is ranked with the others.
    """
    known = {one.key: one for one in (*found, *refused)}
    tried = []
    for one in placements(wanted, catalog, bounds, job):
        if one.key in known:
            tried.append(known[one.key])
            continue
        judge(one)
        tried.append(one)
        if not one.violations:
            found.append(one)
    measure = ranking.measure_of(tried)
    return min(tried, key=lambda one: (len(one.violations), len(one.missed), measure(one)), default=None)


def with_label(shown: list[tuple[Placement, list[str]]], named: Placement | None) -> list[tuple[Placement, list[str]]]:
    """The placements to show and the machine in mind, which takes its label where it stands among them."""
    if named is None:
        return shown
    listed = [(one, [*labels, LABEL] if one is named else labels) for one, labels in shown]
    return listed if any(one is named for one, _labels in shown) else [*listed, (named, [LABEL])]


def answer(
    wanted: Wanted, one: Placement | None, recommended: Placement | None, catalog: HardwareCatalog, job: Job, *,
    deadline_seconds: float | None,
) -> dict[str, Any]:  # fmt: skip
    """Whether it does the job, why not, and why it is not the one that is recommended."""
    does = one is not None and not one.violations
    if one is None:
        reasons = [_why_not_tried(wanted, catalog, job)]
    elif not does:
        reasons = [violation.message for violation in one.violations]
    else:
        reasons = list(_behind(one, recommended, deadline_seconds))
    return {
        "gpu": wanted.gpu.slug,
        "gpu_name": wanted.gpu.name,
        "gpus": wanted.gpus,
        "does_the_job": does,
        "is_recommended": does and one is not None and recommended is not None and one.key == recommended.key,
        "reasons": reasons,
    }


def _why_not_tried(wanted: Wanted, catalog: HardwareCatalog, job: Job) -> str:
    """Why there is no placement: nothing takes the GPU or the number, or the job cannot even start on them."""
    gpu = wanted.gpu
    rows = [(one, support) for one in catalog.platforms if (support := one.support_for(gpu.slug)) is not None]
    if not gpu.memory_bytes or not gpu.dense_flops_per_s:
        return f"Figures of {gpu.name}: no memory or no rate is known, so nothing can be computed."
    if not rows:
        return f"Support: no server platform of the catalog takes {gpu.name}."
    if not any(_division(platform, support, wanted.gpus) for platform, support in rows):
        sizes = sorted({search.per_node_counts(*row)[0] for row in rows})
        if gpu.socket in search.BOARD_SOCKETS and all(wanted.gpus % size for size in sizes):
            boards = " or ".join(str(size) for size in sizes)
            return f"Number: {gpu.name} comes on boards of {boards}, so {wanted.gpus} cannot be built of them."
        return f"Number: {wanted.gpus} x {gpu.name} need more than {MOST_NODES} nodes, which are not tried here."
    there = wanted.gpus * gpu.memory_bytes
    if there < job.floor_bytes():
        needed, room = format_apart(job.floor_bytes(), there)
        return f"Memory: the weights alone take {needed}, {wanted.gpus} x {gpu.name} have {room}."
    return f"Number: {wanted.gpus} GPUs cannot be divided into equal parts for the runs side by side."


def _behind(one: Placement, recommended: Placement | None, deadline_seconds: float | None) -> Iterator[str]:
    """What puts it behind the recommended placement, in the order in which placements are ranked."""
    if recommended is None or one.key == recommended.key:
        return
    other = f"{recommended.gpus} x {recommended.gpu.name}"
    if ranking.has_margin(recommended, deadline_seconds) and not ranking.has_margin(one, deadline_seconds):
        yield f"It does the job with less to spare in memory or time than {other}."
    if len(one.missed) > len(recommended.missed):
        yield f"It misses a wish that {other} keeps."
    here, there = (placement.build.cost if placement.build else None for placement in (one, recommended))
    if here is not None and there is not None and here > there:
        yield f"It costs more than {other}, which does the job as well."
    elif one.size <= recommended.size:
        return
    elif one.gpus > recommended.gpus:
        yield f"More than the job needs: {other} do it as well."
    elif one.nodes > recommended.nodes:
        yield f"It takes {one.nodes} nodes, {other} take {recommended.nodes}."
    elif one.size[2] > recommended.size[2]:
        yield f"Its GPUs draw {one.size[2] / 1000:.1f} kW, {other} draw {recommended.size[2] / 1000:.1f} kW."
    elif not one.support.is_documented and recommended.support.is_documented:
        yield f"No dated document shows this GPU in its server; for {other} one does."
    else:
        yield f"It does the same as {other} and takes more room in the rack."
