"""The estimate beside the form says which plan it is about, and says the same of a machine as the result page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from quotes.presenter import plans
from sizing import contract

FULL_8B = {"task": "training", "method": "full", "model": {"name": "llama-3.1-8b"}, "dataset_tokens": 2e8}
QLORA_70B = {"task": "training", "method": "qlora", "model": {"name": "llama-3.3-70b"}, "dataset_tokens": 2e8}
JOBS: dict[str, dict[str, Any]] = {
    "one card": QLORA_70B,
    "measured": QLORA_70B | {"profile": {"peak_gib": 60, "step_seconds": 4, "sequence_length": 2048}},
    "side by side": QLORA_70B | {"parallel_experiments": 4},
    "offload": FULL_8B,
    "several cards": FULL_8B | {"model": {"name": "llama-3.3-70b"}},
    "service": {"task": "inference", "model": {"name": "deepseek-v3"}, "concurrency": 16},
    "documents": {"task": "rag", "model": {"name": "llama-3.1-8b"}, "documents": 10_000, "pages_per_document": 5},
}


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_the_preview_and_the_result_say_the_same_of_the_same_machines(job: dict[str, Any]) -> None:
    found = contract.recommend({"id": 1, "workload": job})["candidates"]

    for one in [one for one in found if one["labels"]]:
        machines = {name: one[name] for name in ("gpu", "gpus_per_node", "nodes")}
        if one["interconnect"] != "none":
            machines["interconnect"] = one["interconnect"]
        shown = contract.on_machines({"id": 1, "workload": job, "hardware": machines})
        result = one["estimate"]
        assert shown["memory"] == result["memory"]
        assert shown["speed"] == result["speed"]
        assert plans.in_few_words(shown) == plans.in_few_words(result)


def test_a_plan_is_told_in_a_line() -> None:
    answer = {
        "method": "full",
        "plan": {"sharding": "zero3", "data": 8, "tensor": 1, "offload": "optimizer", "micro_batch": 1},
    }

    assert plans.in_few_words(answer).split("; ") == [
        "Full fine-tuning",
        "Sharding of states: ZeRO-3",
        "Data parallel: 8",
        "Offload to the host: optimizer states",
        "Micro-batch: 1",
    ]
    assert plans.in_few_words({}) == ""


@pytest.mark.django_db
def test_the_preview_names_its_plan(client: Client) -> None:
    typed = {"model_name": "llama-3.3-70b", "method": "qlora", "dataset_amount": "10", "when": "none"}

    page = client.post(reverse("quotes:preview", kwargs={"route": "adapters"}), typed).content.decode()

    assert "Plan: QLoRA; Micro-batch: " in page


@pytest.mark.django_db
def test_states_in_host_memory_are_no_first_choice_of_the_preview(client: Client) -> None:
    typed = {"model_name": "llama-3.1-8b", "dataset_amount": "10", "when": "none"}

    page = client.post(reverse("quotes:preview", kwargs={"route": "full"}), typed).content.decode()

    assert "Plan: Full fine-tuning" in page
    assert "Offload to the host" not in page
