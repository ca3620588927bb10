"""Who handles a request and who reaches it: assignment, notes, the customer's links."""

from __future__ import annotations

from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from quotes import emails, links
from quotes.absences import Away
from quotes.actors import Actor, Role, roles_of
from quotes.models import CustomerLink, InternalNote, Request
from quotes.refusals import ConflictError, InvalidError, NotAllowedError
from quotes.services.editing import check_engineer
from quotes.services.recording import record


@transaction.atomic
def assign(request: Request, *, to: User | None, actor: Actor, reason: str = "") -> Request:
    """Hand a request over: to a colleague, to oneself, or back into the pool; an absent colleague's deputy gets it."""
    check_engineer(actor)
    if to is not None and Role.ENGINEER not in roles_of(to):
        raise InvalidError("to", _("Requests are handled by sales engineers"))
    asked = to
    if to is not None and to != actor.user:
        to = Away.today().taker(to, role=Role.ENGINEER)
        if to is None:
            raise ConflictError(
                _("This colleague is absent and nobody stands in who could take it: choose another one")
            )
    locked = Request.objects.select_for_update().get(pk=request.pk)
    before = locked.assigned_to
    Request.objects.filter(pk=request.pk).update(assigned_to=to)
    request.assigned_to = to
    change = {"before": before.email if before else None, "after": to.email if to else None}
    if asked is not None and asked != to:
        change["instead_of"] = asked.email
    record(request, kind="request.assigned", actor=actor, reason=reason, change=change)
    return request


@transaction.atomic
def set_due(request: Request, *, due_on: date | None, actor: Actor) -> Request:
    """Say by which day a request is to be answered."""
    check_engineer(actor)
    change = {"before": str(request.due_on or ""), "after": str(due_on or "")}
    Request.objects.filter(pk=request.pk).update(due_on=due_on)
    request.due_on = due_on
    record(request, kind="request.due", actor=actor, change=change)
    return request


@transaction.atomic
def add_note(request: Request, *, text: str, actor: Actor) -> InternalNote:
    """Write a remark for colleagues; no customer ever reads it."""
    if actor.user is None or not {Role.ENGINEER, Role.APPROVER} & actor.roles:
        raise NotAllowedError(_("Only engineers and approvers write notes"))
    if not text.strip():
        raise InvalidError("text", _("Write something"))
    return InternalNote.objects.create(request=request, author=actor.user, text=text.strip()[:4000])


@transaction.atomic
def reissue_link(request: Request, *, actor: Actor) -> str:
    """Make a new private address, close the old ones, and mail the new one to the customer."""
    user = check_engineer(actor)
    if request.merged_into_id is not None:
        raise ConflictError(_("This request was merged into another one: issue the address there"))
    request.links.open().update(revoked_at=timezone.now())
    link, token = links.issue(request, by=user)
    record(request, kind="link.issued", actor=actor, change={"expires_at": link.expires_at.isoformat()})
    emails.write(request, template="link", key=f"link:{link.pk}")
    return token


@transaction.atomic
def revoke_link(link: CustomerLink, *, actor: Actor) -> CustomerLink:
    """Close a private address at once."""
    check_engineer(actor)
    won = CustomerLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now())
    if not won:
        raise ConflictError(_("This link is closed already"))
    record(link.request, kind="link.revoked", actor=actor)
    link.refresh_from_db()
    return link
