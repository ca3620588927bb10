"""Bytes of a model's weights in each storage format.

Matrices inside the layers are quantized; token table, head, norms, biases and routers stay in 16 bit, which is what
bitsandbytes, GPTQ, AWQ and FP8 checkpoints do. GGUF files have a rule of their own (`gguf`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from sizing.architecture import gguf
from sizing.architecture.layers import EXPERT, ROUTER, LayerGroup, Linear
from sizing.architecture.shape import Architecture
from sizing.errors import SizingError
from sizing.units import BITS_PER_BYTE, ceil_div

KEPT_BYTES: Final = 2
_NF4_BLOCK: Final = 64
_NF4_NESTED_BLOCK: Final = 256
_NF4_MAP_BYTES: Final = 16 * 4
_GROUP: Final = 128


@dataclass(frozen=True, slots=True)
class WeightFormat:
    """How one weight matrix is stored.

    Parameters
    ----------
    matrix_bytes : callable
        Bytes of a matrix from its outputs and inputs, scales included.
    computes_in : str
        Number format of the products unless the hardware multiplies the stored format itself.
    """

    name: str
    title: str
    bits: float
    matrix_bytes: Callable[[int, int], int]
    source: str


@dataclass(frozen=True, slots=True)
class WeightBytes:
    """Bytes of all weights in one format.

    Parameters
    ----------
    quantised_bytes, kept_bytes : float
        Matrices in the format with their scales; everything that stays in 16 bit [byte].
    layer_bytes : tuple of float
        One layer of each group of ``Architecture.layers`` [byte].
    outside_bytes : float
        Token table, head, positions, final norm [byte].
    quantised_parameters : int
        Weights that are in the format [–].
    """

    format: str
    quantised_bytes: float
    kept_bytes: float
    layer_bytes: tuple[float, ...]
    outside_bytes: float
    quantised_parameters: int
    largest_layer_bytes: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "largest_layer_bytes", max(self.layer_bytes, default=0.0))

    @property
    def total(self) -> float:
        """All weights [byte]."""
        return self.quantised_bytes + self.kept_bytes

    @property
    def bits_per_quantised_weight(self) -> float:
        """Bits of a weight in the format, its share of the scales included [bit]."""
        if not self.quantised_parameters:
            return 0.0
        return BITS_PER_BYTE * self.quantised_bytes / self.quantised_parameters


def _nf4(outputs: int, inputs: int) -> int:
    elements = outputs * inputs
    return ceil_div(elements, 2) + 4 * ceil_div(elements, _NF4_BLOCK) + _NF4_MAP_BYTES


def _nf4_double_quant(outputs: int, inputs: int) -> int:
    elements = outputs * inputs
    blocks = ceil_div(elements, _NF4_BLOCK)
    nested = 4 * ceil_div(blocks, _NF4_NESTED_BLOCK) + 256 * 4 + 4
    return ceil_div(elements, 2) + blocks + nested + _NF4_MAP_BYTES


def _awq(outputs: int, inputs: int) -> int:
    groups = ceil_div(inputs, _GROUP) * outputs
    return outputs * inputs // 2 + 2 * groups + groups // 2


def _block_scaled(block: int, scale_bytes: int, extra_bytes: int) -> Callable[[int, int], int]:
    """Four-bit floats with one scale for each block of inputs."""

    def matrix_bytes(outputs: int, inputs: int) -> int:
        return ceil_div(outputs * inputs, 2) + scale_bytes * outputs * ceil_div(inputs, block) + extra_bytes

    return matrix_bytes


_BITSANDBYTES = "bitsandbytes 0.50.2, its stored tensors added up"
_FLOATING: Final = ("fp32", "bf16", "fp16")

FORMATS: Final[dict[str, WeightFormat]] = {
    each.name: each
    for each in (
        WeightFormat("fp32", "FP32", 32, lambda o, i: 4 * o * i, "IEEE 754"),
        WeightFormat("bf16", "BF16", 16, lambda o, i: 2 * o * i, "IEEE 754"),
        WeightFormat("fp16", "FP16", 16, lambda o, i: 2 * o * i, "IEEE 754"),
        WeightFormat("fp8", "FP8, one scale a matrix", 8, lambda o, i: o * i + 4, "one fp32 scale per matrix"),
        WeightFormat("fp8_channel", "FP8, a scale per output", 8, lambda o, i: o * i + 4 * o, "fp32 scale per output"),
        WeightFormat(
            "fp8_block",
            "FP8, a scale per 128 x 128 block",
            8,
            lambda o, i: o * i + 4 * ceil_div(o, 128) * ceil_div(i, 128),
            "DeepSeek-V3 Technical Report, 2024, section 3.3",
        ),
        WeightFormat("int8", "LLM.int8()", 8, lambda o, i: o * i + 4 * o, _BITSANDBYTES),
        WeightFormat("nf4", "NF4", 4, _nf4, _BITSANDBYTES),
        WeightFormat("nf4_double_quant", "NF4 with double quantization", 4, _nf4_double_quant, _BITSANDBYTES),
        WeightFormat(
            "gptq_int4",
            "GPTQ, 4 bit, groups of 128",
            4,
            lambda o, i: _awq(o, i) + 4 * i,
            "GPTQ checkpoint format: scales fp16, zeros packed, g_idx int32",
        ),
        WeightFormat("awq", "AWQ, 4 bit, groups of 128", 4, _awq, "AWQ checkpoint format: scales fp16, zeros packed"),
        WeightFormat("mxfp4", "MXFP4", 4, _block_scaled(32, 1, 0), "OCP Microscaling Formats v1.0, 2023"),
        WeightFormat("nvfp4", "NVFP4", 4, _block_scaled(16, 1, 4), "NVIDIA: FP8 scale per 16 values, FP32 per matrix"),
        WeightFormat("mxfp8", "MXFP8", 8, lambda o, i: o * i + o * ceil_div(i, 32), "OCP MX Formats v1.0, 2023"),
    )
}
"""Formats by name; GGUF's are in `gguf.MIXTURES`."""

