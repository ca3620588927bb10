"""The queue finds what somebody looks for: state, age, value, engineer, whose move it is, words."""

from __future__ import annotations

import csv
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from quotes import services
from quotes.actors import Role
from quotes.models import Quote, Status
from tests import makers

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client: Client) -> Client:
    """The engineer's browser."""
    client.force_login(makers.make_user(Role.ENGINEER))
    return client


def found(desk: Client, **asked: str) -> set[str]:
    """The requests that a view with filters shows."""
    page = desk.get(reverse("quotes:queue"), {"view": "all"} | asked)
    return {row.request.reference for row, *_rest in page.context["rows"]}


def exported(desk: Client, **asked: str) -> set[str]:
    """The requests that the export of the same view has."""
    text = desk.get(reverse("quotes:queue_csv"), {"view": "all"} | asked).content.decode("utf-8-sig")
    return {row["reference"] for row in csv.DictReader(text.splitlines())}


@pytest.mark.parametrize(
    ("waits", "states"),
    [
        ("engineer", {"draft", "in_review", "approved"}),
        ("approver", {"ready"}),
        ("customer", {"awaiting_customer", "sent"}),
    ],
)
def test_whose_move_it_is_narrows_the_list_and_its_export(desk: Client, waits: str, states: set[str]) -> None:
    quotes = {status.value: makers.make_quote(status=status) for status in Status}

    expected = {quotes[state].request.reference for state in states}

    assert found(desk, waits=waits) == exported(desk, waits=waits) == expected


def test_age_counts_from_the_last_move(desk: Client) -> None:
    old, fresh = makers.make_quote(), makers.make_quote()
    Quote.objects.filter(pk=old.pk).update(status_at=timezone.now() - timedelta(days=4))

    assert found(desk, age="3") == exported(desk, age="3") == {old.request.reference}
    assert found(desk, age="7") == set()
    assert found(desk, age="2") == {old.request.reference, fresh.request.reference}


def test_value_is_the_net_total(desk: Client) -> None:
    small, large = makers.make_quote(), makers.make_quote()
    Quote.objects.filter(pk=large.pk).update(net_total=Decimal("62000"))

    assert found(desk, value="50000") == exported(desk, value="50000") == {large.request.reference}
    assert small.request.reference in found(desk, value="nonsense")


def test_filters_add_up_and_stay_in_the_form(desk: Client) -> None:
    mine, other = makers.make_quote(), makers.make_quote()
    by = makers.engineer()
    services.assign(mine.request, to=by.user, actor=by)
    Quote.objects.update(net_total=Decimal("62000"), status_at=timezone.now() - timedelta(days=8))

    asked = {"view": "all", "engineer": mine.request.assigned_to.username, "value": "50000", "age": "7"}
    page = desk.get(reverse("quotes:queue"), asked | {"waits": "engineer"})

    assert {row.request.reference for row, *_rest in page.context["rows"]} == {mine.request.reference}
    assert other.request.reference not in page.content.decode()
    for chosen in ('<option value="50000" selected>', '<option value="7" selected>', '"engineer" selected>'):
        assert chosen in page.content.decode()


def test_what_is_due_comes_first_in_its_order(desk: Client) -> None:
    later, soon = makers.make_quote(), makers.make_quote()
    by, today = makers.engineer(), later.issuer.today()
    services.set_due(later.request, due_on=today + timedelta(days=9), actor=by)
    services.set_due(soon.request, due_on=today + timedelta(days=1), actor=by)

    page = desk.get(reverse("quotes:queue"), {"view": "all", "sort": "due"})

    assert [row.pk for row, *_rest in page.context["rows"]] == [soon.pk, later.pk]
    assert found(desk, view="due") == {soon.request.reference}
