"""Forgetting: requests that came to nothing lose what is personal after a while."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from quotes.actors import Actor
from quotes.models import ISSUED, PilotResult, Request, Status
from quotes.services.recording import record

FORGOTTEN = "–"


def forget_old(*, days: int) -> int:
    """Forget contact, message and files of requests older than `days` of which no quote was issued.

    The request, its estimate and its events stay as numbers without a person; issued quotes are business letters and
    are kept whole.
    """
    old = Request.objects.filter(created_at__lt=timezone.now() - timedelta(days=days)).exclude(contact_name=FORGOTTEN)
    kept = [*ISSUED, Status.WITHDRAWN]
    count = 0
    for request in old.exclude(quotes__status__in=kept).order_by("pk"):
        forget(request)
        count += 1
    return count


@transaction.atomic
def forget(request: Request) -> None:
    """Forget the person behind one request."""
    for attachment in request.attachments.all():
        attachment.file.delete(save=False)
        attachment.delete()
    Request.objects.filter(pk=request.pk).update(
        contact_name=FORGOTTEN,
        organization="",
        email="",
        phone="",
        message="",
        search_text=request.reference.casefold(),
    )
    request.versions.update(answers={})
    request.mails.all().delete()
    PilotResult.objects.filter(quote__request=request, by_customer=True).update(uploaded_by_name=FORGOTTEN)
    request.links.open().update(revoked_at=timezone.now())
    record(request, kind="request.forgotten", actor=Actor.system())
