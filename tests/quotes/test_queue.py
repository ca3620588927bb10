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


def test_a_search_says_how_many_hits_other_views_hold_and_every_link_keeps_it(desk: Client) -> None:
    here = makers.make_quote(request=makers.make_request(organization="Fern Labs"))
    sent = makers.make_quote(status=Status.SENT, request=makers.make_request(organization="Fern Labs"))
    closed = makers.make_quote(request=makers.make_request(organization="Fern Labs", email="anna@customer.example"))
    services.merge(here.request, closed=closed.request, actor=makers.engineer())
    makers.make_quote(request=makers.make_request(organization="Somebody else"))

    page = desk.get(reverse("quotes:queue"), {"view": "mine", "q": "fern", "route": "qlora"})

    text = page.content.decode()
    assert [row.pk for row, *_rest in page.context["rows"]] == [here.pk]
    assert "2 more requests match outside this view" in text
    assert {tab.slug: count for tab, count in page.context["tabs"]}["all"] == 3
    for link in ("?view=all&amp;q=fern&amp;route=qlora", "?view=sent&amp;q=fern&amp;route=qlora"):
        assert link in text
    everywhere = desk.get(reverse("quotes:queue"), {"view": "all", "q": "fern", "route": "qlora"}).content.decode()
    assert sent.full_number in everywhere
    assert f"merged into {here.request.reference}" in everywhere
    assert "outside this view" not in everywhere


def test_a_search_without_a_hit_here_leads_to_the_hits_elsewhere(desk: Client) -> None:
    makers.make_quote(status=Status.SENT, request=makers.make_request(organization="Fern Labs"))

    text = desk.get(reverse("quotes:queue"), {"q": "fern"}).content.decode()

    assert "Nothing here" in text
    assert '<a href="?view=all&amp;q=fern">1 more request matches' in text
    assert 'href="?view=all"' not in text


def test_the_export_is_of_the_view_that_is_shown(desk: Client) -> None:
    mine = makers.make_quote()
    makers.make_quote(status=Status.SENT)

    text = desk.get(reverse("quotes:queue")).content.decode()
    address = text.split('id="export" href="')[1].split('"')[0].replace("&amp;", "&")

    rows = csv.DictReader(desk.get(address).content.decode("utf-8-sig").splitlines())
    assert [row["reference"] for row in rows] == [mine.request.reference]
