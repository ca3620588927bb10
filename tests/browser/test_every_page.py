"""Axe finds nothing on any page of our own: English on a desk, Russian on a phone, light and dark; none is unlisted."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.models import User
from django.core.management import call_command
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from quotes import demo, links, services
from quotes.actors import Actor, Role
from quotes.models import Absence, Quote, Status
from sizing import datafiles
from tests import makers
from tests.across.test_permissions import World, addresses, make_world
from tests.browser.conftest import Scanner, without_axe
from tests.quotes.customer.test_pages import fill

pytestmark = pytest.mark.django_db(transaction=True)

MakePage = Callable[..., Page]
PASSWORD = "long-enough-1"
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
ANYBODY, ENGINEER, APPROVER = "anybody", Role.ENGINEER.value, Role.APPROVER.value
CATALOG = Role.CATALOG_ADMINISTRATOR.value
FRESH, HALF, SECOND = "engineer just signed in", "password typed, code not", "who has a second factor"

DOWNLOAD, POSTED, FRAGMENT, REDIRECT, ANSWER = "a download", "is posted to", "a fragment", "leads on", "for machines"
NOT_PAGES = {
    "health": ANSWER,
    **dict.fromkeys(
        (
            *("set_language", "quotes:choose", "quotes:revise", "quotes:assign", "quotes:due", "quotes:note"),
            *("quotes:link_new", "quotes:link_revoke", "quotes:answer", "quotes:claims", "quotes:decline"),
            *("catalog:keep_article", "catalog:confirm", "catalog:choose_fact", "catalog:import_price_list"),
            *("catalog:load_language_models", "quotes:absence_end", "quotes:pilot_use", "quotes:pilot_upload"),
            *("quotes:pilot_aside", "quotes:catalog_take"),
        ),
        POSTED,
    ),
    **dict.fromkeys(
        (
            *("quotes:queue_csv", "quotes:draft", "quotes:audit", "quotes:desk_document", "quotes:attachment"),
            *("quotes:document", "quotes:preliminary", "catalog:evidence", "mfa_download_recovery_codes"),
            *("quotes:pilot_script", "quotes:desk_pilot_script", "quotes:audit_csv", "quotes:audit_jsonl"),
        ),
        DOWNLOAD,
    ),
    **dict.fromkeys(
        ("quotes:models", "quotes:article_check", "quotes:config", "quotes:files", "quotes:preview"), FRAGMENT
    ),
    "quotes:prefill": REDIRECT,
}


@dataclass(frozen=True)
class Shown:
    """One address as one role sees it; `leads_on` where the page shown has another address."""

    name: str
    args: list[Any] = field(default_factory=list)
    role: str = ANYBODY
    query: str = ""
    status: int = 200
    leads_on: bool = False

    @property
    def address(self) -> str:
        """The path with its query."""
        return reverse(self.name, args=self.args) + self.query


def one_of_each() -> list[Quote]:
    """Give one quote in each state, the expired one included, and the first one, which the engine answered in full."""
    quotes = list(Quote.objects.order_by("pk"))
    return [quotes[0], *{quote.shown_status: quote for quote in quotes}.values()]


def public_pages(world: World) -> Iterator[Shown]:
    """Pages that anybody may open."""
    for name in ("start", "check", "saved", "discuss", "accuracy", "figures", "privacy"):
        yield Shown(f"quotes:{name}")
    for way in ("adapters", "full", "scratch", "service", "documents"):
        yield Shown("quotes:form", [way])
    yield Shown("quotes:restore", ["not-a-saved-form"], status=410)
    for name, query in {
        "index": "?q=h2",
        "platforms": "?q=821",
        "language_models": "?q=llama-3.1",
        "articles": "?q=821",
    }.items():
        yield Shown(f"catalog:{name}", query=query)
    for name in ("article", "collections"):
        yield Shown(f"catalog:{name}")
    for kind in ("cpu", "memory"):
        yield Shown("catalog:parts", [kind])
    yield Shown("catalog:gpu", ["h200-nvl"])
    yield Shown("catalog:gpu", ["h200-sxm"], query="?")
    yield Shown("catalog:platform", ["smc-sys-821ge-tnhr"])
    yield Shown("catalog:language_model", ["deepseek-v3"])
    yield Shown("catalog:collection", ["llama"])
    yield Shown("catalog:compare", query="?gpu=h200-sxm&gpu=h200-nvl&gpu=l40s")
    article = "?article=SYS-821GE-TNHR-8xH200-2x8558-16x64GB&method=qlora&model=llama-3.1-8b"
    yield Shown("catalog:article", query=article)
    yield Shown("catalog:article", query=f"{article}%0AAS-8125GS-TNHR 8xH2OO")
    yield Shown("catalog:article", query="?article=&method=qlora")


def customer_pages(world: World) -> Iterator[Shown]:
    """Private pages: the request in each state, the acceptance, and a link that was closed."""
    for quote in one_of_each():
        yield Shown("quotes:status", [links.token_of(quote.request) or links.issue(quote.request)[1]])
    yield Shown("quotes:status", [world.sent_token])
    sent = next(quote for quote in Quote.objects.filter(status=Status.SENT) if quote.pk != world.sent.pk)
    yield Shown("quotes:accept", [links.token_of(sent.request)])
    link, token = links.issue(makers.make_quote().request)
    services.revoke_link(link, actor=makers.engineer())
    yield Shown("quotes:status", [token], status=410)


def desk_pages(world: World) -> Iterator[Shown]:
    """The staff's pages: the queue, a review in each state, its panels."""
    for query in ("?view=all", "?view=all&q=nothing-like-that"):
        yield Shown("quotes:queue", role=ENGINEER, query=query)
    for quote in one_of_each():
        yield Shown("quotes:detail", [quote.public_id], ENGINEER)
    for quote in (world.ready, world.sent):
        yield Shown("quotes:detail", [quote.public_id], APPROVER)
    review = world.review.public_id
    yield Shown("quotes:account", role=ENGINEER)
    away = {"starts_on": date(2099, 1, 10), "ends_on": date(2099, 1, 20)}
    deputy = makers.make_user(Role.ENGINEER, name="deputy")
    absence = Absence.objects.create(person=makers.make_user(Role.ENGINEER), deputy=deputy, **away)
    yield Shown("quotes:absence_change", [absence.public_id], ENGINEER)
    yield Shown("quotes:audits", role=Role.AUDITOR.value)
    accepted = Quote.objects.filter(status=Status.ACCEPTED)[0]
    yield Shown("quotes:retract", [accepted.public_id], ENGINEER)
    yield Shown("quotes:unmerge", [world.review.public_id], ENGINEER, leads_on=True)
    yield Shown("quotes:copy", [world.sent.public_id], ENGINEER)
    yield Shown("quotes:merge", [review, makers.make_quote().request.public_id], ENGINEER)
    for name in ("events", "line_new", "lines_confirm", "ask", "pilot"):
        yield Shown(f"quotes:{name}", [review], ENGINEER)
    yield Shown("quotes:difference", [world.sent.successors.get().public_id], ENGINEER)
    line, entry = world.review.lines.all()[0].public_id, world.review.ledger.all()[0].public_id
    for action in ("confirm", "waive", "refute", "edit", "remove"):
        yield Shown("quotes:line", [review, line, action], ENGINEER)
    for action in ("confirm", "waive", "refute"):
        yield Shown("quotes:assumption", [review, entry, action], ENGINEER)
    yield Shown("quotes:stated", [review, "workload.sequence_length"], ENGINEER)
    yield Shown("quotes:move", [review, "cancel"], ENGINEER)
    yield Shown("quotes:record_acceptance", [world.sent.public_id], ENGINEER)
    yield Shown("quotes:move", [world.ready.public_id, "return"], APPROVER)


