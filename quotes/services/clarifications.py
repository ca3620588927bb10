"""Questions to the customer and the answers; an answer can fill the assumption it was asked about."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from quotes import emails
from quotes.actors import Actor, Role
from quotes.models import Clarification, LedgerEntry, Origin, Quote, Status
from quotes.refusals import ConflictError, InvalidError, NotAllowedError, Refusal
from quotes.services import ledger
from quotes.services.editing import lock, open_for_edit
from quotes.services.moves import Move, move
from quotes.services.recording import record

LONGEST = 2000


@transaction.atomic
def ask(quote: Quote, *, actor: Actor, question: str, ledger_key: str = "") -> Clarification:
    """Ask the customer; the quote waits for the answer and a letter goes out."""
    locked = open_for_edit(quote, actor=actor)
    words = question.strip()
    if not words or len(words) > LONGEST:
        raise InvalidError("question", _("Write the question in 1 to %(most)s characters") % {"most": LONGEST})
    if ledger_key and not locked.ledger.filter(key=ledger_key).exists():
        raise InvalidError("ledger_key", _("There is no such assumption"))
    if actor.user is None:
        raise NotAllowedError(_("Only a person asks"))
    clarification = Clarification.objects.create(
        quote=locked, ledger_key=ledger_key, question=words, asked_by=actor.user
    )
    change = {"question": words, "key": ledger_key}
    record(locked.request, kind="clarification.asked", actor=actor, quote=locked, change=change)
    if locked.status == Status.IN_REVIEW:
        move(locked, to=Move.ASK, actor=actor)
    emails.write(locked.request, template="question", key=f"question:{clarification.public_id}")
    return clarification


def answer_clarification(clarification: Clarification, *, actor: Actor, answer: str) -> Clarification:
    """Take the customer's answer; where it reads as a value of its assumption, recompute with it."""
    words = answer.strip()
    if not words or len(words) > LONGEST:
        raise InvalidError("answer", _("Write the answer in 1 to %(most)s characters") % {"most": LONGEST})
    if not {Role.CUSTOMER, Role.ENGINEER} & actor.roles:
        raise NotAllowedError(_("Only the customer or the engineer answers"))
    tried = _tried(clarification, words)
    with transaction.atomic():
        return _store(clarification, actor, words, tried)


def _tried(clarification: Clarification, words: str) -> ledger.Change | None:
    """Compute with the answer before anything is locked; None where it is no value or the engine refuses it."""
    key = clarification.ledger_key
    entry = clarification.quote.ledger.select_related("quote__estimate").filter(key=key).first() if key else None
    if entry is None:
        return None
    try:
        tried = ledger.try_value(entry, value=ledger.parse_value(entry, words))
    except Refusal:
        return None
    return None if tried.error else tried


def _store(clarification: Clarification, actor: Actor, words: str, tried: ledger.Change | None) -> Clarification:
    quote = lock(clarification.quote)
    if not quote.is_editable:
        raise ConflictError(_("The quote is no longer open for answers: write to your engineer instead"))
    won = Clarification.objects.filter(pk=clarification.pk, answered_at=None).update(
        answer=words, answered_at=timezone.now()
    )
    if not won:
        raise ConflictError(_("This question has been answered already"))
    clarification.refresh_from_db()
    change = {"question": clarification.question, "answer": words, "key": clarification.ledger_key}
    record(quote.request, kind="clarification.answered", actor=actor, quote=quote, change=change)
    if tried is not None and quote.estimate_id == tried.entry.quote.estimate_id:
        evidence = _("Answer of the customer to a question")
        ledger.keep_value(quote, tried.entry, tried, actor=actor, origin=Origin.CUSTOMER, evidence=evidence)
    elif clarification.ledger_key:
        LedgerEntry.objects.filter(quote=quote, key=clarification.ledger_key).update(customer_says=words[:500])
    still_open = Clarification.objects.filter(quote=quote, answered_at=None).exists()
    if not still_open and quote.status == Status.AWAITING_CUSTOMER:
        move(quote, to=Move.ANSWER, actor=actor)
    emails.tell_engineer(quote, template="answered", key=f"answered:{clarification.public_id}")
    return clarification
