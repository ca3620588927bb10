"""What the worker does beside the server: render documents, deliver letters.

A task is a row in the same database, so it is enqueued inside the transaction: the change and its follow-up are stored
together or not at all.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db.models import F
from django.tasks import task
from django.utils import timezone

from quotes.models import Document, Estimate, Mail, Quote

logger = logging.getLogger(__name__)
MOST_ATTEMPTS = 8
FIRST_PAUSE = timedelta(minutes=1)


@task()
def render_preliminary(estimate_id: int) -> str:
    """Render the preliminary document of an estimate in the customer's language."""
    from quotes import documents

    estimate = Estimate.objects.select_related("request").get(pk=estimate_id)
    request = estimate.request
    document = documents.render_document(estimate, kind=Document.Kind.PRELIMINARY, language=request.language)
    return str(document.sha256)


@task()
def render_issued(quote_id: int) -> list[str]:
    """Render the short and the full document of an approved quote in the customer's language, once."""
    from quotes import documents

    quote = Quote.objects.select_related("request", "estimate", "issuer").get(pk=quote_id)
    kinds = (Document.Kind.SHORT, Document.Kind.FULL)
    made = [documents.render_document(quote, kind=kind, language=quote.request.language) for kind in kinds]
    return [document.sha256 for document in made]


@task()
def deliver_mail(mail_id: int) -> str:
    """Deliver one letter: claimed first, so that two workers never send it twice; a failure is tried again later.

    A worker that dies between the server's yes and our note leaves the letter in *sending*; it is shown to the staff
    and not sent again by itself.
    """
    from quotes import emails

    claimed = Mail.objects.filter(pk=mail_id, state__in=[Mail.State.QUEUED]).update(
        state=Mail.State.SENDING, state_at=timezone.now(), attempts=F("attempts") + 1
    )
    if not claimed:
        return "taken"
    mail = Mail.objects.select_related("request").get(pk=mail_id)
    try:
        emails.compose(mail).send()
    except OSError as error:
        return _try_later(mail, error)
    Mail.objects.filter(pk=mail_id).update(
        state=Mail.State.SENT, state_at=timezone.now(), sent_at=timezone.now(), last_error=""
    )
    return "sent"


def _try_later(mail: Mail, error: OSError) -> str:
    logger.warning("Letter %s was not delivered (attempt %s): %s", mail.key, mail.attempts, error)
    given_up = mail.attempts >= MOST_ATTEMPTS
    state = Mail.State.FAILED if given_up else Mail.State.QUEUED
    Mail.objects.filter(pk=mail.pk).update(state=state, state_at=timezone.now(), last_error=str(error))
    if not given_up:
        pause = FIRST_PAUSE * 2 ** (mail.attempts - 1)
        deliver_mail.using(run_after=timezone.now() + pause).enqueue(mail.pk)
    return state
