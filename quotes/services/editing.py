"""The door every edit goes through: right person, right state, nobody else in between."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from quotes.absences import Away
from quotes.actors import Actor, Role
from quotes.models import Confirmable, LedgerEntry, Quote, QuoteLine, Request, Status
from quotes.refusals import ConflictError, NotAllowedError, StaleEditError
from quotes.services.recording import record


def lock(quote: Quote) -> Quote:
    """Read the quote again and keep others from changing it until the transaction ends."""
    return (
        Quote.objects.select_for_update(of=("self",))
        .select_related("request", "request__assigned_to", "estimate", "issuer")
        .get(pk=quote.pk)
    )


def check_seen(quote: Quote, seen: int | None) -> None:
    """Refuse what rests on a page of another version of the quote than the locked one; None asks for no version."""
    if seen is not None and quote.version != seen:
        raise ConflictError(_("The quote was changed since you opened it. Look at it as it is now, then decide."))


def open_for_edit(quote: Quote, *, actor: Actor, seen: int | None = None) -> Quote:
    """Lock a quote for a change by its engineer; the first edit takes an unassigned request and starts the review."""
    locked = lock(quote)
    check_seen(locked, seen)
    if Role.ENGINEER not in actor.roles or actor.user is None:
        raise NotAllowedError(_("Only a sales engineer changes a quote"))
    if not locked.is_editable:
        raise ConflictError(
            _("The quote is “%(status)s”: it can't be edited, only revised")
            % {"status": locked.get_shown_status_display()}
        )
    check_handler(locked, actor=actor)
    if locked.request.assigned_to is None:
        take(locked.request, actor=actor)
    _begin(locked, actor)
    return locked


def by_its_engineer(quote: Quote, *, actor: Actor) -> None:
    """Refuse whoever is no engineer, or handles another one's request; for changes that ask for no state. Runs SQL."""
    if Role.ENGINEER not in actor.roles or actor.user is None:
        raise NotAllowedError(_("Only a sales engineer changes a quote"))
    check_handler(quote, actor=actor)


def check_engineer(actor: Actor) -> User:
    """Give the person who acts; refuse who is no sales engineer."""
    if Role.ENGINEER not in actor.roles or actor.user is None:
        raise NotAllowedError(_("Only a sales engineer does this"))
    return actor.user


def check_handler(quote: Quote, *, actor: Actor) -> None:
    """Refuse who neither handles the request nor stands in for who does; an unassigned one is anybody's."""
    owner = quote.request.assigned_to
    if owner is None or actor.user is None or owner.pk == actor.user.pk:
        return
    if not stands_in(actor.user, owner, quote.issuer.today()):
        raise NotAllowedError(
            _("%(name)s handles this request. Take it over first.") % {"name": owner.get_full_name() or owner.email}
        )


def stands_in(user: User, owner: User, day: date) -> bool:
    """Say whether a person does the work of an absent colleague on a day. Runs SQL."""
    return owner.pk in Away.on(day).covered_by(user)


def take(request: Request, *, actor: Actor) -> None:
    """Make the actor the engineer of a request."""
    before = request.assigned_to
    request.assigned_to = actor.user
    Request.objects.filter(pk=request.pk).update(assigned_to=actor.user)
    change = {"before": before.email if before else None, "after": actor.name}
    record(request, kind="request.assigned", actor=actor, change=change)


def _begin(quote: Quote, actor: Actor) -> None:
    fields: dict[str, Any] = {"version": F("version") + 1}
    if quote.status == Status.DRAFT:
        fields |= {"status": Status.IN_REVIEW, "status_at": timezone.now()}
        record(quote.request, kind="quote.review", actor=actor, quote=quote)
    if quote.author_id is None:
        fields["author"] = actor.user
    Quote.objects.filter(pk=quote.pk).update(**fields)
    quote.refresh_from_db(fields=["status", "status_at", "version", "author"])


def write(row: QuoteLine | LedgerEntry, *, version: int | None, **fields: Any) -> dict[str, Any]:
    """Write fields of a line or an assumption if nobody has since `version`; give before and after.

    A version of None writes over whatever is there, for changes the program makes itself.
    """
    rows = type(row)._default_manager.filter(pk=row.pk)
    if version is not None:
        rows = rows.filter(version=version)
    before = {name: getattr(row, name) for name in fields}
    if not rows.update(**fields, version=F("version") + 1):
        stored = type(row)._default_manager.filter(pk=row.pk).first()
        if stored is None:
            raise ConflictError(_("This row was removed while you were editing it"))
        raise StaleEditError(stored={name: getattr(stored, name) for name in fields}, asked=fields)
    row.refresh_from_db()
    return difference(before, {name: getattr(row, name) for name in fields})


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Give what changed, ready for JSON: ``{field: [before, after]}``."""
    changed = {name: [plain(before.get(name)), plain(after.get(name))] for name in after}
    return {name: pair for name, pair in changed.items() if pair[0] != pair[1]}


def plain(value: Any) -> Any:
    """Make a value fit for JSON: decimals and dates as text, people by name."""
    if isinstance(value, Decimal | date | datetime):
        return str(value)
    if value is None or isinstance(value, str | int | float | bool | list | dict):
        return value
    return str(value)


def reopened() -> dict[str, Any]:
    """Give the fields of a row nobody stands behind."""
    return {
        "confirmation": Confirmable._meta.get_field("confirmation").default,
        "confirmed_by": None,
        "confirmed_by_name": "",
        "confirmed_at": None,
        "evidence": "",
        "valid_until": None,
        "reason": "",
        "reason_party": "",
        "reason_until": None,
        "is_of_catalog": False,
        "reopened_for": [],
    }
