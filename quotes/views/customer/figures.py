"""Figures that guides quote against each other, each computed with the assumption under which it holds."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from catalog.limits import limited
from quotes.presenter import payback
from sizing import reference
from sizing.units import GIB


@login_not_required
@require_GET
@limited("figures", per_minute=60)
def figures(request: HttpRequest) -> HttpResponse:
    """Show what was claimed, under which condition, what comes out, and whether it holds."""
    rows = [
        {
            "claim": _(one.claim),
            "condition": _(one.condition),
            "expected_bytes": one.expected_gib * GIB,
            "low_bytes": one.low_gib * GIB,
            "high_bytes": one.high_gib * GIB,
            "limit_bytes": one.limit_gib * GIB if one.limit_gib else None,
            "has_band": one.high_gib > one.low_gib,
            "holds": one.holds,
        }
        for one in reference.references()
    ]
    context = {"rows": rows, "claims": payback.rows(), "inputs": payback.inputs()}
    return render(request, "quotes/customer/figures.html", context)
