"""The desk shows every kind of answer: trainings, services, answers over documents, refusals, and nothing at all."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from quotes import engine, guards, services, snapshot
from quotes.actors import Role
from quotes.models import Confirmation, Issuer, PriceKind, Quote, Status
from quotes.models.ledger import KEEPS_LIMITS
from quotes.refusals import InvalidError
from quotes.services import points
from quotes.services.requests import start_quote
from sizing import contract
from tests import makers

pytestmark = pytest.mark.django_db
SCENARIOS = [json.loads(line) for line in Path("tests/data/requests.jsonl").read_text().splitlines()]
ROUTES = {"inference": "service", "rag": "documents"}
WAIVER = "The customer accepts the later day in the letter of 27 November."


@pytest.fixture
def desk(client: Client) -> Client:
    """The engineer's browser."""
    client.force_login(makers.make_user(Role.ENGINEER))
    return client


@cache
def answer_of(identity: str) -> engine.Answer:
    """The engine's answer to a scenario over the packaged hardware."""
    asked = next(one for one in SCENARIOS if one["id"] == identity)
    return engine.Answer(asked, contract.recommend(asked), "0.1.0", "f" * 64)


def quote_of(asked: dict[str, Any]) -> Quote:
    """The quote the product makes of a request."""
    request = makers.make_request(route=ROUTES.get(asked["workload"]["task"], "qlora"))
    return start_quote(request.versions.get(), answer=answer_of(asked["id"]), issuer=Issuer.ensure())


def overrun(quote: Quote) -> None:
    """Let the only candidate be the customer's article, which breaks a limit."""
    article = makers.make_candidate(1, label="article") | {
        "does_the_job": False,
        "reasons_for": ["keeps every wish"],
        "reasons_against": ["the result comes too late"],
    }
    quote.estimate.output = makers.make_output(candidates=[article])
    quote.estimate.save()


