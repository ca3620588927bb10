"""The queue over 10,000 quotes, through the whole stack but the network (aim: 150 ms a page)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from quotes.actors import Role
from quotes.models import Confirmation, Estimate, Issuer, LedgerEntry, Quote, QuoteLine, Request, RequestVersion, Status
from tests import makers

pytestmark = pytest.mark.django_db
QUOTES = 10_000
STATES = list(Status)
VIEWS = {
    "needs me": "view=mine",
    "all": "view=all",
    "search": "view=all&q=заказчик 77",
    "blocked": "view=all&state=open&blocked=line&sort=value",
    "filters": "view=all&waits=engineer&age=3&value=10000&sort=due",
    "last page": "view=all&page=400",
}


@pytest.fixture(scope="module")
def desk(django_db_setup: None, django_db_blocker: Any) -> Iterator[Client]:
    """Make the rows once for all views, and throw them away."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield browser_over_many()
        transaction.set_rollback(True)


def browser_over_many() -> Client:
    """An engineer's browser over 10,000 quotes with four lines and four assumptions each, and full answers."""
    issuer, person, now = Issuer.ensure(), makers.make_user(Role.ENGINEER), timezone.now()
    requests = Request.objects.bulk_create(
        Request(
            reference=f"R-2026-{n:05d}",
            route="qlora",
            organization=f"Заказчик {n}",
            search_text=f"r-2026-{n:05d} заказчик {n} llama-3.3-70b",
            organization_folded=f"заказчик {n // 2}",
            assigned_to=person if n % 3 else None,
            due_on=(now + timedelta(days=n % 30)).date() if n % 4 else None,
            created_at=now - timedelta(minutes=n),
        )
        for n in range(QUOTES)
    )
    versions = RequestVersion.objects.bulk_create(RequestVersion(request=one, number=1) for one in requests)
    output = makers.make_output()
    estimates = Estimate.objects.bulk_create(
        (
            Estimate(request=version.request, request_version=version, input=makers.ASKED, output=output)
            for version in versions
        ),
        batch_size=500,
    )
    quotes = Quote.objects.bulk_create(
        Quote(
            request=estimate.request,
            estimate=estimate,
            issuer=issuer,
            status=(status := STATES[n % len(STATES)]),
            number=f"SW-2026-{n:05d}",
            chosen_rank=2,
            summary={"model": "llama-3.3-70b", "platform": "x", "fits": True},
            net_total=Decimal(n * 7),
            valid_until=(now + timedelta(days=n % 40 - 20)).date(),
            status_at=now - timedelta(minutes=n * 3),
            snapshot={"output": output} if status in (Status.SENT, Status.ACCEPTED) else None,
        )
        for n, estimate in enumerate(estimates)
    )
    confirmed = [Confirmation.CONFIRMED, Confirmation.OPEN]
    QuoteLine.objects.bulk_create(
        (
            QuoteLine(quote=quote, position=k, description=f"line {k}", confirmation=confirmed[(n + k) % 2])
            for n, quote in enumerate(quotes)
            for k in range(4)
        ),
        batch_size=2000,
    )
    LedgerEntry.objects.bulk_create(
        (LedgerEntry(quote=quote, key=f"k{k}", label="x", decisive=k == 0) for quote in quotes for k in range(4)),
        batch_size=2000,
    )
    client = Client()
    client.force_login(person)
    return client


@pytest.mark.parametrize("view", VIEWS)
def test_queue(benchmark: Any, desk: Client, django_db_blocker: Any, view: str) -> None:
    address = f"{reverse('quotes:queue')}?{VIEWS[view]}"

    with django_db_blocker.unblock():
        assert benchmark(lambda: desk.get(address)).status_code == 200


def test_review_with_its_likely_duplicates(benchmark: Any, desk: Client, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock():
        address = reverse("quotes:detail", args=[Quote.objects.order_by("pk")[5001].public_id])

        assert benchmark(lambda: desk.get(address)).status_code == 200
