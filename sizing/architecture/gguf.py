"""Bytes of a GGUF file's tensors: llama.cpp's block formats and its mixtures of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sizing.architecture.layers import ROUTER, LayerGroup, Linear
from sizing.architecture.shape import Architecture

_BLOCKS: Final = {
    "Q3_K": (256, 110),
    "Q4_K": (256, 144),
    "Q5_K": (256, 176),
    "Q6_K": (256, 210),
    "Q8_0": (32, 34),
    "Q4_0": (32, 18),
    "Q5_0": (32, 22),
    "Q5_1": (32, 24),
    "IQ4_NL": (32, 18),
    "F16": (1, 2),
    "F32": (1, 4),
}
"""Values and bytes of one block of each format."""

_FALLBACK: Final = {
    "Q3_K": "IQ4_NL",
    "Q4_K": "Q5_0",
    "Q5_K": "Q5_1",
    "Q6_K": "Q8_0",
    "Q8_0": "F16",
    "Q4_0": "F16",
    "Q5_0": "F16",
    "Q5_1": "F16",
    "IQ4_NL": "F16",
}
"""What takes the place of a format whose block does not divide a row."""

_SEVENTY_BILLION: Final = (60e9, 80e9)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a matrix stands: layer ``position`` of ``layers``."""

    position: int
    layers: int
    large: bool
    experts: int

    @property
    def has_more_bits(self) -> bool:
        """Whether the mixture spends more bits on this layer: the first and last eighth, and every third between."""
        eighth = self.layers // 8
        if self.position < eighth or self.position >= 7 * self.layers // 8:
            return True
        return (self.position - eighth) % 3 == 2


@dataclass(frozen=True, slots=True)
class Mixture:
    """Which block format each tensor gets."""

    head: str
    table: str
    matrix: Callable[[Linear, Place], str]
    router: str = "F32"


def _q4_k_m(linear: Linear, place: Place) -> str:
    name = linear.name.rsplit(".", 1)[-1]
    if name == "v_proj":
        if place.experts == 8:
            return "Q8_0"
        if place.has_more_bits:
            return "Q6_K"
        return "Q5_K" if place.large else "Q4_K"
    if name == "k_proj" and place.experts == 8:
        return "Q8_0"
    if name == "qkv_proj" or (name == "o_proj" and place.experts == 8):
        return "Q5_K"
    return "Q6_K" if name == "down_proj" and place.has_more_bits else "Q4_K"


def _q3_k_m(linear: Linear, place: Place) -> str:
    name = linear.name.rsplit(".", 1)[-1]
    if name == "v_proj":
        if place.experts == 8:
            return "Q8_0"
        return "Q5_K" if place.position < 2 or place.large else "Q4_K"
    if name == "k_proj" and place.experts == 8:
        return "Q8_0"
    if name == "down_proj":
        return "Q5_K" if place.position < place.layers // 16 else "Q4_K"
    if name == "o_proj" and place.experts == 8:
        return "Q5_K"
    return "Q4_K" if name in ("o_proj", "qkv_proj") else "Q3_K"


def _q4_k_s(linear: Linear, place: Place) -> str:
    name = linear.name.rsplit(".", 1)[-1]
    if name in ("k_proj", "v_proj") and place.experts == 8:
        return "Q8_0"
    if name == "v_proj" and (place.position < 4 or place.large):
        return "Q5_K"
    if name == "o_proj" and place.experts == 8:
        return "Q5_K"
    return "Q5_K" if name == "down_proj" and place.position < place.layers // 8 else "Q4_K"


def _q5_k_m(linear: Linear, place: Place) -> str:
    name = linear.name.rsplit(".", 1)[-1]
    if name in ("k_proj", "v_proj") and place.experts == 8:
        return "Q8_0"
    if name == "qkv_proj":
        return "Q6_K"
    return "Q6_K" if name in ("v_proj", "down_proj") and place.has_more_bits else "Q5_K"


def _plain(block: str) -> Callable[[Linear, Place], str]:
    """One block format for all matrices; keys and values of models with eight experts keep 8 bit."""

    def chosen(linear: Linear, place: Place) -> str:
        few_values = linear.name.rsplit(".", 1)[-1] in ("k_proj", "v_proj") and place.experts == 8
        return "Q8_0" if few_values else block

    return chosen


MIXTURES: Final = {
    "q3_k_m": Mixture("Q6_K", "Q3_K", _q3_k_m),
    "q4_0": Mixture("Q6_K", "Q4_0", _plain("Q4_0")),
    "q4_k_s": Mixture("Q6_K", "Q4_K", _q4_k_s),
    "q4_k_m": Mixture("Q6_K", "Q4_K", _q4_k_m),
    "q5_0": Mixture("Q6_K", "Q5_0", _plain("Q5_0")),
    "q5_k_s": Mixture("Q6_K", "Q5_K", _plain("Q5_K")),
    "q5_k_m": Mixture("Q6_K", "Q5_K", _q5_k_m),
    "q6_k": Mixture("Q6_K", "Q6_K", lambda linear, place: "Q6_K"),
    "q8_0": Mixture("Q8_0", "Q8_0", lambda linear, place: "Q8_0", router="Q8_0"),
}
"""Mixtures by name, as llama.cpp's ``llama-quantize`` chooses them (2025)."""


def tensor_bytes(block: str, outputs: int, inputs: int) -> int:
    """Bytes of a matrix; rows that the block does not divide fall back to a smaller block [byte]."""
    values, size = _BLOCKS[block]
    while inputs % values:
        block = _FALLBACK[block]
        values, size = _BLOCKS[block]
    return outputs * (inputs // values) * size


def file_bytes(model: Architecture, mixture: Mixture) -> tuple[list[list[int]], int]:
    """Bytes of each layer of each group, and of what is outside the layers, without the file's metadata [byte]."""
    low, high = _SEVENTY_BILLION
    large = low <= model.parameters <= high and not model.is_moe
    layers = [
        [_layer_bytes(group, mixture, Place(position, model.layer_count, large, _experts(group)))
         for position in group.positions]
        for group in model.layers
    ]  # fmt: skip
    rows = model.embedding_parameters // model.hidden_size
    table = tensor_bytes(mixture.head if model.tied else mixture.table, rows, model.hidden_size)
    head_rows = 0 if model.tied else model.head_parameters // model.hidden_size
    head = tensor_bytes(mixture.head, head_rows, model.hidden_size)
    rest = 4 * (model.position_parameters + model.final_norm_parameters + model.outer_parameters + model.head_bias)
    outer = sum(
        linear.copies * tensor_bytes("Q8_0", linear.outputs, linear.inputs) + 4 * linear.biases
        for linear in model.outer_linears
    )
    return layers, table + head + rest + outer


def _experts(group: LayerGroup) -> int:
    return group.moe.experts if group.moe else 0


def _layer_bytes(group: LayerGroup, mixture: Mixture, place: Place) -> int:
    total = 4 * (group.norm_parameters + group.other_parameters)
    for linear in group.linears:
        block = mixture.matrix(linear, place)
        if linear.role == ROUTER:
            block = "F32" if linear.fused else mixture.router
        total += linear.copies * tensor_bytes(block, linear.outputs, linear.inputs) + 4 * linear.biases
    return total
