"""PCIe lanes and NUMA domains of one node: what the processors must offer, and what lies on which of them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from sizing.assumptions import Assumption, Ledger
from sizing.hardware import Platform, Topology

LANE_BYTES_PER_S = 32e9 / 8 * 128 / 130
"""One lane of PCIe 5.0, one direction [B/s]: 32 GT/s with 128b/130b coding."""
WIDTHS = (4, 8, 16)
CARD_LANES = 16
DRIVE_LANES = 4
SYSTEM_LANES = 16
FRONT_BYTES_PER_S = 2 * 25e9 / 8
SHARING = 2
SWITCHED: tuple[Topology, ...] = ("nvswitch", "infinity_fabric", "pcie_switch")


@dataclass(frozen=True, slots=True)
class Lanes:
    """Lanes of one node [-], and how GPUs and memory divide over its NUMA domains.

    `available` is what the processors offer, None where nobody printed it. `is_switched`: GPUs share upstream links of
    PCIe switches, so their lanes are counted at those links. `memory_bytes` is what each domain has to hold [B].
    """

    gpus: int
    nics: int
    drives: int
    system: int
    available: int | None
    is_switched: bool
    domains: int
    gpus_per_domain: tuple[int, ...]
    memory_bytes: float

    @property
    def needed(self) -> int:
        """Lanes at the processors in all [-]."""
        return self.gpus + self.nics + self.drives + self.system

    @property
    def is_short(self) -> bool:
        """Whether the processors are known to offer fewer than are needed."""
        return self.available is not None and self.needed > self.available


def has_switches(platform: Platform, topology: Topology | None) -> bool:
    """Whether a platform puts PCIe switches between GPUs and processors: its board does, or its maker says so."""
    return topology in SWITCHED or "switch" in (platform.topology_wording or "").lower()


def node(
    *,
    gpus: int,
    is_switched: bool,
    fabric_ports: int,
    port_bytes_per_s: float,
    drives: int,
    processors: int,
    lanes_per_processor: int | None,
    needed_bytes: float,
    ledger: Ledger,
) -> Lanes:
    """Lanes and domains of one node.

    Parameters
    ----------
    is_switched : bool
        Whether PCIe switches lie between GPUs and processors; otherwise cards are wired straight to the processors.
    fabric_ports, port_bytes_per_s : int, float
        Ports of the fabric between nodes (zero for one node), and the rate of each, one direction [B/s].
    lanes_per_processor : int or None
        Lanes of one processor; None where its maker's page was not read.
    needed_bytes : float
        Host memory that the plan needs in the node [B].

    Notes
    -----
    Behind switches the fabric's ports hang below the same upstream links as their GPUs, so they add none. Two
    processors offer twice the lanes of one only where the lanes of the link between them are not counted, as in the
    printed figures of Xeon processors.
    """
    is_switched = is_switched and gpus > 1
    if is_switched:
        ledger.assume(
            Assumption(
                "host.gpus_per_uplink",
                SHARING,
                "",
                "GPUs, and the fabric ports beside them, share a x16 link from a PCIe switch to a processor",
                "tested eight-GPU systems of the platform list: four switches with two GPUs each",
                low=1,
                high=4,
            )
        )
    ledger.assume(
        Assumption(
            "host.system_lanes",
            SYSTEM_LANES,
            "",
            "a mirror of two boot drives at x4 each, management and the board's own devices",
            "our assumption; block diagrams of the platforms differ",
            low=8,
            high=24,
        )
    )
    share = SHARING if is_switched else 1
    ports = 0 if is_switched else fabric_ports * width(port_bytes_per_s)
    per_domain = tuple(gpus // processors + (one < gpus % processors) for one in range(processors))
    return Lanes(
        gpus=ceil(gpus / share) * CARD_LANES,
        nics=ports + width(FRONT_BYTES_PER_S),
        drives=drives * DRIVE_LANES,
        system=SYSTEM_LANES,
        available=lanes_per_processor * processors if lanes_per_processor else None,
        is_switched=is_switched,
        domains=processors,
        gpus_per_domain=per_domain,
        memory_bytes=needed_bytes / processors,
    )


def width(bytes_per_s: float) -> int:
    """The narrowest slot that carries a rate in one direction: 4, 8 or 16 lanes; a wider need takes 16."""
    return next((lanes for lanes in WIDTHS if lanes * LANE_BYTES_PER_S >= bytes_per_s), WIDTHS[-1])
