"""The contract as JSON Schema (2020-12): requests from the table of fields, answers as they are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing import fields, schema_parts
from sizing.case import COMPONENTS
from sizing.recommend import in_mind, questions
from sizing.schema_parts import ANY, MAP, NULLABLE_NUMBER, TEXTS, band, listed, or_null, record

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]
LABELS = ("smallest", "recommended", "headroom", "article", "in_mind", "nearest")


def request() -> Schema:
    """What `estimate` and `recommend` read. Names the contract does not know are allowed and warned about."""
    workload = table({**fields.RAG, **fields.TRAINING}) | {"required": ["model"]}
    workload["properties"] |= {
        "task": {"enum": ["training", "inference", "rag"]},
        "model": {
            "type": ["object", "string"],
            "properties": {"name": {"type": "string"}, "config": {"type": "object"}, "parameters": {"type": "number"}},
        },
        "lora": table(fields.LORA)
        | {"properties": table(fields.LORA)["properties"] | {"targets": {"type": ["string", "array"]}}},
        "profile": {"type": "object"},
        "weights": {"enum": sorted({*fields.WEIGHT_FORMATS})},
        "compute": {"type": "string"},
    }
    return {
        "$schema": DIALECT,
        "title": "Sizewright request",
        "type": "object",
        "required": ["workload"],
        "properties": {
            "id": {"type": ["string", "integer", "null"]},
            "workload": workload,
            "hardware": table(fields.HARDWARE),
            "plan": table(fields.PLAN),
            "limits": {"type": "object"},
            "economics": table(fields.ECONOMICS),
            "article": {"type": "string"},
            "in_mind": table(in_mind.FIELDS) | {"required": list(in_mind.FIELDS)},
            "explain": {"type": "boolean"},
        },
    }


def table(of: Mapping[str, fields.Field]) -> Schema:
    """An object whose known fields are those of a table."""
    return {"type": "object", "properties": {name: field.schema() for name, field in of.items()}}


def estimate_answer() -> Schema:
    """What `estimate` answers."""
    return answered(estimate(), beside=beside_an_estimate())


def estimate() -> Schema:
    """What every estimate holds, by name."""
    memory = {
        "type": "object",
        "required": ["per_gpu", "allocated", "reserved", "device", "capacity", "fits"],
        "properties": {
            "per_gpu": {
                "type": "object",
                "required": list(COMPONENTS),
                "properties": {name: {"type": "integer", "minimum": 0} for name in COMPONENTS},
            },
            "allocated": band(),
            "reserved": band(),
            "device": band(),
            "needed": band(),
            "capacity": {"type": ["integer", "null"]},
            "fits": {"type": ["boolean", "null"]},
            "peak": {"type": "string"},
            "host_per_node": band(),
        },
    }
    return {
        "task": {"enum": ["training", "inference", "rag"]},
        "memory": memory,
        "speed": {"oneOf": [{"type": "null"}, speed()]},
        "plan": MAP,
        "assumptions": {"type": "array", "items": assumption()},
        "warnings": TEXTS,
    }


def beside_an_estimate() -> Schema:
    """What an estimate may hold besides: what was asked, on which machines, and how its figures came about."""
    derivation = record("key label formula inputs value unit source reduce", inputs=MAP, reduce=listed(lever()))
    return {
        "id": {},
        "method": {},
        "tokens": NULLABLE_NUMBER,
        "model": model(),
        "system": record("gpu gpu_name gpus_per_node nodes interconnect network_gbit_per_gpu"),
        "derivations": listed(derivation),
        "rag": schema_parts.rag(),
    }


def lever() -> Schema:
    """What would make a figure smaller [B]; factors of time, throughput and room against now [–], null if unknown."""
    factors = ("time", "first_token", "each_token", "throughput", "room")
    return record("what bytes", **{f"{name}_factor": NULLABLE_NUMBER for name in factors})


def model() -> Schema:
    """A model's shape in short."""
    return or_null(
        record(
            "name title family parameters active_parameters layers hidden_size vocab_size max_positions exact",
        )
    )


def speed() -> Schema:
    """Speed; `low` and `high` hold the same names."""
    names = (
        "tokens_per_second_per_gpu",
        "step_seconds",
        "mfu",
        "seconds_to_result",
        "ttft_ms",
        "tpot_ms",
        "output_tokens_per_second",
    )
    of_services = ("output_tokens_per_second_per_gpu", "requests_per_second", "max_concurrency")
    properties: Schema = dict.fromkeys((*names, *of_services), NULLABLE_NUMBER)
    side = {"type": "object", "properties": properties}
    late = dict.fromkeys(("ttft_p99_ms", "tpot_p99_ms"), NULLABLE_NUMBER)
    return {
        "type": "object",
        "required": [*names, "low", "high"],
        "properties": properties | late | {"low": side, "high": side, "parts_seconds": MAP},
    }


