"""Which quotes use a row of the catalog: what the catalog asks and cannot know itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.urls import reverse

from catalog.usage import Touched
from quotes.models import QuoteLine, Status
from quotes.models.quotes import IN_PREPARATION

GONE = (Status.WITHDRAWN, Status.CANCELLED)
MOST = 5_000


def find(slugs: Iterable[str] | None) -> Mapping[str, list[Touched]]:
    """Give quotes by the short names that their lines have; asked with None, all that open quotes have. One query."""
    lines = QuoteLine.objects.exclude(catalog_ref="").exclude(quote__status__in=GONE)
    if slugs is None:
        lines = lines.filter(quote__status__in=IN_PREPARATION)
    else:
        lines = lines.filter(catalog_ref__in=list(slugs))
    rows = lines.select_related("quote__request").order_by("quote__pk")
    found: dict[str, dict[int, Touched]] = {}
    for line in rows[:MOST]:
        quote = line.quote
        found.setdefault(line.catalog_ref, {})[quote.pk] = Touched(
            title=quote.full_number or f"{quote.request.reference}/{quote.revision}",
            address=reverse("quotes:detail", args=[quote.public_id]),
            is_open=quote.status in IN_PREPARATION,
        )
    return {slug: list(quotes.values()) for slug, quotes in found.items()}
