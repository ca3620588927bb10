"""Which quotes a row of the catalog touches."""

import copy
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from catalog import bearings, starter, usage
from catalog.admin.history import CatalogAdmin
from catalog.models import ExchangeRate, Fact, GpuSupport, Offer, Part, Price, Sku, SkuLine, Source
from quotes.models import Quote, Status
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


def asked_with(**changes: Any) -> Quote:
    """Make an open quote whose estimate was asked with something else."""
    quote = makers.make_quote(status=Status.IN_REVIEW)
    asked = copy.deepcopy(quote.estimate.input)
    asked |= {name: value for name, value in changes.items() if name != "model"}
    if "model" in changes:
        asked["workload"]["model"] = changes["model"]
    type(quote.estimate).objects.filter(pk=quote.estimate.pk).update(input=asked)
    return quote


def titles_at(client: Client, row: Any) -> list[str]:
    """What the page of a row's quotes names, asked by its link in the admin."""
    page = client.get(reverse(f"admin:catalog_{row._meta.model_name}_quotes", args=[row.pk]))
    return [quote.title for quote in page.context["open_quotes"]]


def of(quote: Quote) -> list[str]:
    return [f"{quote.request.reference}/{quote.revision}"]


def a_row(table: str) -> Any:
    """A row of a table; the starter catalog holds no exchange rate."""
    row = apps.get_model("catalog", table)._default_manager.first()
    return row or ExchangeRate.objects.create(base="EUR", quote="RUB", rate=90, on=timezone.localdate(), source="bank")


PARTS = ("gpu", "platform", "cpu", "memorymodule", "drive", "nic", "switch", "accessory", "service")
EVERY_TABLE = (
    *PARTS,
    "gpusupport",
    "sku",
    "skuline",
    "fact",
    "offer",
    "price",
    "exchangerate",
    "languagemodel",
    "source",
)


def test_every_table_of_the_admin_says_what_its_rows_bear_on() -> None:
    from django.contrib import admin

    kept = {model._meta.model_name for model, own in admin.site._registry.items() if isinstance(own, CatalogAdmin)}

    assert kept == set(EVERY_TABLE)


@pytest.mark.parametrize("table", EVERY_TABLE)
def test_the_quotes_of_a_row_are_one_click_from_list_and_page(
    table: str, keeper: Client, catalog: starter.Report
) -> None:
    row = a_row(table)
    address = reverse(f"admin:catalog_{table}_quotes", args=[row.pk])

    listed = keeper.get(reverse(f"admin:catalog_{table}_changelist")).content.decode()
    page = keeper.get(reverse(f"admin:catalog_{table}_change", args=[row.pk])).content.decode()

    assert f"/catalog/{table}/" in listed
    assert "/quotes/" in listed
    assert address in page
    assert keeper.get(address).status_code == 200


@pytest.mark.parametrize("table", PARTS)
def test_a_quote_rests_on_each_kind_of_part(table: str, keeper: Client, catalog: starter.Report) -> None:
    row = a_row(table)
    quote = makers.make_quote(status=Status.IN_REVIEW)
    makers.make_line(quote, catalog_ref=row.slug)

    assert titles_at(keeper, row) == of(quote)


def test_claims_bear_on_the_quotes_of_what_they_are_about(keeper: Client, catalog: starter.Report) -> None:
    part = Part.objects.get(slug="b200-sxm")
    quote = makers.make_quote(status=Status.IN_REVIEW)
    makers.make_line(quote, catalog_ref=part.slug)
    offer = Offer.objects.create(supplier="distributor", part=part)
    price = Price.objects.create(offer=offer, amount_low=1, amount_high=1, currency="EUR")
    fact = Fact.objects.filter(part=part, sources__isnull=False).first()
    assert fact is not None

    for row in (offer, price, fact, fact.sources.first()):
        assert of(quote)[0] in titles_at(keeper, row)


def test_a_row_of_support_bears_on_quotes_with_both_only(keeper: Client, catalog: starter.Report) -> None:
    row = GpuSupport.objects.select_related("platform", "gpu").first()
    assert row is not None
    both, one = (makers.make_quote(status=Status.IN_REVIEW) for _number in range(2))
    makers.make_line(both, catalog_ref=row.platform.slug)
    makers.make_line(both, catalog_ref=row.gpu.slug)
    makers.make_line(one, catalog_ref=row.gpu.slug)

    assert titles_at(keeper, row) == of(both)


