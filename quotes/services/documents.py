"""Storing a rendered document: bytes and hash, once."""

from __future__ import annotations

import hashlib
from typing import Any

from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction

from quotes.actors import Actor
from quotes.models import Document, Estimate, Quote, Request
from quotes.services.recording import record


def stored_document(
    *, kind: str, language: str, quote: Quote | None = None, estimate: Estimate | None = None
) -> Document | None:
    """Give the document that is rendered once for a quote (short, full) or an estimate (preliminary); drafts never."""
    if kind == Document.Kind.DRAFT:
        return None
    rows = Document.objects.filter(kind=kind, language=language)
    rows = rows.filter(estimate=estimate) if kind == Document.Kind.PRELIMINARY else rows.filter(quote=quote)
    return rows.first()


def store_document(
    *,
    request: Request,
    kind: str,
    language: str,
    content: bytes,
    snapshot: dict[str, Any],
    quote: Quote | None = None,
    estimate: Estimate | None = None,
) -> Document:
    """Store the bytes of a document with their SHA-256; if somebody stored it first, theirs is given back."""
    former = stored_document(kind=kind, language=language, quote=quote, estimate=estimate)
    if former is not None:
        return former
    document = Document(
        request=request,
        quote=quote,
        estimate=estimate,
        kind=kind,
        language=language,
        size_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        snapshot=snapshot,
    )
    document.file.save("document.pdf", ContentFile(content), save=False)
    try:
        with transaction.atomic():
            document.save()
            change = {"kind": kind, "language": language, "sha256": document.sha256, "bytes": len(content)}
            record(request, kind="document.rendered", actor=Actor.system(), quote=quote, change=change)
    except IntegrityError:
        document.file.storage.delete(str(document.file.name))
        former = stored_document(kind=kind, language=language, quote=quote, estimate=estimate)
        if former is None:
            raise
        return former
    return document
