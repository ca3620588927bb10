"""GPUs: the list and a page each."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from catalog import comparing, listing, presenting, references, specs, usage
from catalog.filters import GpuFilter
from catalog.models import Fact, Gpu, Price
from catalog.views.tabs import tabs


@require_GET
@login_not_required
def index(request: HttpRequest) -> HttpResponse:
    """List GPUs, narrowed and sorted by the query."""
    form = GpuFilter(request.GET or {"listed": "on"})
    rows = list(form.apply(Gpu.objects.all()))
    facts = Fact.objects.filter(part__kind=Gpu.Kind.GPU).prefetch_related("sources")
    context = {
        "form": form,
        "rows": listing.gpu_rows(rows, listing.summaries(facts), specs.hardware_catalog().gpus),
        **comparing.ticked(request.GET.getlist("gpu"), rows),
        "total": Gpu.objects.count(),
        "sort": form.sort,
        "tabs": tabs(request, "gpu"),
    }
    return render(request, "catalog/gpus.html" + ("#rows" if request.htmx else ""), context)  # type: ignore[attr-defined]


@require_GET
@login_not_required
def gpu(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what is known of one GPU, which platforms take it, and what it can do."""
    row = get_object_or_404(Gpu, slug=slug)
    facts = list(row.facts.prefetch_related("sources"))
    engine = next((known for known in specs.hardware_catalog().gpus if known.slug == slug), None)
    context = {
        "gpu": row,
        "facts": presenting.fact_rows(row, facts, engine.supplied if engine else ()),
        "disagreements": presenting.disagreements(row, facts),
        "support": row.support.select_related("platform").order_by("platform__name"),
        "prices": Price.objects.filter(offer__part=row).current().select_related("offer").prefetch_related("sources"),
        "jobs": references.jobs_of(slug) if engine else [],
        "usage": usage.of(row.slug) if request.user.has_perm("catalog.view_fact") else None,
        "links": listing.links_of(row),
    }
    return render(request, "catalog/gpu.html", context)
