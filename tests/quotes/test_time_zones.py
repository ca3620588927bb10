"""Every time of the desk is told as the documents tell it: in the zone of the selling company."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from quotes import links, services
from quotes.actors import Role
from quotes.models import Issuer, Quote, Status
from tests import makers

pytestmark = pytest.mark.django_db
LATE = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
ZONES = [("Pacific/Auckland", "2026-12-01 12:30"), ("Pacific/Honolulu", "2026-11-30 13:30")]


def quote_of(zone: str, **fields: Any) -> Quote:
    """A quote of a company in a zone."""
    Issuer.objects.update_or_create(pk=Issuer.ensure().pk, defaults={"time_zone": zone})
    return makers.make_quote(**fields)


@pytest.fixture
def desk(client: Client) -> Client:
    """The engineer's browser."""
    client.force_login(makers.make_user(Role.ENGINEER))
    return client


@pytest.mark.parametrize(("zone", "shown"), ZONES)
def test_the_review_and_the_events_tell_times_in_the_issuers_zone(desk: Client, zone: str, shown: str) -> None:
    with time_machine.travel(LATE, tick=False):
        quote = quote_of(zone)
        services.add_note(quote.request, text="late", actor=makers.engineer())
        services.set_due(quote.request, due_on=date(2026, 12, 4), actor=makers.engineer())
        day, hour = shown.split()

        review = desk.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()
        events = desk.get(reverse("quotes:events", args=[quote.public_id])).content.decode()

    assert f"received {shown}" in review
    assert f"To the end of the day, {zone}" in review
    assert f'<span class="nowrap">{day}</span> {hour}' in events
    assert zone in events


@pytest.mark.parametrize(("zone", "shown"), ZONES)
def test_the_address_of_the_customer_ends_at_a_time_with_its_zone(desk: Client, zone: str, shown: str) -> None:
    with time_machine.travel(LATE, tick=False):
        quote = quote_of(zone)
        links.issue(quote.request)

        text = desk.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()

    assert f"of {shown}, to " in text
    assert f"({zone})" in text


def test_a_quote_of_another_company_is_told_in_its_own_zone(desk: Client) -> None:
    with time_machine.travel(LATE, tick=False):
        quote = quote_of("Pacific/Auckland")
        Issuer.objects.create(name="the next one", time_zone="Pacific/Honolulu")

        text = desk.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()

    assert "received 2026-12-01 12:30" in text


@pytest.mark.parametrize(("zone", "expected"), [("Pacific/Auckland", 1), ("Pacific/Honolulu", 0)])
def test_the_queue_counts_what_has_expired_on_the_issuers_day(desk: Client, zone: str, expected: int) -> None:
    with time_machine.travel(LATE, tick=False):
        quote_of(zone, status=Status.SENT, settled=True, valid_until=date(2026, 11, 30))

        page = desk.get(reverse("quotes:queue"), {"view": "all", "state": "expired"})

    assert page.context["page"].paginator.count == expected
    assert f"Days end in {zone}" in page.content.decode() or not expected


@pytest.mark.parametrize(("zone", "shown"), [("Pacific/Auckland", "1 December 2026"), ("Pacific/Honolulu", "30 Nov")])
def test_the_customer_reads_the_same_times(client: Client, zone: str, shown: str) -> None:
    with time_machine.travel(LATE, tick=False):
        quote = quote_of(zone)
        _link, token = links.issue(quote.request)

        assert shown in client.get(reverse("quotes:status", args=[token])).content.decode()


def test_the_zone_of_one_page_is_gone_after_it(desk: Client) -> None:
    before = timezone.get_current_timezone_name()
    quote = quote_of("Pacific/Auckland")

    desk.get(reverse("quotes:detail", args=[quote.public_id]))

    assert timezone.get_current_timezone_name() == before


def test_without_a_database_the_health_page_still_answers(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_args: Any, **_kwargs: Any) -> Any:
        raise DatabaseError

    monkeypatch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.cursor", unreachable)

    assert client.get("/health/").status_code == 503
