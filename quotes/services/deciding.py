"""What the customer decides about a sent quote: accept, decline, and take an acceptance back."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from quotes.actors import Actor
from quotes.models import Document, Quote, Status
from quotes.refusals import ConflictError
from quotes.services.confirming import check_named
from quotes.services.editing import lock
from quotes.services.moves import move
from quotes.transitions import Move


@transaction.atomic
def accept(quote: Quote, *, actor: Actor, sha256: str) -> Quote:
    """Accept one revision's bytes: the hash says which document the customer has read."""
    if not Document.objects.filter(quote=quote, sha256=sha256).exists():
        raise ConflictError(_("The document you accept is not the one of this quote. Open it again."))
    told = {"sha256": sha256}
    return move(quote, to=Move.ACCEPT, actor=actor, told=told, decided_at=timezone.now(), accepted_sha256=sha256)


@transaction.atomic
def decline(quote: Quote, *, actor: Actor, reason: str = "") -> Quote:
    """Decline a sent quote; a reason helps and is not demanded."""
    return move(quote, to=Move.DECLINE, actor=actor, reason=reason, decided_at=timezone.now())


@transaction.atomic
def retract(quote: Quote, *, actor: Actor, reason: str, evidence: str) -> Quote:
    """Note that the customer takes an acceptance back, e.g. given by mistake; the customer gets a letter about it.

    The acceptance stays in the events with its hash. The revision is with the customer again, or superseded where a
    later one was sent meanwhile.
    """
    locked = lock(quote)
    check_named(evidence)
    told = {"sha256": locked.accepted_sha256, "accepted_at": str(locked.decided_at), "evidence": evidence.strip()}
    moved = move(locked, to=Move.RETRACT, actor=actor, reason=reason, told=told, decided_at=None, accepted_sha256="")
    later = Quote.objects.filter(request_id=moved.request_id, revision__gt=moved.revision)
    if later.filter(status__in=[Status.SENT, Status.ACCEPTED, Status.DECLINED]).exists():
        return move(moved, to=Move.SUPERSEDE, actor=actor)
    return moved
