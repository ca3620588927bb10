"""Platforms: the list and a page each."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from catalog import comparing, listing, presenting, usage
from catalog.filters import PlatformFilter
from catalog.models import Fact, Gpu, GpuSupport, Platform, Price, SkuLine
from catalog.views.tabs import tabs


@require_GET
@login_not_required
def platforms(request: HttpRequest) -> HttpResponse:
    """List platforms, narrowed and sorted by the query."""
    vendors = list(Platform.objects.order_by("vendor").values_list("vendor", flat=True).distinct())
    gpus = list(Gpu.objects.filter(support__isnull=False).order_by("name").values_list("slug", "name").distinct())
    form = PlatformFilter(request.GET, vendors=vendors, gpus=gpus)
    facts = Fact.objects.filter(part__kind=Platform.Kind.PLATFORM).prefetch_related("sources")
    rows = listing.platform_rows(form.apply(Platform.objects.all()), listing.summaries(facts))
    context = {
        "form": form,
        "rows": rows,
        **comparing.ticked(request.GET.getlist("platform"), [row.platform for row in rows]),
        "total": Platform.objects.count(),
        "sort": form.sort,
        "tabs": tabs(request, "platform"),
    }
    return render(request, "catalog/platforms.html" + ("#rows" if request.htmx else ""), context)  # type: ignore[attr-defined]


@require_GET
@login_not_required
def platform(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what is known of one platform, the GPUs it takes, and the articles built on it."""
    row = get_object_or_404(Platform, slug=slug)
    facts = list(row.facts.prefetch_related("sources"))
    support = GpuSupport.objects.filter(platform=row).select_related("gpu").prefetch_related("sources")
    context = {
        "platform": row,
        "facts": presenting.fact_rows(row, facts),
        "disagreements": presenting.disagreements(row, facts),
        "support": [(claim, presenting.cite_sources(claim.sources.all())) for claim in support],
        "lines": SkuLine.objects.filter(part=row).select_related("sku").order_by("sku__article"),
        "prices": Price.objects.filter(offer__part=row).current().select_related("offer").prefetch_related("sources"),
        "topology": listing.topology_of(row),
        "usage": usage.of(row.slug) if request.user.has_perm("catalog.view_fact") else None,
    }
    return render(request, "catalog/platform.html", context)
