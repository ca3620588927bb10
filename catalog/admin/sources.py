"""Sources and language models."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from catalog.admin.history import CatalogAdmin
from catalog.models import Fact, LanguageModel, Price, Sku, Source

MOST_NAMED = 20


@admin.register(Source)
class SourceAdmin(CatalogAdmin):
    """Documents that facts are taken from."""

    list_display = ["title", "kind", "read", "as_of", "read_on"]
    list_filter = ["kind", "read"]
    search_fields = ["title", "key", "address"]

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, set[str], list[str]]:
        """Forbid to delete what facts, prices, articles or language models are taken from, and name them."""
        deletable, counts, lacking, protected = super().get_deleted_objects(objs, request)
        keys = [source.pk for source in objs]
        for model in (Fact, Price, Sku, LanguageModel):
            named = str(model._meta.verbose_name).capitalize()
            cited = model._default_manager.filter(sources__in=keys).distinct()[:MOST_NAMED]
            protected = [*protected, *(f"{named}: {row}" for row in cited)]
        return deletable, counts, lacking, protected


@admin.register(LanguageModel)
class LanguageModelAdmin(CatalogAdmin):
    """Language models; the counts come from the configuration and are not typed in."""

    list_display = ["name", "maker", "parameters", "active_parameters", "context_length", "license", "is_listed"]
    list_filter = ["maker", "is_verified", "is_listed", "family"]
    search_fields = ["name", "slug", "hf_id"]
    autocomplete_fields = ["sources"]
    readonly_fields = ["slug", "family", "parameters", "active_parameters", "context_length", "is_verified"]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: object = None) -> HttpResponse:
        """Lead to the page that reads a configuration."""
        return HttpResponseRedirect(reverse("catalog:add_language_model"))
