"""GPUs, nodes and networks as the engine sees them: base units, nothing about selling.

A fact that nobody read is None. Facts keep the keys of their sources; `HardwareCatalog.sources` has the documents.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Confirmation = Literal["unconfirmed", "confirmed", "refuted", "stale"]
Topology = Literal["nvswitch", "nvlink_bridge", "infinity_fabric", "pcie_switch", "pcie_dual_root", "none"]
FieldSources = tuple[tuple[str, tuple[str, ...]], ...]
Interconnect = Literal["nvswitch", "nvlink_bridge", "infinity_fabric", "pcie", "none"]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Sources that disagree on a field: every (value, source key), the value used and why."""

    field: str
    values: tuple[tuple[object, str], ...]
    chosen: object
    why: str


@dataclass(frozen=True, slots=True)
class Supplied:
    """A value put in where the list has none: the field of `Gpu` it serves, why, and on whose word."""

    field: str
    value: float | str | bool | None
    why: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gpu:
    """One accelerator, e.g. an H200 SXM.

    Parameters
    ----------
    slug, name, vendor, generation : str
        Catalog id, title, maker and chip generation ("Hopper", "Ada", "CDNA3").
    socket : str or None
        Normalised form factor: sxm4, sxm5, sxm6, oam, pcie, superchip.
    memory_bytes : int
        What the framework can use in all [B]; the capacity to hold device figures against.
    marketed_memory_gb : float
        What the maker prints [GB].
    bandwidth_bytes_per_s : float
        Memory bandwidth, maker's figure [B/s].
    dense_flops_per_s : mapping of number format to peak
        Dense tensor throughput [FLOP/s]: keys fp32, tf32, bf16, fp16, fp8, fp4, int8 where the chip has them.
    link_bytes_per_s : float
        GPU-to-GPU links, one direction, per GPU [B/s]; 0 where there are none.
    power_w : float
        Board power limit [W].
    """

    slug: str
    name: str
    vendor: str
    generation: str
    socket: str | None
    memory_bytes: int
    marketed_memory_gb: float
    bandwidth_bytes_per_s: float
    dense_flops_per_s: tuple[tuple[str, float], ...]
    link_bytes_per_s: float
    pcie_bytes_per_s: float
    power_w: float
    compute_capability: float | None = None
    bridge_max_gpus: int = 0
    scale_up_domain: int = 1
    flash_attention: bool = True
    fp8: bool = False
    slots: int | None = None
    min_cuda: str | None = None
    min_rocm: str | None = None
    memory_type: str | None = None
    chip: str | None = None
    confidence: str = "low"
    supplied: tuple[Supplied, ...] = field(default=(), compare=False)
    conflicts: tuple[Conflict, ...] = field(default=(), compare=False)
    sources: FieldSources = field(default=(), compare=False)
    notes: str = field(default="", compare=False)

    @property
    def bridge_sizes(self) -> tuple[int, ...]:
        """Group sizes that NVLink bridges can join, e.g. (2,) for H100 NVL, (2, 4) for H200 NVL."""
        return tuple(size for size in (2, 4) if size <= self.bridge_max_gpus)

    def peak_flops_per_s(self, number_format: str) -> float | None:
        """Dense peak of a number format [FLOP/s], None where the chip has none."""
        return dict(self.dense_flops_per_s).get(number_format)


@dataclass(frozen=True, slots=True)
class System:
    """The machines a job runs on: `nodes` nodes of `gpus_per_node` GPUs.

    `interconnect` is what joins the GPUs of a node, `network_bytes_per_s` what each GPU has between nodes, one
    direction [B/s]. `memory_bytes` is the capacity of one GPU, which a case may state without naming the GPU.
    """

    gpu: Gpu
    gpus_per_node: int
    nodes: int
    interconnect: Interconnect
    network_bytes_per_s: float
    memory_bytes: int

    @property
    def gpus(self) -> int:
        """GPUs in all [–]."""
        return self.gpus_per_node * self.nodes


@dataclass(frozen=True, slots=True)
class GpuSupport:
    """A GPU that a platform takes, as far as is known.

    `max_count` follows the slot width, None where nobody printed it. `interconnect` is what joins the GPUs as
    delivered: bridges are a line of their own. `is_documented`: a dated original shows this GPU in this platform.
    """

    platform: str
    gpu: str
    socket: str
    max_count: int | None
    topology: Topology | None
    interconnect: Interconnect
    bridge_sizes: tuple[int, ...] = ()
    confidence: str = "low"
    confirmation: Confirmation = "unconfirmed"
    is_documented: bool = field(default=False, compare=False)
    sources: tuple[str, ...] = field(default=(), compare=False)
    notes: str = field(default="", compare=False)

    @property
    def with_bridges(self) -> Interconnect:
        """What joins the GPUs when bridges are ordered too."""
        return "nvlink_bridge" if self.bridge_sizes else self.interconnect


