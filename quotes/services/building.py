"""A quote made from another one: what the next revision and the copy into a new request have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from quotes.actors import Actor
from quotes.models import Clarification, Estimate, Issuer, LedgerEntry, Quote, QuoteLine, Request, Status

SAME = ("chosen_rank", "summary", "currency", "note")
OWN = frozenset({"id", "public_id", "quote", "version"})


def start(
    source: Quote,
    *,
    request: Request,
    estimate: Estimate,
    issuer: Issuer,
    actor: Actor,
    **fields: Any,
) -> Quote:
    """Make a quote in review with the plan, currency and note of another one.

    Lines and assumptions follow by `rows_like`; number, dates, approval and acceptance never do.
    """
    same = {name: getattr(source, name) for name in SAME}
    return Quote.objects.create(
        request=request,
        estimate=estimate,
        issuer=issuer,
        status=Status.IN_REVIEW,
        author=actor.user,
        **same,
        **fields,
    )


def rows_like[RowT: (QuoteLine, LedgerEntry, Clarification)](rows: Iterable[RowT], target: Quote) -> list[RowT]:
    """Give rows for another quote that say what these say; nothing is stored yet."""
    return [row_like(row, target) for row in rows]


def row_like[RowT: (QuoteLine, LedgerEntry, Clarification)](row: RowT, target: Quote) -> RowT:
    """Give a row for another quote that says what this one says; it has its own version and is not stored yet."""
    fields = [field for field in row._meta.concrete_fields if field.name not in OWN]
    return type(row)(quote=target, **{field.attname: getattr(row, field.attname) for field in fields})
