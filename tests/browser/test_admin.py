"""The admin under the site's strict policy: its pages are walked as links lead, and no style or script is refused."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from playwright.sync_api import Page, expect

from catalog import services, starter
from catalog.models import GpuSupport
from quotes import roles
from quotes.actors import Role

pytestmark = pytest.mark.django_db(transaction=True)

KINDS = ("", "fact", "gpu", "gpusupport", "sku", "price", "languagemodel")
FOREIGN_WORDS = re.compile(
    r"\b(Select|Note|Changes|Historical|Home|History|Revert|Submit|Export|Import|Delete|Save|Add|None)\b"
)


@pytest.fixture
def keeper(make_page: Any, live_server: Any, transactional_db: None) -> Page:
    """The Russian page of who keeps the catalog."""
    from django.apps import apps

    starter.load()
    roles.ensure(apps.get_app_config("catalog"))
    user = User.objects.create_user("keeper", is_staff=True)
    user.groups.add(Group.objects.get(name=Role.CATALOG_ADMINISTRATOR.value))
    claim = GpuSupport.objects.first()
    assert claim
    services.confirm([claim], actor=user, evidence="letter 17")
    client = Client()
    client.force_login(user)
    page: Page = make_page(locale="ru-RU", timezone_id="Asia/Tokyo")
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    return page


def kind_of(address: str) -> str:
    return re.sub(r"/\d+/", "/N/", urlsplit(address).path)


def leads_on(address: str, here: str) -> str:
    """Address of a link within the tables that are walked; empty for all others."""
    path = urlsplit(urljoin(here, address)).path
    found = re.fullmatch(r"/admin/(?:catalog/(\w+)/.*)?", path)
    return path if found and (found[1] or "") in KINDS else ""


def test_no_page_of_the_admin_breaks_the_policy_or_speaks_english(keeper: Page, console: list[str]) -> None:
    waiting, seen, english = ["/admin/"], set[str](), {}
    while waiting:
        address = waiting.pop(0)
        if kind_of(address) in seen:
            continue
        seen.add(kind_of(address))
        answer = keeper.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        if words := FOREIGN_WORDS.findall(keeper.inner_text("body")):
            english[address] = words
        links = keeper.eval_on_selector_all("a[href]", "found => found.map(link => link.getAttribute('href'))")
        waiting += [path for link in links if (path := leads_on(link, keeper.url))]

    assert any("/history/N/" in kind for kind in seen)
    assert {"/admin/catalog/gpu/export/", "/admin/catalog/gpu/import/", "/admin/catalog/fact/N/history/"} <= seen
    assert english == {}
    assert console == []


def test_chosen_rows_are_judged_and_shown_before_deletion(keeper: Page, console: list[str]) -> None:
    for action in ("confirm_selected", "refute_selected", "delete_selected"):
        keeper.goto("/admin/catalog/gpusupport/")
        keeper.locator("input.action-select").first.check()
        keeper.select_option("select[name=action]", action)
        keeper.locator("button[name=index]").first.click()
        expect(keeper.locator("input[name=action]").first).to_be_attached()

    assert console == []
