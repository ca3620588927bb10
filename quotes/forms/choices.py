"""The words of the form: one list each for formats, optimizers, currencies and the rest."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

Choices = list[tuple[str, Any]]

WE_CHOOSE = _("we choose")

BASE_WEIGHTS: Choices = [
    ("bf16", "BF16"),
    ("fp16", "FP16"),
    ("fp32", "FP32"),
    ("fp8", "FP8"),
    ("int8", "INT8"),
    ("nf4", "NF4"),
    ("nf4_double_quant", _("NF4, double quantization")),
    ("gptq_int4", "GPTQ, INT4"),
]
SERVING_WEIGHTS: Choices = [
    ("bf16", "BF16"),
    ("fp8", "FP8"),
    ("awq", _("4 bits (AWQ)")),
    ("int8", "INT8"),
    ("gptq", "GPTQ"),
    ("nvfp4", "NVFP4"),
    ("mxfp4", "MXFP4"),
    ("q4_k_m", "Q4_K_M"),
    ("fp16", "FP16"),
]
COMPUTE: Choices = [("bf16", "BF16"), ("fp16", "FP16"), ("fp8", "FP8"), ("fp32", "FP32")]
OPTIMIZERS: Choices = [
    ("adamw", "AdamW"),
    ("adamw_8bit", _("AdamW, 8-bit states")),
    ("paged_adamw", _("AdamW, paged")),
    ("paged_adamw_8bit", _("AdamW, paged, 8-bit states")),
    ("adafactor", "Adafactor"),
    ("lion", "Lion"),
    ("sgd", "SGD"),
    ("galore", "GaLore"),
    ("muon", "Muon"),
]
TARGETS: Choices = [
    ("all-linear", _("all linear layers")),
    ("attention", _("attention only (q, k, v, o)")),
    ("q_proj,v_proj", _("q and v only")),
]
ADAPTER_DTYPES: Choices = [("bf16", "BF16"), ("fp32", "FP32")]
MASTER: Choices = [("fp32", "FP32"), ("none", _("none"))]
CHECKPOINTING: Choices = [("full", _("full")), ("selective", _("selective")), ("none", _("none"))]
ATTENTION: Choices = [("flash", "FlashAttention"), ("sdpa", "SDPA"), ("eager", _("plain (eager)"))]
LOSS: Choices = [
    ("standard", pgettext_lazy("loss", "standard")),
    ("chunked", _("in chunks")),
    ("fused", pgettext_lazy("loss", "fused")),
]
PACKING: Choices = [("packed", _("packed")), ("padded", _("padded")), ("exact", _("all of one length"))]
SHARDING: Choices = [
    ("none", _("none")),
    ("ddp", "DDP"),
    ("fsdp", "FSDP"),
    ("zero1", "ZeRO-1"),
    ("zero2", "ZeRO-2"),
    ("zero3", "ZeRO-3"),
]
OFFLOAD: Choices = [
    ("none", _("none")),
    ("optimizer", _("optimizer states")),
    ("parameters", _("parameters")),
    ("optimizer+parameters", _("both")),
]
FRAMEWORKS: Choices = [
    ("hf", "Transformers + PEFT"),
    ("trl", "TRL"),
    ("axolotl", "Axolotl"),
    ("unsloth", "Unsloth"),
    ("torchtune", "torchtune"),
    ("torchtitan", "TorchTitan"),
    ("deepspeed", "DeepSpeed"),
    ("megatron", "Megatron-LM"),
    ("nemo", "NeMo"),
    ("ms-swift", "ms-swift"),
    ("llm-foundry", "LLM Foundry"),
]
ENGINES: Choices = [
    ("vllm", "vLLM"),
    ("sglang", "SGLang"),
    ("trtllm", "TensorRT-LLM"),
    ("tgi", "TGI"),
    ("other", _("other")),
]
KV_DTYPES: Choices = [("bf16", "BF16"), ("fp8", "FP8"), ("fp16", "FP16")]

CURRENCIES: Choices = [("RUB", "₽"), ("USD", "$"), ("EUR", "€"), ("CNY", "¥"), ("AED", "AED"), ("KZT", "₸")]
TAX: Choices = [("net", _("without VAT")), ("gross", _("with VAT"))]

COOLING: Choices = [
    ("air", _("air")),
    ("liquid", _("liquid")),
    ("either", _("either")),
    ("undecided", _("not decided yet")),
]
REGION: Choices = [
    ("on_premises", _("with us, on our own site")),
    ("country", _("in the country")),
    ("anywhere", _("it does not matter")),
]
ACCESS: Choices = [
    ("always", _("our people, around the clock")),
    ("office_hours", _("our people, in office hours")),
    ("remote_hands", _("hands of the data center on request")),
    ("rare", _("rarely: days ahead")),
]
PLACEMENT: Choices = [
    ("server_room", _("own server room")),
    ("data_center", _("rack in a data center")),
    ("office", pgettext_lazy("placement", "office")),
    ("undecided", _("not decided yet")),
]
FORM_FACTOR: Choices = [("sxm", "SXM / OAM"), ("pcie", _("PCIe cards"))]

TEXT_LANGUAGES: Choices = [
    ("ru", _("Russian")),
    ("en", _("English")),
    ("mixed", _("both")),
    ("code", _("program code")),
]
DOCUMENT_KINDS: Choices = [
    ("text", _("text")),
    ("scans", _("text and scans")),
    ("tables", _("text, tables and drawings")),
]
DATA_UNITS: Choices = [
    ("tokens", _("tokens")),
    ("million_tokens", _("million tokens")),
    ("billion_tokens", _("billion tokens")),
    ("gigabytes", _("GB of text")),
    ("documents", _("documents")),
    ("pages", _("pages")),
    ("dialogues", _("dialogues")),
    ("rows", _("rows or question-answer pairs")),
]
