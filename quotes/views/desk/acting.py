"""What is done to a quote or a request as a whole: move, choose, ask, revise, hand over, note, links."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from quotes import services
from quotes.actors import Actor
from quotes.models import CustomerLink, LedgerEntry, PilotResult, Quote
from quotes.pilot.loads import quoted_load
from quotes.presenter import asking
from quotes.refusals import InvalidError, SettledLinesError
from quotes.services.editing import open_for_edit
from quotes.transitions import MOVES, Move
from quotes.views.desk.common import actor_of, check_says_version, detail_address, get_quote, posted, refusing
from quotes.views.desk.forms import AskForm, ChooseForm, MoveForm, PilotForm, ReasonedMoveForm
from quotes.views.desk.handling_forms import AssignForm, DueForm, NoteForm
from quotes.views.desk.panels import Panel
from quotes.views.desk.review import page

OWN_VERBS: dict[Move, Callable[..., Quote]] = {Move.APPROVE: services.approve, Move.SEND: services.send}
DONE = {
    Move.REVIEW: gettext_lazy("The review has begun, the request is yours"),
    Move.ANSWER: gettext_lazy("Back in the review"),
    Move.SUBMIT: gettext_lazy("Submitted: a colleague who may approve sees it in the queue"),
    Move.RETURN: gettext_lazy("Returned with your reason"),
    Move.APPROVE: gettext_lazy("Approved: the number is drawn and the document is being rendered"),
    Move.SEND: gettext_lazy("Sent: the customer gets a letter with the private address"),
    Move.WITHDRAW: gettext_lazy("Withdrawn; the number stays with it"),
    Move.CANCEL: gettext_lazy("Cancelled"),
}
BY_STAFF = frozenset(
    {Move.REVIEW, Move.SUBMIT, Move.RETURN, Move.APPROVE, Move.SEND, Move.WITHDRAW, Move.CANCEL, Move.ANSWER}
)


def _move_named(slug: str) -> Move:
    try:
        found = Move(f"quote.{slug}")
    except ValueError as error:
        raise Http404 from error
    if found not in BY_STAFF:
        raise Http404
    return found


@require_http_methods(["GET", "POST"])
@refusing
def move(request: HttpRequest, quote_id: UUID, slug: str) -> HttpResponse:
    """Ask for the reason where one is needed, and move the quote."""
    quote = get_quote(request, quote_id)
    to = _move_named(slug)
    check_says_version(request, "seen")
    rule = MOVES[to]
    form_of = ReasonedMoveForm if rule.needs_reason else MoveForm
    form = form_of(posted(request), initial={"seen": quote.version})
    panel = Panel(
        "move", form, reverse("quotes:move", args=[quote.public_id, slug]), extra={"rule": rule, "slug": slug}
    )
    if request.method == "GET":
        if rule.by & actor_of(request).roles:
            rule.check_state(quote)
        return page(request, quote, panel=panel)
    if not form.is_valid():
        return page(request, quote, panel=panel, status=422)
    perform(quote, to=to, actor=actor_of(request), **form.cleaned_data)
    messages.success(request, str(DONE[to]))
    return redirect(detail_address(quote))


def perform(quote: Quote, *, to: Move, actor: Actor, reason: str = "", seen: int | None = None) -> Quote:
    """Move a quote by the verb of the move, if it still is the version that the person saw."""
    if to is Move.REVIEW:
        return _review(quote, actor, seen)
    own = OWN_VERBS.get(to)
    if own:
        return own(quote, actor=actor, seen=seen)
    return services.move(quote, to=to, actor=actor, reason=reason, seen=seen)


def _review(quote: Quote, actor: Actor, seen: int | None) -> Quote:
    from django.db import transaction

    with transaction.atomic():
        return open_for_edit(quote, actor=actor, seen=seen)


@require_POST
@refusing
def choose(request: HttpRequest, quote_id: UUID, rank: int) -> HttpResponse:
    """Take another candidate; ask first where settled lines would go."""
    quote = get_quote(request, quote_id)
    check_says_version(request, "seen")
    form = ChooseForm(request.POST)
    if not form.is_valid():
        raise InvalidError("seen", _("Open the page again"))
    try:
        services.choose_candidate(quote, rank=rank, actor=actor_of(request), **form.cleaned_data)
    except SettledLinesError as refusal:
        address = reverse("quotes:choose", args=[quote.public_id, rank])
        panel = Panel("choose", form, address, extra={"lines": refusal.lines})
        return page(request, quote, panel=panel, status=refusal.status_code)
    messages.success(request, _("Chosen. The lines are those of this candidate now"))
    return redirect(detail_address(quote, "candidates"))


@require_http_methods(["GET", "POST"])
@refusing
def ask(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Write a question to the customer."""
    quote = get_quote(request, quote_id)
    key = request.GET.get("key", "")
    entry = LedgerEntry.objects.filter(quote=quote, key=key).first() if key else None
    initial = {"ledger_key": key}
    if entry is not None:
        with translation.override(quote.request.language):
            initial["question"] = asking.question(
                {"key": entry.key, "label": entry.label, "value": entry.value, "unit": entry.unit}
            )
    form = AskForm(posted(request), initial=initial)
    panel = Panel("ask", form, reverse("quotes:ask", args=[quote.public_id]))
    if request.method == "GET":
        return page(request, quote, panel=panel)
    if not form.is_valid():
        return page(request, quote, panel=panel, status=422)
    services.ask(quote, actor=actor_of(request), **form.cleaned_data)
    messages.success(request, _("Asked. The customer gets a letter; the quote waits for the answer"))
    return redirect(detail_address(quote, "clarifications"))


