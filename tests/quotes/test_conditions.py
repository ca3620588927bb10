"""What the chosen machine is conditional on is a point of the quote: confirmed, waived with a reason, or in the way."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from quotes import guards, services, snapshot
from quotes.actors import Role
from quotes.models import Confirmation, LedgerEntry, Quote, QuoteEvent
from quotes.services import points
from quotes.transitions import Move
from tests import makers

pytestmark = pytest.mark.django_db
POWER = "The maker publishes no maximum power for this composition; it is derived with a band."
SUPPORT = "Support of H200 NVL in Supermicro SYS-521GE-TNRT is not confirmed: no dated document of the maker was read."
REASON = "the maker answers before the delivery"


def conditional(*texts: str, **fields: Any) -> Quote:
    """A settled quote whose machine is conditional."""
    output = makers.make_output()
    for candidate in output["candidates"]:
        candidate["conditional"] = list(texts)
    quote = makers.make_quote(settled=True, output=output, **fields)
    points.note_points(quote, quote.candidate)
    return Quote.objects.get(pk=quote.pk)


def condition(quote: Quote) -> LedgerEntry:
    """The only condition of a quote."""
    return next(entry for entry in quote.ledger.all() if entry.is_condition)


def test_an_open_condition_blocks_until_it_is_confirmed() -> None:
    quote = conditional(POWER)
    assert [one.code for one in guards.blocking(quote)] == ["condition"]

    services.confirm(condition(quote), actor=makers.engineer(), evidence="the maker's letter of 30 November")

    quote = Quote.objects.get(pk=quote.pk)
    assert not guards.blocking(quote)
    assert services.move(quote, to=Move.SUBMIT, actor=makers.engineer()).status == "ready"
    event = QuoteEvent.objects.get(quote=quote, kind="condition.confirmed")
    assert event.change["what"] == POWER


def test_a_waived_condition_prints_its_reason_and_a_confirmed_one_its_evidence() -> None:
    quote = conditional(POWER, SUPPORT)
    first, second = [entry for entry in quote.ledger.all() if entry.is_condition]
    services.waive(first, actor=makers.engineer(), reason=REASON)
    services.confirm(second, actor=makers.engineer(), evidence="the maker's list")

    frozen = snapshot.freeze(Quote.objects.get(pk=quote.pk))

    said = {one["text"]: one["confirmation"] for one in frozen["conditions"]}
    assert (said[POWER]["state"], said[POWER]["reason"]) == ("waived", REASON)
    assert (said[SUPPORT]["state"], said[SUPPORT]["evidence"]) == ("confirmed", "the maker's list")
    assert not [one for one in frozen["assumptions"] if one["key"].startswith("candidate.condition")]


def test_a_refuted_condition_can_not_be_waived() -> None:
    quote = conditional(POWER)
    services.refute(condition(quote), actor=makers.engineer(), evidence="the data sheet of November")

    quote = Quote.objects.get(pk=quote.pk)
    (guard,) = guards.blocking(quote)
    assert guard.detail == "Refuted: choose another configuration"
    assert not guard.can_be_waived


def test_a_condition_of_a_price_is_no_point() -> None:
    quote = conditional("Budget: 3 of 9 lines have a price; the sum of the known ones is 10 000 USD.")

    assert not [entry for entry in quote.ledger.all() if entry.is_condition]
    assert not guards.blocking(quote)


def test_a_condition_without_a_point_blocks_all_the_same() -> None:
    quote = conditional(POWER)
    LedgerEntry.objects.filter(quote=quote, key__startswith="candidate.condition").delete()

    assert [one.code for one in guards.blocking(Quote.objects.get(pk=quote.pk))] == ["condition"]


def test_another_machine_with_the_same_sentence_has_a_point_of_its_own() -> None:
    quote = conditional(POWER)
    services.confirm(condition(quote), actor=makers.engineer(), evidence="the maker's letter")

    services.choose_candidate(quote, rank=1, actor=makers.engineer(), drop=True)

    quote = Quote.objects.get(pk=quote.pk)
    assert condition(quote).confirmation == Confirmation.OPEN
    services.choose_candidate(quote, rank=1, actor=makers.engineer(), drop=True)
    assert [entry.is_condition for entry in quote.ledger.all()].count(True) == 1


def test_a_revision_and_a_copy_carry_the_points() -> None:
    quote = conditional(POWER, status="sent")
    revision = services.revise(quote, actor=makers.engineer(), reason="a new price list")
    copied = services.copy(quote, prices="quoted", actor=makers.engineer())

    assert condition(revision).why == POWER
    assert condition(copied).confirmation == Confirmation.OPEN


def test_the_page_offers_what_can_be_done_and_the_queue_counts_it(client: Client) -> None:
    quote = conditional(POWER)
    client.force_login(makers.make_user(Role.ENGINEER))
    row = condition(quote)

    text = client.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()
    queue = client.get(reverse("quotes:queue"), {"view": "all"}).content.decode()
    waived = client.post(
        reverse("quotes:assumption", args=[quote.public_id, row.public_id, "waive"]),
        {"reason": REASON, "party": "supplier", "version": row.version},
        follow=True,
    ).content.decode()

    assert "Conditions of the machine" in text
    assert reverse("quotes:assumption", args=[quote.public_id, row.public_id, "confirm"]) in text
    assert "1 condition" in queue
    assert "Nothing is in the way" in waived
    assert REASON in waived
