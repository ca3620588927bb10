"""What a chosen candidate leaves to settle: a limit it breaks, and what it is conditional on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quotes import composing, conditions
from quotes.models import LedgerEntry, Quote
from quotes.models.ledger import CONDITION, KEEPS_BUDGET, KEEPS_LIMITS


def note_points(quote: Quote, candidate: Mapping[str, Any] | None) -> None:
    """Keep in the ledger what somebody has to confirm or waive about a chosen candidate. Runs SQL.

    A point that stays the same keeps what was said of it; points of another candidate go.
    """
    _note_limits(quote, candidate)
    _note_conditions(quote, candidate)


def _note_limits(quote: Quote, candidate: Mapping[str, Any] | None) -> None:
    broken = candidate if candidate is not None and candidate.get("does_the_job") is False else {}
    why = "; ".join(str(one) for one in broken.get("reasons_against") or [])
    _note(quote, KEEPS_LIMITS, why, label="Keeps every limit that must hold")


def note_budget(quote: Quote, why: str) -> None:
    """Keep in the ledger why a budget that must hold is not known to be kept; nothing where it is. Runs SQL.

    Another total is another point: what was said of the former one does not count for it.
    """
    _note(quote, KEEPS_BUDGET, why, label="Keeps the budget that must hold")


def _note(quote: Quote, key: str, why: str, *, label: str) -> None:
    rows = LedgerEntry.objects.filter(quote=quote, key=key)
    former = rows.first()
    if former is not None and former.why == why:
        return
    rows.delete()
    if why:
        LedgerEntry.objects.create(quote=quote, key=key, label=label, value=False, why=why, decisive=True)


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
