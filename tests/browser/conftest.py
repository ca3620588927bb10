"""A real browser for the tests: every page must keep its console clean, and leaves a picture when a test fails."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Response,
    expect,
    sync_playwright,
)

# Playwright's loop runs in this thread, so Django would refuse to use the database here.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

PATIENCE_MS = 15_000
expect.set_options(timeout=PATIENCE_MS)

HERE = Path(__file__).parent
OUTPUT = HERE / "output"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLOR_RULES = ["color-contrast", "link-in-text-block"]

MakePage = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in this folder, so that a run can leave it out."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Take a picture of every open page of a test that failed."""
    report = yield
    if report.when == "call" and report.failed and HERE in item.path.parents:
        OUTPUT.mkdir(exist_ok=True)
        for number, page in enumerate(getattr(item, "funcargs", {}).get("open_pages", [])):
            name = re.sub(r"[^\w-]+", "-", item.name)
            page.screenshot(path=OUTPUT / f"{name}-{number}.png", full_page=True)
    return report


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright itself."""
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The system's Chromium or Chrome, or the one that Playwright brought."""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else FLAGS
    running = playwright.chromium.launch(executable_path=path, args=flags)
    yield running
    running.close()


@pytest.fixture
def console() -> list[str]:
    """What the pages complained about; a test that provokes a complaint looks at it and clears the list."""
    return []


@pytest.fixture
def open_pages() -> list[Page]:
    """The pages of this test, for pictures."""
    return []


@pytest.fixture
def make_page(browser: Browser, live_server: Any, console: list[str], open_pages: list[Page]) -> Iterator[MakePage]:
    """Open a page of a new visitor: ``make_page(locale="ru-RU", java_script_enabled=False, color_scheme="dark")``."""
    contexts: list[BrowserContext] = []

    def make(**options: Any) -> Page:
        options = {"locale": "en-US", "viewport": {"width": 1280, "height": 900}} | options
        context = browser.new_context(base_url=live_server.url, reduced_motion="reduce", **options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        watch(page, console)
        open_pages.append(page)
        return page

    yield make
    for context in contexts:
        context.close()
    assert console == [], "The browser's console is not clean"


@pytest.fixture
def page(make_page: MakePage) -> Page:
    """The page of one visitor at a laptop who reads English."""
    return make_page()


@pytest.fixture
def phone(make_page: MakePage) -> Page:
    """The page of one visitor at a small phone."""
    return make_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, device_scale_factor=2)


class Scanner:
    """Axe in one page: put there once, run as often as the page changes its look."""

    source = (HERE / "vendor" / "axe.min.js").read_text(encoding="utf-8")

    def __init__(self, page: Page) -> None:
        # A script tag would be refused by the site's policy; the debugger's own evaluation is not.
        self.session = page.context.new_cdp_session(page)
        self.session.send("Runtime.evaluate", {"expression": self.source})

    def run(self, *, colors_only: bool = False) -> list[str]:
        """Scan for what WCAG 2.2 AA forbids, or its rules of color alone, and return a line for each finding."""
        rules = {"type": "rule", "values": COLOR_RULES} if colors_only else {"type": "tag", "values": AXE_RULES}
        options = json.dumps({"runOnly": rules, "resultTypes": ["violations"], "preload": False})
        answer = self.session.send(
            "Runtime.evaluate",
            {
                "expression": f"axe.run(document, {options}).then(found => JSON.stringify(found.violations))",
                "awaitPromise": True,
                "returnByValue": True,
            },
        )
        return [
            f"{violation['id']}: {violation['help']}: {node['target']} {node.get('failureSummary', '')}"
            for violation in json.loads(answer["result"]["value"])
            for node in violation["nodes"]
        ]

    def leave(self) -> None:
        """Take the debugger off the page."""
        self.session.detach()


def without_axe(lines: list[str]) -> list[str]:
    """Complaints of the console that are the page's: axe tries styles on elements, which the site's policy refuses."""
    return [line for line in lines if "inline style" not in line]


@pytest.fixture
def axe(console: list[str]) -> Callable[[Page], list[str]]:
    """Scan a page as it stands, and return a line for each finding."""

    def scan(page: Page) -> list[str]:
        complaints_before = len(console)
        scanner = Scanner(page)
        found = scanner.run()
        scanner.leave()
        page.wait_for_load_state()
        console[complaints_before:] = without_axe(console[complaints_before:])
        return found

    return scan


# htmx reports a request as an error when a newer one replaces it, which the live preview does on purpose.
REPLACED_REQUEST = ("htmx:sendAbort", "htmx:afterRequest")


def watch(page: Page, console: list[str]) -> None:
    """Write every warning, error, uncaught exception and answer of 500 or more into the list."""

    def note_message(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not message.text.startswith(REPLACED_REQUEST):
            console.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def note_response(response: Response) -> None:
        if response.status >= 500:
            console.append(f"{response.status}: {response.url}")

    page.on("console", note_message)
    page.on("pageerror", lambda error: console.append(f"exception: {error}"))
    page.on("response", note_response)
