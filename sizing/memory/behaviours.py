"""What each training stack does with memory beyond the arithmetic of the model: named, sourced, one table.

A behaviour is a mechanism of a program (it keeps fp32 logits; it gathers the root unit for the whole pass). Those that
were inferred from published figures and not traced say so here and in docs/engine/memory.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from sizing.speed.stacks import FAMILY_OF_FRAMEWORK

Kernels = Literal["eager", "fused"]
Selective = Literal["attention", "operators"]
Sharder = Literal["fsdp1", "fsdp2", "deepspeed", "megatron"]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Memory habits of one training stack.

    Parameters
    ----------
    kernels : str
        ``eager``: norms save an fp32 copy of their input and their normalized output. ``fused``: they save the
        16-bit input and the statistics only, and the gated activation is one kernel.
    loss_bytes, chunked_loss_bytes : float
        Live bytes of each logit at the loss's peak, whole and chunked [byte per token and vocabulary entry].
    casts_adapters : bool
        Kernels cast fp32 adapters to the input's format instead of the input to the adapter's.
    cuts_loss : bool
        The loss never forms whole logits, whatever the request says.
    sharder : str
        Which implementation divides states over data-parallel ranks.
    reentrant : bool
        Layers are recomputed inside a nested backward pass (torch.utils.checkpoint, use_reentrant=True).
    selective : str
        What selective recomputation drops: the attention core, or every second product (operator policy).
    flat_gradients : bool
        One flat parameter holds frozen and trained weights, so that its gradient covers both.
    unsharded_accumulation : bool
        Gradients stay whole on each GPU between accumulated micro-batches (no_sync).
    raises_norms : bool
        prepare_model_for_kbit_training keeps everything that is not quantized in fp32.
    quantises_head : bool
        The output matrix is quantized with the layers.
    keeps_quantised_inputs : bool
        The 4-bit product keeps its own copy of its input for the backward pass.
    expands_keys : bool
        Keys and values are repeated to the number of query heads before the attention kernel.
    fuses_qkv : bool
        Query, key and value are one product whose output stays whole behind the values, and adapters on them share
        one inner factor.
    masks_padding : bool
        Padded batches are given a mask, for which keys and values are repeated to every query head.
    loops_experts : bool
        Experts run one after the other.
    dropout : float
        Dropout before adapters in the stack's recipes [–].
    foreach : bool
        Plain ``adamw`` runs torch's multi-tensor path, whose temporary is one copy of the trained weights.
    loads_whole : bool
        A quantized model is whole on each GPU before it is divided.
    saves_sharded : bool
        Checkpoints are written in shards by default.
    quantises_whole_matrices : bool
        Some versions quantize each matrix in one piece, through tensors many times its size.
    gathers_on_every_rank : bool
        Each rank gathers the whole weights in host memory before one of them writes.
    untied_head : bool
        Input and output embeddings are two tensors even where the model ties them.
    """

    name: str
    kernels: Kernels = "eager"
    loss_bytes: float = 12.0
    chunked_loss_bytes: float = 6.5
    cuts_loss: bool = False
    casts_adapters: bool = False
    sharder: Sharder = "fsdp1"
    reentrant: bool = True
    selective: Selective = "attention"
    flat_gradients: bool = False
    unsharded_accumulation: bool = True
    raises_norms: bool = False
    quantises_head: bool = False
    keeps_quantised_inputs: bool = False
    fuses_qkv: bool = False
    masks_padding: bool = False
    loops_experts: bool = False
    expands_keys: bool = False
    dropout: float = 0.0
    foreach: bool = True
    untied_head: bool = False
    loads_whole: bool = False
    saves_sharded: bool = False
    gathers_on_every_rank: bool = False
    quantises_whole_matrices: bool = False
    source: str = ""


