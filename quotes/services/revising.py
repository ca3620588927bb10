"""The next revision of a quote that was issued."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from quotes.actors import Actor
from quotes.models import Clarification, LedgerEntry, Quote, QuoteLine, Request, Status
from quotes.refusals import ConflictError, InvalidError
from quotes.services import building, points, preparing
from quotes.services.editing import lock
from quotes.services.recording import record

REVISABLE = frozenset({Status.SENT, Status.DECLINED, Status.ACCEPTED, Status.WITHDRAWN, Status.SUPERSEDED})


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
    copied = building.start(
        locked,
        request=locked.request,
        estimate=locked.estimate,
        issuer=locked.issuer,
        actor=actor,
        predecessor=locked,
        revision=last[0] + 1,
    )
    QuoteLine.objects.bulk_create(building.rows_like(locked.lines.all(), copied))
    LedgerEntry.objects.bulk_create(building.rows_like(locked.ledger.all(), copied))
    Clarification.objects.bulk_create(building.rows_like(locked.clarifications.all(), copied))
    points.note_points(copied, copied.candidate)
    preparing.refresh_totals(copied)
    change = {"from": locked.full_number, "revision": copied.revision, "former_status": locked.status}
    record(locked.request, kind="quote.revised", actor=actor, quote=copied, reason=words, change=change)
    return copied