@pytest.mark.parametrize("asked", SCENARIOS, ids=lambda asked: asked["id"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_scenario_has_a_page(desk: Client, asked: dict[str, Any], language: str) -> None:
    quote = quote_of(asked)
    desk.cookies.load({"django_language": language})

    response = desk.get(reverse("quotes:detail", args=[quote.public_id]))

    assert response.status_code == 200
    if asked["workload"]["task"] != "training" and language == "en":
        assert "To the first word" in response.content.decode()
        assert "tokens/s" in response.content.decode()


@pytest.mark.parametrize("asked", [one for one in SCENARIOS if one["id"][:3] in ("s09", "s10", "s11", "s14")])
def test_queue_difference_and_draft_work_for_every_kind(desk: Client, asked: dict[str, Any]) -> None:
    former = quote_of(asked)
    Quote.objects.filter(pk=former.pk).update(status=Status.SENT, number="SW-2026-0001")
    former.refresh_from_db()
    latter = services.revise(former, actor=makers.engineer(), reason="another price list")

    for name, arguments in (("queue", []), ("difference", [latter.public_id]), ("draft", [latter.public_id])):
        assert desk.get(reverse(f"quotes:{name}", args=arguments)).status_code == 200, name


def test_a_candidate_that_breaks_a_limit_is_not_chosen_silently() -> None:
    quote = makers.make_quote()
    overrun(quote)
    answer = engine.Answer(quote.estimate.input, quote.estimate.output, "0.1.0", "f" * 64)

    started = start_quote(makers.make_request().versions.get(), answer=answer, issuer=quote.issuer)

    assert started.chosen_rank is None
    assert "No configuration is chosen" in [one.title for one in guards.blocking(started)]


def test_a_chosen_candidate_that_breaks_a_limit_blocks_until_it_is_waived(desk: Client) -> None:
    quote = makers.make_quote(settled=True)
    overrun(quote)
    services.choose_candidate(quote, rank=1, actor=makers.engineer(), drop=True)
    quote = Quote.objects.get(pk=quote.pk)
    text = desk.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()

    assert "does not do the job" in text
    assert "keeps every wish" not in text
    entry = quote.ledger.get(key=KEEPS_LIMITS)
    assert [one.entry for one in guards.blocking(quote) if one.entry] == [entry]
    services.waive(entry, actor=makers.engineer(), reason=WAIVER)
    assert not [one for one in guards.blocking(Quote.objects.get(pk=quote.pk)) if one.entry]
    frozen = snapshot.freeze(Quote.objects.get(pk=quote.pk))
    assert WAIVER in [one["confirmation"]["reason"] for one in frozen["assumptions"]]


def test_another_choice_takes_the_broken_limit_out_of_the_ledger() -> None:
    quote = makers.make_quote()
    points.note_points(quote, {"does_the_job": False, "reasons_against": ["too late"]})

    services.choose_candidate(quote, rank=1, actor=makers.engineer(), drop=True)

    assert not quote.ledger.filter(key=KEEPS_LIMITS).exists()


@pytest.mark.parametrize("kind", [PriceKind.NONE, PriceKind.ESTIMATE])
def test_a_line_without_a_quoted_price_blocks_until_it_is_quoted_included_or_waived(kind: str) -> None:
    quote = makers.make_quote(settled=True)
    line = quote.lines.get(kind="gpu")
    price = None if kind == PriceKind.NONE else line.unit_price
    services.edit_line(line, actor=makers.engineer(), version=None, price_kind=kind, unit_price=price)
    services.confirm(line, actor=makers.engineer(), evidence="a letter")
    quote = Quote.objects.get(pk=quote.pk)

    assert [one.code for one in guards.blocking(quote)] == ["price"]
    assert quote.net_total == 0
    assert snapshot.freeze(quote)["totals"]["lines_priced"] == 1
    services.waive(line, actor=makers.engineer(), reason=WAIVER)
    assert not guards.blocking(Quote.objects.get(pk=quote.pk))


def test_a_dispute_stands_on_top_is_counted_and_blocks(desk: Client) -> None:
    quote = makers.make_quote(settled=True)
    entry = quote.ledger.get(key="storage.copies")
    services.dispute_assumption(entry, actor=makers.customer(quote), is_right=False, words="we keep five")
    quote = Quote.objects.get(pk=quote.pk)

    text = desk.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()

    assert "The customer disputes 1 assumption" in text
    ledger = text[text.index('id="ledger"') :]
    assert ledger.index("we keep five") < ledger.index("Micro-batch")
    assert [one.code for one in guards.blocking(quote)] == ["dispute"]
    services.confirm(entry, actor=makers.engineer(), evidence="call of 27 November")
    assert not guards.blocking(Quote.objects.get(pk=quote.pk))


def test_an_override_of_the_engineer_is_not_the_customers_word_and_sheds_the_old_reason() -> None:
    quote = quote_of(SCENARIOS[0])
    entry = next(one for one in quote.ledger.all() if one.key == "workload.lora.rank")
    with pytest.raises(InvalidError):
        services.change_assumption(entry, value=24, actor=makers.engineer(), origin="customer", evidence="a call")

    services.change_assumption(entry, value=24, actor=makers.engineer(), origin="vendor", evidence="the maker's letter")

    kept = Quote.objects.get(pk=quote.pk).ledger.get(key="workload.lora.rank")
    assert (kept.value, kept.origin, kept.why, kept.source) == (24, "vendor", "", "")
    assert (kept.confirmation, kept.evidence) == (Confirmation.CONFIRMED, "the maker's letter")


def test_market_research_is_for_us_only(desk: Client) -> None:
    quote = makers.make_quote()
    services.choose_candidate(quote, rank=1, actor=makers.engineer(), drop=True)
    estimates = [line for line in quote.lines.all() if line.price_kind == PriceKind.ESTIMATE]

    text = desk.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()

    assert estimates
    assert not any("arket" in line.detail for line in quote.lines.all())
    assert "For us only:" in text
    assert "28,000–31,000" in text
    line = estimates[0]
    services.edit_line(line, actor=makers.engineer(), version=None, price_kind="firm", unit_price=30_000)
    assert line.detail == ""


def test_a_revision_asks_why_and_takes_questions_along(desk: Client) -> None:
    first = makers.make_quote(status=Status.SENT, settled=True)
    first.clarifications.create(question="How many sites?", answer="two", asked_by=makers.make_user())
    address = reverse("quotes:revise", args=[first.public_id])

    assert "Reason" in desk.get(address).content.decode()
    assert desk.post(address, {"reason": " "}).status_code == 422
    assert desk.post(address, {"reason": "the price list has changed"}).status_code == 302

    second = Quote.objects.get(predecessor=first)
    assert [(one.question, one.answer) for one in second.clarifications.all()] == [("How many sites?", "two")]
    assert second.events.get(kind="quote.revised").reason == "the price list has changed"


def test_revise_by_address_alone_leads_to_the_quote(desk: Client) -> None:
    quote = makers.make_quote()

    response = desk.get(reverse("quotes:revise", args=[quote.public_id]))

    assert (response.status_code, response["Location"]) == (302, reverse("quotes:detail", args=[quote.public_id]))


def test_an_accepted_revision_stays_accepted_when_the_next_is_sent(desk: Client) -> None:
    first = makers.make_quote(status=Status.ACCEPTED, settled=True)
    assert "stays accepted" in desk.get(reverse("quotes:revise", args=[first.public_id])).content.decode()
    second = services.revise(first, actor=makers.engineer(), reason="one more server")
    assert "stays accepted" in desk.get(reverse("quotes:difference", args=[second.public_id])).content.decode()

    services.move(second, to=services.moves.Move.SUBMIT, actor=makers.engineer())
    services.approve(second, actor=makers.approver())
    second.refresh_from_db()
    makers.make_document(second)
    services.send(second, actor=makers.engineer())

    first.refresh_from_db()
    assert first.status == Status.ACCEPTED


def test_no_stored_text_keeps_control_characters_or_turns_its_direction() -> None:
    dirty, clean = "A\u202e1\u2066\u0007B\nC", "A1B\nC"
    quote = makers.make_quote(request=makers.make_request(contact_name=dirty, message=dirty))
    version = quote.request.versions.get()
    version.answers = {"article": [dirty]}
    version.save()
    line = services.add_line(quote, actor=makers.engineer(), description=dirty, kind="other", quantity=1)
    services.edit_line(line, actor=makers.engineer(), version=None, detail=dirty)
    services.add_note(quote.request, text=dirty, actor=makers.engineer())
    asked = services.ask(quote, actor=makers.engineer(), question=dirty)
    services.answer_clarification(asked, actor=makers.engineer(), answer=dirty)

    for row in (quote.request, version, line, asked):
        row.refresh_from_db()
    found = [quote.request.contact_name, quote.request.message, version.answers["article"][0], line.description]
    found += [line.detail, asked.question, asked.answer, quote.request.internal_notes.get().text]
    assert found == [clean] * len(found)


@pytest.mark.parametrize("quantity", ["0", "-1", "100001", "1e9", "x", ""])
def test_an_impossible_quantity_is_refused_with_the_range(desk: Client, quantity: str) -> None:
    quote = makers.make_quote()
    data = {"description": "Cable", "kind": "cable", "quantity": quantity, "price_kind": "none"}

    response = desk.post(reverse("quotes:line_new", args=[quote.public_id]), data)

    assert response.status_code == 422
    assert "The quantity is from 0.01 to 100,000" in response.content.decode()
    with pytest.raises(InvalidError):
        services.add_line(quote, actor=makers.engineer(), description="Cable", kind="cable", quantity=0)


def test_the_russian_desk_says_words_and_money_in_russian(desk: Client) -> None:
    quote = makers.make_quote()
    asked = quote.estimate.input
    asked["limits"] |= {"budget": {"must": 900_000, "currency": "USD"}, "cooling": {"must": "air"}}
    asked["limits"]["region"] = {"must": "on_premises"}
    asked["workload"]["checkpoint_every_steps"] = 500
    quote.estimate.save()
    line = quote.lines.get(kind="platform")
    services.edit_line(line, actor=makers.engineer(), version=None, price_kind="firm", unit_price=1)
    desk.cookies.load({"django_language": "ru"})

    text = desk.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()

    assert "900\u202f000\u00a0USD" in text
    for raw in ("900,000", "on premises", "on_premises", ">training", "Checkpoint every", "price_kind", "air ("):
        assert raw not in text


def test_every_answer_of_the_customer_is_on_the_page(desk: Client) -> None:
    quote = makers.make_quote(request=makers.make_request(route="service"))
    version = quote.request.versions.get()
    version.answers = {"redundancy": "none", "placement": "office", "framework_version": "0.9.2", "storage_tb": 40}
    version.save()

    text = desk.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()

    for words in ("Version of the engine", "0.9.2", "40", "All 4 answers of the customer"):
        assert words in text
