"""Time of one collective on one topology.

A collective of `payload` bytes among n GPUs takes

    seconds = latency + payload x (n - 1) / n / bus          all-gather, reduce-scatter
    seconds = latency + 2 x payload x (n - 1) / n / bus      all-reduce

where `bus` is the bus bandwidth that large messages reach. Together the two terms give the measured curve of rate
against payload. Between nodes the ring enters each node over the network ports of all members that stand in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import log2
from typing import Final

from sizing.errors import SizingError
from sizing.hardware import System


@dataclass(frozen=True, slots=True)
class Fabric:
    """What one kind of link gives in collectives: share of its one-direction rate, and latency of one collective.

    `alone` is the share for an all-to-all, in which switching does not help.
    """

    share: float
    alone: float
    latency_seconds: float
    source: str


FABRICS: Final[dict[str, Fabric]] = {
    "nvswitch": Fabric(0.77, 0.59, 40e-6, "nccl-tests on A100, H100, H200, B200: 75-80 % of the link in a ring"),
    "nvlink_bridge": Fabric(0.70, 0.60, 40e-6, "nccl-tests on A100 and H100 pairs with NVLink bridges"),
    "infinity_fabric": Fabric(0.70, 0.55, 50e-6, "all_reduce_bench on MI300X: 313 of 448 GB/s"),
    "pcie": Fabric(0.66, 0.55, 50e-6, "nccl-tests on A100 PCIe (21 of 31.5 GB/s) and RTX PRO 6000 (41 of 63 GB/s)"),
}

DUAL_ROOT_SHARE: Final = 0.70
"""What is left of the PCIe rate when more than four GPUs span two CPU sockets: 12.5 of 20.8 GB/s on A100 PCIe, 28 of
35 GB/s on RTX 5090, nothing lost behind PCIe switches on RTX PRO 6000 [–]."""

DUAL_ROOT_GPUS: Final = 4
NO_PEER_SHARE: Final = 0.84
"""What is left of the PCIe rate on cards whose driver forbids peer access, data going through host memory: 35 of
41.6 GB/s on four RTX 5090 [–]."""

NETWORK_SHARE: Final = 0.85
"""Share of the network ports' rate in large collectives: 239 of 400 GB/s (RoCE) to 96 of 100 GB/s (InfiniBand) [–]."""

NETWORK_LATENCY_SECONDS: Final = 40e-6
"""Added latency for each doubling of the number of nodes [s]: tree and ring steps over the network. Measured on four
nodes over EFA: 0.38 ms in all; InfiniBand and RoCE are lower."""

IN_SWITCH_GAIN: Final = 1.26
"""All-reduce with reduction in the NVSwitch against the ring: 473 against 366 GB/s on eight H200, 838 against 682 GB/s
on eight B200 [–]."""

IN_SWITCH_GPUS: Final = 5
_NO_PEER: Final = ("rtx-3090", "rtx-4090", "rtx-5090")


@dataclass(frozen=True, slots=True)
class Group:
    """Links that one group of GPUs communicates over.

    `bus_bytes_per_s` is the bus bandwidth of large messages, `pair_bytes_per_s` what one GPU sends in an all-to-all,
    `local` the share of the other members that stand in the same node. GPUs on Infinity Fabric have a link of their own
    to each neighbour, so that a group of two uses one link of seven.
    """

    size: int
    nodes: int
    bus_bytes_per_s: float
    pair_bytes_per_s: float
    network_bytes_per_s: float
    latency_seconds: float
    reduce_gain: float
    local: float

    def gather_seconds(self, payload_bytes: float) -> float:
        """All-gather to, or reduce-scatter of, `payload_bytes` on each GPU [s]."""
        if self.size < 2:
            return 0.0
        return self.latency_seconds + payload_bytes * (self.size - 1) / self.size / self.bus_bytes_per_s

    def reduce_seconds(self, payload_bytes: float) -> float:
        """All-reduce of `payload_bytes` [s]."""
        if self.size < 2:
            return 0.0
        moved = 2 * payload_bytes * (self.size - 1) / self.size
        return self.latency_seconds + moved / (self.bus_bytes_per_s * self.reduce_gain)

    def exchange_seconds(self, sent_bytes: float) -> float:
        """All-to-all in which each GPU sends `sent_bytes` in all [s]."""
        if self.size < 2:
            return 0.0
        leaving = sent_bytes * (self.size - 1) / self.size
        inside = leaving * self.local / self.pair_bytes_per_s
        outside = leaving * (1 - self.local) / self.network_bytes_per_s if self.nodes > 1 else 0.0
        return self.latency_seconds + max(inside, outside)

    def send_seconds(self, sent_bytes: float) -> float:
        """One GPU to the next one in the group [s]."""
        if self.size < 2:
            return 0.0
        rate = self.network_bytes_per_s if self.nodes > 1 else self.pair_bytes_per_s
        return self.latency_seconds / 2 + sent_bytes / rate


