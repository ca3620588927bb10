"""Who only reads the desk is shown its pages without a form, and is refused whatever they send."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from quotes.actors import Role
from quotes.models import Quote, Status
from quotes.services import points
from tests import makers
from tests.quotes.test_moves import sent

pytestmark = pytest.mark.django_db


def of_line(action: str) -> Callable[[Quote], str]:
    """The address of a panel on the first line."""
    return lambda quote: reverse("quotes:line", args=[quote.public_id, quote.lines.all()[0].public_id, action])


def of_entry(action: str) -> Callable[[Quote], str]:
    """The address of a panel on the first assumption."""
    return lambda quote: reverse("quotes:assumption", args=[quote.public_id, quote.ledger.all()[0].public_id, action])


def of_quote(name: str, *more: object) -> Callable[[Quote], str]:
    """The address of a page of a quote."""
    return lambda quote: reverse(f"quotes:{name}", args=[quote.public_id, *more])


PAGES: dict[str, Callable[[Quote], str]] = {
    **{f"line {action}": of_line(action) for action in ("confirm", "waive", "refute", "reopen", "edit", "remove")},
    **{f"assumption {action}": of_entry(action) for action in ("confirm", "waive", "refute", "reopen", "change")},
    **{f"move {slug}": of_quote("move", slug) for slug in ("cancel", "submit", "approve", "return", "send")},
    **{name: of_quote(name) for name in ("detail", "line_new", "lines_confirm", "ask", "pilot", "copy", "revise")},
    **{name: of_quote(name) for name in ("retract", "record_acceptance", "unmerge", "events")},
    "stated": of_quote("stated", "workload.sequence_length"),
    "queue": lambda quote: reverse("quotes:queue"),
    "account": lambda quote: reverse("quotes:account"),
    "audits": lambda quote: reverse("quotes:audits"),
    "merge": lambda quote: reverse("quotes:merge", args=[quote.public_id, makers.make_quote().request.public_id]),
}


def forms_of(text: str) -> list[str]:
    """The forms in the main part of a page that post something."""
    main = text.partition("<main")[2].partition("</main>")[0]
    assert main, "a page of ours has a main part"
    return re.findall(r'<form[^>]*method="post"[^>]*>', main)


@pytest.mark.parametrize("name", PAGES)
def test_an_auditor_reads_every_page_of_the_desk_without_a_form(client: Client, name: str) -> None:
    quote = makers.make_quote()
    points.note_points(quote, quote.candidate)
    client.force_login(makers.make_user(Role.AUDITOR))

    response = client.get(PAGES[name](quote), follow=True)

    assert response.status_code == 200
    assert forms_of(response.content.decode()) == []


@pytest.mark.parametrize("status", [Status.READY, Status.SENT, Status.ACCEPTED, Status.CANCELLED])
def test_an_auditor_sees_no_form_in_any_state(client: Client, status: str) -> None:
    quote = makers.make_quote(status=status)
    client.force_login(makers.make_user(Role.AUDITOR))

    text = client.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()

    assert forms_of(text) == []
    assert "#panel" not in text


def test_what_an_auditor_posts_is_refused_as_theirs_and_not_as_a_mistake_in_a_form(client: Client) -> None:
    quote = makers.make_quote()
    client.force_login(makers.make_user(Role.AUDITOR))

    for name in ("line confirm", "line waive", "line edit", "assumption waive", "line_new", "lines_confirm", "ask"):
        assert client.post(PAGES[name](quote), {}).status_code == 403, name


@pytest.mark.parametrize("name", ["line confirm", "line edit", "assumption change", "move cancel", "ask", "line_new"])
def test_a_colleague_is_shown_no_form_before_taking_the_request_over(client: Client, name: str) -> None:
    quote = makers.make_quote()
    quote.request.assigned_to = makers.make_user(Role.ENGINEER)
    quote.request.save()
    client.force_login(makers.make_user(Role.ENGINEER, name="colleague"))

    text = client.get(PAGES[name](quote)).content.decode()

    assert 'id="panel"' not in text
    assert "Take it over" in text


def test_an_engineer_has_the_forms(client: Client) -> None:
    client.force_login(makers.make_user(Role.ENGINEER))

    for name in ("line confirm", "assumption waive", "move cancel", "ask", "copy"):
        assert 'id="panel"' in client.get(PAGES[name](makers.make_quote())).content.decode(), name
    assert 'id="panel"' in client.get(PAGES["record_acceptance"](sent())).content.decode()
