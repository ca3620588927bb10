"""Two requests side by side, and the choice which of them goes on."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from quotes import duplicates, services
from quotes.actors import Role
from quotes.models import Quote, Request
from quotes.refusals import ConflictError
from quotes.services.editing import check_engineer
from quotes.services.merging import why_not_closed, why_not_undone
from quotes.views.desk import stated
from quotes.views.desk.common import actor_of, detail_address, get_quote, posted, refusing
from quotes.views.desk.forms import ReasonForm
from quotes.views.desk.handling_forms import MergeForm
from quotes.views.desk.panels import Panel
from quotes.views.desk.review import page


@require_http_methods(["GET", "POST"])
@refusing
def merge(request: HttpRequest, quote_id: UUID, request_id: UUID) -> HttpResponse:
    """Show what differs between two requests, and close one of them."""
    quote = get_quote(request, quote_id)
    rows = Request.objects.visible_to(request.user).exclude(pk=quote.request_id).select_related("assigned_to")
    other = get_object_or_404(rows, public_id=request_id)
    actor = actor_of(request)
    if request.method == "POST":
        check_engineer(actor)
    pair = {str(one.public_id): one for one in (quote.request, other)}
    reasons = {key: why_not_closed(one) for key, one in pair.items()}
    form = MergeForm(posted(request), pair=pair, reasons=reasons)
    if request.method == "GET" or not form.is_valid():
        context = _compared(quote, other) | {"form": form, "reasons": [why for why in reasons.values() if why]}
        context["can_merge"] = Role.ENGINEER in actor.roles and bool(form.fields["survivor"].choices)  # type: ignore[attr-defined]
        status = 200 if request.method == "GET" else 422
        return render(request, "quotes/desk/merge.html", context, status=status)
    survivor = pair.pop(form.cleaned_data["survivor"])
    closed = pair.popitem()[1]
    leads_on = bool(form.cleaned_data.get("link_leads_on"))
    services.merge(survivor, closed=closed, actor=actor, link_leads_on=leads_on)
    said = {"closed": closed.reference, "survivor": survivor.reference}
    messages.success(request, _("%(closed)s is closed; everything of it is readable from %(survivor)s") % said)
    return redirect(detail_address(_last_quote(survivor)))


@require_http_methods(["GET", "POST"])
@refusing
def unmerge(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Ask why, and open a request again that was closed by a merge; where it can't be, the quote itself is shown."""
    quote = get_quote(request, quote_id)
    actor = actor_of(request)
    form = ReasonForm(posted(request))
    panel = Panel("unmerge", form, reverse("quotes:unmerge", args=[quote.public_id]))
    if request.method == "GET":
        possible = Role.ENGINEER in actor.roles and not why_not_undone(quote.request)
        return page(request, quote, panel=panel) if possible else redirect(detail_address(quote))
    check_engineer(actor)
    if not form.is_valid():
        return page(request, quote, panel=panel, status=422)
    services.unmerge(quote.request, actor=actor, reason=form.cleaned_data["reason"])
    messages.success(request, _("%(reference)s is open again") % {"reference": quote.request.reference})
    return redirect(detail_address(quote))


def _last_quote(asked: Request) -> Quote:
    rows = Quote.objects.filter(request=asked).select_related("estimate__request_version", "issuer")
    found = rows.order_by("-pk").first()
    if found is None:
        raise ConflictError(_("This request has no quote"))
    return found


def _compared(quote: Quote, other: Request) -> dict[str, Any]:
    mine, theirs = _facts(quote.request, quote), _facts(other, their_quote := _last_quote(other))
    names = [*mine, *(name for name in theirs if name not in mine)]
    rows = [(name, mine.get(name, ""), theirs.get(name, "")) for name in names]
    return {
        "quote": quote,
        "customer": quote.request,
        "other": other,
        "other_quote": their_quote,
        "rows": [row for row in rows if row[1] or row[2]],
        "differing": sum(one != two for _name, one, two in rows),
        "same_email": duplicates.have_same_email(quote.request, other),
        "same_customer": duplicates.have_same_customer(quote.request, other),
    }


def _facts(asked: Request, quote: Quote) -> dict[str, str]:
    found = dict(duplicates.facts(asked, quote))
    stated_facts = stated.facts(quote.estimate.input, model_title=quote.estimate.output.get("model") or {})
    found |= {one.name: one.shown for one in stated_facts}
    return found | dict(stated.answered(quote.estimate.request_version.answers, asked.route))
