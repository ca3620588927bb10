"""Rows below a part: its facts with their sources, and the GPUs that a platform takes."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from catalog.admin.history import standing_mark
from catalog.listing import model_of
from catalog.models import Fact, GpuSupport
from catalog.presenting import label_of


class FactInline(admin.TabularInline):  # type: ignore[type-arg]
    """Values and their sources below a part, to read; each is judged on its own page."""

    model = Fact
    fk_name = "part"
    fields = ("column", "value", "is_chosen", "why", "sources_text", "standing")
    readonly_fields = fields
    extra = 0
    can_delete = False
    show_change_link = True
    verbose_name_plural = _("facts and their sources")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: a fact is added by editing the part, or on its own page."""
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Fact]:
        """Fetch the sources of all rows at once."""
        queryset: QuerySet[Fact] = super().get_queryset(request)
        return queryset.prefetch_related("sources")

    @admin.display(description=_("field"))
    def column(self, fact: Fact) -> str:
        """Name of the column in words."""
        return label_of(model_of(fact.part.kind), fact.field)

    @admin.display(description=_("sources"))
    def sources_text(self, fact: Fact) -> str:
        """Titles and dates of the sources, or who entered the value."""
        named = [f"{source.title} ({source.as_of})" if source.as_of else source.title for source in fact.sources.all()]
        return "; ".join(named) or fact.entered_by_name

    @admin.display(description=_("standing"))
    def standing(self, fact: Fact) -> str:
        """Shape, word and color."""
        return standing_mark(fact.standing)


class SupportInline(admin.TabularInline):  # type: ignore[type-arg]
    """GPUs that a platform takes."""

    model = GpuSupport
    fields = ["gpu", "platform_socket", "max_count", "interconnect", "standing"]
    readonly_fields = ["standing"]
    autocomplete_fields = ["gpu"]
    extra = 1
    show_change_link = True

    @admin.display(description=_("standing"))
    def standing(self, claim: GpuSupport) -> str:
        """Shape, word and color."""
        return standing_mark(claim.standing) if claim.pk else ""
