"""The page of figures that guides quote against each other."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.html import conditional_escape

from quotes.presenter import payback
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
