"""What the customer decides about a sent quote: accept, decline, and take an acceptance back; by the link or by us."""

from __future__ import annotations

from datetime import date

from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quotes.actors import Actor
from quotes.models import Document, Quote, Status
from quotes.presenter import dates
from quotes.refusals import ConflictError, InvalidError
from quotes.services.confirming import check_named
from quotes.services.editing import lock
from quotes.services.moves import move
from quotes.transitions import Move


class Channel(models.TextChoices):
    """How an acceptance reached us."""

    PHONE = "phone", gettext_lazy("by phone")
    EMAIL = "email", gettext_lazy("by e-mail")
    SIGNED = "signed", gettext_lazy("by a signed document")
    MEETING = "meeting", gettext_lazy("at a meeting")


@transaction.atomic
def accept(quote: Quote, *, actor: Actor, sha256: str) -> Quote:
    """Accept one revision's bytes: the hash says which document the customer has read."""
    if not Document.objects.filter(quote=quote, sha256=sha256).exists():
        raise ConflictError(_("The document you accept is not the one of this quote. Open it again."))
    told = {"sha256": sha256}
    return move(quote, to=Move.ACCEPT, actor=actor, told=told, decided_at=timezone.now(), accepted_sha256=sha256)


@transaction.atomic
def record_acceptance(
    quote: Quote,
    *,
    actor: Actor,
    sha256: str,
    accepted_by: str,
    given_on: date,
    channel: str,
    evidence: str,
    remark: str = "",
    seen: int | None = None,
) -> Quote:
    """Note an acceptance that the customer gave by phone, e-mail or signature, of one revision's bytes.

    The day it was given counts for the validity, whenever it is written down. The customer gets a letter about it.
    """
    locked = lock(quote)
    check_named(evidence)
    if not accepted_by.strip():
        raise InvalidError("accepted_by", _("Say who accepted"))
    if channel not in Channel.values:
        raise InvalidError("channel", _("Say how the acceptance was given"))
    _check_day(locked, given_on)
    if not Document.objects.filter(quote=locked, sha256=sha256).exists():
        raise ConflictError(_("The document that was accepted is not one of this revision. Open the quote again."))
    told = {
        "sha256": sha256,
        "accepted_by": accepted_by.strip(),
        "given_on": given_on.isoformat(),
        "channel": channel,
        "evidence": evidence.strip(),
    }
    return move(
        locked,
        to=Move.RECORD,
        actor=actor,
        reason=remark,
        seen=seen,
        told=told,
        decided_at=timezone.now(),
        accepted_sha256=sha256,
    )


def _check_day(quote: Quote, given_on: date) -> None:
    """Refuse a day before the quote was sent, after its validity, or still to come."""
    sent_on = quote.issuer.today(quote.sent_at) if quote.sent_at else given_on
    said = {"sent": dates.day(sent_on), "until": dates.day(quote.valid_until)}
    if given_on > quote.issuer.today():
        raise InvalidError("given_on", _("This day is still to come"))
    if given_on < sent_on:
        raise InvalidError("given_on", _("The quote was sent on %(sent)s, later than this") % said)
    if quote.valid_until is not None and given_on > quote.valid_until:
        raise InvalidError("given_on", _("The quote was valid until %(until)s: make a new revision") % said)


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
