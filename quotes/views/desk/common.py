"""What the staff's views share: finding the thing one may see, and answering a refusal."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone

from quotes.actors import Actor, Role
from quotes.models import LedgerEntry, Quote, QuoteLine
from quotes.refusals import BlockedError, Refusal, StaleEditError, UnseenError
from quotes.views.desk import stale

RELATED = (
    "request__assigned_to",
    "request__copied_from__request",
    "request__merged_into",
    "estimate__request_version",
    "issuer",
    "author",
    "approver",
    "predecessor",
)


def actor_of(request: HttpRequest) -> Actor:
    """Say who looks or acts."""
    return Actor.of_user(request.user)


def get_quote(request: HttpRequest, quote_id: UUID) -> Quote:
    """Give a quote the person may see, or answer 404; the page tells its times as the quote's documents do."""
    rows = Quote.objects.visible_to(request.user).select_related(*RELATED)
    quote = get_object_or_404(rows, public_id=quote_id)
    timezone.activate(quote.issuer.time_zone)
    return quote


def get_line(quote: Quote, row_id: UUID) -> QuoteLine:
    """Give a line of a quote."""
    line = get_object_or_404(QuoteLine, quote=quote, public_id=row_id)
    line.quote = quote
    return line


def get_entry(quote: Quote, row_id: UUID) -> LedgerEntry:
    """Give an assumption of a quote."""
    entry = get_object_or_404(LedgerEntry, quote=quote, public_id=row_id)
    entry.quote = quote
    return entry


def posted(request: HttpRequest) -> QueryDict | None:
    """Give what was posted, however little; None for a page that is only looked at."""
    return request.POST if request.method == "POST" else None


def check_says_version(request: HttpRequest, name: str) -> None:
    """Refuse a post that does not carry the version its page was about, which every form of ours does (400).

    Who may change nothing is left to the refusal that says so.
    """
    is_said = request.POST.get(name, "").strip().isdecimal()
    if request.method == "POST" and not is_said and actor_of(request).roles & {Role.ENGINEER, Role.APPROVER}:
        raise UnseenError


def detail_address(quote: Quote, anchor: str = "") -> str:
    """Give the address of the review page, at a section."""
    return reverse("quotes:detail", args=[quote.public_id]) + (f"#{anchor}" if anchor else "")


def refusing[**P](
    view: Callable[Concatenate[HttpRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Answer what a service refuses with its status and a page that says why and what to do."""

    @wraps(view)
    def wrapped(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except Refusal as refusal:
            return refused(request, refusal, quote_id=kwargs.get("quote_id"))

    return wrapped


def refused(request: HttpRequest, refusal: Refusal, *, quote_id: Any = None) -> HttpResponse:
    """Show a refusal; a script is sent to the page where the message waits."""
    back = reverse("quotes:detail", args=[quote_id]) if quote_id else reverse("quotes:queue")
    if request.headers.get("HX-Request"):
        messages.error(request, refusal.message)
        return HttpResponse(status=refusal.status_code, headers={"HX-Redirect": back})
    context = {
        "refusal": refusal,
        "guards": refusal.guards if isinstance(refusal, BlockedError) else [],
        "pairs": stale.pairs(refusal) if isinstance(refusal, StaleEditError) else [],
        "back": back,
    }
    return render(request, "quotes/desk/refused.html", context, status=refusal.status_code)