@require_http_methods(["GET", "POST"])
@refusing
def pilot(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Take the profile of a pilot run."""
    quote = get_quote(request, quote_id)
    data = posted(request)
    form = PilotForm(data, request.FILES if data is not None else None, initial=quoted_load(quote))
    panel = Panel("pilot", form, reverse("quotes:pilot", args=[quote.public_id]))
    if data is None:
        return page(request, quote, panel=panel)
    if not form.is_valid():
        return page(request, quote, panel=panel, status=422)
    try:
        services.record_pilot(quote, profile=form.profile(), actor=actor_of(request))
    except InvalidError as error:
        form.add_error(error.field if error.field in form.fields else None, error.message)
        return page(request, quote, panel=panel, status=422)
    return redirect(detail_address(quote, "pilot"))


@require_POST
@refusing
def pilot_use(request: HttpRequest, quote_id: UUID, pilot_id: UUID) -> HttpResponse:
    """Take the profile the customer uploaded."""
    quote = get_quote(request, quote_id)
    waiting = get_object_or_404(PilotResult.objects.waiting_for(quote.request), public_id=pilot_id)
    services.use_pilot(waiting, quote=quote, actor=actor_of(request))
    return redirect(detail_address(quote, "pilot"))


@require_POST
@refusing
def pilot_aside(request: HttpRequest, quote_id: UUID, pilot_id: UUID) -> HttpResponse:
    """Set the profile the customer uploaded aside."""
    quote = get_quote(request, quote_id)
    waiting = get_object_or_404(PilotResult.objects.waiting_for(quote.request), public_id=pilot_id)
    services.set_pilot_aside(waiting, quote=quote, actor=actor_of(request))
    messages.success(request, _("Set aside. The profile changes nothing, and the customer can send another one"))
    return redirect(detail_address(quote, "pilot"))


@require_POST
@refusing
def assign(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Hand the request over, or take it."""
    quote = get_quote(request, quote_id)
    actor = actor_of(request)
    if request.POST.get("take"):
        services.assign(quote.request, to=actor.user, actor=actor)
        return redirect(detail_address(quote))
    form = AssignForm(request.POST)
    if not form.is_valid():
        raise InvalidError("to", _("Choose an engineer of the list"))
    asked = form.cleaned_data["to"]
    taken = services.assign(quote.request, to=asked, actor=actor).assigned_to
    if taken is not None:
        name = taken.get_full_name() or taken.email
        plain, instead = _("Handed over to %(name)s"), _("Handed over to %(name)s, who stands in today")
        messages.success(request, (plain if taken == asked else instead) % {"name": name})
    return redirect(detail_address(quote))


@require_POST
@refusing
def due(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Say by which day the request is to be answered."""
    quote = get_quote(request, quote_id)
    form = DueForm(request.POST)
    if not form.is_valid():
        raise InvalidError("due_on", _("Type a day"))
    services.set_due(quote.request, due_on=form.cleaned_data["due_on"], actor=actor_of(request))
    return redirect(detail_address(quote))


@require_POST
@refusing
def note(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Write a note for colleagues."""
    quote = get_quote(request, quote_id)
    form = NoteForm(request.POST)
    if not form.is_valid():
        raise InvalidError("text", _("Write something"))
    services.add_note(quote.request, text=form.cleaned_data["text"], actor=actor_of(request))
    return redirect(detail_address(quote, "notes"))


@require_POST
@refusing
def link_new(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Issue a new private address, which closes the former ones, and show it once."""
    from quotes import links

    quote = get_quote(request, quote_id)
    token = services.reissue_link(quote.request, actor=actor_of(request))
    messages.success(request, _("New address, former ones are closed: %(address)s") % {"address": links.address(token)})
    return redirect(detail_address(quote, "links"))


@require_POST
@refusing
def link_revoke(request: HttpRequest, quote_id: UUID, issued: int) -> HttpResponse:
    """Close one private address; it is named by its place in the list, newest first."""
    quote = get_quote(request, quote_id)
    rows = CustomerLink.objects.select_related("request").filter(request=quote.request).order_by("issued_at", "pk")
    link = get_object_or_404(rows, pk__in=rows.values("pk")[issued : issued + 1])
    services.revoke_link(link, actor=actor_of(request))
    messages.success(request, _("Closed. Whoever holds this address sees nothing any more"))
    return redirect(detail_address(quote, "links"))
