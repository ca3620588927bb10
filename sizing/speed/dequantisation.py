"""Frozen weights in few bits: each pass writes them out in 16 bit before it multiplies."""

from __future__ import annotations

from typing import Final

PACKED_BYTES: Final[dict[str, float]] = {
    "nf4": 0.5 + 4 / 64,
    "nf4_double_quant": 0.516,
    "int4": 0.52,
    "gptq_int4": 0.52,
    "gptq": 0.52,
    "awq": 0.52,
    "int8": 1.0,
}
"""Bytes of one stored weight with its scales [B]; closed forms of bitsandbytes and GPTQ with groups of 128."""

_WRITTEN_BYTES = 2.0

BANDWIDTH_SHARE: Final[dict[str, float]] = {"nf4": 0.40, "nf4_double_quant": 0.40, "int8": 0.45}
"""Achieved share of the memory bandwidth in the dequantising kernels; table look-ups keep it low [–].
GPTQ and AWQ formats are unpacked for training by plain tensor operations that write several times what they need."""

_OTHER_SHARE: Final = 0.11

EXTRA_LAUNCHES: Final = 3
"""Kernels for each quantised matrix and pass, beside the product [–]."""


def is_quantised(weights: str) -> bool:
    """Whether weights in this format must be written out before use."""
    return weights in PACKED_BYTES


def seconds_per_pass(weights: str, elements: float, bytes_per_s: float) -> float:
    """Time to write out `elements` weights once [s]."""
    packed = PACKED_BYTES.get(weights)
    if packed is None:
        return 0.0
    share = BANDWIDTH_SHARE.get(weights, _OTHER_SHARE)
    return elements * (packed + _WRITTEN_BYTES) / (bytes_per_s * share)
