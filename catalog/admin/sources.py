"""Sources and language models."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from catalog.admin.deleting import DeletesWhatNothingCites, DeletesWhatQuotesName
from catalog.models import LanguageModel, Source


@admin.register(Source)
class SourceAdmin(DeletesWhatNothingCites):
    """Documents that facts are taken from."""

    list_display = ["title", "kind", "read", "as_of", "read_on"]
    list_filter = ["kind", "read"]
    search_fields = ["title", "key", "address"]


@admin.register(LanguageModel)
class LanguageModelAdmin(DeletesWhatQuotesName):
    """Language models; the counts come from the configuration and are not typed in."""

    list_display = ["name", "maker", "parameters", "active_parameters", "context_length", "license", "is_listed"]
    list_filter = ["maker", "is_verified", "is_listed", "family"]
    search_fields = ["name", "slug", "hf_id"]
    autocomplete_fields = ["sources"]
    readonly_fields = ["slug", "family", "parameters", "active_parameters", "context_length", "is_verified"]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: object = None) -> HttpResponse:
        """Lead to the page that reads a configuration."""
        return HttpResponseRedirect(reverse("catalog:add_language_model"))