def catalog_pages(world: World) -> Iterator[Shown]:
    """Pages of who keeps the catalog, and the one for who may not see them."""
    for name in ("to_confirm", "unknown_facts", "price_list", "add_language_model", "language_model_files"):
        yield Shown(f"catalog:{name}", role=CATALOG)
    yield Shown("catalog:gpu", ["h200-nvl"], CATALOG)
    yield Shown("catalog:article", role=CATALOG, query="?article=8xH200%0AAS-8125GS-TNHR 8xH200")
    yield Shown("catalog:to_confirm", role=ENGINEER, status=403)


def account_pages(world: World) -> Iterator[Shown]:
    """Pages of signing in, before, within and after it."""
    for name in ("login", "inactive", "signup", "reset_password", "reset_password_done"):
        yield Shown(f"account_{name}")
    for name in ("reset_password_from_key_done", "email_verification_sent"):
        yield Shown(f"account_{name}")
    yield Shown("account_confirm_login_code", leads_on=True)
    yield Shown("account_confirm_email", ["not-a-key"])
    yield Shown("account_reset_password_from_key", ["0", "not-a-key"])
    for name in ("account_logout", "account_reauthenticate", "account_email", "account_change_password", "mfa_index"):
        yield Shown(name, role=FRESH)
    yield Shown("mfa_activate_totp", role=FRESH)
    yield Shown("account_set_password", role=FRESH, leads_on=True)
    for name in ("account_request_reauthentication_code", "account_confirm_reauthentication_code"):
        yield Shown(name, role=FRESH, leads_on=True)
    yield Shown("mfa_authenticate", role=HALF)
    for name in ("reauthenticate", "index", "deactivate_totp", "view_recovery_codes", "generate_recovery_codes"):
        yield Shown(f"mfa_{name}", role=SECOND)


