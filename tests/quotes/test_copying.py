"""A new request made from a quote there is: what comes along, what is asked again, what stays behind."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from catalog import services as catalog_services
from catalog.models import GpuSupport, Offer, Part, Price
from quotes import guards, links, services
from quotes.actors import Role
from quotes.models import Confirmation, Mail, PriceKind, Quote, QuoteLine, Request, Status
from quotes.refusals import InvalidError, NotAllowedError
from quotes.services import preparing
from quotes.services.copying import Prices
from quotes.transitions import Move
from tests import makers
from tests.quotes.test_moves import sent, together

pytestmark = pytest.mark.django_db


def copied(quote: Quote, prices: str = Prices.QUOTED, **more: Any) -> Quote:
    """The copy an engineer makes."""
    return services.copy(quote, prices=prices, actor=makers.engineer(), **more)


def gpu_of(quote: Quote) -> QuoteLine:
    """The line of the GPUs."""
    return quote.lines.get(kind="gpu")


def blocks(quote: Quote) -> set[str]:
    """What keeps a quote from being approved."""
    fresh = Quote.objects.select_related("issuer", "estimate").get(pk=quote.pk)
    return {f"{guard.title}: {guard.detail}" for guard in guards.blocking(fresh, approving=False)}


def test_answers_plan_lines_and_contact_come_along() -> None:
    source = sent()
    source.estimate.request_version.answers = {"model_name": "llama-3.1-8b"}
    source.estimate.request_version.save()
    preparing.refresh_totals(source)

    copy = copied(source)

    former = source.request
    assert (copy.request.email, copy.request.organization) == (former.email, former.organization)
    assert copy.estimate.request_version.answers == {"model_name": "llama-3.1-8b"}
    assert (copy.estimate.output, copy.chosen_rank) == (source.estimate.output, source.chosen_rank)
    assert copy.estimate.created_at == source.estimate.created_at
    names = ("position", "description", "quantity", "unit_price", "net_amount")
    assert list(copy.lines.values_list(*names)) == list(source.lines.values_list(*names))
    assert (copy.net_total, copy.author) == (source.net_total, makers.make_user(Role.ENGINEER))
    assert (copy.status, copy.request.assigned_to) == (Status.IN_REVIEW, makers.make_user(Role.ENGINEER))


def test_acceptance_number_documents_link_questions_notes_and_events_stay_behind() -> None:
    source = sent()
    services.add_note(source.request, text="only here", actor=makers.engineer())
    services.accept(source, actor=makers.customer(source), sha256=source.documents.get().sha256)
    source.refresh_from_db()

    copy = copied(source)

    assert (copy.number, copy.revision, copy.predecessor, copy.valid_until) == (None, 1, None, None)
    assert (copy.accepted_sha256, copy.decided_at, copy.sent_at, copy.issued_at) == ("", None, None, None)
    assert (copy.snapshot, copy.approver) == (None, None)
    assert not copy.request.documents.exists()
    assert not copy.request.internal_notes.exists()
    assert [event.kind for event in copy.request.events.all()] == ["request.copied"]
    assert links.token_of(copy.request) not in (None, links.token_of(source.request))
    assert not Mail.objects.filter(request=copy.request).exists()
    source.refresh_from_db()
    assert source.status == Status.ACCEPTED


def test_events_on_both_sides_name_the_other() -> None:
    source = sent()

    copy = copied(source)

    here = copy.request.events.get(kind="request.copied")
    there = source.request.events.get(kind="quote.copied")
    assert here.change["name"] == source.full_number
    assert there.change["name"] == copy.request.reference
    assert copy.request.copied_from == source


def test_what_people_confirmed_or_waived_is_open_and_what_was_refuted_stays_so() -> None:
    source = makers.make_quote(settled=True)
    by = makers.engineer()
    services.refute(source.lines.get(kind="platform"), actor=by, evidence="withdrawn by the maker")
    services.reopen(gpu_of(source), actor=by)
    services.waive(gpu_of(source), actor=by, reason="The supplier names the article in the invoice.")

    copy = copied(source)

    assert gpu_of(copy).confirmation == Confirmation.OPEN
    assert (gpu_of(copy).reason, gpu_of(copy).confirmed_by, gpu_of(copy).evidence) == ("", None, "")
    assert copy.lines.get(kind="platform").confirmation == Confirmation.REFUTED
    assert set(copy.ledger.values_list("confirmation", flat=True)) == {Confirmation.OPEN}
    assert any("Not confirmed" in one for one in blocks(copy))


def test_values_of_the_ledger_come_along_and_an_open_dispute_stays_one() -> None:
    source = makers.make_quote()
    entry = source.ledger.get(decisive=True)
    services.dispute_assumption(entry, actor=makers.customer(source), is_right=False, words="it is four")
    settled = source.ledger.get(key="storage.copies")
    services.dispute_assumption(settled, actor=makers.customer(source), is_right=True, words="yes")

    copy = copied(source)

    assert copy.ledger.get(decisive=True).customer_says == "it is four"
    other = copy.ledger.get(key="storage.copies")
    assert (other.value, other.origin, other.confirmation, other.customer_says) == (2, "customer", "unconfirmed", "")


def catalogued() -> Quote:
    """A sent-looking quote whose lines were composed from the catalog."""
    call_command("load_catalog", verbosity=0)
    platform = GpuSupport.objects.select_related("platform").filter(gpu__slug="h200-nvl")[0].platform.slug
    candidate = makers.make_candidate(2) | {"platform": platform, "gpu": "h200-nvl"}
    candidate["lines"][0] |= {"slug": platform}
    quote = makers.make_quote(output=makers.make_output(candidates=[candidate]))
    preparing.choose(quote, estimate=quote.estimate, rank=2)
    return Quote.objects.get(pk=quote.pk)


def price_of_today(amount: str) -> None:
    """A confirmed price of the GPU in today's catalog."""
    offer = Offer.objects.create(part=Part.objects.get(slug="h200-nvl"), supplier="distributor", condition="new")
    price = Price.objects.create(
        offer=offer, amount_low=Decimal(amount), amount_high=Decimal(amount), currency="USD", includes_tax=False
    )
    catalog_services.confirm([price], actor=None, evidence="price list of today")


