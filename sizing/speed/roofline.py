"""Achieved rates: what a chip gives of its dense peak and of its memory bandwidth, by generation and number format.

The time of a matrix product is the sum of three terms, which together make the curve of efficiency against size:

    seconds = 2 M K N / (peak x share) + bytes / (bandwidth x share) + kernel

A large product is bound by the first term; a small hidden width or micro-batch by the second and third. Because the
terms carry the chip's own peak and bandwidth, a faster chip needs larger matrices, as it does in practice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sizing.errors import SizingError
from sizing.hardware import Gpu


@dataclass(frozen=True, slots=True)
class Generation:
    """Achieved shares of one generation of chips.

    Parameters
    ----------
    bf16, fp8, fp4 : float
        Best rate of a large matrix product against the dense peak [–].
    attention, attention_portable : float
        Rate of a long causal attention kernel against the dense bf16 peak [–]: the kernel written for this
        generation (FlashAttention-3, cuDNN), and the portable one (FlashAttention-2).
    memory : float
        Achieved memory bandwidth of simple kernels against the maker's figure [–].
    watts_per_peak : float
        Board power of the generation's full-power module for each bf16 TFLOP/s of its peak [W]; a board with less
        lowers its clock.
    """

    key: str
    bf16: float
    fp8: float
    fp4: float
    attention: float
    attention_portable: float
    memory: float
    watts_per_peak: float
    measured: bool = True
    source: str = "maximum achievable matrix products (ml-engineering, accelerators), and the runs carried here"


GENERATIONS: Final[dict[str, Generation]] = {
    generation.key: generation
    for generation in (
        Generation("volta", 0.75, 0.0, 0.0, 0.35, 0.30, 0.80, 2.4, measured=False),
        Generation("turing", 0.60, 0.0, 0.0, 0.30, 0.25, 0.75, 1.1, measured=False),
        Generation("ampere", 0.90, 0.0, 0.0, 0.57, 0.51, 0.85, 1.28),
        Generation("ampere-client", 0.97, 0.0, 0.0, 0.65, 0.65, 0.85, 4.9),
        Generation("ada", 0.80, 0.68, 0.0, 0.59, 0.60, 0.85, 0.97),
        Generation("ada-client", 1.08, 1.00, 0.0, 0.84, 0.81, 0.85, 2.7),
        Generation("hopper", 0.77, 0.71, 0.0, 0.57, 0.27, 0.85, 0.71),
        Generation("blackwell", 0.79, 0.73, 0.61, 0.52, 0.25, 0.85, 0.56),
        Generation("blackwell-client", 1.04, 0.93, 0.6, 0.72, 0.70, 0.85, 2.0),
        Generation("cdna2", 0.60, 0.0, 0.0, 0.35, 0.30, 0.75, 1.3, measured=False),
        Generation("cdna3", 0.60, 0.51, 0.0, 0.40, 0.30, 0.75, 0.77),
        Generation("cdna4", 0.69, 0.65, 0.45, 0.50, 0.35, 0.75, 0.56),
        Generation("gaudi", 0.74, 0.74, 0.0, 0.40, 0.40, 0.75, 0.53, measured=False),
    )
}

KERNEL_SECONDS: Final = 3.1e-06
"""Start and drain of one kernel on the GPU, while launches are queued [s]."""

POWER_EXPONENT: Final = 0.40
"""Clock against board power where power limits it: dynamic power grows with about the cube of the clock, less the
part that does not depend on it [–]."""

_FORMAT_OF: Final = {"mxfp8": "fp8", "nvfp4": "fp4", "fp16": "bf16", "fp32": "tf32"}
_BY_CAPABILITY: Final = (
    (12.0, "blackwell-client"),
    (10.0, "blackwell"),
    (9.0, "hopper"),
    (8.9, "ada"),
    (8.6, "ampere-client"),
    (8.0, "ampere"),
    (7.5, "turing"),
    (7.0, "volta"),
)
_TENSOR_OVER_VECTOR: Final = 4.0
_GEFORCE_OVER_VECTOR: Final = 2.0


def generation_of(gpu: Gpu) -> Generation:
    """The generation whose achieved shares hold for a GPU."""
    name = gpu.generation.lower()
    if "cdna" in name:
        return GENERATIONS["cdna4" if "4" in name else "cdna3" if "3" in name else "cdna2"]
    if gpu.compute_capability is None:
        return GENERATIONS["gaudi" if gpu.vendor.lower() == "intel" else "cdna3" if gpu.vendor == "AMD" else "hopper"]
    key = next((key for least, key in _BY_CAPABILITY if gpu.compute_capability >= least), "volta")
    if key == "ada" and gpu.slug.startswith("rtx-40"):
        key = "ada-client"
    return GENERATIONS[key]


@dataclass(frozen=True, slots=True)
class Rates:
    """Achieved rates of one GPU in one number format: FLOP/s, bytes/s, and whether they were measured."""

    matmul_flops_per_s: float
    plain_flops_per_s: float
    attention_flops_per_s: float
    portable_attention_flops_per_s: float
    bytes_per_s: float
    peak_flops_per_s: float
    generation: Generation
    is_native: bool


@lru_cache(maxsize=1024)
def rates(gpu: Gpu, compute: str) -> Rates:
    """Achieved rates of a GPU: products in `compute`, products in bf16, attention, memory [FLOP/s, B/s].

    A format that the chip has no units for runs in bf16.

    Raises
    ------
    SizingError
        Where the chip's throughput or memory bandwidth is not known.
    """
    generation = generation_of(gpu)
    plain_peak = _plain_peak(gpu)
    if not plain_peak or not gpu.bandwidth_bytes_per_s:
        message = "the speed of {value} cannot be estimated: its tensor throughput or memory bandwidth is not known"
        raise SizingError("hardware.gpu", message, value=gpu.name)
    watts = gpu.power_w or generation.watts_per_peak * plain_peak / 1e12
    power = min(1.0, (watts / (generation.watts_per_peak * plain_peak / 1e12)) ** POWER_EXPONENT)
    wanted = _FORMAT_OF.get(compute, compute)
    peak, share = plain_peak, generation.bf16
    if wanted in ("fp8", "fp4"):
        peak, share = _low_peak(gpu, generation, wanted, plain_peak)
    elif wanted == "tf32":
        peak = gpu.peak_flops_per_s("tf32") or plain_peak / 2
    return Rates(
        matmul_flops_per_s=peak * share * power,
        plain_flops_per_s=plain_peak * generation.bf16 * power,
        attention_flops_per_s=plain_peak * generation.attention * power,
        portable_attention_flops_per_s=plain_peak * generation.attention_portable * power,
        bytes_per_s=gpu.bandwidth_bytes_per_s * generation.memory,
        peak_flops_per_s=peak,
        generation=generation,
        is_native=wanted not in ("fp8", "fp4") or bool(gpu.peak_flops_per_s(wanted) and getattr(generation, wanted)),
    )


def _plain_peak(gpu: Gpu) -> float:
    stated = gpu.peak_flops_per_s("bf16") or gpu.peak_flops_per_s("fp16")
    if stated:
        return stated
    vector = gpu.peak_flops_per_s("fp32") or 0.0
    return vector * (
        _GEFORCE_OVER_VECTOR if gpu.slug.startswith("rtx-") and "ada" not in gpu.slug else _TENSOR_OVER_VECTOR
    )


def _low_peak(gpu: Gpu, generation: Generation, wanted: str, plain_peak: float) -> tuple[float, float]:
    for number_format in ("fp4", "fp8") if wanted == "fp4" else ("fp8",):
        peak, share = gpu.peak_flops_per_s(number_format), getattr(generation, number_format)
        if peak and share:
            return peak, share
    return plain_peak, generation.bf16
