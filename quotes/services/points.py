"""What a chosen candidate leaves to settle: a limit it breaks, and what it is conditional on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quotes import composing, conditions
from quotes.models import LedgerEntry, Quote
from quotes.models.ledger import CONDITION, KEEPS_LIMITS


def note_points(quote: Quote, candidate: Mapping[str, Any] | None) -> None:
    """Keep in the ledger what somebody has to confirm or waive about a chosen candidate. Runs SQL.

    A point that stays the same keeps what was said of it; points of another candidate go.
    """
    _note_limits(quote, candidate)
    _note_conditions(quote, candidate)


def _note_limits(quote: Quote, candidate: Mapping[str, Any] | None) -> None:
    broken = candidate is not None and candidate.get("does_the_job") is False
    rows = LedgerEntry.objects.filter(quote=quote, key=KEEPS_LIMITS)
    if candidate is None or not broken:
        rows.delete()
        return
    why = "; ".join(str(one) for one in candidate.get("reasons_against") or [])
    former = rows.first()
    if former is None or former.why != why:
        rows.delete()
        LedgerEntry.objects.create(
            quote=quote, key=KEEPS_LIMITS, label="Keeps every limit that must hold", value=False, why=why, decisive=True
        )


def _note_conditions(quote: Quote, candidate: Mapping[str, Any] | None) -> None:
    machine = candidate or {}
    texts = {conditions.key_of(text, machine): text for text in conditions.texts_of(machine)}
    rows = LedgerEntry.objects.filter(quote=quote, key__startswith=CONDITION)
    rows.exclude(key__in=texts).delete()
    known = set(rows.values_list("key", flat=True))
    for position, (key, text) in enumerate(texts.items(), start=1):
        if key not in known:
            LedgerEntry.objects.create(
                quote=quote,
                key=key,
                position=position,
                label=text[:240],
                why=text,
                decisive=True,
                **_by_catalog(text, machine),
            )


def _by_catalog(text: str, candidate: Mapping[str, Any]) -> dict[str, Any]:
    """Give what the catalog says today of a condition that it can settle: support of the GPU in the platform."""
    support = composing.support_of(candidate) if conditions.is_of_support(text, candidate) else None
    found = composing.decisive([support]) if support is not None else None
    return composing.said_by(found) if found is not None else {}
