"""Two requests of one customer become one: the other is closed and stays readable (docs/decisions/0068)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from quotes import duplicates
from quotes.actors import Actor, Role
from quotes.models import EDITABLE, Quote, Request, Status
from quotes.refusals import ConflictError, InvalidError, NotAllowedError
from quotes.services.editing import check_handler
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
    if Role.ENGINEER not in actor.roles:
        raise NotAllowedError(_("Only a sales engineer does this"))
    keys = {survivor.pk, closed.pk}
    locked = {one.pk: one for one in Request.objects.select_for_update().filter(pk__in=keys).order_by("pk")}
    kept, other = locked[survivor.pk], locked[closed.pk]
    _check(kept, other, link_leads_on)
    reason = _("Merged into %(reference)s") % {"reference": kept.reference}
    for quote in Quote.objects.filter(request=other).select_related("request__assigned_to", "issuer"):
        check_handler(quote, actor=actor)
    for quote in Quote.objects.filter(request=other, status__in=EDITABLE):
        move(quote, to=Move.CANCEL, actor=actor, reason=reason)
    Request.objects.filter(pk=other.pk).update(merged_into=kept, merged_at=timezone.now(), link_leads_on=link_leads_on)
    record(other, kind="request.merged", actor=actor, reason=reason, change=_told(kept, link_leads_on))
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
