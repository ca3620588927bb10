"""Letters: written into the outbox in the same transaction as the change they tell of, delivered by the worker."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from quotes import links
from quotes.absences import Away
from quotes.actors import Role
from quotes.models import Mail, Quote, Request
from quotes.transitions import Move

AFTER_MOVE = {Move.SEND: "sent", Move.RECORD: "recorded", Move.RETRACT: "retracted"}
TO_STAFF = {Move.ACCEPT: "accepted", Move.DECLINE: "declined", Move.RETURN: "returned", Move.APPROVE: "approved"}


def write(
    request: Request, *, template: str, key: str, to: str = "", context: dict[str, Any] | None = None
) -> Mail | None:
    """Put a letter into the outbox; the same key is written once. None where the customer left no address."""
    from quotes import tasks

    address = to or request.email
    if not address:
        return None
    mail, created = Mail.objects.get_or_create(
        key=key,
        defaults={
            "request": request,
            "template": template,
            "to": address,
            "context": context or {},
            "language": request.language if not to else settings.LANGUAGE_CODE,
        },
    )
    if created:
        tasks.deliver_mail.enqueue(mail.pk)
    return mail


def tell_engineer(quote: Quote, *, template: str, key: str) -> Mail | None:
    """Write to the engineer of a request, or to who stands in today, where there is one with an address."""
    engineer = quote.request.assigned_to
    if engineer is None:
        return None
    reader = Away.on(quote.issuer.today()).taker(engineer, role=Role.ENGINEER) or engineer
    if not reader.email:
        return None
    context = {"path": reverse("quotes:detail", args=[quote.public_id]), "number": quote.full_number}
    if reader != engineer:
        context["instead_of"] = engineer.get_full_name() or engineer.email
    return write(quote.request, template=template, key=key, to=reader.email, context=context)


def after_move(quote: Quote, *, to: Move) -> None:
    """Write what a move tells.

    The customer hears that a quote is sent, and that an acceptance is recorded or taken back; the engineer what
    somebody else has moved.
    """
    key = f"{to}:{quote.public_id}:{quote.version}"
    if to in AFTER_MOVE:
        write(quote.request, template=AFTER_MOVE[to], key=key, context={"number": quote.full_number})
    elif to in TO_STAFF:
        tell_engineer(quote, template=TO_STAFF[to], key=key)


def compose(mail: Mail) -> EmailMessage:
    """Render a letter; the customer's private address is derived now and stored nowhere."""
    token = links.token_of(mail.request)
    context = {
        **mail.context,
        "customer": mail.request,
        "site_url": settings.SITE_URL,
        "address": links.address(token) if token else settings.SITE_URL,
    }
    with translation.override(mail.language):
        text = str(render_to_string(f"quotes/email/{mail.template}.txt", context))
        if name := mail.context.get("instead_of"):
            text += "\n" + _("%(name)s is absent; you stand in.") % {"name": name} + "\n"
    subject, _newline, body = text.partition("\n")
    headers = {"Message-ID": f"<{mail.key.replace(':', '.')}@{settings.SITE_URL.partition('://')[2]}>"}
    return EmailMessage(subject.strip(), body.strip() + "\n", None, [mail.to], headers=headers)
