"""The frozen state a document is rendered from: page and PDF read this one object, neither adds anything up."""

from __future__ import annotations

import hashlib
import json
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.utils import timezone

from quotes import pricing
from quotes.models import (
    Clarification,
    Confirmable,
    Estimate,
    Issuer,
    LedgerEntry,
    PilotResult,
    Quote,
    QuoteLine,
    Request,
)

SCHEMA = 1


def of(quote: Quote) -> dict[str, Any]:
    """Give the snapshot of a quote: the frozen one once it is issued, else its state now."""
    return quote.snapshot if quote.snapshot is not None else freeze(quote)


def freeze(quote: Quote, *, now: datetime | None = None) -> dict[str, Any]:
    """Give a quote's whole state as plain JSON data.

    Keys: ``schema kind reference number revision status issued_at valid_until frozen_at issuer customer route message
    answers engine catalog input output chosen_rank candidate lines totals assumptions conditions clarifications
    pilots note``.
    Money is text with two decimals; bytes, seconds and watts are numbers in base units.
    """
    moment = now or timezone.now()
    today = quote.issuer.today(moment)
    return {
        **_head(quote.request, quote.estimate, quote.issuer, moment),
        "kind": "quote",
        "number": quote.number,
        "revision": quote.revision,
        "status": quote.status,
        "issued_at": _text(quote.issued_at),
        "valid_until": _text(quote.valid_until),
        "chosen_rank": quote.chosen_rank,
        "candidate": quote.candidate,
        "lines": [_line(line, today) for line in quote.lines.all()],
        "totals": _totals(quote),
        **_ledger(quote, today),
        "clarifications": [_clarification(one) for one in quote.clarifications.all()],
        "pilots": [_pilot(one) for one in quote.pilots.all() if one.is_taken],
        "note": quote.note,
    }


def freeze_estimate(estimate: Estimate, *, now: datetime | None = None) -> dict[str, Any]:
    """Give what the preliminary document says: the calculation alone, with the same keys and no price of ours."""
    from quotes.services.preparing import assumptions_of

    candidate = estimate.recommended
    return {
        **_head(estimate.request, estimate, Issuer.current(), now or estimate.created_at),
        "kind": "preliminary",
        "number": None,
        "revision": 1,
        "status": "draft",
        "issued_at": None,
        "valid_until": None,
        "chosen_rank": candidate.get("rank") if candidate else None,
        "candidate": candidate,
        "lines": [],
        "totals": None,
        "assumptions": [item | {"confirmation": {"state": "unconfirmed"}} for item in assumptions_of(estimate)],
        "clarifications": [],
        "pilots": [],
        "note": "",
    }


def of_calculation(estimate: Estimate) -> dict[str, Any]:
    """Give what a page says about an estimate alone: answer, candidate and assumptions, seen from today."""
    from quotes.services.preparing import assumptions_of

    candidate = estimate.recommended
    said = {"answers": estimate.request_version.answers, "lines": [], "totals": None}
    return _seen(estimate, candidate) | said | {"assumptions": assumptions_of(estimate)}


def of_review(quote: Quote) -> dict[str, Any]:
    """Give what a page says about a quote's calculation and money: the frozen state once it is issued."""
    if quote.snapshot is not None:
        return dict(quote.snapshot)
    today = quote.issuer.today()
    return _seen(quote.estimate, quote.candidate) | {
        "lines": [_line(line, today) for line in quote.lines.all()],
        "totals": _totals(quote),
        **_ledger(quote, today),
    }


def _seen(estimate: Estimate, candidate: dict[str, Any] | None) -> dict[str, Any]:
    rank = candidate.get("rank") if candidate else None
    now = timezone.now().isoformat()
    return {"input": estimate.input, "output": estimate.output, "candidate": candidate, "chosen_rank": rank,
            "frozen_at": now}  # fmt: skip


