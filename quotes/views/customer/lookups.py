"""Answers while one types: the model's name, the article."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from catalog.limits import limited
from quotes.forms.known_models import find, known
from quotes.views.customer.articles import article_of
from quotes.views.customer.drafts import Draft

LONGEST_NAME = 120
LONGEST_ARTICLE = 300
MOST_NEAR = 5


def found(typed: str) -> dict[str, Any]:
    """Return the model of exactly this name, else the nearest ones, else nothing."""
    name = typed.strip()[:LONGEST_NAME]
    exact = known(name) if name else None
    near = [] if exact or len(name) < 2 else find(name)[:MOST_NEAR]
    return {"typed": name, "exact": exact, "near": near}


@login_not_required
@require_GET
@limited("lookup", per_minute=6000)
def models(request: HttpRequest) -> HttpResponse:
    """Find models as one types."""
    return render(request, "quotes/customer/_models.html", {"found": found(request.GET.get("model_name", ""))})


@login_not_required
@require_GET
@limited("lookup", per_minute=6000)
def article_check(request: HttpRequest) -> HttpResponse:
    """Read an article part by part as one types."""
    text = request.GET.get("article", "").strip()[:LONGEST_ARTICLE]
    return render(
        request, "quotes/customer/_article.html", {"article": article_of(text, Draft(request).values) if text else None}
    )
