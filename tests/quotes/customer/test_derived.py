"""What was derived from the customer's words at a rate of ours is shown apart from what was said."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from quotes import intake
from quotes.forms.derived import derived
from quotes.forms.route import ADAPTERS, DOCUMENTS, SERVICE


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


@pytest.mark.parametrize("way", [SERVICE, DOCUMENTS])
def test_people_and_the_requests_derived_from_them_are_two_figures(way: str) -> None:
    (one,) = derived({"users": 200}, way=way)

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
