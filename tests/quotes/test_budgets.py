"""A budget that must hold keeps a quote from being approved until its own total keeps it, or somebody says why not."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from quotes import guards, services, snapshot
from quotes.actors import Role
from quotes.models import Confirmation, PriceKind, Quote
from quotes.models.ledger import KEEPS_BUDGET
from quotes.presenter.deal import budget
from quotes.presenter.reading import Reading
from quotes.refusals import BlockedError
from quotes.services import preparing
from quotes.transitions import Move
from tests import makers

pytestmark = pytest.mark.django_db
RATE = {"base": "USD", "quote": "EUR", "rate": 0.9, "as_of": "2026-11-20", "source": "central bank", "is_stated": False}


def asked(limit: dict[str, Any], *, rates: tuple[dict[str, Any], ...] = (), tax: str = "0") -> Quote:
    """A settled quote of 62,000 USD net for a request with a budget."""
    quote = makers.make_quote(settled=True)
    quote.estimate.input = quote.estimate.input | {"limits": {"budget": limit}}
    quote.estimate.output = quote.estimate.output | {"exchange_rates": list(rates)}
    quote.estimate.save()
    quote.lines.update(tax_rate=Decimal(tax))
    preparing.refresh_totals(quote)
    return Quote.objects.get(pk=quote.pk)


def why(quote: Quote) -> list[str]:
    """What the desk says of the budget."""
    return [one.detail for one in guards.blocking(quote) if one.entry is not None and one.entry.key == KEEPS_BUDGET]


@pytest.mark.parametrize(
    ("limit", "tax", "said"),
    [
        ({"must": 62000, "currency": "USD", "net": True}, "20", []),
        ({"must": 61999, "currency": "USD", "net": True}, "0",
         ["Budget: the total is 62,000.00 USD without tax, 61,999 USD are allowed."]),
        ({"must": 62000, "currency": "USD", "net": False}, "20",
         ["Budget: the total is 74,400.00 USD with tax, 62,000 USD are allowed."]),
        ({"prefer": 100, "currency": "USD", "net": True}, "0", []),
        ({"must": 62000}, "0", []),
        ({"must": 60000, "currency": "CHF", "net": True}, "0",
         ["Budget: it is in CHF, the total in USD, and no exchange rate is known: agree one."]),
        ({"must": 55800, "currency": "EUR", "net": True}, "0", []),
        ({"must": 55799, "currency": "EUR", "net": True}, "0",
         ["Budget: at 1 USD = 0.9 EUR of 2026-11-20 the total is 55,800.00 EUR without tax, 55,799 EUR are allowed."]),
    ],
)  # fmt: skip
def test_the_total_of_the_quote_is_held_against_the_budget(limit: dict[str, Any], tax: str, said: list[str]) -> None:
    quote = asked(limit, rates=(RATE,), tax=tax)

    assert why(quote) == said
    kept = budget(Reading(snapshot.freeze(quote), "short"))
    assert kept is not None
    assert (kept.is_kept is True) is (not said) or not kept.is_must


def test_a_budget_waits_for_every_price() -> None:
    quote = asked({"must": 100_000, "currency": "USD", "net": True})
    line = quote.lines.get(kind="gpu")
    services.edit_line(line, actor=makers.engineer(), version=line.version, price_kind=PriceKind.NONE, unit_price=None)

    assert why(Quote.objects.get(pk=quote.pk)) == [
        "Budget: not every line has a price of this quote, so nobody knows whether it is kept."
    ]


def test_an_overrun_is_waived_with_a_printed_reason_and_another_total_opens_it_again() -> None:
    quote = asked({"must": 50_000, "currency": "USD", "net": True})
    with pytest.raises(BlockedError):
        services.move(quote, to=Move.SUBMIT, actor=makers.engineer())
    services.waive(
        quote.ledger.get(key=KEEPS_BUDGET), actor=makers.engineer(), reason="agreed by letter of 27 November"
    )
    quote = Quote.objects.get(pk=quote.pk)

    assert why(quote) == []
    frozen = snapshot.freeze(quote)
    assert "agreed by letter of 27 November" in [one["confirmation"]["reason"] for one in frozen["assumptions"]]
    preparing.refresh_totals(quote)
    assert why(Quote.objects.get(pk=quote.pk)) == []
    line = quote.lines.get(kind="gpu")
    services.edit_line(line, actor=makers.engineer(), version=line.version, unit_price=Decimal(32_000))
    assert why(Quote.objects.get(pk=quote.pk)) == [
        "Budget: the total is 64,000.00 USD without tax, 50,000 USD are allowed."
    ]


def test_a_lower_price_settles_it() -> None:
    quote = asked({"must": 50_000, "currency": "USD", "net": True})
    line = quote.lines.get(kind="gpu")
    services.edit_line(line, actor=makers.engineer(), version=line.version, unit_price=Decimal(25_000))

    assert not quote.ledger.filter(key=KEEPS_BUDGET).exists()


def test_the_desk_says_what_the_lines_say_and_not_the_first_calculation(client: Client) -> None:
    quote = asked({"must": 50_000, "currency": "USD", "net": False}, tax="20")
    quote.estimate.output["candidates"][1]["conditional"] = [
        "Budget: no line of it has a known price; nothing shows that it keeps 50,000 USD."
    ]
    quote.estimate.save()
    client.force_login(makers.make_user(Role.ENGINEER))
    page = client.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()
    answer = page.split('id="request"')[0]

    assert "Budget: no line of it" not in answer
    assert "The budget that must hold is not known to be kept" in page
    assert "50,000 USD, with tax" in page.replace("\u00a0", " ").replace("\u202f", " ")
    assert quote.ledger.get(key=KEEPS_BUDGET).confirmation == Confirmation.OPEN