def test_an_article_and_its_lines_bear_on_quotes_that_were_asked_with_it(keeper: Client, db: None) -> None:
    sku = Sku.objects.create(slug="sys-1-8x", article="SYS-1-8xH200", article_folded="sys-1-8xh200")
    line = SkuLine.objects.create(sku=sku, kind="other", text="chassis")
    quote = asked_with(article="sys-1-8xh200")
    makers.make_quote(status=Status.IN_REVIEW)

    assert titles_at(keeper, sku) == titles_at(keeper, line) == of(quote)


@pytest.mark.parametrize("name", ["llama-3.1-8b", "Llama 3.1 8B", "meta-llama/Llama-3.1-8B-Instruct"])
def test_a_language_model_bears_on_quotes_however_it_was_named(
    name: str, keeper: Client, catalog: starter.Report
) -> None:
    quote = asked_with(model={"name": name})
    asked_with(model={"parameters": 8e9})

    assert titles_at(keeper, apps.get_model("catalog", "languagemodel").objects.get(slug="llama-3.1-8b")) == of(quote)


def test_a_gpu_in_mind_and_a_rate_bear_on_quotes(keeper: Client, catalog: starter.Report) -> None:
    gpu = Part.objects.get(slug="l40s").gpu  # type: ignore[attr-defined]
    in_mind = asked_with(in_mind={"gpu": "l40s", "gpus": 4})
    rate = ExchangeRate.objects.create(base="EUR", quote="RUB", rate=90, on=timezone.localdate(), source="bank")
    in_rubles = makers.make_quote(status=Status.IN_REVIEW, currency="RUB")

    assert titles_at(keeper, gpu) == of(in_mind)
    assert titles_at(keeper, rate) == of(in_rubles)


@pytest.mark.parametrize("table", EVERY_TABLE)
def test_queries_do_not_grow_with_the_quotes(table: str, catalog: starter.Report) -> None:
    row = a_row(table)
    names = sorted(name for group in bearings.groups_of(row) for name in group if ":" not in name)

    def quoted() -> None:
        quote = asked_with(article=getattr(row, "article", "x"))
        for name in names[:20] or ["b200-sxm"]:
            makers.make_line(quote, catalog_ref=name)

    quoted()
    with CaptureQueriesContext(connection) as few:
        bearings.quotes_of(type(row)._default_manager.get(pk=row.pk))
    for _number in range(4):
        quoted()
    with CaptureQueriesContext(connection) as many:
        found = bearings.quotes_of(type(row)._default_manager.get(pk=row.pk))

    assert len(many) == len(few)
    assert len(found) == 5 or table in ("languagemodel", "exchangerate")


def test_the_page_of_quotes_is_for_who_may_see_the_table(client: Client, catalog: starter.Report) -> None:
    source = Source.objects.first()
    assert source is not None
    client.force_login(makers.make_user(None, is_staff=True))

    assert client.get(reverse("admin:catalog_source_quotes", args=[source.pk])).status_code == 403


def test_the_public_pages_lead_staff_to_the_quotes(keeper: Client, catalog: starter.Report) -> None:
    quote = makers.make_quote(status=Status.IN_REVIEW)
    sku = Sku.objects.first()
    cpu = apps.get_model("catalog", "cpu").objects.first()
    assert sku is not None

    model = keeper.get("/catalog/models/llama-3.1-8b/")
    cpus = keeper.get("/catalog/parts/cpu/").content.decode()
    articles = keeper.get("/catalog/articles/", {"q": sku.article}).content.decode()

    assert [one.title for one in model.context["usage"]] == of(quote)
    assert reverse("admin:catalog_cpu_quotes", args=[cpu.pk]) in cpus
    assert reverse("admin:catalog_sku_quotes", args=[sku.pk]) in articles
    keeper.logout()
    assert keeper.get("/catalog/models/llama-3.1-8b/").context["usage"] is None
    assert "/quotes/" not in keeper.get("/catalog/parts/cpu/").content.decode()
