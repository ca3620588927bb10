"""How well a software stack uses a GPU: one named, stated assumption for each family of frameworks.

A *stack* is the training framework together with the kernels and the communication schedule it brings along. The
same GPU gives three times as much under a tuned Megatron recipe as under an eager PyTorch loop, so this is the
assumption that decides most; a customer changes it by naming a framework or by giving ``stack_efficiency``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Stack:
    """What one family of frameworks makes of the hardware.

    Parameters
    ----------
    matmul_share : float
        Rate of matrix products in a training loop against the best rate of the same product alone [–].
    attention_share : float
        The same for the attention kernel [–].
    native_attention : bool
        Whether attention runs in the kernel written for the chip's generation, or in the portable one.
    fusion : float
        How much of the element-wise traffic of unfused kernels is fused away: 0 none, 1 all that can be [–].
    launch_seconds : float
        Host time to issue one kernel [s]; next to nothing where graphs or C++ drive the GPU.
    data_overlap, tensor_overlap, expert_overlap, context_overlap : float
        Share of the communication of that axis that can hide behind computation [–].
    gathers_low_precision : bool
        Sharded weights are cast to 8 bit before they are gathered.
    unit_seconds : float
        Host time to gather one layer's sharded weights and let them go again [s].
    optimizer_passes : float
        Memory traffic of the optimizer step against one read and one write of all that it touches [–].
    selective_matmul, selective_pointwise : float
        Share of the forward pass's products, and of its other kernels, that the family's *selective* checkpointing
        computes again [–].
    step_seconds : float
        Host work once for each optimizer step: data loading, logging, gradient norm [s].
    jitter : float
        Share of a step lost for each doubling of the number of nodes to stragglers and synchronisation [–].
    low, high : float
        Range of the family's published runs around the central efficiency [–].
    """

    key: str
    title: str
    matmul_share: float
    attention_share: float
    native_attention: bool
    fusion: float
    launch_seconds: float
    data_overlap: float
    tensor_overlap: float
    expert_overlap: float
    context_overlap: float
    gathers_low_precision: bool
    unit_seconds: float
    optimizer_passes: float
    selective_matmul: float
    selective_pointwise: float
    step_seconds: float
    jitter: float
    low: float
    high: float
    why: str


MEGATRON: Final = Stack(
    key="megatron",
    title="Megatron Core with Transformer Engine (NeMo, Megatron Bridge)",
    matmul_share=0.84,
    attention_share=0.95,
    native_attention=True,
    fusion=0.82,
    launch_seconds=1.5e-06,
    data_overlap=0.81,
    tensor_overlap=0.48,
    expert_overlap=0.37,
    context_overlap=0.60,
    gathers_low_precision=False,
    unit_seconds=1e-4,
    optimizer_passes=1.2,
    selective_matmul=0.0,
    selective_pointwise=0.31,
    step_seconds=0.011,
    jitter=0.0085,
    low=0.8,
    high=1.2,
    why="Fused kernels, cuDNN attention, overlapped tensor and data parallel communication, CUDA graphs.",
)
MEGATRON_2022: Final = Stack(
    key="megatron-2022",
    title="Megatron-DeepSpeed and Megatron-LM before FlashAttention",
    matmul_share=0.71,
    attention_share=0.45,
    native_attention=False,
    fusion=0.49,
    launch_seconds=5e-6,
    data_overlap=0.30,
    tensor_overlap=0.0,
    expert_overlap=0.0,
    context_overlap=0.0,
    gathers_low_precision=False,
    unit_seconds=5e-4,
    optimizer_passes=1.50,
    selective_matmul=0.0,
    selective_pointwise=0.3,
    step_seconds=0.05,
    jitter=0.011,
    low=0.75,
    high=1.25,
    why="Partly fused kernels, no FlashAttention, tensor parallel communication in the open.",
)
TORCH_NATIVE: Final = Stack(
    key="torch-native",
    title="PyTorch pretraining loops with FSDP (torchtitan, LLM Foundry, fms-fsdp, LitGPT)",
    matmul_share=0.86,
    attention_share=0.73,
    native_attention=False,
    fusion=0.45,
    launch_seconds=7e-6,
    data_overlap=0.93,
    tensor_overlap=0.21,
    expert_overlap=0.2,
    context_overlap=0.40,
    gathers_low_precision=False,
    unit_seconds=0.0002,
    optimizer_passes=1.5,
    selective_matmul=0.42,
    selective_pointwise=0.6,
    step_seconds=0.019,
    jitter=0.0088,
    low=0.75,
    high=1.25,
    why="FlashAttention, partly fused or compiled kernels, FSDP with prefetch.",
)
HUGGING_FACE: Final = Stack(
    key="hugging-face",
    title="Hugging Face Transformers with PEFT or TRL, and what is built on them",
    matmul_share=0.91,
    attention_share=0.90,
    native_attention=False,
    fusion=0.11,
    launch_seconds=1.4e-05,
    data_overlap=0.66,
    tensor_overlap=0.0,
    expert_overlap=0.0,
    context_overlap=0.0,
    gathers_low_precision=False,
    unit_seconds=0.0026,
    optimizer_passes=1.77,
    selective_matmul=0.4,
    selective_pointwise=0.6,
    step_seconds=0.015,
    jitter=0.01,
    low=0.7,
    high=1.3,
    why="Eager kernels issued from Python, FlashAttention or SDPA, data parallel by FSDP or ZeRO.",
)
FUSED_FINETUNING: Final = Stack(
    key="fused-fine-tuning",
    title="Fine-tuning with hand-fused kernels (Unsloth, Liger)",
    matmul_share=0.93,
    attention_share=0.85,
    native_attention=False,
    fusion=0.7,
    launch_seconds=6e-6,
    data_overlap=0.7,
    tensor_overlap=0.0,
    expert_overlap=0.0,
    context_overlap=0.0,
    gathers_low_precision=False,
    unit_seconds=2e-3,
    optimizer_passes=1.5,
    selective_matmul=0.4,
    selective_pointwise=0.6,
    step_seconds=0.02,
    jitter=0.01,
    low=0.7,
    high=1.3,
    why="Fused norms, rotary embedding, loss and adapters on top of the Hugging Face model.",
)
CUDA_NATIVE: Final = Stack(
    key="cuda-native",
    title="Training loops in C++ and CUDA (llm.c, LLM.Q)",
    matmul_share=0.98,
    attention_share=0.93,
    native_attention=True,
    fusion=1.00,
    launch_seconds=1e-06,
    data_overlap=0.90,
    tensor_overlap=0.0,
    expert_overlap=0.0,
    context_overlap=0.0,
    gathers_low_precision=True,
    unit_seconds=5e-5,
    optimizer_passes=1.0,
    selective_matmul=0.0,
    selective_pointwise=0.5,
    step_seconds=0.002,
    jitter=0.01,
    low=0.8,
    high=1.2,
    why="No interpreter in the loop, every element-wise kernel fused.",
)

STACKS: Final[dict[str, Stack]] = {
    stack.key: stack for stack in (MEGATRON, MEGATRON_2022, TORCH_NATIVE, HUGGING_FACE, FUSED_FINETUNING, CUDA_NATIVE)
}

FAMILY_OF_FRAMEWORK: Final[dict[str, str]] = {
    "megatron": "megatron",
    "megatron-lm": "megatron",
    "megatron-core": "megatron",
    "megatron-bridge": "megatron",
    "nemo": "megatron",
    "primus": "megatron",
    "transformer-engine": "megatron",
    "megatron-deepspeed": "megatron-2022",
    "gpt-neox": "megatron-2022",
    "torchtitan": "torch-native",
    "pytorch": "torch-native",
    "fsdp": "torch-native",
    "fsdp2": "torch-native",
    "lightning": "torch-native",
    "automodel": "torch-native",
    "nemo-automodel": "torch-native",
    "colossalai": "torch-native",
    "maxtext": "torch-native",
    "olmo": "torch-native",
    "llm-foundry": "torch-native",
    "composer": "torch-native",
    "fms-fsdp": "torch-native",
    "litgpt": "torch-native",
    "torchtune": "torch-native",
    "olmo-core": "torch-native",
    "nanotron": "torch-native",
    "lingua": "torch-native",
    "nanogpt": "torch-native",
    "hf": "hugging-face",
    "transformers": "hugging-face",
    "accelerate": "hugging-face",
    "peft": "hugging-face",
    "trl": "hugging-face",
    "axolotl": "hugging-face",
    "llama-factory": "hugging-face",
    "llamafactory": "hugging-face",
    "swift": "hugging-face",
    "openrlhf": "hugging-face",
    "optimum": "hugging-face",
    "ms-swift": "hugging-face",
    "deepspeed": "hugging-face",
    "fsdp_qlora": "hugging-face",
    "unsloth": "fused-fine-tuning",
    "liger": "fused-fine-tuning",
    "llm.c": "cuda-native",
    "llm.q": "cuda-native",
}

COMPILED_FUSION: Final = 0.95
"""Fusion that torch.compile reaches on a model's element-wise kernels [–]."""

_LOW_PRECISION: Final = ("fp8", "mxfp8", "nvfp4")


def default_framework(
    *, method: str, compute: str = "bf16", tensor: int = 1, pipeline: int = 1, context: int = 1, expert: int = 1
) -> str:
    """The framework that a buyer would run for a job, where nothing says otherwise.

    FP8 and FP4 products, and model parallelism, are what people take Megatron for; pretraining without them runs
    on PyTorch's own FSDP, fine-tuning on Hugging Face.
    """
    if compute in _LOW_PRECISION or max(tensor, pipeline, context, expert) > 1:
        return "nemo"
    return "torchtitan" if method == "pretraining" else "trl"


def stack_of(framework: str, *, method: str, compute: str) -> Stack:
    """The stack that a framework belongs to; an unknown name gets the default for the job."""
    family = FAMILY_OF_FRAMEWORK.get(framework)
    if family is None:
        family = FAMILY_OF_FRAMEWORK[default_framework(method=method, compute=compute)]
    return STACKS[family]
