"""Fixed words: of statuses, methods, formats, exchange, cooling, kinds of lines; one list for page and paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

STATUSES = {
    "assumed": gettext_lazy("assumed"),
    "customer": pgettext_lazy("status", "customer"),
    "vendor": pgettext_lazy("status", "vendor"),
    "measured": gettext_lazy("measured"),
    "unconfirmed": gettext_lazy("unconfirmed"),
    "confirmed": gettext_lazy("confirmed"),
    "stale": gettext_lazy("stale"),
    "refuted": gettext_lazy("refuted"),
    "waived": gettext_lazy("waived"),
}
METHODS = {
    "lora": gettext_lazy("LoRA: adapters beside frozen weights"),
    "qlora": gettext_lazy("QLoRA: adapters beside weights in 4 bits"),
    "full": gettext_lazy("full fine-tuning: every parameter changes"),
    "scratch": gettext_lazy("training from scratch"),
    "pretraining": gettext_lazy("training from scratch"),
}
SHORT_METHODS = {
    "lora": "LoRA",
    "qlora": "QLoRA",
    "full": gettext_lazy("full fine-tuning"),
    "scratch": gettext_lazy("training from scratch"),
    "pretraining": gettext_lazy("training from scratch"),
}
TASKS = {
    "training": gettext_lazy("training"),
    "inference": gettext_lazy("a service that answers users"),
    "rag": gettext_lazy("answers over documents"),
}
CHANGES = {
    "lora": gettext_lazy("adapter weights only; the base model stays as it is"),
    "qlora": gettext_lazy("adapter weights only; the base model stays as it is"),
    "full": gettext_lazy("every parameter of the model"),
    "scratch": gettext_lazy("every parameter, from random values"),
    "pretraining": gettext_lazy("every parameter, from random values"),
    "inference": gettext_lazy("nothing: the model answers as it is"),
    "rag": gettext_lazy("nothing: documents are searched, the model answers as it is"),
}
FIXED = {"toolkit": "CUDA / ROCm", "engine": gettext_lazy("Engine"), "weights": gettext_lazy("Format of weights")}
"""What is fixed before a run, and what a software check is about, where it is no name of a product."""
LABELS = {
    "smallest": gettext_lazy("smallest"),
    "recommended": gettext_lazy("recommended"),
    "headroom": gettext_lazy("with headroom"),
    "article": gettext_lazy("your article"),
    "in_mind": gettext_lazy("in mind"),
    "nearest": gettext_lazy("nearest"),
}
VALUES = {
    "gpu": gettext_lazy("one GPU"),
    "node": gettext_lazy("one node"),
    "closed_loop": gettext_lazy("closed loop"),
    "open_loop": gettext_lazy("open loop"),
    "hnsw": "HNSW",
    "ivf": "IVF",
    "ivf_pq": "IVF-PQ",
    "on-demand": gettext_lazy("on demand"),
    "reserved": gettext_lazy("reserved"),
    "3-year commitment": gettext_lazy("bound for three years"),
    "True": gettext_lazy("yes"),
    "False": gettext_lazy("no"),
    "none": gettext_lazy("none"),
    "full": pgettext_lazy("recomputation", "full"),
    "selective": gettext_lazy("selective"),
    "adamw": "AdamW",
    "adamw_8bit": gettext_lazy("AdamW, 8-bit states"),
    "paged_adamw_8bit": gettext_lazy("AdamW, paged, 8-bit states"),
    "bf16": "BF16",
    "fp16": "FP16",
    "fp32": "FP32",
    "fp8": "FP8",
    "int8": "INT8",
    "nf4": "NF4",
    "nf4_double_quant": gettext_lazy("NF4, double quantization"),
    "nvfp4": "NVFP4",
    "mxfp4": "MXFP4",
    "awq": "AWQ",
    "gptq": "GPTQ",
    "all-linear": gettext_lazy("all linear layers"),
    "attention": gettext_lazy("attention layers"),
    "flash": "FlashAttention",
    "sdpa": "SDPA",
    "eager": gettext_lazy("plain (eager)"),
    "standard": pgettext_lazy("loss", "standard"),
    "fused": pgettext_lazy("loss", "fused"),
    "chunked": gettext_lazy("in chunks"),
    "packed": gettext_lazy("packed"),
    "padded": gettext_lazy("padded"),
    "exact": gettext_lazy("all of one length"),
    "fsdp": "FSDP",
    "ddp": "DDP",
    "zero1": "ZeRO-1",
    "zero2": "ZeRO-2",
    "zero3": "ZeRO-3",
    "trl": "TRL",
    "hf": "Transformers + PEFT",
    "vllm": "vLLM",
    "sglang": "SGLang",
    "trtllm": "TensorRT-LLM",
    "megatron": "Megatron-LM",
    "deepspeed": "DeepSpeed",
    "torchtitan": "TorchTitan",
    "unsloth": "Unsloth",
    "air": pgettext_lazy("cooling", "air"),
    "liquid": pgettext_lazy("cooling", "liquid"),
    "either": pgettext_lazy("cooling", "air or liquid"),
    "on_premises": gettext_lazy("on your own site"),
    "country": gettext_lazy("in the country"),
    "anywhere": gettext_lazy("anywhere"),
    "pcie": "PCIe",
    "sxm": "SXM",
    "oam": "OAM",
    "nvlink_bridge": gettext_lazy("NVLink bridge"),
    "nvlink-bridge": gettext_lazy("NVLink bridge"),
    "nvswitch": "NVLink / NVSwitch",
    "infinity_fabric": "Infinity Fabric",
    "optimizer": gettext_lazy("optimizer states"),
    "parameters": gettext_lazy("parameters"),
    "optimizer+parameters": gettext_lazy("optimizer states and parameters"),
}
CAUSES = {
    "memory": gettext_lazy("memory"),
    "deadline": gettext_lazy("deadline"),
    "load": gettext_lazy("load"),
    "rack_power_watts": gettext_lazy("power"),
    "racks": gettext_lazy("racks"),
    "rack_units": gettext_lazy("rack height"),
    "cooling": gettext_lazy("cooling"),
    "form_factor": gettext_lazy("form factor"),
    "vendor": gettext_lazy("maker"),
    "budget": gettext_lazy("budget"),
    "max_nodes": gettext_lazy("number of nodes"),
    "max_gpus": gettext_lazy("number of GPUs"),
    "platform": gettext_lazy("compatibility"),
    "gpu": "GPU",
    "software": gettext_lazy("software"),
    "support": gettext_lazy("support"),
    "facts": gettext_lazy("unknown facts"),
}


def status_word(key: str) -> str:
    """Say a status in its fixed word."""
    return str(STATUSES.get(key, key))


def word(value: Any) -> str:
    """Say a coded value of the engine in words; what has no entry is shown as it is."""
    if isinstance(value, list | tuple):
        return ", ".join(word(one) for one in value)
    return str(VALUES.get(value, str(value).replace("_", " "))) if isinstance(value, str) else str(value)


def of(words: Mapping[str, Any], key: Any, fallback: str = "") -> str:
    """Say a key in the words of a list."""
    return str(words.get(str(key), fallback or str(key or "")))


def labels(keys: list[str]) -> str:
    """Join the labels of a candidate: smallest, recommended."""
    return ", ".join(of(LABELS, key) for key in keys)


def yes(value: bool) -> str:
    """Say yes or no."""
    return _("yes") if value else _("no")
