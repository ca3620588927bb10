"""The private page: the preliminary calculation at once, then status, questions, assumptions, the quote."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from quotes import services
from quotes.actors import Actor
from quotes.forms.acceptance import AcceptanceForm
from quotes.models import Clarification, CustomerLink, Document, LedgerEntry
from quotes.pilot import profile as profiles
from quotes.pilot import script
from quotes.pilot.loads import script_offer
from quotes.refusals import InvalidError
from quotes.uploads import clean_name
from quotes.views.customer.links import by_link
from quotes.views.customer.pages import current_quote, preliminary_document, result_page, token_in


@require_GET
@by_link
def status(request: HttpRequest, link: CustomerLink) -> HttpResponse:
    """Show where the request stands and everything its holder may see."""
    return render(request, "quotes/customer/result.html", result_page(request, link))


@require_POST
@by_link
def answer(request: HttpRequest, link: CustomerLink, clarification: UUID) -> HttpResponse:
    """Take the answer to one question of the engineer."""
    asked = get_object_or_404(Clarification, public_id=clarification, quote__request=link.request)
    services.answer_clarification(asked, actor=Actor.of_link(link), answer=request.POST.get("answer", ""))
    messages.success(request, _("Your answer is with the engineer."))
    return redirect("quotes:status", token=token_in(request))


@require_POST
@by_link
def claims(request: HttpRequest, link: CustomerLink) -> HttpResponse:
    """Take "this is right" or "this is wrong" for one assumption."""
    quote = current_quote(link)
    try:
        public_id = UUID(request.POST.get("entry", ""))
    except ValueError as error:
        raise Http404 from error
    entry = get_object_or_404(LedgerEntry, public_id=public_id, quote=quote)
    is_right = request.POST.get("verdict") == "right"
    words = request.POST.get("words", "")
    services.dispute_assumption(entry, actor=Actor.of_link(link), is_right=is_right, words=words)
    messages.success(request, _("Noted. The engineer sees it beside the assumption."))
    return redirect("quotes:status", token=token_in(request))


@require_http_methods(["GET", "POST"])
@by_link
def accept(request: HttpRequest, link: CustomerLink) -> HttpResponse:
    """Accept a sent quote: a page that says what is accepted, then a POST with name, tick and the document's hash."""
    quote = current_quote(link)
    initial = {"name": link.request.contact_name}
    said = AcceptanceForm(request.POST if request.method == "POST" else None, initial=initial)
    if not said.is_valid():
        context = result_page(request, link) | {"form": said, "errors": said.summary()}
        return render(request, "quotes/customer/accept.html", context, status=422 if said.errors else 200)
    actor = replace(Actor.of_link(link), name=said.cleaned_data["name"])
    services.accept(quote, actor=actor, sha256=request.POST.get("sha256", ""))
    messages.success(request, _("Accepted. The engineer has been told."))
    return redirect("quotes:status", token=token_in(request))


@require_POST
@by_link
def decline(request: HttpRequest, link: CustomerLink) -> HttpResponse:
    """Decline a sent quote; a reason helps and is not demanded."""
    quote = current_quote(link)
    services.decline(quote, actor=Actor.of_link(link), reason=request.POST.get("reason", "")[:500])
    messages.success(request, _("Declined. The engineer has been told."))
    return redirect("quotes:status", token=token_in(request))


@require_GET
@by_link
def document(request: HttpRequest, link: CustomerLink, document: UUID) -> HttpResponseBase:
    """Hand out a stored document of this request: the preliminary one, or one of a quote that was sent."""
    stored = get_object_or_404(link.request.documents.select_related("quote"), public_id=document)
    sent = link.request.quotes.readable_by_customer()
    if stored.kind != Document.Kind.PRELIMINARY and not sent.filter(pk=stored.quote_id).exists():
        raise Http404
    return FileResponse(
        stored.file.open("rb"), as_attachment=True, filename=stored.download_name, content_type="application/pdf"
    )


@require_GET
@by_link
def pilot_script(request: HttpRequest, link: CustomerLink) -> HttpResponseBase:
    """Hand out the pilot script with the load of the customer's quote, or of the calculation until one was sent."""
    return script.response(script_offer(current_quote(link), for_customer=True))


@require_POST
@by_link
def pilot_upload(request: HttpRequest, link: CustomerLink) -> HttpResponse:
    """Take the profile of a pilot run; the engineer looks at it before anything changes."""
    file = request.FILES.get("profile")
    if file is None:
        raise InvalidError("file", _("Choose the file the script wrote"))
    try:
        profile = profiles.checked(profiles.parse(file.read(profiles.LARGEST_BYTES + 1)))
    except InvalidError as refusal:
        said = {"name": clean_name(file.name or ""), "why": refusal.message}
        raise InvalidError("file", _("“%(name)s” is not used: %(why)s") % said) from refusal
    services.receive_pilot(current_quote(link), profile=profile, actor=Actor.of_link(link))
    messages.success(request, _("The profile is with the engineer, who compares it with the calculation."))
    return redirect(reverse("quotes:status", kwargs={"token": token_in(request)}) + "#pilot")


@require_GET
@by_link
def preliminary(request: HttpRequest, link: CustomerLink) -> HttpResponseBase:
    """Hand out the preliminary calculation; where the worker has not made it yet, it is made now."""
    stored = preliminary_document(link.request)
    return FileResponse(
        stored.file.open("rb"), as_attachment=True, filename=stored.download_name, content_type="application/pdf"
    )
