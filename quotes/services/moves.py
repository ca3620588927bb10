"""Moving a quote from state to state: the one place that writes a status."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from quotes import emails, snapshot, tasks
from quotes.actors import Actor
from quotes.models import NumberCounter, Quote, Status
from quotes.refusals import ConflictError
from quotes.services.editing import check_handler, check_seen, lock
from quotes.services.recording import record, refresh_search
from quotes.transitions import MOVES, Move, needs_handler

__all__ = ["Move", "approve", "move", "send"]


@transaction.atomic
def move(
    quote: Quote,
    *,
    to: Move,
    actor: Actor,
    reason: str = "",
    seen: int | None = None,
    told: Mapping[str, Any] | None = None,
    back_to: Status | None = None,
    **fields: Any,
) -> Quote:
    """Move a quote by the table: check the rule, write the state if nobody was first, record the event.

    The event tells the states before and after, and what is `told` beside. A person decides on the version that was
    `seen`; another one is refused (409). A rule that leads back takes the state that was left.
    """
    rule = MOVES[to]
    locked = lock(quote)
    check_seen(locked, seen)
    if needs_handler(to, actor) and rule.by & actor.roles:
        check_handler(locked, actor=actor)
    rule.check(locked, actor=actor, reason=reason)
    before, target = locked.status, rule.target_of(back_to)
    won = Quote.objects.filter(pk=locked.pk, status__in=rule.sources).update(
        status=target, status_at=timezone.now(), version=F("version") + 1, **fields
    )
    if not won:
        raise ConflictError(_("Somebody moved the quote at the same moment. Look again."))
    change = {"before": before, "after": target, **(told or {})}
    record(locked.request, kind=to, actor=actor, quote=locked, reason=reason.strip(), change=change)
    emails.after_move(locked, to=to)
    locked.refresh_from_db()
    return locked


@transaction.atomic
def approve(quote: Quote, *, actor: Actor, seen: int | None = None) -> Quote:
    """Approve and thereby issue: draw the number, freeze the snapshot, have the document rendered."""
    locked = lock(quote)
    check_seen(locked, seen)
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
def send(quote: Quote, *, actor: Actor, seen: int | None = None) -> Quote:
    """Send an approved quote; the revision the customer holds until now is superseded at this moment."""
    moved = move(quote, to=Move.SEND, actor=actor, seen=seen, sent_at=timezone.now())
    former = Quote.objects.filter(request_id=moved.request_id, status__in=MOVES[Move.SUPERSEDE].sources)
    for one in former.exclude(pk=moved.pk):
        move(one, to=Move.SUPERSEDE, actor=actor)
    return moved