def test_what_the_catalog_confirms_today_is_inherited() -> None:
    source = catalogued()
    support = GpuSupport.objects.get(platform__slug=source.candidate["platform"], gpu__slug="h200-nvl")
    catalog_services.confirm([support], actor=None, evidence="the maker's list of 27 November")

    platform = copied(source).lines.get(kind="platform")

    assert (platform.confirmation, platform.evidence) == ("confirmed", "the maker's list of 27 November")


def test_todays_prices_come_from_the_catalog_and_quoted_ones_stay() -> None:
    source = catalogued()
    services.edit_line(
        gpu_of(source), actor=makers.engineer(), version=None, price_kind="firm", unit_price=Decimal("31000")
    )
    price_of_today("29000")

    today, quoted = gpu_of(copied(source, Prices.TODAY)), gpu_of(copied(source, Prices.QUOTED))

    assert (today.price_kind, today.unit_price, today.net_amount) == ("firm", Decimal("29000"), Decimal("58000"))
    assert (quoted.price_kind, quoted.unit_price) == ("firm", Decimal("31000"))


def test_a_typed_price_the_catalog_does_not_know_stays_as_an_estimate_that_blocks() -> None:
    source = makers.make_quote(settled=True)
    line = services.add_line(
        source,
        actor=makers.engineer(),
        kind="service",
        description="Installation",
        quantity=Decimal(1),
        price_kind="firm",
        unit_price=Decimal("900"),
    )

    copy = copied(source, Prices.TODAY)

    row = copy.lines.get(description="Installation")
    assert (row.price_kind, row.unit_price, row.typed_by_hand) == (PriceKind.ESTIMATE, Decimal("900"), True)
    assert copy.net_total == 0
    assert line.position in copy.request.events.get().change["former_prices_of_lines"]
    assert any("Installation: Market price, not quoted" in one for one in blocks(copy))


