"""A draft follows the catalog: what is confirmed there reaches it, what is taken back there keeps it from approval."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog import services as catalog_services
from catalog.models import Claim, GpuSupport, Offer, Price
from quotes import catalog_words, guards, services, snapshot
from quotes.actors import Role
from quotes.models import Confirmation, PriceKind, Quote, QuoteEvent
from quotes.refusals import ConflictError
from quotes.services import preparing
from tests import makers

pytestmark = pytest.mark.django_db
LIST = "the maker's list of 30 November"


@pytest.fixture
def support() -> GpuSupport:
    """What the catalog says of one GPU in one platform; nobody has confirmed it."""
    call_command("load_catalog", verbosity=0)
    return GpuSupport.objects.select_related("platform", "gpu").order_by("pk")[0]


def composed(support: GpuSupport, **fields: Any) -> Quote:
    """A quote with the lines and the condition of a machine with this support."""
    platform, gpu = support.platform, support.gpu
    candidate = makers.make_candidate(1) | {
        "platform": platform.slug,
        "platform_title": "The platform",
        "gpu": gpu.slug,
        "gpu_name": "The GPU",
        "conditional": [
            "Support of The GPU in The platform is not confirmed: no dated document of the maker was read."
        ],
        "lines": [
            {"kind": "platform", "slug": platform.slug, "text": platform.name, "quantity": 1},
            {"kind": "gpu", "slug": gpu.slug, "text": gpu.name, "quantity": 1},
        ],
    }
    quote = makers.make_quote(output=makers.make_output(candidates=[candidate]), chosen_rank=1, **fields)
    quote.lines.all().delete()
    preparing.choose(quote, estimate=quote.estimate, rank=1)
    return fresh(quote)


def fresh(quote: Quote) -> Quote:
    """The quote, read anew."""
    return Quote.objects.get(pk=quote.pk)


def confirmed(claims: Iterable[Claim], *, days: int = 30) -> None:
    """Confirm in the catalog."""
    until = timezone.localdate() + timedelta(days=days)
    catalog_services.confirm(list(claims), actor=None, evidence=LIST, valid_until=until)


def standings(quote: Quote) -> dict[str, str]:
    """How the platform line and the condition stand."""
    return {
        "line": quote.lines.get(kind="platform").confirmation,
        "condition": quote.ledger.get(key__startswith="candidate.condition").confirmation,
    }


def test_a_later_confirmation_reaches_the_draft_with_one_click(support: GpuSupport, client: Client) -> None:
    quote = composed(support)
    confirmed([support])
    client.force_login(makers.make_user(Role.ENGINEER))
    page = client.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()
    assert "Take 2 confirmations of the catalog" in page
    assert standings(quote) == {"line": Confirmation.OPEN, "condition": Confirmation.OPEN}

    address = reverse("quotes:catalog_take", args=[quote.public_id])
    told = client.post(address, {"seen": quote.version}, follow=True).content.decode()

    assert "2 points stand as the catalog says" in told
    assert standings(quote) == {"line": Confirmation.CONFIRMED, "condition": Confirmation.CONFIRMED}
    line = quote.lines.get(kind="platform")
    assert (line.evidence, line.valid_until, line.is_of_catalog) == (LIST, support_until(support), True)
    assert set(QuoteEvent.objects.filter(quote=quote).values_list("kind", flat=True)) >= {
        "line.confirmed",
        "condition.confirmed",
    }
    with pytest.raises(ConflictError):
        services.take_catalogs_word(fresh(quote), actor=makers.engineer())


def support_until(support: GpuSupport) -> Any:
    """The validity the catalog keeps."""
    return GpuSupport.objects.get(pk=support.pk).valid_until


def test_support_confirmed_before_the_quote_is_there_from_the_start(support: GpuSupport) -> None:
    confirmed([support])

    assert standings(composed(support)) == {"line": Confirmation.CONFIRMED, "condition": Confirmation.CONFIRMED}


@pytest.mark.parametrize("how", ["refuted", "ended", "opened"])
def test_what_the_catalog_takes_back_keeps_a_draft_from_being_approved(support: GpuSupport, how: str) -> None:
    confirmed([support])
    quote = composed(support)
    assert {one.code for one in guards.blocking(quote)}.isdisjoint({"condition"})
    claim = GpuSupport.objects.get(pk=support.pk)
    if how == "refuted":
        catalog_services.refute([claim], actor=None, evidence="the maker took it off the list")
    elif how == "ended":
        GpuSupport.objects.filter(pk=claim.pk).update(valid_until=makers.yesterday())
    else:
        catalog_services.reopen(claim)
        claim.save()

    found = guards.blocking(fresh(quote))

    assert [one.title for one in found if one.code == "condition"]
    said = "the maker took it off the list" if how == "refuted" else "no longer holds"
    assert [one.detail for one in found if one.line and one.line.kind == "platform" and said in one.detail]
    services.take_catalogs_word(fresh(quote), actor=makers.engineer())
    state = Confirmation.REFUTED if how == "refuted" else Confirmation.OPEN
    assert standings(quote) == {"line": state, "condition": state}
    assert not catalog_words.words(fresh(quote)).losses


def test_a_refutation_after_a_persons_word_asks_for_it_again(support: GpuSupport) -> None:
    quote = composed(support)
    line = quote.lines.get(kind="platform")
    services.confirm(line, actor=makers.engineer(), evidence="the supplier's letter")
    catalog_services.refute([support], actor=None, evidence="the maker took it off the list")

    assert catalog_words.words(fresh(quote)).loss_of(line)

    services.confirm(line, actor=makers.engineer(), evidence="the maker's answer to our question")
    assert not catalog_words.words(fresh(quote)).loss_of(line)


def test_what_was_approved_or_sent_is_never_compared(support: GpuSupport) -> None:
    confirmed([support])
    quote = composed(support)
    frozen = snapshot.freeze(quote)
    Quote.objects.filter(pk=quote.pk).update(status="sent", number="SW-2026-0001", snapshot=frozen)
    catalog_services.refute([GpuSupport.objects.get(pk=support.pk)], actor=None, evidence="taken off the list")

    words = catalog_words.words(fresh(quote))

    assert (words.gains, words.losses) == ([], [])
    with pytest.raises(ConflictError):
        services.take_catalogs_word(fresh(quote), actor=makers.engineer())
    assert standings(quote) == {"line": Confirmation.CONFIRMED, "condition": Confirmation.CONFIRMED}
    assert fresh(quote).snapshot == frozen


def price_of(support: GpuSupport, amount: str) -> Price:
    """A price of the GPU that nobody has confirmed."""
    offer = Offer.objects.create(part=support.gpu, supplier="the supplier", condition=Offer.Condition.NEW)
    day = timezone.localdate()
    return Price.objects.create(
        offer=offer,
        amount_low=Decimal(amount),
        amount_high=Decimal(amount),
        currency="USD",
        includes_tax=False,
        as_of=day.isoformat(),
        valid_from=day - timedelta(days=1),
    )


def test_a_price_confirmed_later_is_taken_and_one_refuted_later_becomes_an_estimate(support: GpuSupport) -> None:
    quote = composed(support)
    price = price_of(support, "29500")
    confirmed([price])
    services.take_catalogs_word(quote, actor=makers.engineer())
    line = fresh(quote).lines.get(kind="gpu")
    assert (line.price_kind, line.unit_price) == (PriceKind.FIRM, Decimal("29500.00"))
    services.confirm(line, actor=makers.engineer(), evidence="the price list")
    catalog_services.refute([Price.objects.get(pk=price.pk)], actor=None, evidence="withdrawn")

    assert [one.detail for one in guards.blocking(fresh(quote)) if "has refuted this price" in one.detail]
    services.take_catalogs_word(fresh(quote), actor=makers.engineer())

    line.refresh_from_db()
    assert (line.price_kind, line.confirmation) == (PriceKind.ESTIMATE, Confirmation.OPEN)
    assert fresh(quote).net_total == 0


def test_a_price_alone_does_not_open_what_the_catalog_confirms(support: GpuSupport) -> None:
    confirmed([support])
    quote = composed(support)
    line = quote.lines.get(kind="platform")

    services.edit_line(line, actor=makers.engineer(), version=None, price_kind="firm", unit_price=Decimal(9000))

    assert line.confirmation == Confirmation.CONFIRMED
    services.edit_line(line, actor=makers.engineer(), version=None, quantity=Decimal(2))
    assert line.confirmation == Confirmation.OPEN
