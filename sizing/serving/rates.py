"""What the kernels of serving engines achieve: shared by every engine, model and source.

The best rates of matrix products and of attention are those of the training room (`sizing.speed.roofline`); here
stands what differs when few tokens meet all the weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sizing.hardware import Gpu
from sizing.serving import formats
from sizing.speed import roofline


@dataclass(frozen=True, slots=True)
class Shares:
    """Shared constants of the serving room.

    Parameters
    ----------
    weights_read, cache_read : float
        Achieved memory bandwidth while weights and cache are read, against the maker's figure [–].
    overlap : float
        Exponent by which reading and computing of one matrix overlap: 1 is one after the other, large is the slower
        of both [–].
    dense_rows : float
        Rows that a product is filled up with, at most as many as it has [tokens].
    narrow_width : float
        Width of a matrix at which half of the rate is lost [–].
    expert_rows : float
        Rows that the product of each expert is filled up with, at most as many as it has [tokens].
    elementwise_bytes : float
        Traffic of norms, activations and quantization for each token, layer and hidden unit [B].
    layer_seconds, expert_layer_seconds, linear_layer_seconds : float
        Start of the kernels of one layer in a captured graph; what experts and linear attention add [s].
    eager_layer_seconds, eager_expert_seconds : float
        Launch of one layer's kernels without a captured graph, as prompts run; what routing, sorting and the products
        of experts add [s].
    imbalance : float
        Load of the fullest GPU against the mean, where experts stand on different GPUs [–].
    unpacked : float
        Rate of products whose weights are unpacked to 16 bit on their way, against plain 16-bit ones [–].
    attention : float
        Rate of attention over prompts against the training room's causal kernel [–].
    """

    weights_read: float = 0.85
    cache_read: float = 0.82
    overlap: float = 1.15
    dense_rows: float = 20.0
    narrow_width: float = 250.0
    expert_rows: float = 26.0
    elementwise_bytes: float = 12.0
    layer_seconds: float = 29e-6
    expert_layer_seconds: float = 16e-6
    linear_layer_seconds: float = 10e-6
    eager_layer_seconds: float = 155e-6
    eager_expert_seconds: float = 400e-6
    imbalance: float = 1.4
    unpacked: float = 0.8
    attention: float = 1.1


PLAIN: Final = ("bf16", "fp16", "fp32")
SHARES: Final = Shares()


LEAST_ROWS: Final = {"AMD": 24.0, "NVIDIA": 2.0}
"""Rows that the product of an expert is filled up with however few it has [tokens]: matrix instructions of CDNA chips
work on tiles of 16 or 32 rows, and their engines have no kernels for fewer; on NVIDIA chips there are kernels for 8."""


def products(gpu: Gpu, compute: str) -> float:
    """Best rate of matrix products in a format [FLOP/s]."""
    if compute == "int8":
        rates = roofline.rates(gpu, "bf16")
        peak = gpu.peak_flops_per_s("int8") or 0.0
        plain = gpu.peak_flops_per_s("bf16") or gpu.peak_flops_per_s("fp16") or 1.0
        return rates.plain_flops_per_s * max(1.0, peak / plain)
    return roofline.rates(gpu, "nvfp4" if compute == "mxfp4" else compute).matmul_flops_per_s


def of_weights(gpu: Gpu, weights: str, shares: Shares) -> float:
    """Best rate of products with weights of a storage format [FLOP/s], unpacked where the chip cannot multiply them."""
    compute = formats.compute_on(gpu, weights)
    is_unpacked = compute == "bf16" and weights not in PLAIN
    return products(gpu, compute) * (shares.unpacked if is_unpacked else 1.0)
