"""What training programs do with a request that they cannot run as it stands; both rooms size what really runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from sizing.architecture.shape import Architecture
from sizing.case import Case
from sizing.speed.stacks import FAMILY_OF_FRAMEWORK
from sizing.workload import Training

BITSANDBYTES: Final = frozenset({"nf4", "nf4_double_quant", "int8"})

WHOLE_LAYERS_ONLY: Final = frozenset(
    {framework for framework, family in FAMILY_OF_FRAMEWORK.items() if family in ("hugging-face", "fused-fine-tuning")}
    | {"litgpt", "llm-foundry", "composer", "lightning"}
)
"""Programs whose checkpointing recomputes whole layers: transformers' gradient_checkpointing_enable and what is built
on it, Fabric's and Composer's wrapping of blocks."""

SEPARATE_EXPERTS: Final = frozenset({"litgpt"})
"""Programs with model code of their own, in which each expert is a linear module whatever transformers does."""

BARE_EXPERTS: Final = frozenset({"gpt_oss", "llama4_text", "granitemoe", "granitemoeshared", "granitemoehybrid"})
"""Families whose experts have been bare three-dimensional parameters in every version of transformers."""

PUBLISHED_FEW_BIT_EXPERTS: Final = frozenset({"mixtral"})
"""Families for which a run with few-bit experts has been published (fms-acceleration, transformers 4)."""

EAGER_UNDER_UNSLOTH: Final = frozenset({"gemma3_text"})
"""Families that Unsloth switches to eager attention: its log says that they do not support SDPA."""

type Experts = Literal["few-bit", "versions differ", "16-bit"]


def as_run(case: Case) -> Case:
    """The case as its framework runs it.

    Selective checkpointing becomes full where the framework knows nothing else, Unsloth's offloading exists only
    around its checkpoints, and Unsloth runs some models with eager attention.
    """
    job = case.workload
    changes: dict[str, str | bool] = {}
    if only_whole_layers(job):
        changes["activation_checkpointing"] = "full"
    if job.framework.lower() == "unsloth":
        if job.activation_offload and job.activation_checkpointing == "none":
            changes["activation_offload"] = False
        if forces_eager(case):
            changes["attention"] = "eager"
    if not changes:
        return case
    return replace(case, workload=replace(job, **changes))  # type: ignore[arg-type]


def only_whole_layers(job: Training) -> bool:
    """Whether the request asks for selective checkpointing of a program that recomputes whole layers only."""
    return job.activation_checkpointing == "selective" and job.framework.lower() in WHOLE_LAYERS_ONLY


def forces_eager(case: Case) -> bool:
    """Whether the program leaves the fused attention kernel that the request names."""
    job = case.workload
    unsloth = job.framework.lower() == "unsloth"
    return unsloth and case.architecture.family in EAGER_UNDER_UNSLOTH and job.attention in ("flash", "sdpa")


def experts(model: Architecture, weights: str, framework: str) -> Experts:
    """How bitsandbytes leaves the routed experts of a model.

    It replaces linear modules only. transformers 5 and Unsloth keep a layer's experts in one tensor, which it does
    not see; transformers 4 had a linear module for each expert of most families.
    """
    if weights not in BITSANDBYTES or not model.is_moe:
        return "few-bit"
    program = framework.lower()
    if program in SEPARATE_EXPERTS:
        return "few-bit"
    if program == "unsloth" or model.family in BARE_EXPERTS:
        return "16-bit"
    return "versions differ" if model.family in PUBLISHED_FEW_BIT_EXPERTS else "16-bit"