_ALIASES: Final = {
    "fp8_tensor": "fp8",
    "float32": "fp32",
    "bfloat16": "bf16",
    "float16": "fp16",
    "awq_int4": "awq",
    "gptq": "gptq_int4",
    "int4": "gptq_int4",
    "fp8_block128": "fp8_block",
}


def names() -> tuple[str, ...]:
    """Names of all formats."""
    return (*FORMATS, *gguf.MIXTURES)


def weight_bytes(
    architecture: Architecture,
    format: str,
    *,
    quantise_experts: bool = True,
    kept: str = "bf16",
    path: str = "workload.weights",
) -> WeightBytes:
    """Bytes of a model's weights.

    Parameters
    ----------
    format : str
        One of `names`.
    quantise_experts : bool
        Whether fused expert tensors are quantized too. bitsandbytes only sees linear modules: with transformers 5,
        which holds experts in one tensor, experts stay 16-bit unless the loader splits them.
    kept : str
        Number format of what is not quantized, ``bf16`` or ``fp32``.

    Raises
    ------
    SizingError
        For an unknown format.
    """
    return _weight_bytes(architecture, _known(format, path), quantise_experts, 4 if kept == "fp32" else KEPT_BYTES)


def _known(format: object, path: str) -> str:
    name = _ALIASES.get(format, format) if isinstance(format, str) else ""
    if name not in FORMATS and name not in gguf.MIXTURES:
        message = "{value} is not a format of weights; these are: {known}."
        raise SizingError(path, message, value=format, known=", ".join(names()))
    return name


def is_quantised(linear: Linear, quantise_experts: bool = True) -> bool:
    """Whether quantizers touch a matrix of a layer."""
    return linear.role != ROUTER and (quantise_experts or linear.role != EXPERT or not linear.fused)


@lru_cache(maxsize=1024)
def _weight_bytes(model: Architecture, name: str, experts: bool, kept: int) -> WeightBytes:
    if name in gguf.MIXTURES:
        layers, outside = gguf.file_bytes(model, gguf.MIXTURES[name])
        matrices = model.parameters - model.counts.norms
        by_group = tuple(sum(each) / len(each) for each in layers)
        return WeightBytes(name, sum(map(sum, layers)) + outside, 0, by_group, outside, matrices)
    matrix_bytes = FORMATS[name].matrix_bytes
    if name in _FLOATING:
        kept = matrix_bytes(1, 1)
    quantised = kept_total = 0
    quantised_parameters = 0
    layer_bytes = []
    for group in model.layers:
        stored, weights = _stored(group.linears, matrix_bytes, experts)
        rest = kept * (group.parameters - weights)
        layer_bytes.append(float(stored + rest))
        quantised += group.count * stored
        kept_total += group.count * rest
        quantised_parameters += group.count * weights
    outer_stored, outer_weights = _stored(model.outer_linears, matrix_bytes, experts)
    outer_rest = kept * (model.parameters - model.layer_parameters - outer_weights)
    return WeightBytes(
        name,
        quantised + outer_stored,
        kept_total + outer_rest,
        tuple(layer_bytes),
        outer_stored + outer_rest,
        quantised_parameters + outer_weights,
    )


def _stored(linears: tuple[Linear, ...], matrix_bytes: Callable[[int, int], int], experts: bool) -> tuple[int, int]:
    """Bytes and weights of the matrices that are quantized."""
    chosen = [linear for linear in linears if is_quantised(linear, experts)]
    stored = sum(linear.copies * matrix_bytes(linear.outputs, linear.inputs) for linear in chosen)
    return stored, sum(linear.weights for linear in chosen)


def largest_matrix(group: LayerGroup) -> Linear | None:
    """The largest single matrix of a layer, which is what dequantization unpacks at once."""
    return max(group.linears, key=lambda linear: linear.elements, default=None)