def assumption() -> Schema:
    """One line of the ledger."""
    return {
        "type": "object",
        "required": ["key", "value", "unit", "source", "origin"],
        "properties": {
            "key": {"type": "string"},
            "label": {"type": "string"},
            "value": {},
            "low": {},
            "high": {},
            "as_of": {"type": "string"},
            "moves": or_null(record("", now=moved(), low=end(), high=end())),
            "unit": {"type": "string"},
            "source": {"type": "string", "minLength": 1},
            "why": {"type": "string", "minLength": 1},
            "origin": {"enum": ["assumed", "customer", "vendor", "measured"]},
            "decisive": {"type": "boolean"},
            "decides": {"type": "boolean"},
        },
    }


def moved() -> Schema:
    """Figures that an assumption can move [B, s, ms, tokens/s, requests]; those of another route are null."""
    return record(" ".join(questions.NOTHING))


def end() -> Schema:
    """One end of an assumption's range: the figures there, and what the plan then does otherwise."""
    return record(
        f"{' '.join(questions.NOTHING)} value does_the_job smaller_does plan",
        does_the_job={"type": "boolean"},
        smaller_does={"type": "boolean"},
        plan=MAP,
    )


def recommend_answer() -> Schema:
    """What `recommend` answers."""
    candidate = {
        "type": "object",
        "required": [
            "rank", "labels", "platform", "sku", "gpu", "gpus_per_node", "nodes", "conditional", "estimate", "host",
            "storage", "network", "facility", "price", "preferences_missed", "reasons_for", "reasons_against",
        ],
        "properties": {
            "rank": {"type": "integer", "minimum": 1},
            "labels": {"type": "array", "items": {"enum": list(LABELS)}},
            "conditional": TEXTS,
            "estimate": {"type": "object", "properties": estimate() | beside_an_estimate()},
            "host": schema_parts.host(),
            "storage": schema_parts.storage(),
            "network": record("interconnect gbit_per_gpu"),
            "facility": schema_parts.facility(),
            "software": schema_parts.software(),
            "ready": schema_parts.ready(),
            "price": schema_parts.price(),
            "lines": schema_parts.lines(),
            "conflicts": schema_parts.conflicts(),
            "replicas": schema_parts.replicas(),
            "preferences_missed": TEXTS,
            "reasons_for": TEXTS,
            "reasons_against": TEXTS,
            "does_the_job": {"type": "boolean"},
            "budget": {"enum": ["", "kept", "open", "over"]},
            **dict.fromkeys(("platform", "platform_title", "sku", "gpu", "gpu_name", "interconnect"), ANY),
            **{name: {"type": "integer", "minimum": 1} for name in ("gpus_per_node", "nodes", "copies")},
        }
        | schema_parts.extras(),
    }  # fmt: skip
    rejected = record("platform platform_title gpu gpu_name gpus_per_node nodes limit cause message")
    return answered(
        {
            "model": model(),
            "ranked_by": {"type": "string"},
            "exchange_rates": listed(schema_parts.EXCHANGE),
            "left_out": record("candidates rejected message"),
            "levers": or_null(record("gpus then", then=listed(record("what gpus")))),
            "by_gpu": schema_parts.by_gpu(),
            "candidates": {"type": "array", "items": candidate},
            "rejected": {"type": "array", "items": rejected},
            "nearest": {"oneOf": [{"type": "null"}, candidate]},
            "route": record("task why"),
            "questions": {"type": "array", "items": assumption()},
            "assumptions": {"type": "array", "items": assumption()},
            "warnings": TEXTS,
            "links": {"type": ["array", "null"], "items": schema_parts.links()},
            "one_card": {"oneOf": [{"type": "null"}, schema_parts.one_card()]},
            "in_mind": {"oneOf": [{"type": "null"}, schema_parts.machine_in_mind()]},
        },
        beside={"article": schema_parts.article(), "by_method": schema_parts.by_method()},
    )


def answered(properties: Schema, *, beside: Schema) -> Schema:
    """An answer with these properties and perhaps those `beside` them, or a refusal that names the field."""
    refusal = {
        "type": "object",
        "required": ["id", "error"],
        "properties": {
            "error": {
                "type": "object",
                "required": ["field", "message"],
                "properties": {"field": {"type": "string"}, "message": {"type": "string", "minLength": 1}},
            }
        },
    }
    whole = {"type": "object", "required": ["id", *properties], "properties": {"id": {}} | properties | beside}
    return {"$schema": DIALECT, "oneOf": [refusal, whole]}
