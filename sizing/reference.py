"""Figures that guides quote and that contradict each other, each computed with the assumption under which it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from sizing import contract, one_card
from sizing.architecture import by_name
from sizing.architecture.quantised import weight_bytes
from sizing.one_card import MIXED, PURE_8BIT
from sizing.units import GB, GIB

BYTES_PER_PARAMETER_MIXED = 16


@dataclass(frozen=True, slots=True)
class Reference:
    """One quoted figure: what was claimed, under which condition, what the engine computes [GiB], whether it holds.

    A job's figure is the memory that it needs, as every other page shows it: live tensors and the driver's share. What
    nvidia-smi shows is more, since allocators keep freed blocks. The stack is the usual one of the method.
    """

    fact: str
    claim: str
    condition: str
    expected_gib: float
    low_gib: float
    high_gib: float
    limit_gib: float | None
    holds: bool


@cache
def references() -> tuple[Reference, ...]:
    """The quoted figures of the field, computed."""
    return (*_weights(), *_full(), *_adapters(), *_eight(), *_serving())


def _weights() -> list[Reference]:
    found = []
    for fact, claim, slug, weights, quoted_gb in (
        ("B2", "7B in BF16 is about 14 GB of weights", "llama-2-7b", "bf16", 14.0),
        ("B3", "70B in BF16 is 141 GB of weights", "llama-3.1-70b", "bf16", 141.0),
        ("B7", "70B in FP16 is 280 GB", "llama-3.1-70b", "fp16", 280.0),
        ("B7", "280 GB is the FP32 figure of 70B", "llama-3.1-70b", "fp32", 280.0),
        ("B16", "DeepSeek V3 in FP8 is about 625 GiB", "deepseek-v3", "fp8", 625 * GIB / GB),
    ):
        size = weight_bytes(by_name(slug), weights).total
        holds = abs(size / GB / quoted_gb - 1) < 0.05
        figure = size / GIB
        found.append(Reference(fact, claim, f"weights alone, {weights}", figure, figure, figure, None, holds))
    states = by_name("llama-3.1-70b").parameters * BYTES_PER_PARAMETER_MIXED
    figure = states / GIB
    claim = "full tuning of 70B takes 1.13 TB of states at 16 bytes a parameter"
    found.append(
        Reference("B3", claim, "before activations", figure, figure, figure, None, abs(states / 1.13e12 - 1) < 0.01)
    )
    return found


def _full() -> list[Reference]:
    return [
        _one("B2", "full tuning of 7B needs 40-48 GB", "mixed precision with AdamW, fp32 master weights", 48,
             _training("full", "llama-2-7b", card_gb=48, fields=MIXED)),
        _one("B2", "full tuning of 7B needs 40-48 GB", "bf16 throughout, 8-bit AdamW, full recomputation", 48,
             _training("full", "llama-2-7b", card_gb=48, fields=PURE_8BIT)),
    ]  # fmt: skip


def _adapters() -> list[Reference]:
    rows = (
        ("B7", "LoRA of 8B fits 48 GB", "rank 16, 2,048 tokens, full recomputation", "lora", "llama-3.1-8b", 48, 2048),
        ("B14", "QLoRA of 7-8B fits 24 GB", "2,048 tokens, one example at a time", "qlora", "llama-3.1-8b", 24, 2048),
        ("B7", "QLoRA of 70B runs on one 80 GB card", "512 tokens, one example at a time", "qlora", "llama-3.1-70b",
         80, 512),
        ("B3", "QLoRA of 70B fits 48 GB", "512 tokens, one example at a time", "qlora", "llama-3.1-70b", 48, 512),
        ("B14", "QLoRA of 70B needs 80 GB, better 140", "4,096 tokens, one example at a time", "qlora", "llama-3.1-70b",
         141, 4096),
    )  # fmt: skip
    return [
        _one(fact, claim, condition, limit, _training(method, slug, card_gb=limit, sequence_length=length))
        for fact, claim, condition, method, slug, limit, length in rows
    ]


def _eight() -> list[Reference]:
    found = []
    for gpu, title in (("h100-sxm", "8 x H100"), ("h200-sxm", "8 x H200"), ("b200-sxm", "8 x B200")):
        answer = contract.estimate(
            {
                "workload": {"task": "training", "method": "full", "model": {"name": "llama-3.1-70b"}, **MIXED,
                             "sequence_length": 2048, "micro_batch": 1, "gradient_accumulation": 1,
                             "activation_checkpointing": "full", "loss": "fused"},
                "hardware": {"gpu": gpu, "gpus_per_node": 8},
                "plan": {"sharding": "zero3"},
            }
        )  # fmt: skip
        condition = "16 bytes a parameter, sharded over the node, no offload, 2,048 tokens"
        found.append(_one("B11", f"{title} hold full tuning of 70B", condition, None, answer))
    return found


def _serving() -> list[Reference]:
    found = []
    for gpu, title in (("h100-sxm", "8 x H100"), ("h200-sxm", "8 x H200")):
        answer = contract.estimate(
            {
                "workload": {"task": "inference", "model": {"name": "deepseek-v3"}, "weights": "fp8",
                             "input_tokens": 2000, "output_tokens": 500, "concurrency": 16},
                "hardware": {"gpu": gpu, "gpus_per_node": 8},
            }
        )  # fmt: skip
        condition = "FP8 weights, 16 requests of 2,500 tokens at once"
        found.append(_one("B16", f"{title} serve DeepSeek V3", condition, None, answer))
    return found


def _training(
    method: str, slug: str, *, card_gb: float, sequence_length: int = 2048, fields: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    workload = {"task": "training", "method": method, "model": {"name": slug}, "micro_batch": 1,
                "activation_checkpointing": "full", "sequence_length": sequence_length, **(fields or {})}  # fmt: skip
    return one_card.on_card(workload, card_gb)


def _one(fact: str, claim: str, condition: str, limit_gb: float | None, answer: Mapping[str, Any]) -> Reference:
    memory = answer["memory"]
    device = {name: memory["needed"][name] / GIB for name in ("expected", "low", "high")}
    return Reference(
        fact=fact,
        claim=claim,
        condition=condition,
        expected_gib=device["expected"],
        low_gib=device["low"],
        high_gib=device["high"],
        limit_gib=limit_gb * GB / GIB if limit_gb else memory["capacity"] / GIB,
        holds=bool(memory["fits"]),
    )
