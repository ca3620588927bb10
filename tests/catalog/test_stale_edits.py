"""Two people edit one row in the admin: columns, links and the rows below it."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from catalog import services, starter
from catalog.models import GpuSupport, Offer, Platform, Price, Sku, SkuLine, Source


def opened(client: Client, row: Any) -> tuple[str, dict[str, Any]]:
    """Open the page of a row: its address, and what a browser would send untouched."""
    address = reverse(f"admin:catalog_{row._meta.model_name}_change", args=[row.pk])
    return address, sent_by(client.get(address))


def sent_by(page: Any) -> dict[str, Any]:
    """What a browser would send from a page as it is shown."""
    formsets = [inline.formset for inline in page.context["inline_admin_formsets"]]
    forms = [page.context["adminform"].form, *(formset.management_form for formset in formsets)]
    forms += [form for formset in formsets for form in formset.forms]
    fields = [form[name] for form in forms for name in form.fields]
    values = {field.html_name: field.value() for field in fields}
    typed = {name: value for name, value in values.items() if value is not False and value not in (None, "")}
    return {**typed, **page.context["seen"]}


def told(page: Any) -> str:
    """What the page says is wrong."""
    return html.unescape(str(page.context["adminform"].form.non_field_errors()))


@pytest.fixture
def sku(db: None) -> Sku:
    """An article of two lines."""
    row = Sku.objects.create(slug="two-lines", article="TWO-LINES", article_folded="two-lines")
    for position, text in enumerate(("chassis", "eight cards"), start=1):
        SkuLine.objects.create(sku=row, position=position, kind="other", text=text, quantity=8)
    return row


def test_a_line_that_another_changed_is_told_and_not_overwritten(keeper: Client, sku: Sku) -> None:
    address, mine = opened(keeper, sku)
    _same, theirs = opened(keeper, sku)
    keeper.post(address, {**theirs, "lines-0-quantity": "4"})

    page = keeper.post(address, {**mine, "lines-1-text": "eight modules"})

    assert "8 → 4" in told(page)
    assert [(line.quantity, line.text) for line in sku.lines.all()] == [(4, "chassis"), (8, "eight cards")]

    keeper.post(address, sent_by(page))

    assert [(line.quantity, line.text) for line in sku.lines.all()] == [(4, "chassis"), (8, "eight modules")]


def test_who_changed_the_same_line_may_write_theirs_once_told(keeper: Client, sku: Sku) -> None:
    address, mine = opened(keeper, sku)
    keeper.post(address, {**mine, "lines-0-quantity": "4"})

    page = keeper.post(address, {**mine, "lines-0-quantity": "2"})
    keeper.post(address, sent_by(page))

    assert "8 → 4" in told(page)
    assert sku.lines.first().quantity == 2


def test_a_line_added_meanwhile_is_told_and_stays(keeper: Client, sku: Sku) -> None:
    address, mine = opened(keeper, sku)
    SkuLine.objects.create(sku=sku, position=0, kind="psu", text="two supplies")

    page = keeper.post(address, {**mine, "lines-1-quantity": "3"})
    keeper.post(address, sent_by(page))

    assert "two supplies" in told(page)
    assert [(line.text, line.quantity) for line in sku.lines.all()] == [
        ("two supplies", None),
        ("chassis", 8),
        ("eight cards", 3),
    ]


def test_a_line_deleted_meanwhile_is_told_and_does_not_come_back(keeper: Client, sku: Sku) -> None:
    address, mine = opened(keeper, sku)
    sku.lines.get(text="chassis").delete()

    page = keeper.post(address, {**mine, "lines-1-quantity": "3", "lines-2-kind": "nic", "lines-2-position": "7"})
    keeper.post(address, sent_by(page))

    assert "chassis" in told(page)
    assert [(line.kind, line.quantity) for line in sku.lines.all()] == [("other", 3), ("nic", None)]


def test_a_line_confirmed_meanwhile_is_told(keeper: Client, sku: Sku, administrator: User) -> None:
    address, mine = opened(keeper, sku)
    services.confirm([sku.lines.first()], actor=administrator, evidence="letter 3")

    page = keeper.post(address, {**mine, "lines-0-quantity": "1"})

    assert "letter 3" in told(page)
    assert sku.lines.first().state == "confirmed"


def test_sources_that_another_changed_are_named(keeper: Client, sku: Sku) -> None:
    address, mine = opened(keeper, sku)
    source = Source.objects.create(key="letter-7", title="Letter 7", kind="seller")
    sku.sources.add(source)

    page = keeper.post(address, {**mine, "notes": "read twice"})
    keeper.post(address, sent_by(page))

    assert str(source) in told(page)
    sku.refresh_from_db()
    assert (list(sku.sources.all()), sku.notes) == ([source], "read twice")


def test_a_save_that_changed_nothing_keeps_nobody_from_saving(keeper: Client, sku: Sku) -> None:
    address, mine = opened(keeper, sku)
    keeper.post(address, mine)

    answer = keeper.post(address, {**mine, "notes": "mine"})

    assert answer.status_code == 302


def test_rows_of_support_and_prices_are_watched_too(keeper: Client, catalog: starter.Report) -> None:
    platform = Platform.objects.filter(support__isnull=False).first()
    offer = Offer.objects.filter(prices__isnull=False).first()
    assert platform is not None and offer is not None
    support, price = platform.support.first(), offer.prices.first()
    assert support is not None and price is not None
    platforms, of_platform = opened(keeper, platform)
    offers, of_offer = opened(keeper, offer)
    support.max_count = 63
    support.save()
    price.tax_rate_percent = 19
    price.save()

    pages = [
        keeper.post(platforms, {**of_platform, "support-0-max_count": "7"}),
        keeper.post(offers, {**of_offer, "prices-0-tax_rate_percent": "7"}),
    ]

    assert ["→ 63" in told(pages[0]), "→ 19" in told(pages[1])] == [True, True]
    assert GpuSupport.objects.get(pk=support.pk).max_count == 63
    assert Price.objects.get(pk=price.pk).tax_rate_percent == 19
