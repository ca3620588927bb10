"""What was derived from the customer's words at a rate of ours is shown apart from what was said."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from quotes import intake
from quotes.forms.derived import derived
from quotes.forms.route import ADAPTERS, DOCUMENTS, SERVICE
from sizing import contract


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


@pytest.mark.parametrize("way", [SERVICE, DOCUMENTS])
def test_people_and_the_requests_derived_from_them_are_two_figures(way: str) -> None:
    (one,) = [found for found in derived({"users": 200}, way=way) if found.said == "users"]

    assert (one.key, one.said, one.value) == ("workload.concurrency", "users", 17)
    assert "200 people, one answer for every 12" in one.sentence


def test_stated_requests_are_not_derived() -> None:
    assert derived({"users": 200, "concurrency": 40}, way=SERVICE) == []


@pytest.mark.parametrize("unit", ["gigabytes", "documents", "pages", "rows"])
def test_the_language_of_the_text_changes_its_tokens(unit: str) -> None:
    answers = {"model_name": "gpt2", "dataset_amount": 1.0, "dataset_unit": unit}
    russian, english = (
        intake.to_request(answers | {"dataset_language": language}, route="qlora")["workload"]["dataset_tokens"]
        for language in ("ru", "en")
    )

    assert russian != english
    assert derived(answers | {"dataset_language": "ru"}, way=ADAPTERS)[0].value == russian


def test_stated_tokens_are_not_derived() -> None:
    assert derived({"dataset_amount": 5.0, "dataset_unit": "million_tokens"}, way=ADAPTERS) == []


@pytest.mark.parametrize(
    ("language", "rate"), [("ru", 640.0), ("en", 420.0), ("code", 600.0), ("mixed", 530.0), (None, 530.0)]
)
def test_a_page_has_as_many_tokens_in_a_search_as_in_a_training(language: str | None, rate: float) -> None:
    answers = {"documents": 5000, "pages_per_document": 8, "dataset_language": language}

    asked = intake.to_request(answers, route=DOCUMENTS)["workload"]

    assert asked["tokens_per_page"] == rate
    answer = contract.recommend({"id": "r", "workload": asked | {"model": {"name": "qwen2.5-32b"}, "concurrency": 40}})
    assert answer["candidates"][0]["rag"]["tokens"] == 5000 * 8 * rate


def test_documents_changed_a_day_are_the_update_that_is_compared() -> None:
    answers = {"documents": 5000, "new_documents_per_day": 2000}
    asked = intake.to_request(answers, route=DOCUMENTS)["workload"]
    answer = contract.recommend({"id": "r", "workload": asked | {"model": {"name": "qwen2.5-32b"}, "concurrency": 40}})
    compared = answer["candidates"][0]["rag"]["compare"]

    assert asked["updated_share"] == 0.4
    assert compared["updated_share"] == 0.4
    assert compared["rag"]["update_gpu_hours"] == pytest.approx(0.4 * compared["rag"]["build_gpu_hours"])
    assert "rag.updated_share" not in [one["key"] for one in answer["assumptions"]]


@pytest.mark.parametrize("way", [SERVICE, DOCUMENTS])
def test_a_service_that_may_not_stop_is_sized_with_a_spare_server(way: str) -> None:
    answers = {"users": 40, "documents": 5000, "redundancy": "spare"}

    assert intake.to_request(answers, route=way)["workload"]["spare"] == "node"
    assert "spare" not in intake.to_request(answers | {"redundancy": "wait"}, route=way)["workload"]
