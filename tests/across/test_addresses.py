"""Behind a proxy, limits count visitors; without one, nobody can choose the address they are counted under."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


def ask(client: Client, forwarded: str) -> int:
    """Send an empty requirements form as a visitor from behind `forwarded`."""
    return int(client.post(reverse("quotes:check"), {}, headers={"x-forwarded-for": forwarded}).status_code)


@pytest.mark.usefixtures("still_clock")
def test_visitors_behind_the_proxy_are_counted_apart(client: Client, settings: Any) -> None:
    settings.TRUST_PROXY = True
    busy = [ask(client, "203.0.113.1") for _time in range(11)]

    assert busy[-1] == 429
    assert ask(client, "203.0.113.2") == 302


@pytest.mark.usefixtures("still_clock")
def test_an_address_made_up_before_the_proxy_does_not_help(client: Client, settings: Any) -> None:
    settings.TRUST_PROXY = True

    answers = [ask(client, f"198.51.100.{time}, 203.0.113.1") for time in range(11)]

    assert answers[-1] == 429


@pytest.mark.usefixtures("still_clock")
def test_without_a_proxy_the_header_is_not_believed(client: Client) -> None:
    answers = [ask(client, f"198.51.100.{time}") for time in range(11)]

    assert answers[-1] == 429
