"""Articles and prices as the engine sees them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from catalog.models import ExchangeRate, Offer, Part, Price, Sku, SkuLine
from catalog.money import UNKNOWN_CURRENCY
from sizing import exchange, hardware
from sizing.hardware_data import Sku as EngineSku

_SUBJECTS = {Part.Kind.MEMORY: "module"}


def skus_from(skus: Iterable[Sku]) -> tuple[EngineSku, ...]:
    """Articles with what their lines name, in the words of the article reader."""
    return tuple(
        EngineSku(
            text=sku.article,
            kind=sku.kind,
            seller=sku.seller,
            parsed=tuple(_parsed(sku).items()),
            confirmation=sku.reading,
            sources=tuple(source.key for source in sku.sources.all()),
            notes=sku.notes,
        )
        for sku in skus
    )


def _parsed(sku: Sku) -> dict[str, Any]:
    parsed: dict[str, Any] = {}
    for line in sku.lines.all():
        if line.part is None:
            continue
        name = {"cpu": line.part.name}.get(line.kind, line.part.slug)
        if line.kind == SkuLine.Kind.PLATFORM:
            parsed["platform"] = name
        elif line.kind in {SkuLine.Kind.GPU, SkuLine.Kind.CPU}:
            parsed |= {line.kind: name} | ({f"{line.kind}_count": line.quantity} if line.quantity else {})
        elif line.kind == SkuLine.Kind.MEMORY:
            size = int(line.part.slug.rsplit("-", 1)[-1]) if line.part.slug.rsplit("-", 1)[-1].isdecimal() else None
            parsed |= ({"dimm_gb": size} if size else {}) | ({"dimm_count": line.quantity} if line.quantity else {})
    return parsed


def prices_from(prices: QuerySet[Price]) -> list[hardware.Price]:
    """Prices in force, as dated bands without tax; a refuted or ended one is left out."""
    day = timezone.localdate()
    rows = (
        prices.filter(superseded_on__isnull=True)
        .exclude(state=Price.State.REFUTED)
        .exclude(valid_to__lt=day)
        .order_by("pk")
        .select_related("offer__part", "offer__sku")
        .prefetch_related("sources", "offer__sku__lines__part")
    )
    return [_price(row) for row in rows]


def exchange_rates_from(rates: QuerySet[ExchangeRate]) -> tuple[exchange.ExchangeRate, ...]:
    """Of each pair of currencies the latest rate that somebody entered."""
    rows = rates.filter(on__lte=timezone.localdate()).exclude(base=UNKNOWN_CURRENCY).exclude(quote=UNKNOWN_CURRENCY)
    return exchange.latest(
        exchange.ExchangeRate(row.base, row.quote, float(row.rate), row.on.isoformat(), row.source)
        for row in rows.order_by("pk")
    )


def lead_times_from(offers: QuerySet[Offer]) -> tuple[hardware.LeadTime, ...]:
    """Lead times that offers in force state; goods in stock without one are a question, not zero days."""
    rows = (
        offers.filter(lead_time_days__isnull=False)
        .exclude(state=Offer.State.REFUTED)
        .exclude(availability=Offer.Availability.ENDED)
        .order_by("pk")
        .select_related("part", "sku")
        .prefetch_related("sku__lines__part")
    )
    return tuple(
        hardware.LeadTime(_subject(row), float(row.lead_time_days or 0), row.supplier, row.standing)  # type: ignore[arg-type]
        for row in rows
    )


def _price(price: Price) -> hardware.Price:
    source = next(iter(price.sources.all()), None)
    low, high = price.net_low, price.net_high
    is_netted = low is not None and high is not None
    return hardware.Price(
        group="hardware",
        item=price.offer.title or str(price.offer.part or price.offer.sku),
        subject=_subject(price.offer),
        low=float(price.amount_low if low is None else low),
        high=float(price.amount_high if high is None else high),
        currency=None if price.currency == UNKNOWN_CURRENCY else price.currency,
        unit="one-off",
        is_net=is_netted or (None if price.includes_tax is None else False),
        as_of=price.as_of or (price.valid_from.isoformat() if price.valid_from else None),
        source=source.title if source else price.offer.supplier,
        confidence=price.note,
        confirmation=price.standing,  # type: ignore[arg-type]
    )


def _subject(offer: Offer) -> tuple[str, str, int]:
    """What a price is for: one part, or a whole server by its platform or else its GPUs."""
    if offer.part is not None:
        return _SUBJECTS.get(Part.Kind(offer.part.kind), offer.part.kind), offer.part.slug, 1
    named: dict[str, SkuLine] = {}
    if offer.sku is not None:
        named = {line.kind: line for line in offer.sku.lines.all() if line.part is not None}
    if "platform" in named and named["platform"].part is not None:
        return "server", named["platform"].part.slug, 1
    if "gpu" in named and named["gpu"].part is not None:
        return "server", named["gpu"].part.slug, named["gpu"].quantity or 1
    return "other", "", 1
