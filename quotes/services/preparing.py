"""Filling a quote from the engine's answer: candidate, lines, ledger, totals."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from quotes import budgets, composing, pricing, summaries
from quotes.engine import Answer
from quotes.keeping import keep_catalog
from quotes.models import Confirmation, Estimate, LedgerEntry, Origin, Quote, QuoteLine, RequestVersion
from quotes.models.ledger import CONDITION, OF_QUOTE
from quotes.presenter.deal import SETTLED_PRICES
from quotes.services import points
from sizing.recommend.questions import DEADLINE

PRICE = ("price_kind", "unit_price", "discount_percent", "tax_rate", "unit_cost", "detail", "article")
CONFIRMATION = (
    "confirmation",
    "confirmed_by_id",
    "confirmed_by_name",
    "confirmed_at",
    "evidence",
    "valid_until",
    "reason",
    "reason_party",
    "reason_until",
    "is_of_catalog",
    "reopened_for",
)


def store_estimate(version: RequestVersion, answer: Answer) -> Estimate:
    """Keep what was asked and answered, and the catalog it was answered over."""
    keep_catalog(answer.catalog_fingerprint)
    return Estimate.objects.create(
        request=version.request,
        request_version=version,
        input=answer.asked,
        output=answer.output,
        engine_version=answer.engine_version,
        catalog_fingerprint=answer.catalog_fingerprint,
    )


def choose(quote: Quote, *, estimate: Estimate, rank: int | None) -> None:
    """Point a quote to a candidate and replace its lines.

    Lines added by hand stay; a line that is the same as before keeps its confirmation, its price and its detail.
    """
    quote.estimate, quote.chosen_rank = estimate, rank
    quote.summary = summaries.summarize(estimate, rank)
    points.note_points(quote, estimate.candidate(rank))
    Quote.objects.filter(pk=quote.pk).update(estimate=estimate, chosen_rank=rank, summary=quote.summary)
    kept = list(quote.lines.filter(typed_by_hand=True))
    former = {_identity(line): line for line in quote.lines.filter(typed_by_hand=False)}
    quote.lines.filter(typed_by_hand=False).delete()
    candidate = estimate.candidate(rank)
    needs = composing.needs_of(candidate, currency=quote.currency) if candidate else []
    rows = [QuoteLine(quote=quote, position=0, tax_rate=quote.issuer.tax_rate, **need.fields()) for need in needs]
    for row in rows:
        _carry(former.get(_identity(row)), row)
        row.net_amount = pricing.net_amount(
            quantity=row.quantity,
            unit_price=row.unit_price,
            discount_percent=row.discount_percent,
            currency=quote.currency,
        )
    for position, row in enumerate(rows + kept, start=1):
        row.position = position
    QuoteLine.objects.bulk_create(rows)
    QuoteLine.objects.bulk_update(kept, ["position"])
    refresh_totals(quote)


def settled_and_dropped(quote: Quote, candidate: Mapping[str, Any] | None) -> list[QuoteLine]:
    """Give the lines somebody edited or settled that another candidate does not have. Runs SQL."""
    needs = composing.needs_of(candidate, currency=quote.currency) if candidate else []
    kept = {_identity(QuoteLine(quote=quote, position=0, **need.fields())) for need in needs}
    return [
        line
        for line in quote.lines.filter(typed_by_hand=False)
        if _identity(line) not in kept and (line.version > 1 or line.confirmation != Confirmation.OPEN)
    ]


def _identity(line: QuoteLine) -> tuple[str, str, str, Decimal]:
    return (line.kind, line.catalog_ref, line.description, line.quantity)


def _carry(former: QuoteLine | None, line: QuoteLine) -> None:
    if former is not None:
        for name in (*CONFIRMATION, *PRICE):
            setattr(line, name, getattr(former, name))
        line.version = former.version


def refresh_totals(quote: Quote) -> None:
    """Store what the lines add up to. Runs SQL."""
    lines = list(QuoteLine.objects.filter(quote=quote))
    sums = pricing.add_up(lines, currency=quote.currency, rounding=quote.issuer.tax_rounding)
    is_complete = bool(lines) and all(line.price_kind in SETTLED_PRICES for line in lines)
    points.note_budget(quote, budgets.why_not_kept(quote, sums, is_complete=is_complete))
    Quote.objects.filter(pk=quote.pk).update(net_total=sums.net, tax_total=sums.tax, gross_total=sums.gross)
    quote.net_total, quote.tax_total, quote.gross_total = sums.net, sums.tax, sums.gross


def write_ledger(quote: Quote, estimate: Estimate) -> None:
    """Write the answer's assumptions; a settled one stays settled where key and value are the same.

    The engine does not list what it was told, so an entry whose value now stands in the input is kept.
    """
    before = {entry.key: entry for entry in quote.ledger.all()}
    listed = {str(item["key"])[:120] for item in assumptions_of(estimate)}
    told = [key for key, entry in before.items() if key not in listed and is_told(estimate.input, key, entry.value)]
    quote.ledger.exclude(key__in=[*told, *OF_QUOTE]).exclude(key__startswith=CONDITION).delete()
    rows = []
    for position, item in enumerate(assumptions_of(estimate), start=1):
        entry = LedgerEntry(quote=quote, position=position, **_fields(item))
        former = before.get(entry.key)
        if former is not None and former.value == entry.value:
            for name in (*CONFIRMATION, "customer_says"):
                setattr(entry, name, getattr(former, name))
            entry.origin = former.origin
        rows.append(entry)
    LedgerEntry.objects.bulk_create(rows)


def is_told(asked: Mapping[str, Any], key: str, value: Any) -> bool:
    """Say whether the input itself states a value in the field a key names."""
    node: Any = asked
    for name in key.split("."):
        node = node.get(name) if isinstance(node, Mapping) else None
    if isinstance(node, Mapping):
        node = node.get("must", node.get("prefer"))
    return node is not None and node == value


NO_DEADLINE = ("none", "compare")
"""Answers to when it is wanted that say that nothing waits for it."""


def assumptions_of(estimate: Estimate) -> list[dict[str, Any]]:
    """Give the assumptions of an answer and of its recommended candidate, each key once, decisive marks kept."""
    output = estimate.output
    decisive = {item.get("key") for item in output.get("questions") or []}
    candidate = estimate.recommended or {}
    nested = (candidate.get("estimate") or {}).get("assumptions") or []
    merged: dict[str, dict[str, Any]] = {}
    for item in [*(output.get("questions") or []), *(output.get("assumptions") or []), *nested]:
        key = str(item.get("key") or "")
        if key and key not in merged:
            merged[key] = item | {"decisive": bool(item.get("decisive")) or key in decisive}
    if estimate.request_version.answers.get("when") in NO_DEADLINE and DEADLINE in merged:
        merged[DEADLINE]["decisive"] = bool(merged[DEADLINE].get("decides", True))
    return list(merged.values())


def _fields(item: dict[str, Any]) -> dict[str, Any]:
    origin = str(item.get("origin") or Origin.ASSUMED)
    key = str(item["key"])
    return {
        "key": key[:120],
        "label": str(item.get("label") or key)[:240],
        "value": item.get("value"),
        "unit": str(item.get("unit") or "")[:40],
        "low": item.get("low"),
        "high": item.get("high"),
        "source": str(item.get("source") or ""),
        "as_of": str(item.get("as_of") or "")[:40],
        "why": str(item.get("why") or ""),
        "origin": origin if origin in Origin.values else Origin.ASSUMED,
        "decisive": bool(item.get("decisive")),
        "moves": item.get("moves"),
    }
