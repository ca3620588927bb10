"""The contract names every key that an answer holds, whatever was asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
import pytest

from sizing import contract, schema

LLAMA_70B, LLAMA_8B = {"name": "llama-3.3-70b"}, {"name": "llama-3.1-8b"}
QLORA = {"task": "training", "method": "qlora", "model": LLAMA_70B, "tokens": 1e8}
SERVICE = {"task": "inference", "model": LLAMA_70B, "input_tokens": 2000, "output_tokens": 400, "concurrency": 50}
DOCUMENTS = {"task": "rag", "documents": 200_000, "pages_per_document": 8, "model": {"name": "qwen2.5-32b"}}
REQUESTS: dict[str, dict[str, Any]] = {
    "adapters": {"workload": QLORA, "compare": True, "article": "SYS-821GE-TNHR-8xH200-2x8558-16x64GB"},
    "own price": {"workload": QLORA, "economics": {"price": 90_000}, "in_mind": {"gpu": "h100-sxm", "gpus": 8}},
    "euro": {"workload": QLORA, "economics": {"currency": "EUR", "exchange_rate": 0.9},
             "limits": {"budget": {"must": 200_000, "currency": "EUR"}}},
    "full": {"workload": {"method": "full", "model": LLAMA_8B, "tokens": 3e8}, "limits": {"deadline_hours": 72}},
    "several nodes": {"workload": {"method": "full", "model": LLAMA_70B, "tokens": 2e9}, "limits": {"gpu": "h100-sxm"}},
    "experts": {"workload": {"method": "lora", "model": {"name": "deepseek-v3"}, "tokens": 2e7}},
    "scratch": {"workload": {"method": "pretraining", "model": LLAMA_8B, "tokens": 1e9}},
    "service": {"workload": SERVICE},
    "documents": {"workload": DOCUMENTS},
    "nothing does": {"workload": SERVICE, "limits": {"rack_power_watts": 300, "budget": 1000}},
    "profile": {"workload": {**QLORA, "profile": {"sequence_length": 2048, "peak_gib": 62, "step_seconds": 4.1}}},
}  # fmt: skip


def unnamed(answer: Any, known: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Keys of an answer that a schema does not name; an object whose names are data allows any."""
    kinds = [one for one in known.get("oneOf", [known]) if "properties" in one or "items" in one or one is known]
    names = {name: inner for one in kinds for name, inner in one.get("properties", {}).items()}
    if isinstance(answer, list):
        items = next((one["items"] for one in kinds if "items" in one), {})
        for one in answer:
            yield from unnamed(one, items, f"{path}[]")
    elif isinstance(answer, dict) and not any(one.get("additionalProperties") for one in kinds):
        for name, value in answer.items():
            if name in names:
                yield from unnamed(value, names[name], f"{path}.{name}")
            else:
                yield f"{path}.{name}"


@pytest.mark.parametrize("asked", REQUESTS.values(), ids=REQUESTS)
def test_a_recommendation_holds_only_what_the_contract_names(asked):
    answer = contract.recommend(asked)

    assert "error" not in answer
    jsonschema.validate(answer, schema.recommend_answer())
    assert sorted(set(unnamed(answer, schema.recommend_answer()))) == []


@pytest.mark.parametrize("workload", [QLORA, SERVICE, DOCUMENTS], ids=["training", "service", "documents"])
def test_an_estimate_holds_only_what_the_contract_names(workload):
    hardware = {"gpu": "h200-sxm", "gpus_per_node": 8}
    answer = contract.estimate({"workload": workload, "hardware": hardware, "explain": True})

    jsonschema.validate(answer, schema.estimate_answer())
    assert sorted(set(unnamed(answer, schema.estimate_answer()))) == []


def test_a_key_that_the_contract_does_not_name_is_found():
    answer = contract.recommend(REQUESTS["adapters"])
    answer["candidates"][0]["price"]["has_cables"] = False

    assert set(unnamed(answer, schema.recommend_answer())) == {".candidates[].price.has_cables"}
