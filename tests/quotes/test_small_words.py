"""Small things a reader stumbles over: one full stop, one sign, dates, addresses and questions as people write them."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from quotes.forms.contact import ContactForm
from quotes.presenter import asking, cloud_tables, dates, engine_words
from quotes.presenter.blocks import Item, caution, listed, note, prose, section
from quotes.presenter.paper import paper
from tests.quotes import papers


@pytest.mark.parametrize("text", ["окупится через 12 мес..", "до 30 ноября 2026 г.."])
def test_an_abbreviation_at_the_end_of_a_sentence_keeps_one_full_stop(text: str) -> None:
    once = text[:-1]

    assert prose(text).text == note(text).text == caution("Да.", text).text == once
    assert section("key", "1", "Title", text).finding == once
    assert listed([Item(text)]).items[0].text == once
    assert prose("и так далее...").text == "и так далее..."


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_number_of_things_has_one_sign(language: str) -> None:
    with translation.override(language):
        said = engine_words.say("More than the job needs: 2 x H200 NVL 141GB do it as well.")

    assert "2\u00a0× H200" in said
    assert " x " not in said


@pytest.mark.parametrize(
    ("text", "english", "russian"),
    [("2026-11-03", "2026-11-03", "03.11.2026"), ("2026-11", "2026-11", "11.2026"), ("Q3 2026", "Q3 2026", "Q3 2026")],
)
def test_dates_of_lists_are_written_as_the_reader_writes_them(text: str, english: str, russian: str) -> None:
    with translation.override("en"):
        assert dates.printed(text) == english
    with translation.override("ru"):
        assert dates.printed(text) == russian


def test_one_offer_is_said_to_be_one() -> None:
    rent = {
        "median": 2.0,
        "low": 2.0,
        "high": 2.0,
        "offers": 1,
        "gpu": "h200",
        "as_of": "2026-11-03",
        "currency": "USD",
    }

    rows = cloud_tables._rent_rows({"rent": rent})

    assert rows[0][2].startswith("the only offer known for h200")


@pytest.mark.parametrize("typed", ["anna@пример.рф", "anna@xn--e1afmkfd.xn--p1ai"])
def test_an_address_in_another_script_stays_as_it_is_read(typed: str) -> None:
    form = ContactForm({"email": typed, "consent": "1"})

    assert form.is_valid()
    assert form.cleaned_data["email"] == "anna@пример.рф"


@pytest.mark.parametrize("key", ["limits.deadline_hours", "workload.micro_batch"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_question_to_the_customer_is_a_question_with_our_value(key: str, language: str) -> None:
    with translation.override(language):
        asked = asking.question({"key": key, "value": 336, "unit": "h"})

    assert "?" in asked
    assert "=" not in asked
    assert "336" in asked or "14" in asked


@pytest.mark.parametrize(
    ("customer", "shown"),
    [({"organization": "", "name": "A. Person", "email": "a@x.example"}, "A. Person"),
     ({"organization": "", "name": "", "email": "a@x.example"}, "a@x.example")],
)  # fmt: skip
def test_the_document_names_a_customer_without_an_organization(customer: dict[str, Any], shown: str) -> None:
    made = paper(papers.preliminary() | {"customer": customer}, kind="preliminary", digest="")

    assert made.parties[0].name == shown
