"""A routine quote walked through as people do it, with everything they have to do counted."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from time import perf_counter

from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from catalog import services as catalog_services
from catalog.models import GpuSupport, Offer, Part, Price
from quotes.models import Quote

LIST = "Price list of the supplier of 27 November 2026"


@dataclass
class Hand:
    """What one person does in a browser: clicks, typed fields, loaded pages, and the seconds the machine took."""

    page: Page
    clicks: int = 0
    fields: int = 0
    loads: int = 0
    seconds: float = 0.0
    steps: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("framenavigated", lambda frame: self._loaded(frame.parent_frame is None))

    def _loaded(self, is_page: bool) -> None:
        self.loads += is_page

    def _timed(self, act: Callable[[], object], step: str) -> None:
        started = perf_counter()
        act()
        self.page.wait_for_load_state()
        self.seconds += perf_counter() - started
        self.steps.append(step)

    def open(self, path: str) -> None:
        """Come by a bookmark or a letter."""
        self._timed(lambda: self.page.goto(path), f"open {path}")

    def click(self, what: Locator) -> None:
        """Click once."""
        name = re.sub(r"\s+", " ", what.inner_text() or "box").strip()
        self.clicks += 1
        self._timed(what.click, f"click {name}")

    def fill(self, selector: str, text: str) -> None:
        """Type one field."""
        self.fields += 1
        self.page.fill(selector, text)
        self.steps.append(f"type {selector}")


def confirm_catalog() -> None:
    """Let every part be sold at a price that the catalog administrator confirmed on one price list."""
    now = timezone.localdate()
    admin = User.objects.create_superuser("catalog", "catalog@example.com", "long-enough-1")
    until = now + timedelta(days=20)
    catalog_services.confirm(
        list(GpuSupport.objects.all()), actor=admin, evidence="the maker's list", valid_until=until
    )
    offers = Offer.objects.bulk_create(
        Offer(part=part, supplier="the supplier", condition=Offer.Condition.NEW) for part in Part.objects.all()
    )
    prices = Price.objects.bulk_create(
        Price(
            offer=offer,
            amount_low=Decimal("1234.50"),
            amount_high=Decimal("1234.50"),
            currency="USD",
            includes_tax=False,
            as_of=now.isoformat(),
            valid_from=now - timedelta(days=1),
        )
        for offer in offers
    )
    catalog_services.confirm(prices, actor=admin, evidence=LIST, valid_until=until)


def send(page: Page) -> None:
    """Send a form that is filled in, with an address and consent, and arrive at the private page."""
    page.click("button[data-kind=primary]")
    expect(page).to_have_url(re.compile("/size/check/"))
    page.fill("#id_email", "anna@customer.example")
    page.check("#id_consent")
    page.click("button[data-kind=primary]")
    expect(page).to_have_url(re.compile("/r/[^/]{43}/"))


def customer_asks(hand: Hand) -> None:
    """Describe a QLoRA run and send it."""
    page = hand.page
    hand.open("/size/adapters/")
    hand.fill("#id_model_name", "llama-3.1-8b")
    hand.fill("#id_dataset_amount", "10")
    hand.fill("#id_sequence_length", "2048")
    hand.click(page.locator("button[data-kind=primary]"))
    expect(page).to_have_url(re.compile("/size/check/"))
    hand.fill("#id_email", "anna@customer.example")
    hand.click(page.locator("#id_consent"))
    hand.click(page.locator("button[data-kind=primary]"))
    expect(page).to_have_url(re.compile("/r/[^/]{43}/"))


def engineer_prepares(hand: Hand) -> None:
    """Price what the price list does not name, confirm all lines on the list together, and submit."""
    page, quote = hand.page, Quote.objects.get()
    hand.open("/desk/")
    hand.click(page.locator(f"a[href*='{quote.public_id}']"))
    for line in quote.lines.filter(price_kind="none"):
        link = page.locator(f"#guards a[href*='{line.public_id}']")
        hand.click(link.get_by_text("Set the price"))
        hand.fill("#id_unit_price", "310")
        hand.click(page.locator("#panel").get_by_role("button", name="Save"))
    for entry in quote.ledger.filter(decisive=True):
        hand.click(page.locator(f"#row-{entry.public_id}").get_by_role("link", name="Confirm"))
        hand.fill("#id_evidence", "the customer's letter of 30 November")
        hand.click(page.locator("#panel").get_by_role("button", name="Confirm"))
    hand.click(page.get_by_role("link", name="Confirm several").first)
    for box in page.locator("#panel input[type=checkbox]:not(:checked)").all():
        hand.click(box)
    if not page.input_value("#id_evidence"):
        hand.fill("#id_evidence", LIST)
    hand.click(page.locator("#panel").get_by_role("button", name="Confirm"))
    hand.click(page.get_by_role("button", name="Submit for approval"))
    expect(page.get_by_text("Submitted:")).to_be_visible()


def approver_approves(hand: Hand) -> None:
    """Find it in the queue, read it, approve it."""
    page, quote = hand.page, Quote.objects.get()
    hand.open("/desk/")
    hand.click(page.locator(f"a[href*='{quote.public_id}']"))
    hand.click(page.get_by_role("button", name="Approve"))
    expect(page.locator("h1")).to_contain_text("SW-")


def engineer_sends(hand: Hand) -> None:
    """Open it again and send it."""
    page, quote = hand.page, Quote.objects.get()
    hand.open("/desk/")
    hand.click(page.locator(f"a[href*='{quote.public_id}']"))
    hand.click(page.get_by_role("button", name="Send", exact=True))
    expect(page.get_by_text("Sent: the customer gets a letter")).to_be_visible()


def work() -> float:
    """Let the task worker do everything that waits; give the seconds it took."""
    started = perf_counter()
    call_command("db_worker", batch=True, interval=0, startup_delay=False, verbosity=0)
    return perf_counter() - started


def walk(customer: Hand, engineer: Hand, approver: Hand) -> float:
    """Go the whole way from the customer's form to the quote sent; give the seconds of the task worker."""
    customer_asks(customer)
    worked = work()
    engineer_prepares(engineer)
    approver_approves(approver)
    worked += work()
    engineer_sends(engineer)
    return worked + work()
