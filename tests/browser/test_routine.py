"""A routine quote takes few clicks: a bound on what people do, not on how long it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from playwright.sync_api import Page

from quotes.actors import Role
from quotes.models import Quote, Status
from tests.browser import routine
from tests.browser.test_journey import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

# docs/quotes/routine.md lists the steps behind these.
MOST_CLICKS = {"customer": 3, "engineer": 13, "approver": 2}
MOST_FIELDS = {"customer": 4, "engineer": 3, "approver": 0}


def test_a_routine_quote_takes_few_clicks_and_three_fields(make_page: Callable[..., Page], live_server: Any) -> None:
    call_command("load_catalog", verbosity=0)
    routine.confirm_catalog()
    hands = {name: routine.Hand(make_page()) for name in MOST_CLICKS}
    for name, role in (("engineer", Role.ENGINEER), ("approver", Role.APPROVER)):
        sign_in(hands[name].page, live_server, role, Client())

    routine.walk(**hands)

    assert Quote.objects.get().status == Status.SENT
    over = {name: hand.steps for name, hand in hands.items() if hand.clicks > MOST_CLICKS[name]}
    assert over == {}
    typed = {name: hand.steps for name, hand in hands.items() if hand.fields > MOST_FIELDS[name]}
    assert typed == {}
