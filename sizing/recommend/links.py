"""What the links between GPUs are worth for this job: the same machines joined fast and over PCIe, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sizing import speed
from sizing.answer import degrees, interval
from sizing.case import Case, Interval, SpeedEstimate
from sizing.divisions import FAST_LINKS
from sizing.hardware import Gpu, Interconnect, System
from sizing.hardware_data import HardwareCatalog
from sizing.outcome import Job
from sizing.plan import Plan
from sizing.recommend import search
from sizing.recommend.jobs import TrainingJob
from sizing.recommend.limits import Limits
from sizing.recommend.search import Placement
from sizing.serving import assembly, replicas
from sizing.serving import speed as serving_speed
from sizing.serving.case import ServingCase
from sizing.serving.job import ServingJob

MOST_CLASSES = 3
OVER_PCIE: Interconnect = "pcie"
Kind = tuple[Gpu, Interconnect]


@dataclass(frozen=True, slots=True)
class Side:
    """The job on machines with one kind of link: its plan, its speed [tokens/s] and, for a run, its time [s].

    `payload` is the case, `service` what only a service has: times of a request [ms] and GPUs for the load.
    """

    payload: Any
    plan: Plan
    rate: float
    seconds: Interval | None
    in_time: bool
    exposed_share: float
    service: Mapping[str, Any] = field(default_factory=dict)

    def shown(self) -> dict[str, Any]:
        """Time [s], speed [tokens/s] and the share of a step that waits for the exchange [–]."""
        return {
            "seconds": interval(self.seconds) if self.seconds else None,
            "tokens_per_second": self.rate,
            "exposed_share": self.exposed_share,
            "does_the_job": self.in_time,
            "plan": degrees(self.plan),
            **self.service,
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
        whether these GPUs can be ordered on PCIe alone. None for a service whose replicas stand on one GPU each: they
        exchange nothing.
    """
    if not isinstance(job, TrainingJob | ServingJob):
        return None
    if isinstance(job, ServingJob) and recommended.outcome.payload.plan.tensor == 1:
        return None
    network = bounds.any("network_gbit_per_gpu")
    kinds = _kinds(catalog, bounds)
    rows = []
    own = recommended.outcome.machines
    if own.gpus_per_node > 1 and own.interconnect in FAST_LINKS:
        rows.append(_row(job, own, kinds, deadline_seconds) | {"is_recommended": True})
    if isinstance(job, ServingJob):
        return rows
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
    job: TrainingJob | ServingJob, machines: System, kinds: Mapping[Kind, set[int]], deadline_seconds: float | None
) -> dict[str, Any]:
    fast = _side(job, machines, deadline_seconds) if machines.interconnect in FAST_LINKS else None
    slow = _side(job, replace(machines, interconnect=OVER_PCIE), deadline_seconds)
    kept = _same_plan(job, fast, deadline_seconds) if fast else None
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


def _side(job: TrainingJob | ServingJob, machines: System, deadline_seconds: float | None) -> Side | None:
    """The best plan on machines, None where none fits without offload."""
    outcome = job.on(machines, offload=False)
    if outcome is None or not outcome.fits:
        return None
    if isinstance(job, ServingJob):
        return _service(job, outcome.payload)
    case, _needed, time = outcome.payload
    return _run(case, time, outcome.seconds, deadline_seconds) if time else None


def _run(case: Case, time: SpeedEstimate, seconds: Interval | None, deadline_seconds: float | None) -> Side:
    rate = time.tokens_per_second_per_gpu.expected * case.system.gpus
    in_time = _in_time(seconds, deadline_seconds)
    return Side((case, time), case.plan, rate, seconds, in_time, speed.exposed_share(time))


def _service(job: ServingJob, case: ServingCase) -> Side:
    found, needed = serving_speed.estimate(case), job.needed(case)
    service = {
        "ttft_ms": found.ttft_seconds * 1000,
        "tpot_ms": found.tpot_seconds * 1000,
        "gpus": needed * case.system.gpus // case.replicas if needed else None,
    }
    keeps, share = not replicas.broken(case, job.reserve), assembly.exchange_share(case)
    return Side(case, case.plan, found.output_tokens_per_s, None, keeps, share, service)


def _same_plan(job: TrainingJob | ServingJob, fast: Side, deadline_seconds: float | None) -> Side:
    """The same plan where nothing but the link differs."""
    if isinstance(job, ServingJob):
        served: ServingCase = fast.payload
        return _service(job, replace(served, system=replace(served.system, interconnect=OVER_PCIE)))
    before, time_before = fast.payload
    case = replace(before, system=replace(before.system, interconnect=OVER_PCIE))
    time = speed.estimate(case)
    once, first = time.seconds_to_result, time_before.seconds_to_result
    rounds = fast.seconds.expected / first.expected if fast.seconds and first else 1.0
    return _run(case, time, once.scaled(rounds) if once else None, deadline_seconds)


def _in_time(seconds: Interval | None, deadline_seconds: float | None) -> bool:
    return seconds is None or deadline_seconds is None or seconds.high <= deadline_seconds


def _lost(fast: Side | None, slow: Side | None) -> float | None:
    return max(0.0, 1 - slow.rate / fast.rate) if fast and slow else None
