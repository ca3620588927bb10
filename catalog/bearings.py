"""By which names a quote can use a row of the catalog: what a change of the row bears on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from catalog import usage
from catalog.models import (
    ExchangeRate,
    Fact,
    GpuSupport,
    LanguageModel,
    Offer,
    Part,
    Price,
    Sku,
    SkuLine,
    Source,
)
from catalog.usage import Group, Touched


def groups_of(row: Any) -> list[Group]:
    """Groups of names; a quote that uses all names of one group is touched. A source takes five queries more.

    Raises
    ------
    LookupError
        For a row of a table that no quote can rest on.
    """
    for model, describe in _BEARINGS.items():
        if isinstance(row, model):
            return list(dict.fromkeys(describe(row)))
    raise LookupError(f"no quote rests on rows of {type(row).__name__}")


def quotes_of(row: Any) -> list[Touched]:
    """Quotes that a change of a row bears on, open ones first. The number of queries is fixed for each table."""
    return sorted(usage.touched(groups_of(row)), key=lambda quote: (not quote.is_open, quote.title))


def _of_part(part: Part) -> list[Group]:
    return [frozenset({part.slug})]


def _of_sku(sku: Sku) -> list[Group]:
    return [frozenset({sku.slug}), frozenset({usage.article(sku.article)})]


def _of_sold(offer: Offer) -> list[Group]:
    if offer.part is not None:
        return _of_part(offer.part)
    return _of_sku(offer.sku) if offer.sku is not None else []


def _of_support(row: GpuSupport) -> list[Group]:
    return [frozenset({row.platform.slug, row.gpu.slug})]


def _of_model(model: LanguageModel) -> list[Group]:
    return [frozenset({usage.model(model.slug)})]


def _of_rate(rate: ExchangeRate) -> list[Group]:
    return [frozenset({usage.currency(code)}) for code in (rate.base, rate.quote)]


def _of_source(source: Source) -> list[Group]:
    groups = [frozenset({slug}) for slug in source.facts.values_list("part__slug", flat=True).distinct()]
    for sku in source.skus.all():
        groups += _of_sku(sku)
    for price in source.prices.select_related("offer__part", "offer__sku"):
        groups += _of_sold(price.offer)
    for model in source.language_models.defer("config"):
        groups += _of_model(model)
    for row in GpuSupport.objects.filter(sources=source).select_related("platform", "gpu"):
        groups += _of_support(row)
    return groups


_BEARINGS: Mapping[type[Any], Callable[[Any], Iterable[Group]]] = {
    Part: _of_part,
    Sku: _of_sku,
    SkuLine: lambda line: _of_sku(line.sku),
    GpuSupport: _of_support,
    Fact: lambda fact: _of_part(fact.part),
    Offer: _of_sold,
    Price: lambda price: _of_sold(price.offer),
    LanguageModel: _of_model,
    ExchangeRate: _of_rate,
    Source: _of_source,
}
