"""What engineers do beside the way of one quote: copy one, join two, be away; with a finger, a keyboard, no scripts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect

from quotes import links, services
from quotes.actors import Actor, Role
from quotes.models import Absence, Issuer, Quote, Status
from tests import makers

pytestmark = pytest.mark.django_db(transaction=True)

MakePage = Callable[..., Page]
Axe = Callable[[Page], list[str]]


@pytest.fixture
def engineer() -> User:
    """The engineer, with a colleague who stands in for another one."""
    person = makers.make_user(Role.ENGINEER, name="engineer")
    colleague, today = makers.make_user(Role.ENGINEER, name="colleague"), Issuer.ensure().today()
    Absence.objects.create(person=colleague, deputy=person, starts_on=today, ends_on=today + timedelta(days=4))
    return person


@pytest.fixture
def pair(engineer: User) -> tuple[Quote, Quote]:
    """A request that was asked twice; the second has a file, a note and the absent colleague."""
    first = makers.make_quote(status=Status.SENT, settled=True, valid_until=makers.yesterday() - timedelta(days=1))
    makers.make_document(first)
    second = makers.make_quote(request=makers.make_request(contact_name="Boris Müller", message="Asked again"))
    services.add_note(second.request, text="Call before noon", actor=Actor.of_user(engineer))
    by = Actor.of_user(User.objects.get(first_name="colleague"))
    services.set_due(second.request, due_on=second.issuer.today() - timedelta(days=1), actor=by)
    services.assign(second.request, to=by.user, actor=by)
    return first, second


def signed_in(page: Page, live_server: Any, user: User) -> Page:
    client = Client()
    client.force_login(user)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    return page


def fits(page: Page) -> bool:
    """Say whether nothing stands out of the page to the side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


@pytest.mark.parametrize("with_scripts", [True, False], ids=["scripts", "no-scripts"])
def test_an_engineer_copies_an_expired_quote_and_joins_two_requests(
    make_page: MakePage, live_server: Any, engineer: User, pair: tuple[Quote, Quote], with_scripts: bool
) -> None:
    first, second = pair
    page = signed_in(make_page(java_script_enabled=with_scripts), live_server, engineer)
    address = links.address(links.issue(first.request)[1]).partition("/r/")[2]
    old = links.address(links.issue(second.request)[1]).partition("/r/")[2]

    page.goto(f"/desk/{first.public_id}/")
    page.get_by_role("link", name="Copy", exact=True).click()
    expect(page.get_by_text("each is marked stale")).to_be_visible()
    page.get_by_label("The prices as they were quoted").check()
    page.get_by_role("button", name="Make the copy").click()
    expect(page.get_by_text("· copied from")).to_be_visible()
    expect(page.get_by_text("The confirmation is past its validity").first).to_be_visible()

    page.goto(f"/desk/{second.public_id}/")
    expect(page.get_by_text("colleague is absent until")).to_be_visible()
    page.get_by_role("link", name=first.request.reference).click()
    expect(page.get_by_text("Boris Müller").first).to_be_visible()
    page.get_by_label("The private address of the closed one opens the one that goes on").check()
    page.get_by_role("button", name="Merge them").click()
    expect(page.get_by_text("Call before noon")).to_be_visible()

    customer = make_page(java_script_enabled=with_scripts)
    customer.goto(f"/r/{old}")
    expect(customer).to_have_url(f"{live_server.url}/r/{address}")


@pytest.mark.parametrize("width", [1280, 360])
def test_one_long_word_in_any_text_pushes_no_page_wider(
    make_page: MakePage, live_server: Any, engineer: User, width: int
) -> None:
    word = "Q" * 230
    asked = makers.make_request(organization=word[:190], contact_name=word[:110], message=word)
    quote = makers.make_quote(request=asked)
    by = Actor.of_user(engineer)
    services.edit_line(quote.lines.get(kind="gpu"), actor=by, version=None, description=word, article=word[:110])
    services.edit_line(quote.lines.get(kind="platform"), actor=by, version=None, detail=word)
    services.add_note(asked, text=word, actor=by)
    services.waive(quote.lines.get(kind="gpu"), actor=by, reason=word, party="supplier")
    services.confirm(quote.ledger.first(), actor=by, evidence=word)
    for answered in (True, False):
        question = services.ask(quote, actor=by, question=word)
        if answered:
            services.answer_clarification(question, actor=makers.customer(quote), answer=word)
    other = makers.make_quote(request=makers.make_request(organization=word[:190], message=word))
    sent = makers.make_quote(status=Status.SENT, settled=True)
    sent.lines.update(description=word, evidence=word)
    second = services.revise(sent, actor=by, reason=word)
    second.lines.update(quantity=3, description=f"{word}2")
    page = signed_in(make_page(viewport={"width": width, "height": 740}), live_server, engineer)

    wide = []
    for path in (
        f"/desk/{quote.public_id}/",
        f"/desk/{quote.public_id}/events/",
        f"/desk/{quote.public_id}/merge/{other.request.public_id}/",
        f"/desk/{quote.public_id}/lines/{quote.lines.get(kind='gpu').public_id}/edit/",
        f"/desk/{second.public_id}/difference/",
        "/desk/?view=all",
        *("/r/" + links.address(links.issue(one)[1]).partition("/r/")[2] for one in (asked, sent.request)),
    ):
        page.goto(path)
        if not fits(page):
            wide.append(path)

    assert wide == []


@pytest.mark.parametrize(("locale", "width"), [("ru-RU", 1280), ("en-US", 1280), ("ru-RU", 360)])
def test_no_action_of_a_line_stands_out_of_its_table(
    make_page: MakePage, live_server: Any, engineer: User, locale: str, width: int
) -> None:
    quote = makers.make_quote()
    quote.lines.filter(kind="gpu").update(price_kind="estimate")
    page = signed_in(make_page(locale=locale, viewport={"width": width, "height": 900}), live_server, engineer)

    page.goto(f"/desk/{quote.public_id}/")

    out = page.locator("#lines .panel").evaluate(
        "panel => [...panel.querySelectorAll('a')]"
        ".map(link => link.getBoundingClientRect().right - panel.getBoundingClientRect().right).filter(by => by > 0)"
    )
    assert out == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_new_pages_are_accessible_and_fit_a_phone(
    make_page: MakePage, live_server: Any, engineer: User, pair: tuple[Quote, Quote], axe: Axe, scheme: str
) -> None:
    first, second = pair
    wide = signed_in(make_page(color_scheme=scheme), live_server, engineer)
    narrow = make_page(color_scheme=scheme, locale="ru-RU", viewport={"width": 360, "height": 740})
    signed_in(narrow, live_server, engineer)
    for path in (
        "/desk/?view=all",
        "/desk/account/",
        f"/desk/{first.public_id}/copy/",
        f"/desk/{second.public_id}/",
        f"/desk/{second.public_id}/merge/{first.request.public_id}/",
    ):
        wide.goto(path)
        narrow.goto(path)

        assert axe(wide) == [], path
        assert fits(narrow), path
