"""Which weight formats a GPU multiplies as they are, which it unpacks first, and which bring nothing there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from sizing.architecture import gguf
from sizing.architecture.quantised import FORMATS
from sizing.hardware import Gpu
from sizing.software import Check

Use = Literal["native", "unpacked", "none"]

WEIGHT_ONLY: Final = ("awq", "gptq", "gptq_int4", "int4", "nf4", "nf4_double_quant")
UNPACKED_FROM: Final = 7.5
"""Compute capability from which the engines' 4-bit weight-only kernels run [–]."""

SOURCE: Final = "vLLM and TensorRT-LLM tables of quantization and hardware support (2025-2026)"


@dataclass(frozen=True, slots=True)
class Fit:
    """A format on a GPU: how it is used, in which format the products run, and what to know about it."""

    use: Use
    compute: str
    message: str


def compute_on(gpu: Gpu, weights: str) -> str:
    """Format in which a GPU multiplies weights of a storage format.

    Weight-only formats (AWQ, GPTQ, GGUF) unpack to 16 bit; FP8, NVFP4 and MXFP4 do where the chip has no such units.
    MXFP4 weights meet FP8 activations on NVIDIA chips and MXFP4 ones on AMD's.
    """
    fp4, fp8 = bool(gpu.peak_flops_per_s("fp4")), bool(gpu.peak_flops_per_s("fp8"))
    if weights == "nvfp4":
        return "nvfp4" if fp4 and gpu.vendor == "NVIDIA" else "bf16"
    if weights == "mxfp4":
        return "bf16" if not fp4 else "fp8" if gpu.vendor == "NVIDIA" else "mxfp4"
    if weights in ("fp8", "mxfp8"):
        return "fp8" if fp8 else "bf16"
    if weights == "int8":
        return "int8" if gpu.peak_flops_per_s("int8") else "bf16"
    return "fp32" if weights == "fp32" else "bf16"


def on(gpu: Gpu, weights: str) -> Fit:
    """How a GPU uses weights of a format."""
    compute = compute_on(gpu, weights)
    title = FORMATS[weights].title if weights in FORMATS else weights.upper()
    if weights in ("fp32", "bf16", "fp16"):
        return Fit("native", compute, f"{gpu.name} multiplies {title} as it is stored.")
    if weights == "nvfp4" and gpu.vendor != "NVIDIA":
        return Fit("none", compute, f"NVFP4 is NVIDIA's format: no engine runs it on {gpu.name}; take FP8 or MXFP4.")
    if weights in WEIGHT_ONLY or weights in gguf.MIXTURES:
        if gpu.vendor == "NVIDIA" and (gpu.compute_capability or 0.0) < UNPACKED_FROM:
            return Fit("none", compute, f"4-bit kernels need compute capability 7.5; {gpu.name} has less.")
        return Fit("unpacked", compute, f"{title} saves memory and reading; products on {gpu.name} run in 16 bit.")
    if compute == "bf16":
        return Fit("unpacked", compute, f"{gpu.name} has no {title} units: memory is saved, products run in 16 bit.")
    return Fit("native", compute, f"{gpu.name} multiplies {title} in its own units.")


def checks(gpu: Gpu, weights: str) -> list[Check]:
    """The format as one line of the software checks."""
    found = on(gpu, weights)
    return [Check("weights", weights, "no" if found.use == "none" else "ok", found.message, SOURCE)]
