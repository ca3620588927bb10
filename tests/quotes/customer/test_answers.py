"""Answers are written as people read them before they are sent."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from quotes.forms.route import ADAPTERS
from quotes.forms.ways import FORMS
from quotes.presenter.units import by_unit
from quotes.views.customer.answers import _joined, say


@pytest.mark.parametrize(
    ("language", "answers", "said"),
    [
        ("ru", {"when": "in", "deadline_amount": 1, "deadline_unit": "weeks"}, "1 неделю"),
        ("ru", {"when": "in", "deadline_amount": 3, "deadline_unit": "weeks"}, "3 недели"),
        ("ru", {"when": "in", "deadline_amount": 21, "deadline_unit": "days"}, "21 день"),
        ("en", {"when": "in", "deadline_amount": 1, "deadline_unit": "hours"}, "1 hour"),
        ("ru", {"dataset_amount": 1, "dataset_unit": "documents"}, "1 документ"),
        ("ru", {"dataset_amount": 2.5, "dataset_unit": "pages"}, "2,5 страницы"),
        ("en", {"dataset_amount": 1, "dataset_unit": "pages"}, "1 page"),
        ("ru", {"dataset_amount": 10, "dataset_unit": "million_tokens"}, "10 млн токенов"),
    ],
)
def test_a_counted_word_follows_its_number(language: str, answers: dict[str, Any], said: str) -> None:
    with translation.override(language):
        form = FORMS[ADAPTERS]()
        name = "when" if "when" in answers else "dataset_amount"
        text = _joined(form, name, answers, "" if name == "when" else say(form.fields[name], answers[name]))

    assert text.replace("\u00a0", " ").strip() == said


@pytest.mark.parametrize(
    ("value", "said"), [(277_777_777.8, "токенов"), (100.4, "токенов"), (1.5, "токена"), (21, "токен")]
)
def test_a_unit_follows_the_figure_as_it_is_written(value: float, said: str) -> None:
    with translation.override("ru"):
        assert by_unit(value, "tokens").unit == said
