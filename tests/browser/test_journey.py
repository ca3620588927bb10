"""From the form to the confirmed PDF on the private link: customer, engineer and approver, each in a browser."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from playwright.sync_api import Page, expect

from quotes.actors import Role
from quotes.models import Quote
from tests import makers
from tests.browser import routine

pytestmark = pytest.mark.django_db(transaction=True)

MakePage = Callable[..., Page]


def sign_in(page: Page, live_server: Any, role: Role, client: Client) -> None:
    client.force_login(makers.make_user(role))
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )


def work() -> None:
    """Let the task worker do everything that waits."""
    call_command("db_worker", batch=True, interval=0, startup_delay=False, verbosity=0)


def send_request(page: Page) -> None:
    page.goto("/size/adapters/")
    page.fill("#id_model_name", "llama-3.1-8b")
    page.fill("#id_dataset_amount", "10")
    page.fill("#id_sequence_length", "2048")
    routine.send(page)


def price_every_line(page: Page, quote: Quote) -> None:
    for line in quote.lines.all():
        page.goto(f"/desk/{quote.public_id}/lines/{line.public_id}/edit/")
        page.select_option("#id_price_kind", "firm")
        page.fill("#id_unit_price", "1 000,50")
        page.locator("#panel button[data-kind=primary], main form button[data-kind=primary]").first.click()
        page.wait_for_load_state()


def settle_assumptions(page: Page, quote: Quote) -> None:
    for entry in quote.ledger.filter(decisive=True):
        page.goto(f"/desk/{quote.public_id}/assumptions/{entry.public_id}/confirm/")
        page.fill("#id_evidence", "customer's letter of 30 November")
        page.locator("main form button[data-kind=primary]").first.click()
        page.wait_for_load_state()


def test_request_becomes_a_confirmed_pdf_on_the_private_link(make_page: MakePage, live_server: Any) -> None:
    call_command("load_catalog", verbosity=0)
    customer, engineer, approver = make_page(), make_page(), make_page()
    send_request(customer)
    work()
    quote = Quote.objects.get()
    sign_in(engineer, live_server, Role.ENGINEER, Client())

    engineer.goto("/desk/")
    engineer.click(f"a[href*='{quote.public_id}']")
    engineer.get_by_role("button", name="Start the review").click()
    price_every_line(engineer, quote)
    settle_assumptions(engineer, quote)
    engineer.goto(f"/desk/{quote.public_id}/lines/confirm/")
    engineer.fill("#id_evidence", "price list of 30 November")
    for box in engineer.locator("main input[type=checkbox]").all():
        box.check()
    engineer.locator("main form button[data-kind=primary]").first.click()
    engineer.goto(f"/desk/{quote.public_id}/")
    engineer.get_by_role("button", name=re.compile("approval", re.IGNORECASE)).first.click()
    sign_in(approver, live_server, Role.APPROVER, Client())
    approver.goto(f"/desk/{quote.public_id}/")
    approver.get_by_role("button", name="Approve").first.click()
    expect(approver.locator("h1")).to_contain_text("SW-")
    work()
    engineer.goto(f"/desk/{quote.public_id}/")
    engineer.get_by_role("button", name="Send").first.click()
    work()

    customer.reload()
    expect(customer.locator("h1")).to_contain_text("SW-")
    with customer.expect_download() as downloading:
        customer.locator("a[href*='/documents/']").first.click()
    content = downloading.value.path().read_bytes()
    assert content.startswith(b"%PDF")
    assert hashlib.sha256(content).hexdigest() in {document.sha256 for document in quote.documents.all()}
