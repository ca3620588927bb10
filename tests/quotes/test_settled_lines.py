"""What was confirmed is what is sold: a settled line whose substance changes is open again, and says why."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from quotes import guards, services
from quotes.actors import Role
from quotes.models import Confirmation, Quote, QuoteEvent
from tests import makers

pytestmark = pytest.mark.django_db
CHANGES: list[tuple[str, Any]] = [
    ("unit_price", Decimal("30000")),
    ("quantity", Decimal(3)),
    ("article", "900-21010-0040-000"),
    ("description", "H200 NVL, refurbished"),
    ("detail", "one year of warranty"),
    ("kind", "other"),
]
OURS: list[tuple[str, Any]] = [
    ("discount_percent", Decimal(5)),
    ("tax_rate", Decimal(20)),
    ("unit_cost", Decimal(25_000)),
    ("description", " H200   NVL "),
]


def edited(quote: Quote, **values: Any) -> Quote:
    """The quote after an edit of its GPU line."""
    line = quote.lines.get(description__contains="H200")
    services.edit_line(line, actor=makers.engineer(), version=line.version, **values)
    return Quote.objects.get(pk=quote.pk)


@pytest.mark.parametrize(("field", "value"), CHANGES)
def test_another_substance_opens_a_confirmed_line_and_blocks(field: str, value: Any) -> None:
    quote = makers.make_quote(settled=True)
    assert not guards.blocking(quote)

    quote = edited(quote, **{field: value})

    line = quote.lines.last()
    assert (line.confirmation, line.evidence) == (Confirmation.OPEN, "")
    assert line.reopened_for == [field]
    assert "line" in [one.code for one in guards.blocking(quote)]
    event = QuoteEvent.objects.get(quote=quote, kind="line.reopened")
    assert event.change["changed"] == [field]


def test_a_waived_line_at_another_price_is_open_again() -> None:
    quote = makers.make_quote()
    line = quote.lines.last()
    services.waive(line, actor=makers.engineer(), reason="the supplier names the price by Friday")

    quote = edited(quote, unit_price=Decimal("1"))

    assert quote.lines.last().confirmation == Confirmation.OPEN


@pytest.mark.parametrize(("field", "value"), OURS)
def test_what_is_ours_to_set_keeps_the_confirmation(field: str, value: Any) -> None:
    quote = edited(makers.make_quote(settled=True), **{field: value})

    assert quote.lines.last().confirmation == Confirmation.CONFIRMED
    assert not QuoteEvent.objects.filter(quote=quote, kind="line.reopened").exists()


def test_a_refuted_line_stays_so_at_another_price_and_opens_with_another_part() -> None:
    quote = makers.make_quote()
    services.refute(quote.lines.last(), actor=makers.engineer(), evidence="withdrawn by the maker")

    quote = edited(quote, unit_price=Decimal("1"))
    assert quote.lines.last().confirmation == Confirmation.REFUTED

    quote = edited(quote, article="another one")
    assert quote.lines.last().confirmation == Confirmation.OPEN


def test_the_page_says_why_a_line_is_open_until_it_is_confirmed_again(client: Client) -> None:
    quote = makers.make_quote(settled=True)
    client.force_login(makers.make_user(Role.ENGINEER))
    line = quote.lines.last()
    data = {"description": line.description, "kind": "gpu", "quantity": "2", "price_kind": "firm"}

    told = client.post(
        reverse("quotes:line", args=[quote.public_id, line.public_id, "edit"]),
        {**data, "unit_price": "30000", "version": line.version},
        follow=True,
    ).content.decode()

    why = "Open again, changed after it was settled: price of one"
    assert told.count(why) >= 3, "as a message, on the row, among the reasons"
    line.refresh_from_db()
    services.confirm(line, actor=makers.engineer(), evidence="the letter of 1 December")
    again = client.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()
    assert why not in again.partition('id="events"')[0]
    assert line.reopened_for == []