FAMILIES = (public_pages, customer_pages, desk_pages, catalog_pages, account_pages)


def archive() -> bytes:
    """Pack one model that is new, one that is there, and one that is none."""
    config = datafiles.language_models()["llama-3.1-8b"]["config"]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for path, text in {"acme/New-9B": config, "meta-llama/Llama-3.1-8B": config, "acme/None": {}}.items():
            packed.writestr(f"{path}/config.json", json.dumps(text))
    return content.getvalue()


def upload(page: Page, address: str, name: str, content: bytes) -> None:
    """Choose a file in a form and send it."""
    page.goto(address)
    if page.locator("#id_supplier").count():
        page.fill("#id_supplier", "distributor")
    page.set_input_files("#id_file", {"name": name, "mimeType": "application/octet-stream", "buffer": content})
    page.locator("main form button[data-kind=primary]").first.click()
    page.wait_for_load_state()


PRICES = "article;price;currency\nh200-nvl;31200;USD\nl40s;none;USD\ncable;5;USD\n"
ACTS: dict[str, tuple[str, Callable[[Page], None]]] = {
    "a price list with faults": (
        CATALOG,
        lambda page: upload(page, reverse("catalog:price_list"), "list.csv", PRICES.encode()),
    ),
    "a file that is no price list": (
        CATALOG,
        lambda page: upload(page, reverse("catalog:price_list"), "list.exe", b"x"),
    ),
    "an archive of models": (
        CATALOG,
        lambda page: upload(page, reverse("catalog:language_model_files"), "models.zip", archive()),
    ),
    "a file of articles": (
        CATALOG,
        lambda page: upload(
            page, reverse("catalog:article"), "a.txt", b"8xH200\nSYS-821GE-TNHR 8xH2OO\n" + b"x" * 2000
        ),
    ),
}


def submit() -> None:
    """Send a request that the engine answers in full."""
    contact = {"contact_name": "Anna Schmidt", "organization": "Customer GmbH", "email": "a@customer.example"}
    services.submit_request(
        answers={},
        asked=demo.ASKED,
        route="qlora",
        language="en",
        contact={**contact, "message": "", "consent": True},
        actor=Actor.customer("Anna Schmidt"),
        idempotency_key="walk",
    )
    call_command("db_worker", batch=True, interval=0, startup_delay=False, verbosity=0)


def make_quotes() -> None:
    """Make a quote in each state that `make_world` leaves out."""
    for status in Status:
        if status not in (Status.IN_REVIEW, Status.READY, Status.SUPERSEDED):
            quote = makers.make_quote(status=status, settled=True)
            if status in (Status.SENT, Status.ACCEPTED, Status.DECLINED):
                makers.make_document(quote)
    makers.make_quote(status=Status.SENT, settled=True, valid_until=makers.yesterday())


class Visitors:
    """One page for each role, signed in as it has to be."""

    def __init__(self, make_page: MakePage, live_server: Any) -> None:
        self.make_page, self.live_server = make_page, live_server
        self.pages: dict[str, Page] = {}

    def page(self, role: str) -> Page:
        """Give the page of a role, opened once."""
        if role not in self.pages:
            self.pages[role] = self._open(role)
        return self.pages[role]

    def _open(self, role: str) -> Page:
        page, client = self.make_page(viewport=DESK), Client()
        if role == ANYBODY:
            fill(client)
        elif role in (FRESH, HALF, SECOND):
            user = makers.make_user(Role.ENGINEER, name=role.replace(" ", "-").replace(",", ""))
            self._sign_in(page, user, role)
            return page
        else:
            client.force_login(makers.make_user(Role(role)))
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": self.live_server.url}
        page.context.add_cookies([cookie])  # type: ignore[list-item]
        return page

    def _sign_in(self, page: Page, user: User, role: str) -> None:
        second = role != FRESH
        # A second factor is for addresses that are known to be the person's.
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        if second:
            TOTP.activate(user, "JBSWY3DPEHPK3PXP")
            codes = RecoveryCodes.activate(user)
        page.goto(reverse("account_login"))
        page.fill("input[name=login]", user.username)
        page.fill("input[name=password]", PASSWORD)
        page.locator("main form button").first.click()
        page.wait_for_load_state()
        if role == HALF:
            return
        if second:
            page.fill("input[name=code]", codes.get_unused_codes()[0])
            page.locator("main form button").first.click()
            page.wait_for_load_state()
        page.goto(reverse("account_reauthenticate"))
        page.fill("input[name=password]", PASSWORD)
        page.locator("main form button").first.click()
        page.wait_for_load_state()


