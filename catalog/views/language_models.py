"""Language models: the list, a page each, and adding one from its configuration."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, permission_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from catalog import bearings, model_adding, model_pages, references
from catalog.filters import LanguageModelFilter
from catalog.forms import LanguageModelForm
from catalog.models import LanguageModel
from catalog.selections import ways
from catalog.views.tabs import tabs


@require_GET
@login_not_required
def language_models(request: HttpRequest) -> HttpResponse:
    """List language models, narrowed and sorted by the query."""
    listed = LanguageModel.objects.listed()
    makers = [maker for maker in listed.order_by("maker").values_list("maker", flat=True).distinct() if maker]
    form = LanguageModelFilter(request.GET, makers=makers)
    context = {
        "form": form,
        "rows": form.apply(listed.defer("config")),
        "total": listed.count(),
        "sort": form.sort,
        "tabs": tabs(request, "language_model"),
    }
    template = "catalog/language_models.html" + ("#rows" if request.htmx else "")  # type: ignore[attr-defined]
    return render(request, template, context)


@require_GET
@login_not_required
def language_model(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a model's exact counts, its weights by format, and what trains it."""
    row = get_object_or_404(LanguageModel.objects.prefetch_related("sources"), slug=slug)
    shape = model_pages.shape_of(row)
    context = {
        "model": row,
        "shape": shape,
        "groups": model_pages.groups_of(shape) if shape else [],
        "weights": model_pages.weights_of(shape) if shape else [],
        "cache_bytes": model_pages.cache_bytes_per_token(shape) if shape else None,
        "needs": model_pages.by_gpu(references.needs_of(row.slug, row.config)),
        "ways": ways(row.slug),
        "usage": bearings.quotes_of(row) if request.user.has_perm("catalog.view_fact") else None,
    }
    return render(request, "catalog/language_model.html", context)


@require_http_methods(["GET", "POST"])
@permission_required("catalog.add_languagemodel", raise_exception=True)
def add_language_model(request: HttpRequest) -> HttpResponse:
    """Add a model from its config.json, pasted or uploaded; an unknown architecture is refused with the reason."""
    form = LanguageModelForm(request.POST or None, request.FILES or None)
    if form.is_bound and form.is_valid():
        try:
            model = model_adding.add(**form.cleaned_data)
        except ValidationError as error:
            form.add_error("config_text", error)
        else:
            messages.success(request, _("Added with exact parameter counts."))
            return redirect(model)
    return render(request, "catalog/add_language_model.html", {"form": form}, status=422 if form.errors else 200)
