"""What can be read and taken away: documents, attachments, events, the audit, the difference of two revisions."""

from __future__ import annotations

from uuid import UUID

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from quotes.models import Attachment, Document, Language, Quote, Request
from quotes.pilot import script
from quotes.pilot.loads import script_offer
from quotes.views.desk import differences
from quotes.views.desk.auditing import entry_of, json_line
from quotes.views.desk.common import get_quote, refusing


def download(file: FileResponse) -> FileResponse:
    """Send a file as a download that no browser opens in place or guesses the type of."""
    file["X-Content-Type-Options"] = "nosniff"
    file["Content-Security-Policy"] = "default-src 'none'; sandbox"
    file["Cache-Control"] = "private, no-store"
    return file


@require_GET
@refusing
def document(request: HttpRequest, document_id: UUID) -> FileResponse:
    """Give the stored bytes of a document."""
    visible = Request.objects.visible_to(request.user)
    found = get_object_or_404(Document, public_id=document_id, request__in=visible)
    file = FileResponse(
        found.file.open("rb"), as_attachment=True, filename=found.download_name, content_type="application/pdf"
    )
    return download(file)


@require_GET
@refusing
def attachment(request: HttpRequest, attachment_id: UUID) -> FileResponse:
    """Give an uploaded file, always as a download."""
    visible = Request.objects.visible_to(request.user)
    found = get_object_or_404(Attachment, public_id=attachment_id, request__in=visible)
    file = FileResponse(
        found.file.open("rb"), as_attachment=True, filename=found.name, content_type="application/octet-stream"
    )
    return download(file)


@require_GET
@refusing
def pilot_script(request: HttpRequest, quote_id: UUID) -> FileResponse:
    """Give the pilot script with the quoted load in it."""
    return script.response(script_offer(get_quote(request, quote_id)))


@require_GET
@refusing
def draft(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Render the draft as it is now, watermarked; nothing is stored."""
    from quotes import documents

    quote = get_quote(request, quote_id)
    language = request.GET.get("language", quote.request.language)
    if language not in Language.values:
        raise Http404
    content = documents.render_draft(quote, language=language)
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="{quote.request.reference}-draft-{language}.pdf"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_GET
@refusing
def events(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Show every event of the request."""
    quote = get_quote(request, quote_id)
    rows = quote.request.events.select_related("quote")
    return render(request, "quotes/desk/events.html", {"quote": quote, "customer": quote.request, "events": rows})


@require_GET
@refusing
def audit(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Export every event of the request as JSON Lines, oldest first."""
    quote = get_quote(request, quote_id)
    rows = quote.request.events.select_related("quote").order_by("at", "pk")
    lines = "".join(json_line(entry_of(event)) for event in rows)
    response = HttpResponse(lines, content_type="application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{quote.request.reference}-audit.jsonl"'
    return response


@require_GET
@refusing
def difference(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Show what changed since the former revision, section by section."""
    quote = get_quote(request, quote_id)
    if quote.predecessor is None:
        raise Http404
    former = Quote.objects.select_related("request", "estimate", "issuer").get(pk=quote.predecessor.pk)
    context = {"quote": quote, "former": former, "customer": quote.request, **differences.between(former, quote)}
    return render(request, "quotes/desk/difference.html", context)
