"""The header offers what opens, and everybody starts at the page of their work."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from quotes.actors import STAFF_ROLES, Role
from tests.makers import make_user

pytestmark = pytest.mark.django_db

WORK = {
    Role.ENGINEER: "quotes:queue",
    Role.APPROVER: "quotes:queue",
    Role.AUDITOR: "quotes:queue",
    Role.CATALOG_ADMINISTRATOR: "catalog:to_confirm",
}


@pytest.mark.parametrize("role", STAFF_ROLES)
def test_the_menu_offers_only_what_opens(client: Client, role: Role) -> None:
    client.force_login(make_user(role))
    page = client.get(reverse("quotes:accuracy")).content.decode()

    for name in ("quotes:queue", "catalog:to_confirm"):
        if f'href="{reverse(name)}"' in page:
            assert client.get(reverse(name)).status_code == 200
    assert f'href="{reverse(WORK[role])}"' in page


@pytest.mark.parametrize("role", STAFF_ROLES)
def test_signing_in_leads_to_the_page_of_ones_work(client: Client, role: Role) -> None:
    user = make_user(role)
    user.set_password("correct horse battery")
    user.save()

    answer = client.post(reverse("account_login"), {"login": user.username, "password": "correct horse battery"})

    assert answer.headers["Location"] == reverse(WORK[role])
