"""A routine quote from the customer's form to the quote sent: what people do, and the seconds the machine takes.

    make bench-desk

The walk is that of `tests/browser/routine.py`, in a real browser; the server of the tests answers it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from playwright.sync_api import Page

from quotes.actors import Role
from tests.browser import routine
from tests.browser.conftest import browser, console, make_page, open_pages, playwright
from tests.browser.test_journey import sign_in

__all__ = ["browser", "console", "make_page", "open_pages", "playwright"]


@pytest.mark.django_db(transaction=True)
def test_walk(make_page: Callable[..., Page], live_server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Go the whole way and print what was counted and timed."""
    call_command("load_catalog", verbosity=0)
    routine.confirm_catalog()
    hands = {name: routine.Hand(make_page()) for name in ("customer", "engineer", "approver")}
    for name, role in (("engineer", Role.ENGINEER), ("approver", Role.APPROVER)):
        sign_in(hands[name].page, live_server, role, Client())
    worked = routine.walk(**hands)
    with capsys.disabled():
        print()
        for name, hand in hands.items():
            print(f"{name:9} clicks {hand.clicks:2} fields {hand.fields:2} pages {hand.loads:2} {hand.seconds:5.1f} s")
            print("          " + "; ".join(hand.steps))
        print(f"task worker {worked:.1f} s; all {worked + sum(hand.seconds for hand in hands.values()):.1f} s")
