"""The number format that a model's files are published in."""

from __future__ import annotations

from typing import Final

from sizing.architecture.shape import Architecture

USUAL: Final = "bf16"
BY_FAMILY: Final = {"deepseek_v3": "fp8", "kimi_k2": "fp8", "gpt_oss": "mxfp4"}
"""Families whose makers publish quantized files only, by their model cards; a config.json says it of any other."""


def published_format(shape: Architecture) -> str:
    """Format of the published weights: what the configuration says, else what the family's makers do, else BF16."""
    named = shape.native_quantisation
    if named in ("fp8", "mxfp4"):
        return named
    return BY_FAMILY.get(shape.family, USUAL)