HUGGING_FACE = Behaviour(
    name="Hugging Face Trainer",
    masks_padding=True,
    loops_experts=True,
    source="transformers ForCausalLMLoss (fp32 logits), accelerate FSDP",
)
PREPARED = replace(
    HUGGING_FACE,
    name="Hugging Face recipes with k-bit preparation",
    raises_norms=True,
    source="TRL, axolotl, LLaMA-Factory: peft.prepare_model_for_kbit_training before adapters are added",
)
AXOLOTL = replace(
    PREPARED,
    name="axolotl",
    loads_whole=True,
    source="axolotl: prepare_model_for_kbit_training; issue 1717: a quantized 70B model fills each card while loading",
)
SWIFT = replace(
    PREPARED,
    name="ms-swift",
    loss_bytes=18.0,
    source="inferred: ms-swift keeps the logits for its accuracy metric, and accelerate hands them over in fp32",
)
TORCHTUNE = Behaviour(
    name="torchtune",
    gathers_on_every_rank=True,
    quantises_whole_matrices=True,
    expands_keys=True,
    loss_bytes=14.0,
    sharder="fsdp2",
    reentrant=False,
    selective="operators",
    unsharded_accumulation=False,
    source="torchtune recipes: CEWithChunkedOutputLoss, fully_shard, LoRALinear in the base format",
)
TORCHTITAN = Behaviour(
    name="torchtitan",
    saves_sharded=True,
    expands_keys=True,
    loss_bytes=12.0,
    chunked_loss_bytes=2.0,
    sharder="fsdp2",
    reentrant=False,
    selective="operators",
    unsharded_accumulation=False,
    foreach=False,
    source="torchtitan parallelize.py: fully_shard per block, op-level selective checkpointing, fp32 reduce-scatter",
)
LITGPT = Behaviour(
    name="LitGPT",
    chunked_loss_bytes=4.0,
    reentrant=False,
    flat_gradients=True,
    quantises_head=True,
    keeps_quantised_inputs=True,
    fuses_qkv=True,
    dropout=0.05,
    untied_head=True,
    source="litgpt finetune/lora.py, lora.py (LoRAQKVLinear), Fabric FSDPStrategy and BitsandbytesPrecision",
)
LLM_FOUNDRY = Behaviour(
    name="LLM Foundry",
    saves_sharded=True,
    kernels="fused",
    loss_bytes=6.0,
    reentrant=False,
    unsharded_accumulation=False,
    source="llm-foundry MPT: low-precision LayerNorm, fused cross entropy; Composer FSDP mixed_precision PURE",
)
MEGATRON = Behaviour(
    name="Megatron-LM",
    saves_sharded=True,
    kernels="fused",
    loss_bytes=6.0,
    sharder="megatron",
    reentrant=False,
    foreach=False,
    source="Megatron-LM with Transformer Engine: vocab-parallel cross entropy in fp32, distributed optimizer",
)
DEEPSPEED = Behaviour(
    name="DeepSpeed",
    masks_padding=True,
    loops_experts=True,
    sharder="deepspeed",
    foreach=False,
    unsharded_accumulation=False,
    source="DeepSpeed ZeRO stage 1-3 and FusedAdam; model code of Hugging Face",
)
UNSLOTH = Behaviour(
    name="Unsloth",
    cuts_loss=True,
    casts_adapters=True,
    loops_experts=True,
    kernels="fused",
    source="Unsloth: cut cross entropy (no whole logits), fused norms and MLP; checkpoints offloaded where asked for",
)
FSDP_QLORA = Behaviour(
    name="fsdp_qlora",
    loops_experts=True,
    reentrant=False,
    source="AnswerDotAI/fsdp_qlora train.py: FSDP1 around HQQ/bitsandbytes layers stored as bf16",
)
LLM_C = Behaviour(name="llm.c", kernels="fused", loss_bytes=2.0, sharder="megatron", foreach=False, source="llm.c")

BY_FRAMEWORK: dict[str, Behaviour] = {
    "hf": HUGGING_FACE,
    "trl": PREPARED,
    "axolotl": AXOLOTL,
    "ms-swift": SWIFT,
    "llama-factory": PREPARED,
    "torchtune": TORCHTUNE,
    "torchtitan": TORCHTITAN,
    "fms-fsdp": TORCHTITAN,
    "litgpt": LITGPT,
    "llm-foundry": LLM_FOUNDRY,
    "megatron": MEGATRON,
    "megatron-lm": MEGATRON,
    "megatron-bridge": MEGATRON,
    "nemo": MEGATRON,
    "megatron-deepspeed": MEGATRON,
    "deepspeed": DEEPSPEED,
    "unsloth": UNSLOTH,
    "fsdp_qlora": FSDP_QLORA,
    "llm.c": LLM_C,
}


@cache
def behaviour(framework: str) -> Behaviour:
    """Memory habits of a framework; those of the Hugging Face stack where it is not in the table.

    Loops of PyTorch's own that are not in the table select by operator, as torchtitan does.
    """
    name = framework.lower()
    known = BY_FRAMEWORK.get(name)
    if known is None and FAMILY_OF_FRAMEWORK.get(name) == "torch-native":
        return replace(HUGGING_FACE, selective="operators")
    return known or HUGGING_FACE
