"""Pages about the product itself: how close the estimates are, and what we keep about a person."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from catalog.limits import limited
from quotes.views.customer.accuracy_page import MEASURES, MEMORY, SERVING, page, serving_page
from sizing import evidence


@login_not_required
@require_GET
@limited("accuracy", per_minute=60)
def accuracy(request: HttpRequest) -> HttpResponse:
    """Show how the engine does on published measurements; the first look after a start takes two seconds."""
    measure = request.GET.get("measure", MEMORY)
    if measure == SERVING:
        found = serving_page(evidence.serving_summary(), evidence.serving_memory_summary())
        return render(request, "quotes/customer/accuracy_serving.html", found)
    chosen = measure if measure in MEASURES else MEMORY
    return render(request, "quotes/customer/accuracy.html", page(evidence.summary(), chosen))


@login_not_required
@require_GET
def privacy(request: HttpRequest) -> HttpResponse:
    """Say what is stored, for how long, and how to have it deleted."""
    return render(request, "quotes/customer/privacy.html", {"days": settings.PERSONAL_DATA_DAYS})
