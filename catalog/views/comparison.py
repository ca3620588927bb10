"""GPUs or platforms side by side."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from catalog import comparing
from catalog.models import Gpu, Platform

MOST = 5


@require_GET
@login_not_required
def compare(request: HttpRequest) -> HttpResponse:
    """Put up to five GPUs, or up to five platforms, beside each other; where they differ is marked."""
    is_platform = request.GET.get("kind") == "platform" or "platform" in request.GET
    model = Platform if is_platform else Gpu
    kind = "platform" if model is Platform else "gpu"
    slugs = [slug for slug in dict.fromkeys(request.GET.getlist(kind)) if slug][:MOST]
    rows = {row.slug: row for row in model._default_manager.filter(slug__in=slugs).prefetch_related("facts__sources")}
    chosen = [rows[slug] for slug in slugs if slug in rows]
    others = model._default_manager.exclude(slug__in=slugs).order_by("name").values_list("slug", "name")
    context = {
        "kind": kind,
        "chosen": chosen,
        "others": list(others) if len(chosen) < MOST else [],
        "table": comparing.table(chosen),
        "most": MOST,
    }
    return render(request, "catalog/compare.html", context)
