"""GPUs, nodes and networks as the engine sees them: base units, nothing about selling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Interconnect = Literal["nvswitch", "nvlink_bridge", "infinity_fabric", "pcie", "none"]


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
