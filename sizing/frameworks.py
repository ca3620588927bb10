"""What each training framework does where the request is silent: number formats, sharding, batches.

These are the defaults of the framework's own recipes, named and listed as assumptions; how a framework spends memory
and time is the memory room's and the speed room's business.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sizing.plan import Sharding
from sizing.workload import Attention, Checkpointing, Packing


@dataclass(frozen=True, slots=True)
class Defaults:
    """One framework's habits.

    Parameters
    ----------
    weights, master_weights, gradients, optimizer_states : str
        Formats of trained parameters and their states in full training.
    autocast : bool
        fp32 parameters are cast for each matrix product by torch.autocast, not by the sharding layer.
    adapter_dtype : str
        Format in which LoRA weights are kept.
    sharding : str
        How states are divided over several GPUs.
    checkpointing : str
        What activations are recomputed in the framework's own recipes.
    sequence_parallel : bool
        Norms and residuals are divided by sequence wherever tensor parallelism is on.
    interleaves : bool
        Pipeline stages hold several chunks of layers each (virtual pipeline).
    source : str
        Where the habit is documented.
    """

    weights: str = "bf16"
    master_weights: str = "fp32"
    gradients: str = "bf16"
    optimizer_states: str = "fp32"
    autocast: bool = False
    adapter_dtype: str = "bf16"
    sharding: Sharding = "fsdp"
    attention: Attention = "flash"
    packing: Packing = "packed"
    checkpointing: Checkpointing = "full"
    sequence_parallel: bool = False
    interleaves: bool = False
    source: str = "mixed precision with fp32 master weights, Micikevicius et al. 2018"


HUGGING_FACE = Defaults(
    adapter_dtype="fp32",
    attention="sdpa",
    packing="padded",
    source="Transformers Trainer and PEFT documentation (autocast_adapter_dtype)",
)
SHARDED_FP32 = Defaults(
    weights="fp32",
    master_weights="none",
    gradients="fp32",
    checkpointing="selective",
    source="PyTorch FSDP mixed precision: fp32 shards, 16-bit copies gathered for use",
)
PURE_BF16 = Defaults(
    master_weights="none",
    optimizer_states="bf16",
    source="bf16-true recipes: parameters, gradients and states all bf16",
)
MEGATRON = Defaults(
    gradients="fp32",
    sharding="zero1",
    checkpointing="selective",
    sequence_parallel=True,
    interleaves=True,
    source="Megatron-LM: bf16 weights, fp32 gradient buffer, distributed optimizer",
)
DEEPSPEED = Defaults(
    sharding="zero3", source="DeepSpeed bf16/fp16 optimizer: 16-bit weights and gradients, fp32 states"
)

BY_NAME: dict[str, Defaults] = {
    "hf": HUGGING_FACE,
    "trl": HUGGING_FACE,
    "axolotl": HUGGING_FACE,
    "ms-swift": HUGGING_FACE,
    "llama-factory": HUGGING_FACE,
    "unsloth": HUGGING_FACE,
    "fsdp_qlora": replace(HUGGING_FACE, packing="exact"),
    "deepspeed": DEEPSPEED,
    "megatron-deepspeed": Defaults(
        sharding="zero1", gradients="bf16", source="Megatron-DeepSpeed: ZeRO-1 over pipeline and tensor parallelism"
    ),
    "torchtune": PURE_BF16,
    "litgpt": PURE_BF16,
    "torchtitan": SHARDED_FP32,
    "fms-fsdp": SHARDED_FP32,
    "llm-foundry": SHARDED_FP32,
    "megatron": MEGATRON,
    "megatron-lm": MEGATRON,
    "megatron-bridge": MEGATRON,
    "nemo": MEGATRON,
    "llm.c": Defaults(sharding="zero1", gradients="bf16", source="llm.c: bf16 weights, fp32 master and states"),
}
DEFAULT = Defaults()


def defaults(framework: str) -> Defaults:
    """Habits of a framework; those of plain mixed precision where it is not in the table."""
    return BY_NAME.get(framework.lower(), DEFAULT)


LOW_PRECISION = ("fp8", "mxfp8", "nvfp4")


def usual(method: str, compute: str = "bf16") -> str:
    """The framework that a buyer would run for a method when none is named; FP8 and FP4 products are Megatron's."""
    if compute in LOW_PRECISION:
        return "nemo"
    return "torchtitan" if method == "pretraining" else "trl"
