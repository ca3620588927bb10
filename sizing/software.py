"""Which versions and formats a GPU takes: checks against the job, each with its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sizing.hardware import Gpu

Status = Literal["ok", "open", "no"]
RULES = "Transformer Engine and FlashAttention read-mes, NVIDIA and AMD platform lists (2026)"
FLASH_ATTENTION_2 = 8.0
FP8 = 8.9
FP4 = 10.0
AMPERE = 8.0
FOUR_BIT_BASE = ("nf4", "nf4_double_quant")


@dataclass(frozen=True, slots=True)
class Check:
    """One requirement: what is asked, whether the GPU has it, and what to do."""

    item: str
    needs: str
    status: Status
    message: str
    source: str = RULES


def checks(gpu: Gpu, *, weights: str, compute: str, attention: str = "") -> list[Check]:
    """Software and format checks of a job on a GPU.

    Parameters
    ----------
    weights, compute : str
        Formats of the stored weights and of the matrix products.
    attention : str
        ``flash`` where the job relies on FlashAttention.
    """
    found = [toolkit(gpu), *_flash(gpu, attention), *_format(gpu, compute)]
    if weights in FOUR_BIT_BASE and gpu.vendor != "NVIDIA":
        found.append(
            Check("bitsandbytes", "4-bit kernels", "open",
                  f"No source confirms NF4 kernels for {gpu.name}: try them in a pilot.")
        )  # fmt: skip
    return found


def toolkit(gpu: Gpu) -> Check:
    """The lowest version of the maker's toolkit."""
    for name, version in (("CUDA", gpu.min_cuda), ("ROCm", gpu.min_rocm)):
        if version:
            return Check(
                name, version, "ok", f"{gpu.name} needs {name} {version} or newer and a framework built for it."
            )
    return Check("toolkit", "", "no", f"No framework that is sized here is known to run on {gpu.name}.")


def _flash(gpu: Gpu, attention: str) -> list[Check]:
    if attention != "flash":
        return []
    if gpu.vendor == "NVIDIA" and (gpu.compute_capability or 0.0) < FLASH_ATTENTION_2:
        message = f"FlashAttention 2 needs compute capability 8.0; {gpu.name} has {gpu.compute_capability}."
        return [Check("FlashAttention 2", "8.0", "no", message)]
    if not gpu.flash_attention:
        return [Check("FlashAttention 2", "", "open", f"No source confirms FlashAttention 2 for {gpu.name}.")]
    return [Check("FlashAttention 2", "8.0", "ok", f"{gpu.name} runs FlashAttention 2.")]


def _format(gpu: Gpu, compute: str) -> list[Check]:
    capability = gpu.compute_capability or 0.0
    if compute in ("fp8", "mxfp8") and not (gpu.fp8 or capability >= FP8):
        return [Check("FP8", "8.9", "no", f"{gpu.name} has no FP8 units.")]
    if compute in ("nvfp4", "mxfp4") and (gpu.vendor != "NVIDIA" or capability < FP4):
        return [Check("FP4", "10.0", "no", f"{gpu.name} has no FP4 units.")]
    if compute == "bf16" and gpu.vendor == "NVIDIA" and capability < AMPERE:
        return [Check("BF16", "8.0", "no", f"{gpu.name} has no BF16 units; FP16 with loss scaling is needed.")]
    return []
