"""Which quotes a row of the catalog touches."""

import pytest
from django.test import Client

from catalog import starter, usage
from quotes.models import Status
from tests import makers


@pytest.mark.parametrize(("status", "is_open"), [(Status.IN_REVIEW, True), (Status.READY, True), (Status.SENT, False)])
def test_quotes_are_found_by_the_parts_on_their_lines(status: Status, is_open: bool, catalog: starter.Report) -> None:
    quote = makers.make_quote(status=status)
    makers.make_line(quote, catalog_ref="b200-sxm")

    found = usage.of("b200-sxm")

    assert [row.is_open for row in found] == [is_open]
    assert str(quote.public_id) in found[0].address
    assert ("b200-sxm" in usage.waiting()) is is_open


def test_a_cancelled_quote_waits_on_nothing(catalog: starter.Report) -> None:
    makers.make_line(makers.make_quote(status=Status.CANCELLED), catalog_ref="b200-sxm")

    assert usage.of("b200-sxm") == []


def test_an_open_quote_puts_its_claims_on_top(keeper: Client, catalog: starter.Report) -> None:
    makers.make_line(makers.make_quote(status=Status.IN_REVIEW), catalog_ref="smc-sys-a21ge-nbrt")

    page = keeper.get("/catalog/to-confirm/?kind=support")

    assert "SYS-A21GE-NBRT" in page.context["page"][0].title
    assert len(page.context["page"][0].waiting) == 1


def test_the_page_of_a_part_names_its_quotes(keeper: Client, catalog: starter.Report) -> None:
    makers.make_line(makers.make_quote(status=Status.IN_REVIEW), catalog_ref="b200-sxm")

    assert len(keeper.get("/catalog/gpus/b200-sxm/").context["usage"]) == 1
