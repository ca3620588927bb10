"""Writing down what happened and finding it again."""

from __future__ import annotations

from typing import Any

from quotes.actors import Actor
from quotes.duplicates import fold_email, fold_organization
from quotes.models import Quote, QuoteEvent, Request


def record(
    request: Request,
    *,
    kind: str,
    actor: Actor,
    quote: Quote | None = None,
    reason: str = "",
    change: dict[str, Any] | None = None,
) -> QuoteEvent:
    """Append one event, in the caller's transaction."""
    return QuoteEvent.objects.create(
        request=request,
        quote=quote,
        kind=kind,
        actor=actor.user,
        actor_name=actor.name,
        actor_role=actor.role,
        reason=reason,
        change=change or {},
    )


def fold(text: str) -> str:
    """Fold case and ё, so that both databases find Cyrillic text in any case."""
    return text.casefold().replace("ё", "е")


def refresh_search(request: Request) -> None:
    """Write what a request is found by: reference, numbers, customer, model, article; its duplicates. Runs SQL."""
    words = [request.reference, request.organization, request.contact_name, request.email]
    for quote in request.quotes.all():
        words += [quote.full_number, *(str(value) for value in quote.summary.values() if isinstance(value, str))]
    version = request.latest_version
    if version is not None:
        words.append(str(version.answers.get("article") or ""))
    Request.objects.filter(pk=request.pk).update(
        search_text=fold(" ".join(word for word in words if word)),
        email_folded=fold_email(request.email),
        organization_folded=fold_organization(request.organization),
    )
