"""The fields of a request: what each may hold. One table serves reading, refusals and the JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from math import isfinite
from typing import Any

from sizing.errors import SizingError

MAX_SEQUENCE = 16_777_216
MAX_TOKENS = 1e17


@dataclass(frozen=True, slots=True)
class Number:
    """A number within bounds; `whole` refuses fractions."""

    low: float
    high: float
    whole: bool = True

    def read(self, value: object, field: str) -> float | int:
        """The number, or the reason why it is none."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise SizingError(field, "{field} must be a number, given {value}", value=value)
        if isinstance(value, float) and not isfinite(value):
            raise SizingError(field, "{field} must be a finite number, given {value}", value=value)
        if not self.low <= value <= self.high:
            raise SizingError(
                field,
                "{field} must be between {low} and {high}, given {value}",
                value=value,
                low=self.low,
                high=self.high,
            )
        if self.whole and value != int(value):
            raise SizingError(field, "{field} must be a whole number, given {value}", value=value)
        return int(value) if self.whole else float(value)

    def schema(self) -> dict[str, Any]:
        """This field in JSON Schema."""
        return {"type": "integer" if self.whole else "number", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Choice:
    """One word out of a list."""

    values: tuple[str, ...]

    def read(self, value: object, field: str) -> str:
        """The word, or the reason why it is not allowed."""
        if not isinstance(value, str) or value not in self.values:
            allowed = ", ".join(self.values)
            raise SizingError(field, "{field} is {value}; allowed are " + allowed, value=value)
        return value

    def schema(self) -> dict[str, Any]:
        """This field in JSON Schema."""
        return {"enum": list(self.values)}


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def read(self, value: object, field: str) -> bool:
        """The flag, or the reason why it is none."""
        if not isinstance(value, bool):
            raise SizingError(field, "{field} must be true or false, given {value}", value=value)
        return value

    def schema(self) -> dict[str, Any]:
        """This field in JSON Schema."""
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Text:
    """A short free text."""

    longest: int = 200

    def read(self, value: object, field: str) -> str:
        """The text, or the reason why it is none."""
        if not isinstance(value, str) or not value.strip():
            raise SizingError(field, "{field} must be a text, given {value}", value=value)
        if len(value) > self.longest:
            raise SizingError(field, "{field} must have at most {longest} characters", longest=self.longest)
        return value

    def schema(self) -> dict[str, Any]:
        """This field in JSON Schema."""
        return {"type": "string", "minLength": 1, "maxLength": self.longest}


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the past as an ISO date, no earlier than `first`.

    What was true on one day stays true on every later one: only a date that lies ahead is read with the clock, and
    with one day's grace for places where it is tomorrow already.
    """

    first: date = date(2010, 1, 1)

    def read(self, value: object, field: str) -> str:
        """The date as it was given, or the reason why it is none."""
        if not isinstance(value, str):
            raise SizingError(field, "{field} must be a date as 2026-03-31, given {value}", value=value)
        try:
            day = datetime.strptime(value, "%Y-%m-%d").date()  # noqa: DTZ007
        except ValueError as refused:
            raise SizingError(field, "{field} must be a date as 2026-03-31, given {value}", value=value) from refused
        if day.isoformat() != value:
            raise SizingError(field, "{field} must be a date as 2026-03-31, given {value}", value=value)
        if day < self.first:
            raise SizingError(
                field, "{field} is {value}; no date before {first} is taken", value=value, first=self.first.isoformat()
            )
        if day > datetime.now(UTC).date() + timedelta(days=1):
            raise SizingError(field, "{field} is {value}, which lies in the future", value=value)
        return value

    def schema(self) -> dict[str, Any]:
        """This field in JSON Schema."""
        return {"type": "string", "format": "date"}


Field = Number | Choice | Flag | Text | Day

FORMATS = ("fp32", "bf16", "fp16", "fp8", "mxfp8", "nvfp4", "mxfp4", "int8", "int4", "nf4", "nf4_double_quant")
GGUF_FORMATS = ("q3_k_m", "q4_0", "q4_k_s", "q4_k_m", "q5_0", "q5_k_s", "q5_k_m", "q6_k", "q8_0")
WEIGHT_FORMATS = (*FORMATS, "gptq_int4", "gptq", "awq", *GGUF_FORMATS)
OPTIMIZERS = (
    "adamw",
    "adamw_foreach",
    "adamw_fused",
    "adamw_8bit",
    "paged_adamw",
    "paged_adamw_8bit",
    "adafactor",
    "lion",
    "sgd",
    "galore",
    "apollo",
    "badam",
    "muon",
)
METHODS = ("full", "lora", "qlora", "pretraining")

COUNT = Number(1, 1_000_000)
DEGREE = Number(1, 131_072)

TRAINING: Mapping[str, Field] = {
    "method": Choice(METHODS),
    "weights": Choice(WEIGHT_FORMATS),
    "compute": Choice(("fp32", "tf32", "bf16", "fp16", "fp8", "nvfp4", "mxfp8")),
    "master_weights": Choice(("fp32", "none")),
    "gradients": Choice(("fp32", "bf16", "fp16")),
    "optimizer_states": Choice(("fp32", "bf16", "int8", "int4")),
    "optimizer": Choice(OPTIMIZERS),
    "optimizer_in_backward": Flag(),
    "sequence_length": Number(1, MAX_SEQUENCE),
    "micro_batch": Number(1, 65_536),
    "gradient_accumulation": COUNT,
    "global_batch": COUNT,
    "activation_checkpointing": Choice(("none", "selective", "full")),
    "activation_offload": Flag(),
    "attention": Choice(("eager", "sdpa", "flash", "flex")),
    "compile": Flag(),
    "loss": Choice(("standard", "chunked", "fused")),
    "packing": Choice(("packed", "padded", "exact")),
    "framework": Text(60),
    **dict.fromkeys(("tokens", "dataset_tokens"), Number(1, MAX_TOKENS, whole=False)),
    "epochs": Number(0.001, 10_000, whole=False),
    "steps": Number(1, 1e9),
    "parallel_experiments": Number(1, 1000),
    "checkpoint_every_minutes": Number(1, 100_000, whole=False),
    "checkpoint_every_steps": Number(1, 1e9),
    "checkpoints_kept": Number(1, 10_000),
    "utilisation_hours_per_day": Number(0, 24, whole=False),
    "stack_efficiency": Number(0.05, 2.0, whole=False),
}

SERVING: Mapping[str, Field] = {
    "weights": Choice(WEIGHT_FORMATS),
    "compute": Choice(("fp32", "bf16", "fp16", "fp8", "int8", "nvfp4", "mxfp4")),
    "kv_cache_dtype": Choice(("fp32", "bf16", "fp16", "fp8", "int8", "nvfp4")),
    "engine": Text(60),
    "input_tokens": Number(1, MAX_SEQUENCE, whole=False),
    "output_tokens": Number(1, MAX_SEQUENCE, whole=False),
    "scenario": Choice(("static", "offline", "server", "closed_loop", "open_loop")),
    "batch": Number(1, 1_000_000),
    "concurrency": Number(1, 10_000_000),
    "requests_per_second": Number(1e-6, 1e7, whole=False),
    "ttft_ms": Number(1, 1e7, whole=False),
    "tpot_ms": Number(0.1, 1e6, whole=False),
    "memory_fraction": Number(0.1, 0.99, whole=False),
    "peak_factor": Number(1, 10, whole=False),
    "spare": Choice(("none", "gpu", "node")),
    "utilisation_hours_per_day": Number(0, 24, whole=False),
    "framework": Text(60),
}

EMBEDDING_MODELS = (
    "bge-m3",
    "bge-large-v1.5",
    "nv-embedqa-e5-v5",
    "nemoretriever-300m-v2",
    "nv-embedqa-1b-v2",
    "nv-embedqa-mistral-7b-v2",
)

RAG: Mapping[str, Field] = {
    **SERVING,
    "documents": Number(1, 1e11),
    "pages_per_document": Number(0.01, 1e6, whole=False),
    "tokens_per_page": Number(1, 100_000, whole=False),
    "updated_share": Number(0, 1, whole=False),
    "embedding_model": Choice(EMBEDDING_MODELS),
    "index": Choice(("hnsw", "ivf", "ivf_pq")),
    "vector_dtype": Choice(("float32", "float16", "int8")),
    "chunk_tokens": Number(16, 32_768, whole=False),
    "passages": Number(1, 1000),
    "rerank": Flag(),
}

LORA: Mapping[str, Field] = {
    "rank": Number(1, 65_536),
    "dtype": Choice(("bf16", "fp16", "fp32")),
    "kind": Choice(("lora", "dora", "adapter", "other")),
}

HARDWARE: Mapping[str, Field] = {
    "gpu": Text(80),
    "memory_gib": Number(1, 100_000, whole=False),
    "gpus_per_node": Number(1, 1024),
    "nodes": Number(1, 100_000),
    "interconnect": Choice(("nvswitch", "nvlink", "nvlink_bridge", "infinity_fabric", "pcie", "none")),
    "network_gbit_per_gpu": Number(0.1, 100_000, whole=False),
}

CURRENCIES = ("USD", "EUR", "RUB", "CNY", "GBP", "KZT", "AED")
MONEY = Number(0, 1e12, whole=False)
SHARE = Number(0, 1, whole=False)

ECONOMICS: Mapping[str, Field] = {
    "currency": Choice(CURRENCIES),
    "price": Number(1, 1e15, whole=False),
    "hours_per_day": Number(0, 24, whole=False),
    "years": Number(0.5, 15, whole=False),
    "tariff": Number(0, 10_000, whole=False),
    "pue": Number(1, 5, whole=False),
    "space_per_kw_month": MONEY,
    **dict.fromkeys(("yearly_share", "staff_share", "residual_share", "idle_power_share", "interest_rate"), SHARE),
    "rent_per_gpu_hour": Number(0.001, 1e7, whole=False),
    "rent_kind": Choice(("on-demand", "reserved")),
    "rent_gpu": Text(80),
    "rent_as_of": Day(),
    "rent_source": Text(120),
    "cloud_storage_gb": MONEY,
    "cloud_storage_per_gb_month": MONEY,
    "egress_gb_per_month": MONEY,
    "egress_per_gb": MONEY,
    "exchange_rate": Number(1e-9, 1e9, whole=False),
    "exchange_rate_as_of": Day(),
    "exchange_rate_source": Text(200),
}
"""The buyer's own figures; money in `currency`, without tax, `exchange_rate`: what a US dollar is worth in it."""

PLAN: Mapping[str, Field] = {
    "sharding": Choice(("none", "ddp", "zero1", "zero2", "zero3", "fsdp", "hsdp", "device_map")),
    "data": DEGREE,
    "tensor": DEGREE,
    "pipeline": DEGREE,
    "context": DEGREE,
    "expert": DEGREE,
    "attention_data": DEGREE,
    "sequence_parallel": Flag(),
    "reshard_after_forward": Flag(),
    "virtual_pipeline": DEGREE,
    "offload": Choice(("none", "optimizer", "parameters", "optimizer+parameters")),
}


def read(raw: object, fields: Mapping[str, Field], path: str) -> tuple[dict[str, Any], list[str]]:
    """Known fields of one object, each checked; and the names that the contract does not know.

    A field that is null counts as absent.
    """
    if not isinstance(raw, Mapping):
        raise SizingError(path, "{field} must be an object with named fields, given {value}", value=raw)
    known = {
        name: field.read(raw[name], f"{path}.{name}") for name, field in fields.items() if raw.get(name) is not None
    }
    return known, [str(name)[:60] for name in raw if name not in fields]
