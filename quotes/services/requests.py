"""A request comes in: from the customer's form, or from the engineer who took it on the phone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from quotes import emails, engine, links, tasks, uploads
from quotes.actors import Actor
from quotes.models import Issuer, Language, NumberCounter, Quote, Request, RequestVersion
from quotes.refusals import InvalidError
from quotes.services import preparing
from quotes.services.attachments import attach
from quotes.services.recording import record, refresh_search

LONGEST_KEY = 64
CONTACT_FIELDS = ("contact_name", "organization", "email", "phone", "message")


def bound_key(owner: str, key: str) -> str:
    """Bind a key that a browser sent to whom it was given: posted by anybody else it names nothing."""
    return hashlib.sha256(f"{owner}\0{key}".encode()).hexdigest()


def submit_request(
    *,
    answers: Mapping[str, Any],
    asked: Mapping[str, Any],
    route: str,
    language: str,
    contact: Mapping[str, Any],
    actor: Actor,
    attachments: Iterable[tuple[str, UploadedFile[Any] | uploads.Checked]] = (),
    refused: Iterable[Mapping[str, str]] = (),
    idempotency_key: str | None = None,
) -> tuple[Request, str]:
    """Store a request with its estimate, a draft quote and the customer's link.

    Parameters
    ----------
    answers : mapping
        The validated answers as the form keeps them, fit for JSON.
    asked : mapping
        The same as the engine reads it: ``workload``, ``limits``, ``article``; empty where nothing can be computed.
    contact : mapping
        ``contact_name``, ``organization``, ``email``, ``phone``, ``message``, ``consent`` (true or false).
    attachments : pairs of kind and file
        See `Attachment.Kind`.
    refused : mappings
        ``name`` and ``message`` of files that were not taken: the customer's page and the trail name them.
    idempotency_key : str, optional
        A second submit with the same key gives the first request back.

    Returns
    -------
    (Request, str)
        The request and the token of its private address.
    """
    key = (idempotency_key or "")[:LONGEST_KEY] or None
    if key and (former := Request.objects.filter(idempotency_key=key).first()):
        return former, _token(former)
    answer = engine.recommend(asked)
    try:
        with transaction.atomic():
            request, token = _store(answers, answer, route, language, contact, actor, key)
            for kind, file in attachments:
                attach(request, file=file, kind=kind, actor=actor)
            for one in refused:
                change = {"name": one["name"], "why": one["message"]}
                record(request, kind="attachment.refused", actor=actor, change=change)
            return request, token
    except IntegrityError:
        former = Request.objects.filter(idempotency_key=key).first() if key else None
        if former is None:
            raise
        return former, _token(former)


def _token(request: Request) -> str:
    return links.token_of(request) or links.issue(request)[1]


def _store(
    answers: Mapping[str, Any],
    answer: engine.Answer,
    route: str,
    language: str,
    contact: Mapping[str, Any],
    actor: Actor,
    key: str | None,
) -> tuple[Request, str]:
    issuer = Issuer.ensure()
    if language not in Language.values:
        raise InvalidError("language", _("The language is en or ru"))
    request = Request.objects.create(
        reference=draw_reference(issuer),
        route=route,
        language=language,
        consented_at=timezone.now() if contact.get("consent") else None,
        entered_by=actor.user,
        assigned_to=actor.user,
        idempotency_key=key,
        **{name: str(contact.get(name) or "").strip() for name in CONTACT_FIELDS},
    )
    version = RequestVersion.objects.create(request=request, number=1, answers=dict(answers))
    quote = start_quote(version, answer=answer, issuer=issuer)
    _link, token = links.issue(request, by=actor.user)
    change = {"engine": answer.engine_version, "catalog": answer.catalog_fingerprint, "route": route}
    record(request, kind="request.submitted", actor=actor, quote=quote, change=change)
    refresh_search(request)
    if quote.estimate.error is None:
        tasks.render_preliminary.enqueue(quote.estimate_id)
    template = "received" if quote.estimate.error is None else "taken"
    emails.write(request, template=template, key=f"received:{request.public_id}")
    return request, token


def draw_reference(issuer: Issuer) -> str:
    """Draw the next reference of a request, e.g. R-2026-0412. Runs SQL, call it in a transaction."""
    year = issuer.today().year
    return f"R-{year}-{NumberCounter.draw(series='request', year=year):04d}"


def start_quote(version: RequestVersion, *, answer: engine.Answer, issuer: Issuer) -> Quote:
    """Make the draft quote of a new request from the recommended candidate."""
    estimate = preparing.store_estimate(version, answer)
    recommended = estimate.recommended
    quote = Quote.objects.create(request=version.request, estimate=estimate, issuer=issuer, currency=issuer.currency)
    preparing.choose(quote, estimate=estimate, rank=recommended.get("rank") if recommended else None)
    preparing.write_ledger(quote, estimate)
    return quote
