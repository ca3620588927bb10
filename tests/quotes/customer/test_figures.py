"""The page of figures that guides quote against each other."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.html import conditional_escape

from catalog.references import jobs_of
from quotes.forms.limits import LimitsForm
from quotes.presenter import payback
from quotes.views.customer.accuracy_page import MEMORY_PARTS
from quotes.views.customer.four_ways import picture
from sizing import evidence
from sizing.reference import references

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_quoted_figure_stands_with_its_condition(client: Client, language: str) -> None:
    page = client.get(reverse("quotes:figures"), headers={"accept-language": language}).content.decode()

    with translation.override(language):
        for one in references():
            assert str(translation.gettext(one.claim)) in page
            assert str(translation.gettext(one.condition)) in page


def test_quoted_figures_are_translated() -> None:
    with translation.override("ru"):
        for one in references():
            assert translation.gettext(one.claim) != one.claim
            assert translation.gettext(one.condition) != one.condition


@pytest.mark.parametrize("measure", ["memory", "speed"])
def test_accuracy_is_shown_by_gpu_source_and_division(client: Client, measure: str) -> None:
    page = client.get(reverse("quotes:accuracy"), {"measure": measure}).content.decode()

    for heading in ("By method", "By GPU", "By source", "By division over GPUs"):
        assert heading in page
    assert "few runs: the band is wider" in page


@pytest.mark.parametrize("language", ["en", "ru"])
def test_accuracy_of_services_is_shown_by_source_and_gpu(client: Client, language: str) -> None:
    address = reverse("quotes:accuracy")
    page = client.get(address, {"measure": "serving"}, headers={"accept-language": language}).content.decode()

    assert "trtllm-docs" in page
    assert "h200-sxm" in page
    found = evidence.serving_memory_summary()
    with translation.override(language):
        for part, label in MEMORY_PARTS.items():
            assert conditional_escape(label) in page
            assert f">{found[part]['all']['rows']}</td>" in page


@pytest.mark.parametrize("language", ["en", "ru"])
def test_both_statements_on_an_own_server_stand_with_what_makes_them_true(client: Client, language: str) -> None:
    page = client.get(reverse("quotes:figures"), headers={"accept-language": language}).content.decode()

    with translation.override(language):
        rows = payback.rows()
        shown = page.replace("\u00a0", " ")
        assert {row["holds"] for row in rows} == {True, False}
        for row in rows:
            assert row["claim"].replace("\u00a0", " ") in shown
            assert row["condition"].replace("\u00a0", " ") in shown
        for name, value, source in payback.inputs():
            assert name in page
            assert value.replace("\u00a0", " ") in shown
            assert conditional_escape(source) in page


def test_a_job_has_one_figure_on_the_home_page_the_page_of_a_gpu_and_here() -> None:
    home = next(bar.total_gib for bar in picture().bars if bar.label == "QLoRA")
    quoted = next(one.expected_gib for one in references() if one.condition.startswith("4,096 tokens"))
    there = next(one for one in jobs_of("h200-sxm") if one.label == "QLoRA" and one.model == "llama-3.3-70b")

    assert home == pytest.approx(quoted, abs=0.05)
    assert there.expected_bytes / 2**30 == pytest.approx(quoted, abs=0.05)


@pytest.mark.parametrize(("day", "is_taken"), [("2009-12-31", False), ("2999-01-01", False), ("2024-03-01", True)])
def test_the_date_of_a_cloud_quote_lies_in_the_past_and_not_before_2010(day: str, is_taken: bool) -> None:
    form = LimitsForm({"cloud_rate_date": day})
    form.is_valid()

    assert ("cloud_rate_date" not in form.errors) is is_taken
