"""The number of queries of a page does not grow with its rows, and stands in a reviewed file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from quotes import links, services
from quotes.actors import Role
from quotes.models import Quote, Status
from tests import makers

pytestmark = pytest.mark.django_db
BASELINE = Path(__file__).with_name("query_counts.json")


def queue() -> str:
    """The queue, all requests."""
    return reverse("quotes:queue") + "?view=all"


def queue_search() -> str:
    """The queue, searched and filtered."""
    return reverse("quotes:queue") + "?view=all&q=заказчик&state=open&blocked=line"


def queue_csv() -> str:
    """The export of the queue."""
    return reverse("quotes:queue_csv") + "?view=all"


def detail() -> str:
    """A review."""
    return reverse("quotes:detail", args=[Quote.objects.order_by("pk")[0].public_id])


def events() -> str:
    """All events of a request."""
    return reverse("quotes:events", args=[Quote.objects.order_by("pk")[0].public_id])


def audit_csv() -> str:
    """The audit of all requests."""
    return reverse("quotes:audit_csv")


def audit_jsonl() -> str:
    """The audit of all requests, as JSON lines."""
    return reverse("quotes:audit_jsonl")


def status() -> str:
    """The customer's page."""
    return reverse("quotes:status", args=[links.issue(Quote.objects.order_by("pk")[0].request)[1]])


PAGES: tuple[Callable[[], str], ...] = (queue, queue_search, queue_csv, audit_csv, audit_jsonl, detail, events, status)


def counted(client: Client, address: str) -> int:
    """Count the queries of a page, once it is warm."""
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        response = client.get(address)
        assert response.status_code == 200
        if response.streaming:
            b"".join(response.streaming_content)
    return len(captured)


@pytest.mark.parametrize("page", PAGES, ids=[page.__name__ for page in PAGES])
def test_queries_are_as_many_as_written_and_do_not_grow(page: Callable[[], str], client: Client) -> None:
    first = makers.make_quote(status=Status.SENT, settled=True)
    makers.make_document(first)
    makers.make_quote()
    person = makers.make_user(Role.ENGINEER)
    person.groups.add(Group.objects.get_or_create(name=Role.AUDITOR.value)[0])
    client.force_login(person)
    few = counted(client, page())

    for number in range(6):
        makers.make_quote()
        makers.make_line(first, description=f"line {number}")
        makers.make_entry(first, key=f"workload.x{number}", label=f"x{number}", decisive=True)
        services.set_due(first.request, due_on=None, actor=makers.engineer())
    many = counted(client, page())

    assert many == few
    assert json.loads(BASELINE.read_text())[page.__name__] == many
