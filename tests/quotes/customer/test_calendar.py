"""A date is counted back with the engine's own lead times; one that cannot be kept sets no limit and is said."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from quotes import intake
from quotes.forms.calendar import ORDER_DAYS, calendar
from quotes.forms.route import ADAPTERS, DOCUMENTS, SERVICE
from quotes.models import Request
from quotes.views.customer.estimates import preview_of
from sizing.recommend.delivery import INSTALLATION_DAYS
from sizing.recommend.delivery import USUAL_DAYS as DELIVERY_DAYS
from tests.quotes.customer.test_pages import CONTACT, fill

TODAY = date(2026, 11, 30)


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


def until(days: int) -> dict[str, Any]:
    return {"when": "date", "deadline_date": (timezone.localdate() + timedelta(days=days)).isoformat()}


def test_the_run_has_what_order_delivery_and_installation_leave() -> None:
    usual = ORDER_DAYS.expected + DELIVERY_DAYS.expected + INSTALLATION_DAYS.expected

    assert intake.limits(until(200))["deadline_hours"] == {"must": (200 - usual) * 24}


def test_a_date_that_only_a_quick_delivery_keeps_counts_what_it_leaves() -> None:
    least = ORDER_DAYS.low + DELIVERY_DAYS.low + INSTALLATION_DAYS.low
    counted = calendar({"when": "date", "deadline_date": "2027-01-09"}, today=TODAY)

    assert counted is not None
    assert counted.run_hours == (40 - least) * 24
    assert "only with a quick delivery" in counted.sentence


def test_a_date_that_cannot_be_reached_sets_no_limit_and_is_said() -> None:
    answers = until(30) | {"model_name": "gpt2", "method": "qlora", "dataset_amount": 1, "sequence_length": 512}

    assert "deadline_hours" not in intake.limits(answers)
    preview = preview_of(answers, way=ADAPTERS)
    assert preview.deadline_seconds is None
    assert "delivery alone takes 60 days (28 to 180)" in preview.calendar


@pytest.mark.parametrize("way", [SERVICE, DOCUMENTS])
def test_a_service_has_no_deadline(way: str) -> None:
    answers = {"model_name": "gpt2", "users": 200, "documents": 10, "when": "in", "deadline_amount": 7}

    assert intake.to_request(answers, route=way)["limits"] == {}


@pytest.mark.django_db
def test_form_and_check_page_say_that_a_date_cannot_be_reached(client: Client) -> None:
    fill(client, **until(30))

    page = client.get(reverse("quotes:check")).content.decode()
    form = client.get(reverse("quotes:form", kwargs={"route": ADAPTERS})).content.decode()

    assert "This date cannot be reached" in page
    assert "no time is left" in page
    assert "This date cannot be reached" in form
    client.post(reverse("quotes:check"), CONTACT)
    assert "deadline_hours" not in Request.objects.get().estimates.get().input["limits"]


@pytest.mark.django_db
def test_nothing_on_the_start_page_is_chosen_in_advance(client: Client) -> None:
    page = client.get(reverse("quotes:start")).content.decode()

    assert " checked>" not in page
    assert 'value="7"' not in page