ON_DESK, ON_PHONE = ((DESK, "light", False), (DESK, "dark", True)), ((PHONE, "dark", False), (PHONE, "light", True))
OVERFLOW = """() => document.documentElement.scrollWidth <= innerWidth ? []
    : [...document.querySelectorAll("main *")].filter(one => one.getBoundingClientRect().right > innerWidth + 1)
        .slice(0, 3).map(one => `beyond the page: ${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`)
"""


def look(page: Page, looks: Iterable[tuple[dict[str, int], str, bool]]) -> list[str]:
    """Scan a page in both themes, and see that it keeps to its width; what a theme cannot change is scanned once."""
    found = []
    scanner = Scanner(page)
    for width, theme, colors_only in looks:
        page.set_viewport_size(width)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        found += [f"{theme}, {width['width']} px: {line}" for line in scanner.run(colors_only=colors_only)]
        found += page.evaluate(OVERFLOW)
    scanner.leave()
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    return found


def speak(page: Page, language: str, url: str) -> None:
    """Have the site answer this visitor in a language from the next page on."""
    page.context.add_cookies([{"name": "django_language", "value": language, "url": url}])


def make_world_in_full() -> World:
    """Make all that the walk visits."""
    submit()
    world = make_world()
    make_quotes()
    return world


def open_error(page: Page, status: int) -> None:
    """Show a page that no address leads to while everything works, in its own colors and fonts."""
    html = render_to_string(f"{status}.html", {"size_mb": 10, "limit_mb": 2, "back": "/"})
    page.route(f"**/error-{status}/", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto(f"/error-{status}/")


def assert_all_are_known(walked: set[str]) -> None:
    """Fail for an address that is neither walked nor said to be no page."""
    assert sorted(set(addresses()) - walked - NOT_PAGES.keys()) == []
    assert sorted((walked | NOT_PAGES.keys()) - set(addresses())) == []
    assert sorted(walked & NOT_PAGES.keys()) == []


def test_axe_finds_nothing_on_any_page(
    make_page: MakePage, live_server: Any, settings: Any, console: list[str]
) -> None:
    settings.RATE_LIMIT_FACTOR = 1_000
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 3_600
    call_command("load_catalog", verbosity=0)
    world = make_world_in_full()
    pages = [shown for family in FAMILIES for shown in family(world)]
    assert_all_are_known({shown.name for shown in pages})
    visitors = Visitors(make_page, live_server)
    found: dict[str, list[str]] = {}

    for shown in pages:
        page = visitors.page(shown.role)
        response = page.goto(shown.address)
        there = (response.status if response else 0, page.url.removeprefix(live_server.url))
        expected = (shown.status, there[1] if shown.leads_on else shown.address.replace(" ", "%20"))
        astray = [] if there == expected else [f"{there} instead of {expected}"]
        key = f"{shown.role}: {shown.name} {shown.args} {shown.query}"
        found[key] = [*astray, *look(page, ON_DESK)]
        speak(page, "ru", live_server.url)
        page.goto(shown.address)
        found[key] += look(page, ON_PHONE)
        speak(page, "en", live_server.url)
    for name, (role, act) in ACTS.items():
        act(visitors.page(role))
        found[name] = look(visitors.page(role), (*ON_DESK, *ON_PHONE))
    page = visitors.page(ANYBODY)
    for status in (400, 413, 429, 500):
        open_error(page, status)
        found[str(status)] = look(page, (*ON_DESK, *ON_PHONE))
    page.goto("/no-such-page/")
    found["404"] = look(page, (*ON_DESK, *ON_PHONE))
    refused = [line for line in without_axe(console) if "Failed to load resource" not in line]
    console[:] = refused

    assert {key: lines for key, lines in found.items() if lines} == {}
