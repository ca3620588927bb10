"""The optimizer step: memory traffic on the GPU, or the way over PCIe where states live on the host."""

from __future__ import annotations

from typing import Final

from sizing.hardware import Gpu
from sizing.units import DTYPE_BYTES
from sizing.workload import Training

_STATES: Final[dict[str, float]] = {
    "sgd": 0.0,
    "lion": 1.0,
    "muon": 1.0,
    "adafactor": 0.1,
    "galore": 0.6,
    "badam": 0.2,
}
_ADAM_STATES: Final = 2.0

HOST_BYTES_PER_S: Final = 130000000000.0
"""Memory bandwidth of a two-socket host in a vectorised Adam step, shared by the GPUs of a node [B/s]."""

HOST_LINK_SHARE: Final = 0.75
"""Achieved share of the PCIe rate in pinned copies; 55 of 63 GB/s measured on an idle H200 node [–]."""


COHERENT_LINK_BYTES_PER_S: Final = 350e9
"""Achieved rate of a superchip's own link to its processor, one direction: 359 GB/s measured on a GB300 [B/s]."""


def host_link_bytes_per_s(gpu: Gpu) -> float:
    """Achieved rate of copies between a GPU and its host, one direction [B/s]."""
    return COHERENT_LINK_BYTES_PER_S if gpu.socket == "superchip" else gpu.pcie_bytes_per_s * HOST_LINK_SHARE


def bytes_per_parameter(training: Training) -> float:
    """Traffic of one update of one parameter, everything read and written once [B]."""
    states = _STATES.get(training.optimizer.removeprefix("paged_").removesuffix("_8bit"), _ADAM_STATES)
    state_bytes = states * DTYPE_BYTES.get(training.optimizer_states, 4)
    master_bytes = DTYPE_BYTES.get(training.master_weights, 0) if training.master_weights != "none" else 0
    gradient_bytes = DTYPE_BYTES.get(training.gradients, 2)
    weight_bytes = 2 if training.is_frozen else DTYPE_BYTES.get(training.weights, 2)
    return 2 * (state_bytes + master_bytes + weight_bytes) + 3 * gradient_bytes


def gpu_seconds(training: Training, parameters: float, bytes_per_s: float, passes: float) -> float:
    """Update of `parameters` on the GPU [s]."""
    return passes * parameters * bytes_per_parameter(training) / bytes_per_s


def host_seconds(training: Training, parameters: float, gpu: Gpu, gpus_per_node: int) -> float:
    """Gradients to the host, the update there, weights back [s]."""
    link = parameters * (DTYPE_BYTES.get(training.gradients, 2) + 2) / host_link_bytes_per_s(gpu)
    update = parameters * bytes_per_parameter(training) * gpus_per_node / HOST_BYTES_PER_S
    return link + update
