"""What may be deleted: each table's rows are protected, or deleting one is harmless and it is said why."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from catalog import starter
from catalog.models import Fact, Gpu, GpuSupport, LanguageModel, Source
from quotes.models import Status
from tests import makers

PROTECTED = {
    "gpu": "articles, offers, support and quotes name it",
    "platform": "articles, offers, support and quotes name it",
    "cpu": "articles, offers and quotes name it",
    "memorymodule": "articles, offers and quotes name it",
    "drive": "articles, offers and quotes name it",
    "nic": "articles, offers and quotes name it",
    "switch": "articles, offers and quotes name it",
    "accessory": "articles, offers and quotes name it",
    "service": "articles, offers and quotes name it",
    "sku": "offers and quotes name it",
    "languagemodel": "quotes were asked with it",
    "source": "facts, prices, articles, support and language models are taken from it",
    "fact": "the value in use says where the part's column is from",
    "issuer": "quotes are issued by it",
}
HARMLESS = {
    "skuline": "a quote keeps its own lines, with the confirmation copied to them",
    "gpusupport": "an estimate keeps the catalog that it was made over, a quote the confirmation",
    "offer": "a quote keeps the price that was written on its line",
    "price": "a quote keeps the price that was written on its line",
    "exchangerate": "an estimate keeps the rates that it was made with",
    "absence": "who stood in for whom stands in the events",
}
LOOKED_AT = {
    "part", "request", "quote", "quoteevent", "document", "mail", "customerlink", "numbercounter",
}  # fmt: skip
OWNED = {
    ("fact", "part"), ("price", "offer"), ("skuline", "sku"), ("estimate", "request"), ("requestversion", "request"),
    ("quoteline", "quote"), ("ledgerentry", "quote"), ("clarification", "quote"), ("pilotresult", "quote"),
    ("quoteevent", "request"), ("quoteevent", "quote"), ("mail", "request"), ("customerlink", "request"),
    ("attachment", "request"), ("internalnote", "request"),
}  # fmt: skip


def tables() -> list[Any]:
    return [model for app in ("catalog", "quotes") for model in apps.get_app_config(app).get_models()]


def test_each_table_of_the_admin_is_protected_harmless_or_only_looked_at() -> None:
    ours = {
        str(model._meta.model_name) for model in admin.site._registry if model._meta.app_label in ("catalog", "quotes")
    }

    assert ours == PROTECTED.keys() | HARMLESS.keys() | LOOKED_AT
    assert not PROTECTED.keys() & HARMLESS.keys()


def test_only_what_a_row_owns_goes_with_it() -> None:
    from django.db.models import CASCADE, ForeignKey, OneToOneField

    taken = {
        (str(model._meta.model_name), field.name)
        for model in tables()
        if not model._meta.model_name.startswith("historical")
        for field in model._meta.local_fields
        if isinstance(field, ForeignKey)
        and not isinstance(field, OneToOneField)
        and field.remote_field.on_delete is CASCADE
        and field.related_model._meta.app_label in ("catalog", "quotes")
    }

    assert taken - {("absence", "person"), ("absence", "deputy")} == OWNED


@pytest.mark.parametrize("table", sorted(LOOKED_AT))
def test_what_is_only_looked_at_is_not_deleted(table: str, keeper: Client, catalog: starter.Report) -> None:
    model = next(model for model in admin.site._registry if model._meta.model_name == table)

    assert not admin.site._registry[model].has_delete_permission(None)  # type: ignore[arg-type]


def refusal(client: Client, row: Any) -> str:
    """Try to delete a row: what the page says keeps it; the row must still be there."""
    address = reverse(f"admin:catalog_{row._meta.model_name}_delete", args=[row.pk])
    page = client.get(address)
    client.post(address, {"post": "yes"})
    assert type(row)._default_manager.filter(pk=row.pk).exists()
    return html.unescape("\n".join(str(one) for one in page.context["protected"]))


@pytest.mark.parametrize(
    "table", ["gpu", "platform", "cpu", "memorymodule", "drive", "nic", "switch", "accessory", "service", "sku"]
)
def test_what_a_quote_names_is_kept_and_the_page_names_the_quote(
    table: str, keeper: Client, catalog: starter.Report
) -> None:
    row = apps.get_model("catalog", table)._default_manager.first()
    assert row is not None
    quote = makers.make_quote(status=Status.IN_REVIEW)
    makers.make_line(quote, catalog_ref=row.slug)

    assert f"{quote.request.reference}/1" in refusal(keeper, row)


def test_a_language_model_that_a_quote_was_asked_with_is_kept(keeper: Client, catalog: starter.Report) -> None:
    quote = makers.make_quote(status=Status.IN_REVIEW)
    asked = LanguageModel.objects.get(slug="llama-3.1-8b")
    other = LanguageModel.objects.get(slug="qwen2.5-7b")

    assert f"{quote.request.reference}/1" in refusal(keeper, asked)

    keeper.post(reverse("admin:catalog_languagemodel_delete", args=[other.pk]), {"post": "yes"})
    bulk = {"action": "delete_selected", "_selected_action": [asked.pk], "post": "yes"}
    keeper.post(reverse("admin:catalog_languagemodel_changelist"), bulk)

    assert LanguageModel.objects.filter(pk=asked.pk).exists()
    assert not LanguageModel.objects.filter(pk=other.pk).exists()


def test_a_source_that_only_a_row_of_support_cites_is_kept(keeper: Client, catalog: starter.Report) -> None:
    source = Source.objects.create(key="letter-9", title="Letter 9", kind="seller")
    row = GpuSupport.objects.first()
    assert row is not None
    row.sources.add(source)

    assert str(row) in refusal(keeper, source)


def test_the_value_in_use_is_kept_and_its_rival_deleted(keeper: Client, catalog: starter.Report) -> None:
    used = Fact.objects.filter(part__slug="h200-sxm", field="tdp_w", is_chosen=True).get()
    rival = Fact.objects.create(part=used.part, field="tdp_w", value="650", is_chosen=False)

    assert "tdp_w" in refusal(keeper, used)

    keeper.post(reverse("admin:catalog_fact_delete", args=[rival.pk]), {"post": "yes"})

    assert not Fact.objects.filter(pk=rival.pk).exists()
    assert Gpu.objects.get(slug="h200-sxm").tdp_w == 700
