"""Two requests of one customer become one: the other is closed and stays readable (docs/decisions/0068)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from quotes import duplicates
from quotes.actors import Actor
from quotes.models import EDITABLE, Quote, QuoteEvent, Request, Status
from quotes.presenter import dates
from quotes.refusals import ConflictError, InvalidError
from quotes.services.editing import check_engineer, check_handler
from quotes.services.moves import Move, move
from quotes.services.recording import record


def why_not_closed(request: Request) -> str:
    """Say why a request can't be closed by a merge; empty where it can. Runs SQL."""
    if request.merged_into_id is not None:
        return _("%(reference)s is merged already") % {"reference": request.reference}
    quotes = Quote.objects.filter(request=request)
    if quotes.filter(number__isnull=False).exists():
        return _("%(reference)s has an issued quote, which stays what it is: let it survive") % {
            "reference": request.reference
        }
    if quotes.filter(status=Status.READY).exists():
        return _("%(reference)s waits for approval: return it to the engineer first, or let it survive") % {
            "reference": request.reference
        }
    return ""


@transaction.atomic
def merge(survivor: Request, *, closed: Request, actor: Actor, link_leads_on: bool = False) -> Request:
    """Close a request as a duplicate of another one of the same customer; nothing of either is altered or moved.

    With `link_leads_on` the closed one's private address opens the survivor; only where both carry one e-mail address.
    """
    check_engineer(actor)
    keys = {survivor.pk, closed.pk}
    locked = {one.pk: one for one in Request.objects.select_for_update().filter(pk__in=keys).order_by("pk")}
    kept, other = locked[survivor.pk], locked[closed.pk]
    _check(kept, other, link_leads_on)
    reason = _("Merged into %(reference)s") % {"reference": kept.reference}
    for quote in Quote.objects.filter(request=other).select_related("request__assigned_to", "issuer"):
        check_handler(quote, actor=actor)
    cancelled = [
        str(move(quote, to=Move.CANCEL, actor=actor, reason=reason).public_id)
        for quote in Quote.objects.filter(request=other, status__in=EDITABLE)
    ]
    Request.objects.filter(pk=other.pk).update(merged_into=kept, merged_at=timezone.now(), link_leads_on=link_leads_on)
    told = _told(kept, link_leads_on) | {"cancelled": cancelled}
    record(other, kind="request.merged", actor=actor, reason=reason, change=told)
    record(kept, kind="request.absorbed", actor=actor, change=_told(other, link_leads_on))
    for former in Request.objects.filter(merged_into=other):
        # An older tick spoke of another request: it goes on only where this merge says so too.
        leads_on = former.link_leads_on and link_leads_on and duplicates.have_same_email(kept, former)
        Request.objects.filter(pk=former.pk).update(merged_into=kept, link_leads_on=leads_on)
        record(former, kind="request.merged", actor=actor, reason=reason, change=_told(kept, leads_on))
    closed.refresh_from_db()
    return kept


def _check(kept: Request, other: Request, link_leads_on: bool) -> None:
    if kept.pk == other.pk:
        raise InvalidError("survivor", _("A request is not a duplicate of itself"))
    if kept.merged_into_id is not None:
        raise ConflictError(_("%(reference)s is merged already") % {"reference": kept.reference})
    if why := why_not_closed(other):
        raise ConflictError(why)
    if not duplicates.have_same_customer(kept, other):
        raise InvalidError("survivor", _("These requests carry neither the same e-mail address nor the same company"))
    if link_leads_on and not duplicates.have_same_email(kept, other):
        raise InvalidError(
            "link_leads_on", _("The e-mail addresses differ: one person's link never opens another one's request")
        )


def _told(request: Request, link_leads_on: bool) -> dict[str, object]:
    return {"name": request.reference, "request": str(request.public_id), "link_leads_on": link_leads_on}


def _merges(request: Request) -> list[QuoteEvent]:
    """Give the events that made a closed request what it is, newest first: its merge, and each time it was led on."""
    found = []
    for event in request.events.filter(kind__in=["request.merged", "request.unmerged"]):
        if event.kind == "request.unmerged":
            break
        found.append(event)
    return found


def why_not_undone(request: Request) -> str:
    """Say why a merge stays; empty where it can be undone: nothing has happened to the closed one since. Runs SQL."""
    if request.merged_into_id is None:
        return _("%(reference)s is not merged") % {"reference": request.reference}
    merge_event = next(iter(_merges(request)), None)
    since = request.events.exclude(kind="document.rendered")
    if merge_event is None or since.first() == merge_event:
        return ""
    said = {"reference": request.reference, "at": dates.moment_here(merge_event.at)}
    return _("%(reference)s has changed since it was merged, %(at)s: copy it instead") % said


@transaction.atomic
def unmerge(closed: Request, *, actor: Actor, reason: str) -> Request:
    """Open a request again that was closed by a merge, with the quote that the merge cancelled.

    Only while nothing has happened to it since. What was joined to it before comes back to it.
    """
    check_engineer(actor)
    words = reason.strip()
    if not words:
        raise InvalidError("reason", _("Say why in a sentence: it stays with the quote"))
    keys = {closed.pk, closed.merged_into_id or closed.pk}
    locked = {one.pk: one for one in Request.objects.select_for_update().filter(pk__in=keys).order_by("pk")}
    other, kept = locked[closed.pk], locked.get(closed.merged_into_id or 0)
    if why := why_not_undone(other):
        raise ConflictError(why)
    if kept is None or other.merged_into_id != kept.pk:
        raise ConflictError(_("Somebody merged it at the same moment. Look again."))
    for quote in Quote.objects.filter(request=other).select_related("request__assigned_to", "issuer"):
        check_handler(quote, actor=actor)
    merges = _merges(other)
    Request.objects.filter(pk=other.pk).update(merged_into=None, merged_at=None, link_leads_on=False)
    cancelled = [key for event in merges for key in event.change.get("cancelled", [])]
    for quote in Quote.objects.filter(request=other, public_id__in=cancelled):
        move(quote, to=Move.RESTORE, actor=actor, reason=words, back_to=_state_left(quote))
    record(other, kind="request.unmerged", actor=actor, reason=words, change=_told(kept, False))
    record(kept, kind="request.released", actor=actor, reason=words, change=_told(other, False))
    _take_back(other, kept, actor=actor, reason=words)
    closed.refresh_from_db()
    return closed


def _state_left(quote: Quote) -> Status:
    """Give the state in which the merge found a quote that it cancelled. Runs SQL."""
    event = quote.events.filter(kind=Move.CANCEL).first()
    return Status(event.change["before"]) if event is not None else Status.IN_REVIEW


def _take_back(other: Request, kept: Request, *, actor: Actor, reason: str) -> None:
    """Let what had been merged into a request before it was merged itself belong to it again."""
    for former in Request.objects.filter(merged_into=kept):
        earlier = next(
            (event for event in _merges(former) if event.change.get("request") == str(other.public_id)), None
        )
        if earlier is None:
            continue
        leads_on = bool(earlier.change.get("link_leads_on")) and duplicates.have_same_email(other, former)
        Request.objects.filter(pk=former.pk).update(merged_into=other, link_leads_on=leads_on)
        record(former, kind="request.merged", actor=actor, reason=reason, change=_told(other, leads_on))
