"""Documents, dialogues and gigabytes become tokens at a stated rate."""

from __future__ import annotations

import pytest
from django.utils import translation

from quotes.forms.words_to_numbers import RATES, tokens


def test_tokens_stay_tokens() -> None:
    assert tokens(50, "million_tokens").value == 50e6
    assert not tokens(50, "million_tokens").assumed


def test_documents_are_pages_times_the_rate_of_the_language() -> None:
    found = tokens(1000, "documents", language="ru", pages_per_document=8)

    assert found.value == 1000 * 8 * RATES["ru"].tokens_per_page
    assert found.assumed


def test_the_sentence_names_amount_rate_and_result() -> None:
    with translation.override("en"):
        sentence = tokens(2, "gigabytes", language="en").sentence

    assert sentence == "2 GB at 4.3 bytes a token: 465,116,279 tokens"


@pytest.mark.parametrize("unit", ["documents", "pages", "dialogues", "rows"])
def test_russian_takes_more_tokens_than_english(unit: str) -> None:
    assert tokens(10, unit, language="ru").value > tokens(10, unit, language="en").value


@pytest.mark.parametrize("language", list(RATES))
@pytest.mark.parametrize("unit", ["gigabytes", "documents", "pages", "dialogues", "rows"])
def test_a_converted_amount_has_a_band_around_it(unit: str, language: str) -> None:
    found = tokens(3, unit, language=language)

    assert found.low < found.value < found.high
