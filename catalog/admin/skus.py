"""Articles and their lines."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from catalog.admin.claims import ClaimAdmin, StandingFilter
from catalog.admin.deleting import DeletesWhatQuotesName
from catalog.admin.history import standing_mark
from catalog.models import Sku, SkuLine
from catalog.starter.skus import sku_slug


class SkuLineInline(admin.TabularInline):  # type: ignore[type-arg]
    """What an article says, line by line."""

    model = SkuLine
    fields = ["position", "kind", "part", "quantity", "text", "standing"]
    readonly_fields = ["standing"]
    autocomplete_fields = ["part"]
    extra = 1
    show_change_link = True

    @admin.display(description=_("standing"))
    def standing(self, line: SkuLine) -> str:
        """Shape, word and color."""
        return standing_mark(line.standing) if line.pk else ""


@admin.register(Sku)
class SkuAdmin(DeletesWhatQuotesName):
    """Articles: what is known of each, and what is confirmed."""

    list_display = ["article", "seller", "kind", "reading", "known", "confirmed"]
    list_filter = ["kind", "reading", "seller"]
    search_fields = ["article_folded", "seller", "slug"]
    autocomplete_fields = ["sources"]
    inlines = [SkuLineInline]
    exclude = ["slug"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Sku]:
        """Count the lines in the same query."""
        return Sku.objects.with_completeness()

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[QuerySet[Any], bool]:
        """Search whatever the case of the letters, Cyrillic ones too."""
        found: tuple[QuerySet[Any], bool] = super().get_search_results(request, queryset, search_term.casefold())
        return found

    def save_model(self, request: HttpRequest, obj: Sku, form: Any, change: bool) -> None:
        """Save with the text that searches look in; an address once given stays."""
        obj.article_folded = obj.article.casefold()
        obj.slug = obj.slug or sku_slug(obj.article)
        super().save_model(request, obj, form, change)

    @admin.display(description=_("known lines"))
    def known(self, sku: Any) -> str:
        """Lines whose part and quantity are known, of all."""
        return f"{sku.lines_known} / {sku.lines_total}"

    @admin.display(description=_("confirmed lines"))
    def confirmed(self, sku: Any) -> str:
        """Lines that a person confirmed, of all."""
        return f"{sku.lines_confirmed} / {sku.lines_total}"


@admin.register(SkuLine)
class SkuLineAdmin(ClaimAdmin):
    """Lines of all articles, to confirm many with one specification."""

    list_display = ["sku", "kind", "part", "quantity", "text", "standing", "valid_until"]
    list_filter = [StandingFilter, "kind", "sku__kind"]
    list_select_related = ["sku", "part"]
    search_fields = ["sku__article_folded", "part__name", "text"]
    autocomplete_fields = ["sku", "part"]
