"""Who opens an address that leads nowhere reads our page, also while debugging."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize("address", ["/no-such-page/", "/r/" + "a" * 43 + "/", "/size/no-such-way/"])
def test_an_unknown_address_is_answered_with_our_page(
    client: Client, settings: Settings, address: str, debug: bool
) -> None:
    settings.DEBUG = debug

    answer = client.get(address)

    page = answer.content.decode()
    assert answer.status_code == 404
    assert "There is no such page" in page
    assert "URLconf" not in page


def test_a_forgotten_slash_still_leads_to_the_page(client: Client, settings: Settings) -> None:
    settings.DEBUG = True

    assert client.get("/accuracy").headers["Location"] == "/accuracy/"
