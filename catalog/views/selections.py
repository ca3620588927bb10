"""Ready selections by model and by maker and GPU."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from catalog import comparing, listing
from catalog.filters import PlatformOrder
from catalog.models import Fact, Part
from catalog.selections import SELECTIONS, by_slug
from catalog.views.tabs import tabs


@require_GET
@login_not_required
def collections(request: HttpRequest) -> HttpResponse:
    """List the ready selections."""
    by_model = [selection for selection in SELECTIONS if selection.model_prefix]
    by_maker = [selection for selection in SELECTIONS if not selection.model_prefix]
    context = {"by_model": by_model, "by_maker": by_maker, "tabs": tabs(request, "collection")}
    return render(request, "catalog/collections.html", context)


@require_GET
@login_not_required
def collection(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one selection: its servers, sorted by the query, or its models, and the forms that it opens."""
    selection = by_slug(slug)
    if selection is None:
        raise Http404
    facts = Fact.objects.filter(part__kind=Part.Kind.PLATFORM).prefetch_related("sources")
    order = PlatformOrder(request.GET)
    shown = order.ordered(selection.platforms())
    platforms = listing.platform_rows(shown, listing.summaries(facts)) if selection.gpus else []
    context = {
        "selection": selection,
        "rows": platforms,
        "sort": order.sort,
        **comparing.ticked(request.GET.getlist("platform"), [row.platform for row in platforms]),
        "models": selection.models().defer("config"),
        "ways": selection.forms(),
    }
    return render(request, "catalog/collection.html", context)
