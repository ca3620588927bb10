"""The host around the GPUs: memory, cores, network ports."""

from __future__ import annotations

from dataclasses import dataclass

from sizing.assumptions import Assumption, Ledger
from sizing.units import GB, GIB

SYSTEM_BYTES = 32 * GB
RANK_BYTES = 8 * GB
CORES_PER_GPU = 8
SYSTEM_CORES = 8
FLOOR_BYTES = 256 * GB
FLOOR_CORES = 16
MODULE_SIZES_GB = (32, 64, 96, 128, 256)


@dataclass(frozen=True, slots=True)
class Host:
    """What one node needs [B, cores, ports]."""

    needed_bytes: float
    memory_bytes: float
    cores: int
    nics: int
    nic_bytes_per_s: float


def node(
    *,
    gpus: int,
    gpu_memory_bytes: float,
    offloaded_bytes: float,
    staged_bytes: float,
    nodes: int,
    network_bytes_per_s: float,
    ledger: Ledger,
) -> Host:
    """Memory, cores and ports of one node.

    Parameters
    ----------
    gpu_memory_bytes : float
        Memory of one GPU [B].
    offloaded_bytes, staged_bytes : float
        What the plan keeps in host memory, and a checkpoint's share that is copied there before it is written [B].

    Notes
    -----
    Needed = system + ranks x (interpreter, libraries, data loader, pinned buffers) + offload + checkpoint staging. The
    article's 256 GB and 16 cores stand as floors only.
    """
    needed = SYSTEM_BYTES + gpus * RANK_BYTES + offloaded_bytes + staged_bytes
    ledger.assume(
        Assumption(
            "host.rank_bytes",
            RANK_BYTES / GIB,
            "GiB",
            "interpreter, libraries, loader workers, pinned buffers",
            "process sizes of PyTorch ranks with four loader workers",
            low=4.0,
            high=16.0,
        )
    )
    ledger.assume(
        Assumption(
            "host.floor_bytes",
            FLOOR_BYTES / GB,
            "GB",
            "smaller servers are rarely sold with such GPUs",
            "reseller guides for fine-tuning servers, 2026",
            low=128,
            high=512,
        )
    )
    ledger.assume(
        Assumption(
            "host.cores_per_gpu",
            CORES_PER_GPU,
            "",
            "loader workers, tokenisation, launch threads",
            "usual cluster allocations a GPU",
            low=4,
            high=16,
        )
    )
    ports = gpus if nodes > 1 else 1
    return Host(
        needed_bytes=needed,
        memory_bytes=max(FLOOR_BYTES, needed, gpus * gpu_memory_bytes),
        cores=max(FLOOR_CORES, SYSTEM_CORES + CORES_PER_GPU * gpus),
        nics=ports,
        nic_bytes_per_s=network_bytes_per_s if nodes > 1 else 0.0,
    )


def modules(memory_bytes: float, *, slots: int | None, sockets: int, channels: int = 8) -> tuple[int, int]:
    """DIMMs that give at least `memory_bytes`: count and size [GB], every channel filled alike.

    One module a channel runs fastest, so larger modules come before a second one a channel.
    """
    per_round = sockets * channels
    room = slots or 2 * per_round
    for count in range(min(per_round, room), room + 1, per_round):
        for size in MODULE_SIZES_GB:
            if count * size * GIB >= memory_bytes * 0.93:
                return count, size
    return room, MODULE_SIZES_GB[-1]
