"""Which quotes use a row of the catalog: what the catalog asks and cannot know itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import F, Q, QuerySet
from django.urls import reverse

from catalog import usage
from catalog.usage import Touched
from quotes.forms.known_models import known
from quotes.models import Quote, QuoteLine, Status
from quotes.models.quotes import IN_PREPARATION

GONE = (Status.WITHDRAWN, Status.CANCELLED)
MOST = 5_000
_MODEL = "estimate__input__workload__model__name"
_ARTICLE = "estimate__input__article"
_IN_MIND = "estimate__input__in_mind__gpu"


def find(names: Iterable[str] | None) -> Mapping[str, list[Touched]]:
    """Give quotes by the names that they use; asked with None, by the short names that lines of open quotes have.

    A quote uses what its lines name, and the language model, the article, the GPU in mind and the currency that its
    estimate was asked with. At most four queries.
    """
    found: dict[str, dict[int, Touched]] = {}
    lines = QuoteLine.objects.exclude(catalog_ref="").exclude(quote__status__in=GONE)
    if names is None:
        for line in _with_quotes(lines.filter(quote__status__in=IN_PREPARATION)):
            _put(found, line.catalog_ref, line.quote)
        return _listed(found)
    wanted = set(names)
    slugs = [name for name in wanted if ":" not in name]
    if slugs:
        for line in _with_quotes(lines.filter(catalog_ref__in=slugs)):
            _put(found, line.catalog_ref, line.quote)
    _put_asked(found, wanted, slugs)
    return _listed(found)


def _with_quotes(lines: QuerySet[QuoteLine]) -> QuerySet[QuoteLine]:
    return lines.select_related("quote__request").order_by("quote__pk")[:MOST]


def _put_asked(found: dict[str, dict[int, Touched]], wanted: set[str], slugs: list[str]) -> None:
    quotes: Any = Quote.objects.exclude(status__in=GONE)
    written: dict[str, set[str]] = {_MODEL: set(), _ARTICLE: set()}
    for column, kind in ((_MODEL, "model:"), (_ARTICLE, "article:")):
        if any(name.startswith(kind) for name in wanted):
            texts = quotes.exclude(**{f"{column}__isnull": True}).order_by().values_list(column, flat=True).distinct()
            written[column] = {text for text in texts if _name_of(column, text) in wanted}
    codes = [name.partition(":")[2] for name in wanted if name.startswith("currency:")]
    asked = Q(**{f"{_MODEL}__in": written[_MODEL]}) | Q(**{f"{_ARTICLE}__in": written[_ARTICLE]})
    asked |= Q(**{f"{_IN_MIND}__in": slugs}) | Q(currency__in=codes)
    rows = quotes.filter(asked).select_related("request").defer("snapshot", "summary").order_by("pk")
    for row in rows.annotate(asked_model=F(_MODEL), asked_article=F(_ARTICLE), in_mind=F(_IN_MIND))[:MOST]:
        names = (
            _name_of(_MODEL, row.asked_model),
            _name_of(_ARTICLE, row.asked_article),
            row.in_mind,
            usage.currency(row.currency),
        )
        for name in names:
            if name in wanted:
                _put(found, name, row)


def _name_of(column: str, text: Any) -> str:
    if not isinstance(text, str):
        return ""
    if column == _ARTICLE:
        return usage.article(text)
    model = known(text)
    return usage.model(model.slug if model else text)


def _put(found: dict[str, dict[int, Touched]], name: str, quote: Quote) -> None:
    found.setdefault(name, {})[quote.pk] = Touched(
        title=quote.full_number or f"{quote.request.reference}/{quote.revision}",
        address=reverse("quotes:detail", args=[quote.public_id]),
        is_open=quote.status in IN_PREPARATION,
    )


def _listed(found: Mapping[str, dict[int, Touched]]) -> dict[str, list[Touched]]:
    return {name: list(quotes.values()) for name, quotes in found.items()}
