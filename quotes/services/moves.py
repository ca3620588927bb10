"""Moving a quote from state to state: the one place that writes a status."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from quotes import emails, snapshot, tasks
from quotes.actors import Actor
from quotes.models import Clarification, Document, LedgerEntry, NumberCounter, Quote, QuoteLine, Request, Status
from quotes.refusals import ConflictError, InvalidError
from quotes.services.editing import check_handler, lock
from quotes.services.recording import record, refresh_search
from quotes.transitions import MOVES, Move, needs_handler

__all__ = ["Move", "accept", "approve", "decline", "move", "revise", "send"]


@transaction.atomic
def move(quote: Quote, *, to: Move, actor: Actor, reason: str = "", **fields: Any) -> Quote:
    """Move a quote by the table: check the rule, write the state if nobody was first, record the event."""
    rule = MOVES[to]
    locked = lock(quote)
    if needs_handler(to, actor) and rule.by & actor.roles:
        check_handler(locked, actor=actor)
    rule.check(locked, actor=actor, reason=reason)
    before = locked.status
    won = Quote.objects.filter(pk=locked.pk, status__in=rule.sources).update(
        status=rule.target, status_at=timezone.now(), version=F("version") + 1, **fields
    )
    if not won:
        raise ConflictError(_("Somebody moved the quote at the same moment. Look again."))
    change = {"before": before, "after": rule.target}
    record(locked.request, kind=to, actor=actor, quote=locked, reason=reason.strip(), change=change)
    emails.after_move(locked, to=to)
    locked.refresh_from_db()
    return locked


@transaction.atomic
def approve(quote: Quote, *, actor: Actor) -> Quote:
    """Approve and thereby issue: draw the number, freeze the snapshot, have the document rendered."""
    locked = lock(quote)
    MOVES[Move.APPROVE].check(locked, actor=actor, reason="")
    issuer = locked.issuer
    today = issuer.today()
    number, revision = _number(locked, issuer.number_prefix, today.year)
    issued: dict[str, Any] = {
        "approver": actor.user,
        "issued_at": timezone.now(),
        "valid_until": locked.valid_until or today + timedelta(days=issuer.validity_days),
        "number": number,
        "revision": revision,
    }
    moved = move(locked, to=Move.APPROVE, actor=actor, **issued)
    frozen = snapshot.freeze(moved)
    digest = snapshot.digest(frozen)
    Quote.objects.filter(pk=moved.pk).update(snapshot=frozen, snapshot_sha256=digest)
    moved.refresh_from_db()
    refresh_search(moved.request)
    tasks.render_issued.enqueue(moved.pk)
    return moved


def _number(quote: Quote, prefix: str, year: int) -> tuple[str, int]:
    former = Quote.objects.filter(request_id=quote.request_id, number__isnull=False).order_by("-revision").first()
    if former is not None and former.number:
        return former.number, former.revision + 1
    return f"{prefix}-{year}-{NumberCounter.draw(series='quote', year=year):04d}", 1


@transaction.atomic
def send(quote: Quote, *, actor: Actor) -> Quote:
    """Send an approved quote; the revision the customer holds until now is superseded at this moment."""
    moved = move(quote, to=Move.SEND, actor=actor, sent_at=timezone.now())
    former = Quote.objects.filter(request_id=moved.request_id, status__in=MOVES[Move.SUPERSEDE].sources)
    for one in former.exclude(pk=moved.pk):
        move(one, to=Move.SUPERSEDE, actor=actor)
    return moved


@transaction.atomic
def accept(quote: Quote, *, actor: Actor, sha256: str) -> Quote:
    """Accept one revision's bytes: the hash says which document the customer has read."""
    if not Document.objects.filter(quote=quote, sha256=sha256).exists():
        raise ConflictError(_("The document you accept is not the one of this quote. Open it again."))
    return move(quote, to=Move.ACCEPT, actor=actor, decided_at=timezone.now(), accepted_sha256=sha256)


@transaction.atomic
def decline(quote: Quote, *, actor: Actor, reason: str = "") -> Quote:
    """Decline a sent quote; a reason helps and is not demanded."""
    return move(quote, to=Move.DECLINE, actor=actor, reason=reason, decided_at=timezone.now())


REVISABLE = frozenset({Status.SENT, Status.DECLINED, Status.ACCEPTED, Status.WITHDRAWN, Status.SUPERSEDED})
NOT_COPIED = frozenset({"id", "public_id", "quote"})


@transaction.atomic
def revise(quote: Quote, *, actor: Actor, reason: str) -> Quote:
    """Start the next revision: a copy of lines, prices, ledger and questions, edited while the former is in force.

    What was sent or declined is superseded when the next revision is sent; what was accepted stays accepted.
    """
    locked = lock(quote)
    words = reason.strip()
    if not words:
        raise InvalidError("reason", _("Say why in a sentence: it stays with the quote"))
    if locked.status not in REVISABLE:
        raise ConflictError(_("Only what was sent, declined or withdrawn is revised; this is edited instead"))
    Request.objects.select_for_update().get(pk=locked.request_id)
    if Quote.objects.filter(request_id=locked.request_id).open().exists():
        raise ConflictError(_("A revision of this quote is being prepared already"))
    last = Quote.objects.filter(request_id=locked.request_id).order_by("-revision").values_list("revision", flat=True)
    copied = Quote.objects.create(
        request=locked.request,
        estimate=locked.estimate,
        issuer=locked.issuer,
        predecessor=locked,
        revision=last[0] + 1,
        status=Status.IN_REVIEW,
        chosen_rank=locked.chosen_rank,
        summary=locked.summary,
        currency=locked.currency,
        exchange_rate=locked.exchange_rate,
        exchange_rate_on=locked.exchange_rate_on,
        exchange_rate_source=locked.exchange_rate_source,
        net_total=locked.net_total,
        tax_total=locked.tax_total,
        gross_total=locked.gross_total,
        note=locked.note,
        author=actor.user,
    )
    for model in (QuoteLine, LedgerEntry, Clarification):
        _copy_rows(model, locked, copied)
    change = {"from": locked.full_number, "revision": copied.revision, "former_status": locked.status}
    record(locked.request, kind="quote.revised", actor=actor, quote=copied, reason=words, change=change)
    return copied


def _copy_rows(model: type[QuoteLine] | type[LedgerEntry] | type[Clarification], source: Quote, target: Quote) -> None:
    names = [field.attname for field in model._meta.concrete_fields if field.name not in NOT_COPIED]
    rows = [
        model(quote=target, **{name: getattr(row, name) for name in names})
        for row in model._default_manager.filter(quote=source)
    ]
    model._default_manager.bulk_create(rows)  # type: ignore[arg-type]