def domain(system: System) -> int:
    """GPUs that the fast link reaches [–]: a node, or a rack of an NVL72."""
    if system.interconnect == "nvlink_bridge":
        return max(2, system.gpu.bridge_max_gpus)
    if system.interconnect == "nvswitch" and system.gpu.scale_up_domain > system.gpus_per_node:
        return min(system.gpu.scale_up_domain, system.gpus)
    return system.gpus_per_node


@lru_cache(maxsize=4096)
def group(system: System, size: int, stride: int) -> Group:
    """The links of `size` GPUs that stand `stride` apart in the order of ranks.

    Over several nodes a library need not use bridges between cards: the better of both ways counts.
    """
    if system.interconnect == "nvlink_bridge" and size * stride > system.gpus_per_node:
        ways = (_group(system, size, stride), _group(replace(system, interconnect="pcie"), size, stride))
        return max(ways, key=lambda way: way.bus_bytes_per_s)
    return _group(system, size, stride)


def _group(system: System, size: int, stride: int) -> Group:
    reach = domain(system)
    inside = max(1, min(size, reach // stride))
    while size % inside:
        inside -= 1
    nodes = size // inside
    fabric_bytes_per_s, fabric = _inside(system, min(system.gpus_per_node, size * stride) if nodes == 1 else reach)
    mesh = max(reach, system.gpu.scale_up_domain)
    if system.interconnect == "infinity_fabric" and inside < mesh:
        fabric_bytes_per_s *= max(1, inside - 1) / (mesh - 1)
    within = fabric_bytes_per_s * fabric.share
    latency = fabric.latency_seconds
    if system.interconnect == "nvlink_bridge" and nodes > 1 and size * stride <= system.gpus_per_node:
        across, rails = _pcie(system, system.gpus_per_node), 1
    else:
        across, rails = system.network_bytes_per_s * NETWORK_SHARE, inside
    bus = within
    if nodes > 1 and not across:
        message = "{field}: several nodes exchange data, but no rate between them is given"
        raise SizingError("hardware.network_gbit_per_gpu", message, value=0)
    if nodes > 1:
        bus = min(within, across * rails) if inside > 1 else across
        latency += NETWORK_LATENCY_SECONDS * log2(nodes)
    in_switch = system.interconnect == "nvswitch" and nodes == 1 and size >= IN_SWITCH_GPUS and _is_hopper(system)
    return Group(
        size=size,
        nodes=nodes,
        bus_bytes_per_s=bus,
        pair_bytes_per_s=fabric_bytes_per_s * fabric.alone if inside > 1 else across,
        network_bytes_per_s=across,
        latency_seconds=latency,
        reduce_gain=IN_SWITCH_GAIN if in_switch else 1.0,
        local=(inside - 1) / (size - 1) if size > 1 else 1.0,
    )


def _inside(system: System, spanned: int) -> tuple[float, Fabric]:
    if system.interconnect in ("pcie", "none") or not system.gpu.link_bytes_per_s:
        fabric = FABRICS["pcie"]
        return _pcie(system, spanned) / fabric.share, fabric
    return system.gpu.link_bytes_per_s, FABRICS[system.interconnect]


def _pcie(system: System, spanned: int) -> float:
    rate = system.gpu.pcie_bytes_per_s * FABRICS["pcie"].share
    if system.gpu.slug in _NO_PEER:
        rate *= NO_PEER_SHARE
    return rate * DUAL_ROOT_SHARE if spanned > DUAL_ROOT_GPUS else rate


def _is_hopper(system: System) -> bool:
    capability = system.gpu.compute_capability
    return capability is not None and capability >= 9.0
