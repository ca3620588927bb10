"""Forgetting: requests that came to nothing lose what is personal after a while without a change."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from quotes.actors import Actor, Role
from quotes.models import ISSUED, Clarification, Document, LedgerEntry, PilotResult, QuoteEvent, Request, Status
from quotes.services.recording import record

FORGOTTEN = "–"


def forget_old(*, days: int) -> int:
    """Forget the person behind requests that nobody touched for `days` and of which no quote was issued.

    The request, its estimate and its events stay as numbers without a person; issued quotes are business letters and
    are kept whole, with the duplicates that were merged into them.
    """
    since = timezone.now() - timedelta(days=days)
    old = Request.objects.filter(created_at__lt=since).exclude(contact_name=FORGOTTEN)
    old = old.exclude(pk__in=QuoteEvent.objects.filter(at__gte=since).values("request"))
    kept = [*ISSUED, Status.WITHDRAWN]
    count = 0
    old = old.exclude(quotes__status__in=kept).exclude(merged_into__quotes__status__in=kept)
    for request in old.order_by("pk"):
        forget(request)
        count += 1
    return count


@transaction.atomic
def forget(request: Request) -> None:
    """Forget the person behind one request: contact, own words, files, letters, documents that carry a name."""
    for attachment in request.attachments.all():
        attachment.file.delete(save=False)
        attachment.delete()
    Request.objects.filter(pk=request.pk).update(
        contact_name=FORGOTTEN,
        organization="",
        email="",
        email_folded="",
        organization_folded="",
        phone="",
        message="",
        search_text=request.reference.casefold(),
    )
    request.versions.update(answers={})
    request.mails.all().delete()
    request.internal_notes.all().delete()
    PilotResult.objects.filter(quote__request=request, by_customer=True).update(uploaded_by_name=FORGOTTEN)
    request.links.open().update(revoked_at=timezone.now())
    Clarification.objects.filter(quote__request=request).update(answer="")
    LedgerEntry.objects.filter(quote__request=request).update(customer_says="")
    _forget_what_is_written_once(request)
    record(request, kind="request.forgotten", actor=Actor.system())


def _forget_what_is_written_once(request: Request) -> None:
    """Take the customer out of the trail, and delete documents that were never issued.

    Written once means that nobody rewrites what was done; a person's right to be forgotten stands above it.
    """
    for document in request.documents.all():
        document.file.delete(save=False)
    Document._base_manager.filter(request=request).delete()
    said = QuoteEvent._base_manager.filter(request=request, actor_role=Role.CUSTOMER.value)
    said.update(actor_name=FORGOTTEN, reason="", change={})
