"""The contract as JSON Schema (2020-12): requests from the table of fields, answers as they are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing import fields
from sizing.case import COMPONENTS
from sizing.recommend import in_mind

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]
NULLABLE_NUMBER: Schema = {"type": ["number", "null"]}
LABELS = ("smallest", "recommended", "headroom", "article", "in_mind", "nearest")
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
TEXTS: Schema = {"type": "array", "items": {"type": "string"}}


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


def band() -> Schema:
    """An estimate with its 90 % band."""
    names = ("expected", "low", "high")
    return {"type": "object", "required": list(names), "properties": {n: {"type": "number"} for n in names}}


def estimate_answer() -> Schema:
    """What `estimate` answers."""
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
        },
    }
    return answered(
        {
            "task": {"enum": ["training", "inference", "rag"]},
            "memory": memory,
            "speed": {"oneOf": [{"type": "null"}, speed()]},
            "plan": {"type": "object"},
            "assumptions": {"type": "array", "items": assumption()},
            "warnings": TEXTS,
        }
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
    properties: Schema = dict.fromkeys(names, NULLABLE_NUMBER)
    return {
        "type": "object",
        "required": [*names, "low", "high"],
        "properties": properties | {"low": {"type": "object"}, "high": {"type": "object"}},
    }


def assumption() -> Schema:
    """One line of the ledger."""
    return {
        "type": "object",
        "required": ["key", "value", "unit", "source", "origin"],
        "properties": {
            "key": {"type": "string"},
            "value": {},
            "unit": {"type": "string"},
            "source": {"type": "string", "minLength": 1},
            "why": {"type": "string", "minLength": 1},
            "origin": {"enum": ["assumed", "customer", "vendor", "measured"]},
            "decisive": {"type": "boolean"},
        },
    }


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
            "price": {"type": ["object", "null"]},
            "replicas": replicas(),
            "reasons_for": TEXTS,
            "reasons_against": TEXTS,
        },
    }  # fmt: skip
    rejected = {"type": "object", "required": ["platform", "gpu", "limit", "cause", "message"]}
    return answered(
        {
            "candidates": {"type": "array", "items": candidate},
            "rejected": {"type": "array", "items": rejected},
            "nearest": {"oneOf": [{"type": "null"}, candidate]},
            "route": {"type": "object", "required": ["task", "why"]},
            "questions": {"type": "array", "items": assumption()},
            "assumptions": {"type": "array", "items": assumption()},
            "warnings": TEXTS,
            "links": {"type": ["array", "null"], "items": links()},
            "one_card": {"oneOf": [{"type": "null"}, one_card()]},
            "in_mind": {"oneOf": [{"type": "null"}, machine_in_mind()]},
        }
    )


def replicas() -> Schema:
    """Replicas of a service; `needed` is null only where no number of them keeps a limit that `binding` names."""
    whole: Schema = {"type": "integer", "minimum": 0}
    names = ("placed", "gpus_each", "users_each", "lost")
    properties = dict.fromkeys(names, whole) | {
        "needed": {"type": ["integer", "null"], "minimum": 1},
        "peak_factor": {"type": "number", "minimum": 1},
        "spare": {"enum": ["none", "gpu", "node"]},
    }
    return {"type": "object", "required": list(properties), "properties": properties}


def links() -> Schema:
    """A machine with its links and over PCIe; shares lost [–]."""
    side = {
        "type": ["object", "null"],
        "required": ["seconds", "tokens_per_second", "exposed_share", "does_the_job", "plan"],
        "properties": {"seconds": {"oneOf": [{"type": "null"}, band()]}, "exposed_share": SHARE},
    }
    share = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
    sides = {"with_link": side, "over_pcie": side, "lost": share, "lost_same_plan": share}
    names = (
        "gpu",
        "gpu_name",
        "gpus_per_node",
        "nodes",
        "link",
        "link_reach",
        "is_sold_without",
        "is_recommended",
        *sides,
    )
    return {"type": "object", "required": list(names), "properties": sides}


def one_card() -> Schema:
    """Full tuning on one card under named sets of assumptions; `holding` names those that fit."""
    properties = {
        "name": {"type": "string"},
        "assumes": {"type": "string"},
        "costs": {"type": "string"},
        "needed": band(),
        "fits": {"type": "boolean"},
        "host_bytes": NULLABLE_NUMBER,
    }
    one = {"type": "object", "required": list(properties), "properties": properties}
    return {
        "type": "object",
        "required": ["card_gb", "sets", "holding"],
        "properties": {"card_gb": {"type": "number"}, "sets": {"type": "array", "items": one}, "holding": TEXTS},
    }


def machine_in_mind() -> Schema:
    """The machine in mind: its rank among the candidates, whether it does the job, and why it is not recommended."""
    properties = {
        "gpu": {"type": "string"},
        "gpu_name": {"type": "string"},
        "gpus": {"type": "integer"},
        "rank": {"type": ["integer", "null"]},
        "does_the_job": {"type": "boolean"},
        "is_recommended": {"type": "boolean"},
        "reasons": TEXTS,
    }
    return {"type": "object", "required": list(properties), "properties": properties}


def answered(properties: Schema) -> Schema:
    """An answer with these properties, or a refusal that names the field."""
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
    whole = {"type": "object", "required": ["id", *properties], "properties": properties}
    return {"$schema": DIALECT, "oneOf": [refusal, whole]}
