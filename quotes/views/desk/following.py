"""What follows from elsewhere or comes after: the catalog's word, the next revision, a copy, an acceptance."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from quotes import services
from quotes.actors import Role
from quotes.models import Document, Status
from quotes.refusals import InvalidError
from quotes.services.copying import Prices, prices_hold_until
from quotes.services.editing import check_engineer
from quotes.services.revising import REVISABLE
from quotes.views.desk.common import actor_of, check_says_version, detail_address, get_quote, posted, refusing
from quotes.views.desk.forms import AcceptanceForm, MoveForm, ReasonForm, RetractForm
from quotes.views.desk.handling_forms import CopyForm
from quotes.views.desk.panels import Panel
from quotes.views.desk.review import page


@require_POST
@refusing
def catalog_take(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Let every point of a draft stand as the catalog says today."""
    quote = get_quote(request, quote_id)
    check_says_version(request, "seen")
    form = MoveForm(request.POST)
    seen = form.cleaned_data["seen"] if form.is_valid() else None
    taken = services.take_catalogs_word(quote, actor=actor_of(request), seen=seen)
    text = ngettext("%(n)s point stands as the catalog says", "%(n)s points stand as the catalog says", len(taken))
    messages.success(request, text % {"n": len(taken)})
    return redirect(detail_address(quote, "lines"))


@require_http_methods(["GET", "POST"])
@refusing
def revise(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Ask why, and start the next revision; where none can be started the quote itself is shown."""
    quote = get_quote(request, quote_id)
    actor = actor_of(request)
    form = ReasonForm(posted(request))
    panel = Panel("revise", form, reverse("quotes:revise", args=[quote.public_id]))
    if request.method == "GET":
        possible = Role.ENGINEER in actor.roles and quote.status in REVISABLE
        return page(request, quote, panel=panel) if possible else redirect(detail_address(quote))
    check_engineer(actor)
    if not form.is_valid():
        return page(request, quote, panel=panel, status=422)
    revision = services.revise(quote, actor=actor, reason=form.cleaned_data["reason"])
    if quote.status == Status.ACCEPTED:
        messages.info(request, _("The accepted revision stays accepted until the customer accepts the next one"))
    return redirect(detail_address(revision))


@require_http_methods(["GET", "POST"])
@refusing
def record_acceptance(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Ask who accepted, when, how and what shows it, and record it; where nothing can be accepted show the quote."""
    quote = get_quote(request, quote_id)
    actor = actor_of(request)
    check_says_version(request, "seen")
    documents = Document.objects.filter(quote=quote).defer("snapshot").order_by("kind", "pk")
    initial = {"seen": quote.version, "accepted_by": quote.request.contact_name, "given_on": quote.issuer.today()}
    form = AcceptanceForm(posted(request), documents=documents, initial=initial)
    panel = Panel("record", form, reverse("quotes:record_acceptance", args=[quote.public_id]))
    if request.method == "GET":
        possible = Role.ENGINEER in actor.roles and quote.status == Status.SENT
        return page(request, quote, panel=panel) if possible else redirect(detail_address(quote))
    check_engineer(actor)
    if not form.is_valid():
        return page(request, quote, panel=panel, status=422)
    try:
        services.record_acceptance(quote, actor=actor, **form.cleaned_data)
    except InvalidError as error:
        form.add_error(error.field if error.field in form.fields else None, error.message)
        return page(request, quote, panel=panel, status=422)
    messages.success(request, _("Recorded. The customer gets a letter about it"))
    return redirect(detail_address(quote))


@require_http_methods(["GET", "POST"])
@refusing
def retract(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Ask why and what it rests on, and take an acceptance back; where there is none the quote itself is shown."""
    quote = get_quote(request, quote_id)
    actor = actor_of(request)
    form = RetractForm(posted(request))
    panel = Panel("retract", form, reverse("quotes:retract", args=[quote.public_id]))
    if request.method == "GET":
        possible = Role.ENGINEER in actor.roles and quote.status == Status.ACCEPTED
        return page(request, quote, panel=panel) if possible else redirect(detail_address(quote))
    check_engineer(actor)
    if not form.is_valid():
        return page(request, quote, panel=panel, status=422)
    try:
        services.retract(quote, actor=actor, **form.cleaned_data)
    except InvalidError as error:
        form.add_error(error.field if error.field in form.fields else None, error.message)
        return page(request, quote, panel=panel, status=422)
    messages.success(request, _("Noted. The customer gets a letter about it"))
    return redirect(detail_address(quote))


@require_http_methods(["GET", "POST"])
@refusing
def copy(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Ask which prices count, and make a new request of the same customer; colleagues who can't are shown the quote."""
    quote = get_quote(request, quote_id)
    actor = actor_of(request)
    until = prices_hold_until(quote)
    holds = until >= quote.issuer.today()
    initial = {"prices": Prices.QUOTED if holds else Prices.TODAY, "key": f"copy-{uuid4()}"}
    form = CopyForm(posted(request), initial=initial)
    panel = Panel("copy", form, reverse("quotes:copy", args=[quote.public_id]), extra={"until": until, "holds": holds})
    if request.method == "GET":
        return page(request, quote, panel=panel) if Role.ENGINEER in actor.roles else redirect(detail_address(quote))
    check_engineer(actor)
    if not form.is_valid():
        return page(request, quote, panel=panel, status=422)
    key = form.cleaned_data["key"]
    bound = services.bound_key(f"copy by {request.user.pk}", key) if key else ""
    copied = services.copy(quote, prices=form.cleaned_data["prices"], actor=actor, idempotency_key=bound)
    messages.success(
        request, _("A new request with a private address of its own; the customer knows nothing of it yet")
    )
    return redirect(detail_address(copied))
