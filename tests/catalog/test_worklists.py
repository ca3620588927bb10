"""The worklist of what has to be confirmed: whole, in order, page by page."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.models import Part, Sku, SkuLine
from catalog.worklists import ToConfirmList
from quotes.models import Status
from tests import makers

ADDRESS = "/catalog/to-confirm/"


def make_lines(count: int, *, start: int = 0, part: Part | None = None) -> None:
    numbers = range(start, start + count)
    skus = Sku.objects.bulk_create(
        Sku(slug=f"s-{n}", article=f"S-{n:05d}", article_folded=f"s-{n:05d}", kind="server") for n in numbers
    )
    SkuLine.objects.bulk_create(SkuLine(sku=sku, kind="gpu", part=part, text="cards", quantity=8) for sku in skus)


@pytest.fixture
def part(db: None) -> Part:
    return Part.objects.create(slug="x-1", kind="gpu", vendor="V", name="X-1")


def wait_on(*slugs: str) -> None:
    quote = makers.make_quote(status=Status.IN_REVIEW)
    for slug in slugs:
        makers.make_line(quote, catalog_ref=slug)


def test_every_claim_is_on_some_page_and_none_on_two(keeper: Client, part: Part) -> None:
    make_lines(430)
    make_lines(20, start=500, part=part)
    wait_on("x-1")

    first = keeper.get(ADDRESS)
    pages = [
        keeper.get(ADDRESS, {"page": number}).context["page"] for number in first.context["page"].paginator.page_range
    ]
    keys = [row.key for page in pages for row in page]

    assert first.context["total"] == len(keys) == len(set(keys)) == 450
    assert "1–50 / 450" in first.content.decode()


def test_what_most_quotes_wait_on_stands_first(keeper: Client, part: Part) -> None:
    make_lines(60)
    make_lines(1, start=70, part=part)
    wait_on("x-1", "s-7")
    wait_on("x-1")

    rows = keeper.get(ADDRESS).context["page"]

    assert [(row.detail, len(row.waiting)) for row in rows][:3] == [("S-00070", 2), ("S-00007", 1), ("S-00000", 0)]
    assert keeper.get(ADDRESS).context["waiting"] == 2


def test_the_list_is_narrowed_by_text_and_state_as_a_whole(keeper: Client, part: Part) -> None:
    make_lines(300)
    SkuLine.objects.filter(sku__slug="s-9").update(state="refuted", judged_at="2026-01-01T00:00Z", evidence="letter")

    assert keeper.get(ADDRESS, {"q": "S-002"}).context["total"] == 100
    assert keeper.get(ADDRESS, {"state": "refuted"}).context["total"] == 1
    assert keeper.get(ADDRESS, {"kind": "price"}).context["total"] == 0
    assert keeper.get(ADDRESS).context["total"] == 299


@pytest.mark.parametrize("page", [1, 2, 3])
def test_queries_do_not_grow_with_the_claims(page: int, keeper: Client, part: Part) -> None:
    def counted() -> int:
        keeper.get(ADDRESS, {"page": page})
        with CaptureQueriesContext(connection) as queries:
            keeper.get(ADDRESS, {"page": page})
        return len(queries)

    make_lines(60, part=part)
    make_lines(100, start=100)
    wait_on("x-1")
    few = counted()
    make_lines(600, start=300)
    wait_on("x-1", "s-300")

    assert counted() == few


def test_a_page_past_the_end_is_the_last(keeper: Client, part: Part) -> None:
    make_lines(51)

    assert [len(keeper.get(ADDRESS, {"page": number}).context["page"]) for number in (1, 2, 99)] == [50, 1, 1]
    assert len(ToConfirmList()) == 51
