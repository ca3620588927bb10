"""Drafts that outlive the browser: a link that holds the answers; prefilled forms from other pages."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from quotes.forms.route import ADAPTERS
from quotes.forms.sections import EXPERT
from quotes.forms.ways import FORMS
from quotes.views.customer.drafts import Draft, unpack

LONGEST_TOKEN = 40_000
PREFILLABLE = ("model_name", "gpu", "vendor", "article", "method", "documents", "users", "concurrency")
MODEL = ("model_name", "config", "parameters_billion")
MACHINE = ("gpu", "gpu_strength", "vendor", "vendor_strength")


@login_not_required
@require_GET
def saved(request: HttpRequest) -> HttpResponse:
    """Show the link that brings the answers back in any browser."""
    draft = Draft(request)
    if not draft.values:
        return redirect("quotes:start")
    link = request.build_absolute_uri(reverse("quotes:restore", kwargs={"token": draft.token()}))
    context = {"link": link, "way": draft.values.get("way", ADAPTERS)}
    return render(request, "quotes/customer/saved.html", context)


@login_not_required
@require_GET
def restore(request: HttpRequest, token: str) -> HttpResponse:
    """Bring saved answers back into this browser's own draft; nothing on the server changes."""
    values = unpack(token) if len(token) <= LONGEST_TOKEN else None
    if values is None:
        return render(request, "quotes/customer/saved_gone.html", status=410)
    draft = Draft(request)
    draft.values = {}
    draft.keep(values)
    way = values.get("way", "")
    return redirect("quotes:form", route=way) if way in FORMS else redirect("quotes:start")


@login_not_required
@require_GET
def prefill(request: HttpRequest) -> HttpResponse:
    """Open a form with a model, a machine, an article or a load already named, e.g. from a page of the catalog.

    A model or a machine begins another question: the model and the machine of an earlier draft go. A GPU and a maker
    are asked for on the expert sheet only, so that one opens: a limit that nobody sees would leave machines out
    without a word.
    """
    way = request.GET.get("route", ADAPTERS)
    if way not in FORMS:
        return redirect("quotes:start")
    given = {name: request.GET[name][:300] for name in PREFILLABLE if request.GET.get(name)}
    names_machine = "gpu" in given or "vendor" in given
    emptied = dict.fromkeys(MODEL + MACHINE, "") if names_machine or "model_name" in given else {}
    Draft(request).keep(emptied | given | {"way": way}, valid=emptied)
    address = reverse("quotes:form", kwargs={"route": way})
    return redirect(f"{address}?depth={EXPERT}" if names_machine else address)
