"""What the links between GPUs are worth for this job: the same machines joined fast and over PCIe, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sizing import speed
from sizing.answer import degrees, interval
from sizing.case import Case, Interval, SpeedEstimate
from sizing.divisions import FAST_LINKS
from sizing.hardware import Gpu, Interconnect, System
from sizing.hardware_data import HardwareCatalog
from sizing.outcome import Job
from sizing.recommend import search
from sizing.recommend.jobs import TrainingJob
from sizing.recommend.limits import Limits
from sizing.recommend.search import Placement

MOST_CLASSES = 3
OVER_PCIE: Interconnect = "pcie"
Kind = tuple[Gpu, Interconnect]


@dataclass(frozen=True, slots=True)
class Side:
    """The job on machines with one kind of link: the plan that runs, its speed and its time."""

    case: Case
    time: SpeedEstimate
    seconds: Interval | None
    in_time: bool

    @property
    def rate(self) -> float:
        """Speed of all GPUs of a run [tokens/s]."""
        return self.time.tokens_per_second_per_gpu.expected * self.case.system.gpus

    def shown(self) -> dict[str, Any]:
        """Time [s], speed [tokens/s] and the share of a step that waits for the exchange [–]."""
        return {
            "seconds": interval(self.seconds) if self.seconds else None,
            "tokens_per_second": self.rate,
            "exposed_share": speed.exposed_share(self.time),
            "does_the_job": self.in_time,
            "plan": degrees(self.case.plan),
        }


def compare(
    job: Job, recommended: Placement, catalog: HardwareCatalog, bounds: Limits, *, deadline_seconds: float | None
) -> list[dict[str, Any]] | None:
    """Machines with their links and over PCIe: the recommended one, then GPUs of one class in equal number.

    Returns
    -------
    list of dict
        ``with_link`` and ``over_pcie``, either of which may be null; ``lost``, the share of the speed that goes with
        the link where the plan may change, and ``lost_same_plan``, where only the link does [–]; ``is_sold_without``,
        whether these GPUs can be ordered on PCIe alone. None for a task other than training.
    """
    if not isinstance(job, TrainingJob):
        return None
    network = bounds.any("network_gbit_per_gpu")
    kinds = _kinds(catalog, bounds)
    rows = []
    own = recommended.outcome.machines
    if own.gpus_per_node > 1 and own.interconnect in FAST_LINKS:
        rows.append(_row(job, own, kinds, deadline_seconds) | {"is_recommended": True})
    for members in _classes(kinds, recommended.gpu)[:MOST_CLASSES]:
        rows += _equal_numbers(job, members, kinds, recommended, network, deadline_seconds)
    return rows


def _kinds(catalog: HardwareCatalog, bounds: Limits) -> dict[Kind, set[int]]:
    """GPUs with each kind of link that they can be ordered with, and the numbers of them in one chassis.

    A must on the name of a GPU or a platform chooses machines, not what they are compared with.
    """
    free = Limits({name: one for name, one in bounds.items() if name not in ("gpu", "platform")})
    found: dict[Kind, set[int]] = {}
    for platform, support, gpu in search.rows(catalog, free):
        counts = {count for count in search.per_node_counts(platform, support) if count > 1}
        for link in {support.with_bridges, support.interconnect}:
            found.setdefault((gpu, link), set()).update(counts)
    return found


def _classes(kinds: Mapping[Kind, set[int]], first: Gpu) -> list[list[Kind]]:
    """Classes that come with fast links and without, that of a given GPU first; each with its kinds."""
    classes: dict[str, list[Kind]] = {}
    for kind in kinds:
        classes.setdefault(class_of(kind[0]), []).append(kind)
    names = sorted(classes, key=lambda one: (one != class_of(first), one))
    return [classes[name] for name in names if {link in FAST_LINKS for _gpu, link in classes[name]} == {True, False}]


def class_of(gpu: Gpu) -> str:
    """The first word of a GPU's name: H100 SXM, H100 NVL and H100 PCIe are one class."""
    return gpu.name.split()[0]


def _equal_numbers(
    job: TrainingJob, members: list[Kind], kinds: Mapping[Kind, set[int]], recommended: Placement,
    network: float | None, deadline_seconds: float | None,
) -> list[dict[str, Any]]:  # fmt: skip
    """Every GPU of a class in the smallest equal number at which one with fast links does the job."""
    common = sorted(set.intersection(*(kinds[one] for one in members)))
    nodes = {1, recommended.nodes}
    for number in sorted(nodes):
        for per_node in common if number == 1 else common[-1:]:
            rows = []
            for gpu in sorted({gpu for gpu, _link in members}, key=lambda one: one.slug):
                link = next((link for one, link in members if one == gpu and link in FAST_LINKS), OVER_PCIE)
                machines = search.joined(gpu, link, per_node, number, network)
                if machines != recommended.outcome.machines:
                    rows.append(_row(job, machines, kinds, deadline_seconds) | {"is_recommended": False})
            if any(row["with_link"] and row["with_link"]["does_the_job"] for row in rows):
                return rows
    return []


def _row(
    job: TrainingJob, machines: System, kinds: Mapping[Kind, set[int]], deadline_seconds: float | None
) -> dict[str, Any]:
    fast = _side(job, machines, deadline_seconds) if machines.interconnect in FAST_LINKS else None
    slow = _side(job, replace(machines, interconnect=OVER_PCIE), deadline_seconds)
    kept = _same_plan(fast, deadline_seconds) if fast else None
    if kept is not None and (slow is None or kept.rate > slow.rate):
        slow = kept
    return {
        "gpu": machines.gpu.slug,
        "gpu_name": machines.gpu.name,
        "gpus_per_node": machines.gpus_per_node,
        "nodes": machines.nodes,
        "link": machines.interconnect,
        "link_reach": min(speed.link_reach(machines), machines.gpus_per_node),
        "is_sold_without": (machines.gpu, OVER_PCIE) in kinds,
        "with_link": fast.shown() if fast else None,
        "over_pcie": slow.shown() if slow else None,
        "lost": _lost(fast, slow),
        "lost_same_plan": _lost(fast, kept),
    }


def _side(job: TrainingJob, machines: System, deadline_seconds: float | None) -> Side | None:
    """The best plan on machines, None where none fits without offload."""
    outcome = job.on(machines, offload=False)
    if outcome is None or not outcome.fits:
        return None
    case, _needed, time = outcome.payload
    return Side(case, time, outcome.seconds, _in_time(outcome.seconds, deadline_seconds)) if time else None


def _same_plan(fast: Side, deadline_seconds: float | None) -> Side:
    """The same plan where nothing but the link differs."""
    case = replace(fast.case, system=replace(fast.case.system, interconnect=OVER_PCIE))
    time = speed.estimate(case)
    once, before = time.seconds_to_result, fast.time.seconds_to_result
    rounds = fast.seconds.expected / before.expected if fast.seconds and before else 1.0
    seconds = once.scaled(rounds) if once else None
    return Side(case, time, seconds, _in_time(seconds, deadline_seconds))


def _in_time(seconds: Interval | None, deadline_seconds: float | None) -> bool:
    return seconds is None or deadline_seconds is None or seconds.high <= deadline_seconds


def _lost(fast: Side | None, slow: Side | None) -> float | None:
    return max(0.0, 1 - slow.rate / fast.rate) if fast and slow else None
