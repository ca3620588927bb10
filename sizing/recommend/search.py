"""Where the job could run: every platform-GPU row at growing numbers, until one does the job."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sizing.hardware import Gpu, GpuSupport, Interconnect, Platform, System
from sizing.hardware_data import HardwareCatalog
from sizing.outcome import Job, Outcome
from sizing.recommend.limits import Limits
from sizing.resolve.system import NETWORK_GBIT, PCIE_NETWORK_GBIT
from sizing.software import Check
from sizing.units import BITS_PER_BYTE

if TYPE_CHECKING:
    from sizing.recommend.build import Build

CARD_COUNTS = (1, 2, 4, 8, 16)
NODE_COUNTS = (2, 4, 8, 16, 32)
MOST_NODES = NODE_COUNTS[-1]
BOARD_SOCKETS = ("sxm4", "sxm5", "sxm6", "oam", "superchip")
USUAL_BOARD = 8
MORE_AFTER_FIRST = 1
HOPELESS = 10.0
"""Load asked for over load held by the largest installation from which on the sizes between are not tried [–]."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A limit that a placement breaks: `ratio` needed over allowed, for finding the nearest."""

    limit: str
    message: str
    ratio: float


@dataclass(slots=True)
class Placement:
    """The job on a number of nodes of one platform with one GPU.

    `budget` is ``kept``, ``open`` or ``over``; empty where none was stated.
    """

    platform: Platform
    support: GpuSupport
    gpu: Gpu
    per_node: int
    nodes: int
    outcome: Outcome
    violations: list[Violation] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    has_wishes: bool = False
    deadline_is_assumed: bool = False
    budget: str = ""
    build: Build | None = None
    software: list[Check] = field(default_factory=list)

    @property
    def gpus(self) -> int:
        """GPUs in all [–]."""
        return self.per_node * self.nodes

    @property
    def size(self) -> tuple[float, ...]:
        """Order of smallness where prices are not complete: nodes, GPUs, board power, documents, rack units."""
        units = (self.platform.rack_units or 99) * self.nodes
        return (self.nodes, self.gpus, self.gpus * self.gpu.power_w, not self.support.is_documented, units)

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What makes it the same placement."""
        return (self.platform.slug, self.gpu.slug, self.per_node, self.nodes)


def rows(catalog: HardwareCatalog, limits: Limits) -> Iterator[tuple[Platform, GpuSupport, Gpu]]:
    """Platform-GPU rows that the must limits on names leave."""
    wanted_gpu = catalog.gpu(limits.must("gpu")).slug if limits.must("gpu") else None
    wanted_platform = catalog.platform(limits.must("platform")).slug if limits.must("platform") else None
    for platform in catalog.platforms:
        if wanted_platform and platform.slug != wanted_platform:
            continue
        for support in platform.support:
            gpu = catalog.gpu(support.gpu)
            usable = gpu.memory_bytes and gpu.dense_flops_per_s
            if usable and support.confirmation != "refuted" and wanted_gpu in (None, gpu.slug):
                yield platform, support, gpu


def per_node_counts(platform: Platform, support: GpuSupport, *, runs: int = 1) -> tuple[int, ...]:
    """How many GPUs a chassis can be ordered with: boards come whole, cards in powers of two for each run."""
    most = support.max_count or platform.max_gpus
    if support.socket in BOARD_SOCKETS:
        return (most or USUAL_BOARD,)
    wanted = sorted({*CARD_COUNTS, *(runs * n for n in CARD_COUNTS)})
    return tuple(n for n in wanted if n <= (most or 1))


def sizes(platform: Platform, support: GpuSupport, *, runs: int, most_nodes: int) -> Iterator[tuple[int, int]]:
    """(GPUs a node, nodes) in growing order; several nodes only of full chassis."""
    counts = per_node_counts(platform, support, runs=runs)
    for count in counts:
        if count >= runs or runs > counts[-1]:
            yield count, 1
    for nodes in sorted({*NODE_COUNTS, *(runs * n for n in (1, *NODE_COUNTS))} - {1}):
        if nodes <= most_nodes and counts:
            yield counts[-1], nodes


def machines(gpu: Gpu, support: GpuSupport, per_node: int, nodes: int, network_gbit: float | None = None) -> System:
    """The engine's view of a number of nodes."""
    return joined(gpu, support.with_bridges, per_node, nodes, network_gbit)


def joined(gpu: Gpu, link: Interconnect, per_node: int, nodes: int, network_gbit: float | None = None) -> System:
    """A number of nodes whose GPUs are joined by a link."""
    gbit = network_gbit or NETWORK_GBIT.get(gpu.socket or "", PCIE_NETWORK_GBIT)
    return System(
        gpu=gpu,
        gpus_per_node=per_node,
        nodes=nodes,
        interconnect=link if per_node > 1 else "none",
        network_bytes_per_s=gbit * 1e9 / BITS_PER_BYTE,
        memory_bytes=gpu.memory_bytes,
    )


def placements(
    platform: Platform,
    support: GpuSupport,
    gpu: Gpu,
    job: Job,
    *,
    most_nodes: int,
    enough_seconds: float | None,
    network_gbit: float | None = None,
) -> Iterator[Placement]:
    """Growing placements of one row: up to the first that does the job in time without offload, and one more.

    Where a load is far beyond the largest installation, that one and the smallest that fits are all there are.
    """
    more = MORE_AFTER_FIRST
    may_offload, ends_only, is_bounded = True, False, False
    runs = getattr(job, "experiments", 1)
    floor = job.floor_bytes()
    tried = tuple(sizes(platform, support, runs=runs, most_nodes=most_nodes))
    for per_node, nodes in tried:
        if per_node * nodes * gpu.memory_bytes < floor and (per_node, nodes) != (per_node, most_nodes):
            continue
        if ends_only and (per_node, nodes) != tried[-1]:
            continue
        outcome = job.on(machines(gpu, support, per_node, nodes, network_gbit), offload=may_offload)
        if outcome is None:
            continue
        yield Placement(platform, support, gpu, per_node, nodes, outcome)
        if is_hopeless(outcome) and not is_bounded:
            is_bounded = True
            ends_only = is_hopeless(job.on(machines(gpu, support, *tried[-1], network_gbit), offload=may_offload))
        if not does_the_job(outcome, enough_seconds):
            continue
        if outcome.offload:
            may_offload = False
        elif not more:
            return
        else:
            more -= 1


def is_hopeless(outcome: Outcome | None) -> bool:
    """Whether it runs and carries but a small part of the load."""
    return outcome is not None and outcome.fits and outcome.load_ratio >= HOPELESS


def does_the_job(outcome: Outcome, enough_seconds: float | None) -> bool:
    """Whether it fits, keeps its load, and ends in time at the upper edge of the band."""
    in_time = enough_seconds is None or outcome.seconds is None or outcome.seconds.high <= enough_seconds
    return outcome.fits and outcome.load and in_time