@dataclass(frozen=True, slots=True)
class Platform:
    """A server chassis with its board; normalised words have the maker's wording beside them.

    `memory_mt_s` is the speed at one and at two modules per channel. Powers [W], masses [kg], lengths [mm].
    """

    slug: str
    vendor: str
    model: str
    sockets: tuple[str, ...]
    max_gpus: int | None
    max_gpus_by_slots: tuple[tuple[int, int], ...]
    topologies: tuple[Topology, ...]
    topology_wording: str | None
    cooling: frozenset[str]
    cooling_wording: str | None
    rack_units: int | None
    cpu_sockets: int | None
    cpu_families: tuple[str, ...]
    cpu_max_tdp_w: float | None
    dimm_slots: int | None
    memory_type: str | None
    memory_max_bytes: int | None
    memory_mt_s: tuple[int | None, int | None]
    nvme_bays: int | None
    drive_bays: str | None
    nic_slots: str | None
    pcie_slots: str | None
    psu_count: int | None
    psu_options_w: tuple[int, ...]
    psu_redundancy: str | None
    psu_efficiency: str | None
    max_power_w: float | None
    mass_kg: float | None
    depth_mm: float | None
    inlet_max_c: float | None
    support: tuple[GpuSupport, ...]
    confidence: str
    derived: tuple[str, ...] = field(default=(), compare=False)
    conflicts: tuple[Conflict, ...] = field(default=(), compare=False)
    sources: FieldSources = field(default=(), compare=False)
    notes: str = field(default="", compare=False)

    def support_for(self, gpu_slug: str) -> GpuSupport | None:
        """The row for a GPU, None where no list names it."""
        return next((row for row in self.support if row.gpu == gpu_slug), None)

    @property
    def title(self) -> str:
        """Maker and model as people write them."""
        return self.model if self.model.startswith(self.vendor) else f"{self.vendor} {self.model}"


@dataclass(frozen=True, slots=True)
class Cpu:
    """A host processor; `family` in the words of the platforms' lists ("EPYC 9005", "Xeon Scalable gen 5")."""

    slug: str
    vendor: str
    model: str
    family: str
    cores: int | None
    threads: int | None
    base_ghz: float | None
    boost_ghz: float | None
    tdp_w: float | None
    pcie_gen: int | None
    pcie_lanes: int | None
    memory_channels: int | None
    memory_mt_s: int | None
    sources: FieldSources = field(default=(), compare=False)
    notes: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class MemoryModule:
    """A DIMM: capacity [GB as sold, 2^30 bytes each], rated speed [MT/s]."""

    slug: str
    capacity_gb: int
    kind: str
    rated_mt_s: int | None
    sources: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Drive:
    """A drive family; rates [B/s], capacity of the largest [B]."""

    slug: str
    vendor: str
    model: str
    interface: str
    read_bytes_per_s: float | None
    write_bytes_per_s: float | None
    max_capacity_bytes: float | None
    dwpd: float | None
    power_w: float | None
    sources: FieldSources = field(default=(), compare=False)
    notes: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Nic:
    """A network card, DPU or switch (`kind`); `port_bytes_per_s` is one port, one direction [B/s]."""

    slug: str
    kind: str
    vendor: str
    model: str
    ports: int
    port_bytes_per_s: float
    fabric: str | None = None
    cage: str | None = None
    rack_units: int | None = None
    power_w: float | None = None
    sources: FieldSources = field(default=(), compare=False)
    notes: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Price:
    """A price somebody printed, never an offer; `subject` is what it is for: (kind, slug, GPUs covered).

    `is_net` is false where a tax of unknown rate is inside, None where the source does not say."""

    group: str
    item: str
    subject: tuple[str, str, int]
    low: float
    high: float
    currency: str | None
    unit: str
    is_net: bool | None
    as_of: str | None
    source: str
    confidence: str
    confirmation: Confirmation = "unconfirmed"

    @property
    def is_usable(self) -> bool:
        """Whether it may stand in a dated band without tax: currency and date are known, and no tax is inside."""
        return self.currency is not None and self.as_of is not None and self.is_net is not False


@dataclass(frozen=True, slots=True)
class LeadTime:
    """Days from order to delivery that an offer states; `subject` is what it is for: (kind, slug, GPUs covered)."""

    subject: tuple[str, str, int]
    days: float
    supplier: str
    confirmation: Confirmation = "unconfirmed"