def test_quoted_prices_that_no_longer_count_are_stale_and_block_until_they_are_renewed() -> None:
    source = makers.make_quote(status=Status.SENT, settled=True, valid_until=makers.yesterday() - timedelta(days=1))

    copy = copied(source)

    line = gpu_of(copy)
    assert line.standing(copy.issuer.today()) == "stale"
    assert (line.price_kind, line.unit_price) == ("firm", Decimal("31000"))
    assert source.full_number in line.evidence
    assert any("H200 NVL: The confirmation is past its validity" in one for one in blocks(copy))
    services.confirm(line, actor=makers.engineer(), evidence="price list of today")
    assert not any("H200 NVL" in one for one in blocks(copy))


def test_quoted_prices_that_still_count_are_only_unconfirmed() -> None:
    copy = copied(sent())

    assert gpu_of(copy).confirmation == Confirmation.OPEN


@pytest.mark.parametrize("prices", list(Prices))
def test_the_currency_comes_along(prices: Prices) -> None:
    assert copied(makers.make_quote(currency="EUR"), prices).currency == "EUR"


def test_todays_prices_take_todays_usual_tax_and_keep_a_rate_set_by_hand() -> None:
    source = makers.make_quote(settled=True)
    issuer = source.issuer
    type(issuer).objects.update(tax_rate=Decimal("20"))
    source.lines.filter(kind="gpu").update(tax_rate=Decimal("20"))
    source.snapshot = {"issuer": {"tax_rate": "20.00"}}
    source.save()
    type(issuer).objects.update(tax_rate=Decimal("22"))

    copy = copied(source, Prices.TODAY)

    assert gpu_of(copy).tax_rate == Decimal("22")
    assert copy.lines.get(kind="platform").tax_rate == Decimal("0")


@pytest.mark.parametrize("status", list(Status))
def test_a_quote_in_any_state_is_copied_and_stays_as_it_is(status: str) -> None:
    source = makers.make_quote(status=status, settled=True)
    before = Quote.objects.filter(pk=source.pk).values().get()

    copied(source)

    assert Quote.objects.filter(pk=source.pk).values().get() == before


def test_a_copy_goes_the_whole_way_to_a_number_of_its_own() -> None:
    source = sent()
    copy = copied(source)
    by = makers.engineer()
    for row in [*copy.lines.all(), *copy.ledger.all()]:
        services.confirm(row, actor=by, evidence="price list of today")
    services.move(copy, to=Move.SUBMIT, actor=by)
    services.approve(copy, actor=makers.approver())

    copy.refresh_from_db()
    assert copy.number not in (None, source.number)
    assert copy.revision == 1


def test_only_an_engineer_copies_and_only_with_a_choice_of_prices() -> None:
    quote = makers.make_quote()

    with pytest.raises(NotAllowedError):
        services.copy(quote, prices="today", actor=makers.approver())
    with pytest.raises(InvalidError):
        services.copy(quote, prices="", actor=makers.engineer())


@pytest.mark.django_db(transaction=True)
def test_a_double_click_makes_one_copy() -> None:
    quote = makers.make_quote()
    makers.engineer()

    results = together(*(lambda: copied(quote, idempotency_key="copy-1") for _ in range(2)))

    assert len({one.pk for one in results}) == 1, results
    assert Request.objects.count() == 2


def test_the_panel_asks_for_the_prices_and_leads_to_the_copy(client: Client) -> None:
    client.force_login(makers.make_user(Role.ENGINEER))
    source = makers.make_quote(status=Status.SENT, settled=True, valid_until=makers.yesterday())
    address = reverse("quotes:copy", args=[source.public_id])

    panel = client.get(address)
    refused = client.post(address, {})
    done = client.post(address, {"prices": "quoted", "key": panel.context["panel"].form.initial["key"]}, follow=True)

    assert panel.context["panel"].form.initial["prices"] == "today"
    assert "each is marked stale" in panel.content.decode()
    assert refused.status_code == 422
    copy = Quote.objects.get(request__copied_from=source)
    assert done.redirect_chain[-1][0].startswith(reverse("quotes:detail", args=[copy.public_id]))
    assert source.full_number in done.content.decode()
