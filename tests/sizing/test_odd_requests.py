"""Requests at the edges of what may be asked: each gets a figure that holds, or a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sizing import contract

LLAMA = {"name": "llama-3.1-8b"}
RUN = {"method": "qlora", "model": LLAMA, "tokens": 1e7}
SERVICE = {"task": "inference", "model": LLAMA}
DOCUMENTS = {"task": "rag", "documents": 1000, "pages_per_document": 5, "model": LLAMA, "concurrency": 10}


def answered(workload: dict[str, Any], **limits: Any) -> dict[str, Any]:
    return contract.recommend({"workload": workload, "limits": limits})


@pytest.mark.parametrize(("workload", "limits"), [
    (SERVICE | {"concurrency": 100_000}, {}), (SERVICE | {"input_tokens": 1, "output_tokens": 1}, {}),
    (SERVICE | {"requests_per_second": 1e6}, {}), (SERVICE | {"ttft_ms": 1}, {}), (RUN | {"sequence_length": 1}, {}),
    (RUN | {"micro_batch": 65_536}, {}), (RUN | {"parallel_experiments": 100}, {}), (RUN, {"rack_power_watts": 1000}),
    (RUN, {"vendor": "AMD"}), (RUN, {"gpu": "a30"}), (RUN, {"budget": {"must": 1, "currency": "USD"}}),
    (DOCUMENTS | {"documents": 1}, {}), (DOCUMENTS | {"documents": 1e9}, {}),
])  # fmt: skip
def test_an_answer_has_a_machine_or_says_what_stands_in_the_way(workload, limits):
    answer = answered(workload, **limits)

    assert "error" not in answer
    assert all(one["does_the_job"] and one["estimate"]["memory"]["fits"] for one in answer["candidates"])
    assert answer["candidates"] or answer["rejected"]
    assert all(one["message"] for one in answer["rejected"])
    assert "NaN" not in json.dumps(answer)
    assert "Infinity" not in json.dumps(answer)


@pytest.mark.parametrize(("workload", "limits", "field"), [
    (DOCUMENTS | {"documents": 0}, {}, "workload.documents"),
    (SERVICE | {"input_tokens": 1_000_000}, {}, "workload.input_tokens"),
    (RUN | {"tokens": 1e18}, {}, "workload.tokens"), (RUN, {"gpu": "h300-ultra"}, "hardware.gpu"),
    (RUN, {"deadline_hours": 0}, "limits.deadline_hours"), (RUN | {"model": {"parameters": 1}}, {}, "model.parameters"),
])  # fmt: skip
def test_what_cannot_be_is_refused_by_the_name_of_its_field(workload, limits, field):
    assert answered(workload, **limits)["error"]["field"] == field


def test_a_run_takes_one_step_however_few_its_tokens_are():
    hardware = {"gpu": "h100-sxm"}
    speed = contract.estimate({"workload": RUN | {"tokens": 1}, "hardware": hardware})["speed"]

    assert speed["seconds_to_result"] == pytest.approx(speed["step_seconds"])
