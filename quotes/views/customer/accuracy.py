"""Pages about the product itself: how close the estimates are, and what we keep about a person."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

DEFAULT_RETENTION_DAYS = 365


@login_not_required
@require_GET
def accuracy(request: HttpRequest) -> HttpResponse:
    """Show how the engine does on published measurements."""
    return render(request, "quotes/customer/accuracy.html", {"report": _report()})


def _report() -> object | None:
    try:
        from sizing import evidence
    except ImportError:
        return None
    summary = getattr(evidence, "summary", None)
    return summary() if callable(summary) else None


@login_not_required
@require_GET
def privacy(request: HttpRequest) -> HttpResponse:
    """Say what is stored, for how long, and how to have it deleted."""
    days = getattr(settings, "PERSONAL_DATA_DAYS", DEFAULT_RETENTION_DAYS)
    return render(request, "quotes/customer/privacy.html", {"days": days})
