"""The audit of all requests: complete, in order, for auditors alone, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from quotes import services
from quotes.actors import Actor, Role
from quotes.models import Issuer, QuoteEvent
from quotes.views.desk.sheets import harmless
from tests import makers

pytestmark = pytest.mark.django_db


@pytest.fixture
def auditor(client: Client) -> Client:
    """The auditor's browser."""
    client.force_login(makers.make_user(Role.AUDITOR))
    return client


def exported(client: Client, kind: str = "jsonl", **asked: Any) -> list[dict[str, Any]]:
    """The rows of an export, as it is read by who gets it."""
    response = client.get(reverse(f"quotes:audit_{kind}"), asked)
    text = b"".join(response.streaming_content).decode()  # type: ignore[attr-defined]
    if kind == "jsonl":
        return [json.loads(line) for line in text.splitlines()]
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def happened(name: str = "") -> Any:
    """Something that an engineer did to a request of their own; the events of it are two."""
    by, quote = makers.engineer(name), makers.make_quote()
    services.assign(quote.request, to=by.user, actor=by)
    services.confirm(quote.lines.all()[0], actor=by, evidence="a letter, “signed”")
    return quote


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_every_event_of_every_request_is_there_oldest_first(auditor: Client, kind: str) -> None:
    one, two = happened(), happened("colleague")

    rows = exported(auditor, kind)

    assert len(rows) == QuoteEvent.objects.count() == 4
    assert [row["kind"] for row in rows] == ["request.assigned", "line.confirmed"] * 2
    assert [row["request"] for row in rows] == [one.request.reference] * 2 + [two.request.reference] * 2
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
    assert rows[0]["at"].endswith("+00:00")
    change = rows[1]["change"] if kind == "jsonl" else json.loads(rows[1]["change"])
    assert change["fields"]["evidence"] == ["", "a letter, “signed”"]


def test_days_are_the_issuers_and_both_ends_count(auditor: Client) -> None:
    Issuer.objects.filter(pk=Issuer.ensure().pk).update(time_zone="Pacific/Auckland")
    by = makers.engineer()
    request = makers.make_request()
    for hour in (10, 11, 12):
        with time_machine.travel(datetime(2026, 11, 29, hour, 30, tzinfo=UTC), tick=False):
            services.set_due(request, due_on=None, actor=by)

    def hours(**asked: str) -> list[str]:
        return [row["at"][11:13] for row in exported(auditor, **asked)]

    assert hours(last="2026-11-29") == ["10"]
    assert hours(first="2026-11-30", last="2026-11-30") == ["11", "12"]
    assert hours() == ["10", "11", "12"]


def test_it_is_narrowed_by_engineer_and_by_who_acted(auditor: Client) -> None:
    mine, theirs = happened(), happened("colleague")
    colleague, me = User.objects.get(first_name="colleague"), makers.make_user(Role.ENGINEER)
    services.add_note(mine.request, text="no event", actor=Actor.of_user(colleague))
    services.set_due(mine.request, due_on=None, actor=Actor.of_user(colleague))

    of_engineer = exported(auditor, engineer=me.username)
    by_actor = exported(auditor, actor=colleague.username)

    assert {row["request"] for row in of_engineer} == {mine.request.reference}
    assert len(of_engineer) == 3
    assert [row["request"] for row in by_actor] == [theirs.request.reference] * 2 + [mine.request.reference]
    assert [row["engineer"] for row in by_actor] == [colleague.email] * 2 + [me.email]


@pytest.mark.parametrize(
    "wrong", [{"first": "yesterday"}, {"first": "2026-12-02", "last": "2026-12-01"}, {"engineer": "nobody"}]
)
def test_a_wrong_question_is_asked_again_and_exports_nothing(auditor: Client, wrong: dict[str, str]) -> None:
    happened()

    response = auditor.get(reverse("quotes:audit_csv"), wrong)

    assert response.status_code == 422
    assert "field__error" in response.content.decode()


def test_no_cell_is_a_formula(auditor: Client) -> None:
    quote = makers.make_quote(request=makers.make_request(contact_name="=HYPERLINK(1)"))
    services.dispute_assumption(quote.ledger.all()[0], actor=makers.customer(quote), is_right=False, words="+1")

    rows = exported(auditor, "csv")

    assert [row["actor"] for row in rows] == ["'=HYPERLINK(1)"]
    assert [row["actor"] for row in exported(auditor)] == ["=HYPERLINK(1)"]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "＠x"])
def test_what_a_spreadsheet_computes_is_quoted(text: str) -> None:
    assert harmless(text) == f"'{text}"
    assert harmless(f"a{text}") == f"a{text}"


def test_the_export_is_sent_while_it_is_read_and_asks_once(auditor: Client) -> None:
    quote = happened()
    QuoteEvent.objects.bulk_create(
        QuoteEvent(request=quote.request, quote=quote, kind="request.due", actor_name="x") for _ in range(2500)
    )

    with CaptureQueriesContext(connection) as captured:
        response = auditor.get(reverse("quotes:audit_jsonl"))
        assert response.streaming
        lines = sum(part.count(b"\n") for part in response.streaming_content)  # type: ignore[attr-defined]

    assert lines == 2502
    assert sum("quotes_quoteevent" in one["sql"] for one in captured.captured_queries) == 1


def test_the_page_leads_to_both_exports_and_is_found_from_the_queue(auditor: Client) -> None:
    today = Issuer.ensure().today()

    page = auditor.get(reverse("quotes:audits")).content.decode()

    assert reverse("quotes:audit_csv") in page
    assert reverse("quotes:audit_jsonl") in page
    assert f'value="{today - timedelta(days=30)}"' in page
    for name in ("queue", "account"):
        assert reverse("quotes:audits") in auditor.get(reverse(f"quotes:{name}")).content.decode()


def test_an_administrator_of_the_site_exports_too_and_a_former_one_does_not(client: Client) -> None:
    happened()
    admin = User.objects.create_superuser("root", "root@example.com", "long-enough-1")
    client.force_login(admin)
    assert len(exported(client)) == 2

    User.objects.filter(pk=admin.pk).update(is_superuser=False)
    assert client.get(reverse("quotes:audit_csv")).status_code == 404
    client.force_login(makers.make_user(Role.ENGINEER))
    assert client.get(reverse("quotes:audit_csv")).status_code == 403
    assert "Audit of all requests" not in client.get(reverse("quotes:queue")).content.decode()