def encode(frozen: dict[str, Any]) -> bytes:
    """Give the one byte form of a snapshot: sorted keys, UTF-8; it is attached to the PDF and hashed."""
    return json.dumps(frozen, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def digest(frozen: dict[str, Any]) -> str:
    """Give the SHA-256 of a snapshot."""
    return hashlib.sha256(encode(frozen)).hexdigest()


def _head(request: Request, estimate: Estimate, issuer: Issuer, moment: datetime) -> dict[str, Any]:
    version = estimate.request_version
    return {
        "schema": SCHEMA,
        "reference": request.reference,
        "frozen_at": moment.isoformat(),
        "issuer": _issuer(issuer),
        "customer": {
            "name": request.contact_name,
            "organization": request.organization,
            "email": request.email,
            "phone": request.phone,
        },
        "route": request.route,
        "message": request.message,
        "answers": version.answers,
        "answers_version": version.number,
        "engine": estimate.engine_version,
        "catalog": estimate.catalog_fingerprint,
        "calculated_at": estimate.created_at.isoformat(),
        "input": estimate.input,
        "output": estimate.output,
    }


def _issuer(issuer: Issuer) -> dict[str, Any]:
    names = (
        "name",
        "legal_details",
        "bank_details",
        "email",
        "phone",
        "currency",
        "time_zone",
        "terms_en",
        "terms_ru",
    )
    return {name: getattr(issuer, name) for name in names} | {"tax_rate": str(issuer.tax_rate)}


def _line(line: QuoteLine, today: date) -> dict[str, Any]:
    return {
        "position": line.position,
        "kind": line.kind,
        "article": line.article,
        "description": line.description,
        "detail": line.detail,
        "catalog_ref": line.catalog_ref,
        "quantity": f"{line.quantity.normalize():f}",
        "price_kind": line.price_kind,
        "unit_price": _money(line.unit_price),
        "discount_percent": str(line.discount_percent),
        "tax_rate": str(line.tax_rate),
        "net_amount": _money(line.net_amount),
        "confirmation": _confirmation(line, today),
    }


def _ledger(quote: Quote, today: date) -> dict[str, Any]:
    """Give the assumptions, and apart from them what the chosen machine is conditional on."""
    entries = list(quote.ledger.all())
    return {
        "assumptions": [_assumption(entry, today) for entry in entries if not entry.is_condition],
        "conditions": [
            {"text": entry.why, "confirmation": _confirmation(entry, today)} for entry in entries if entry.is_condition
        ],
    }


def _assumption(entry: LedgerEntry, today: date) -> dict[str, Any]:
    names = ("key", "label", "value", "unit", "low", "high", "source", "as_of", "why", "origin", "moves", "decisive")
    said = {name: getattr(entry, name) for name in names}
    return said | {"customer_says": entry.customer_says, "confirmation": _confirmation(entry, today)}


def _confirmation(row: Confirmable, today: date) -> dict[str, Any]:
    return {
        "state": row.standing(today),
        "by": row.confirmed_by_name,
        "at": _text(row.confirmed_at),
        "evidence": row.evidence,
        "valid_until": _text(row.valid_until),
        "reason": row.reason,
        "party": row.reason_party,
        "until": _text(row.reason_until),
    }


def _totals(quote: Quote) -> dict[str, Any]:
    sums = pricing.totals(quote)
    return {
        "currency": sums.currency,
        "net": str(sums.net),
        "taxes": [{"rate": str(one.rate), "net": str(one.net), "amount": str(one.amount)} for one in sums.taxes],
        "tax": str(sums.tax),
        "gross": str(sums.gross),
        "discount": str(sums.discount),
        "lines_priced": sums.lines_priced,
        "lines_total": sums.lines_total,
    }


def _clarification(one: Clarification) -> dict[str, Any]:
    return {
        "question": one.question,
        "answer": one.answer,
        "key": one.ledger_key,
        "asked_at": _text(one.asked_at),
        "answered_at": _text(one.answered_at),
    }


def _pilot(one: PilotResult) -> dict[str, Any]:
    return {
        "measured": one.measured,
        "predicted": one.predicted,
        "load_matches": one.load_matches,
        "mismatches": one.mismatches,
        "uploaded_at": _text(one.uploaded_at),
    }


def _money(amount: Decimal | None) -> str | None:
    return None if amount is None else str(amount)


def _text(moment: date | datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
