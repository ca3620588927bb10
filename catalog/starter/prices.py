"""Published prices: never offers as they are, each with its source and date, all unconfirmed."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django.utils.text import slugify

from catalog.models import Offer, Part, Price, Sku, Source
from catalog.money import UNKNOWN_CURRENCY
from catalog.starter.sources import partial_date
from catalog.starter.sync import REASON, Report, sync
from sizing import hardware
from sizing.hardware_data import packaged

SUPPLIER = "published price"
_PART_KINDS = {"gpu", "platform", "module", "drive"}


def load_prices(report: Report) -> None:
    """Add published prices that are not there yet; a price once loaded is history and is not rewritten."""
    prices = [price for price in packaged().prices if price.group == "hardware"]
    sources = sync(Source, _sources(prices), report, key="key")
    parts = {part.slug: part for part in Part.objects.all()}
    skus = {sku.article: sku for sku in Sku.objects.all()}
    offers = {(o.part_id, o.sku_id, o.title): o for o in Offer.objects.filter(supplier=SUPPLIER)}
    have = set(Price.objects.filter(offer__supplier=SUPPLIER).values_list("offer_id", "sources__key"))
    for price in prices:
        part = parts.get(price.subject[1]) if price.subject[0] in _PART_KINDS else None
        sku = None if part else skus[price.item]
        key = (part.pk if part else None, sku.pk if sku else None, price.item)
        if key not in offers:
            offers[key] = _offer(part, sku, price, report)
        if (offers[key].pk, source_key(price)) not in have:
            _price(offers[key], price, sources[source_key(price)], report)
        else:
            report.count(report.unchanged, Price)


def source_key(price: hardware.Price) -> str:
    """Key of the document that a published price stands in."""
    return f"price:{slugify(price.source)}"[:80]


def _sources(prices: list[hardware.Price]) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for price in prices:
        if source_key(price) not in seen:
            seen.add(source_key(price))
            yield {
                "key": source_key(price),
                "title": " ".join(price.source.split())[:300],
                "kind": Source.Kind.SURVEY,
                "read": Source.Read.DIRECT,
                "as_of": partial_date(price.as_of),
            }


def _offer(part: Part | None, sku: Sku | None, price: hardware.Price, report: Report) -> Offer:
    offer = Offer(supplier=SUPPLIER, part=part, sku=sku, title=price.item)
    offer._change_reason = REASON  # type: ignore[attr-defined]
    offer.save()
    report.count(report.created, Offer)
    return offer


def _price(offer: Offer, price: hardware.Price, source: Source, report: Report) -> None:
    row = Price(
        offer=offer,
        amount_low=Decimal(str(price.low)),
        amount_high=Decimal(str(price.high)),
        currency=price.currency or UNKNOWN_CURRENCY,
        includes_tax=None if price.is_net is None else not price.is_net,
        as_of=price.as_of or "",
        note=price.confidence[:300],
    )
    row._change_reason = REASON  # type: ignore[attr-defined]
    row.save()
    row.sources.add(source)
    report.count(report.created, Price)
