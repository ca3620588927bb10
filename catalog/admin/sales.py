"""Offers, prices and exchange rates."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from catalog.admin.claims import ClaimAdmin, StandingFilter
from catalog.admin.history import CatalogAdmin, standing_mark
from catalog.models import ExchangeRate, Offer, Price


class PriceInline(admin.TabularInline):  # type: ignore[type-arg]
    """Prices of an offer, the newest first; a new price is a new row."""

    model = Price
    fields = [
        "amount_low",
        "amount_high",
        "currency",
        "includes_tax",
        "tax_rate_percent",
        "valid_from",
        "valid_to",
        "standing",
    ]
    readonly_fields = ["standing"]
    extra = 1
    show_change_link = True

    @admin.display(description=_("standing"))
    def standing(self, price: Price) -> str:
        """Shape, word and color."""
        return standing_mark(price.standing) if price.pk else ""


@admin.register(Offer)
class OfferAdmin(ClaimAdmin):
    """What suppliers offer: condition, warranty, lead time."""

    list_display = ["supplier", "title", "part", "sku", "condition", "warranty_months", "lead_time_days", "standing"]
    list_filter = [StandingFilter, "condition", "availability", "supplier"]
    list_select_related = ["part", "sku"]
    search_fields = ["supplier", "title", "part__name", "sku__article_folded"]
    autocomplete_fields = ["part", "sku"]
    inlines = [PriceInline]


@admin.register(Price)
class PriceAdmin(ClaimAdmin):
    """Prices of all offers, to confirm many with one price list."""

    list_display = ["offer", "amount_low", "amount_high", "currency", "includes_tax", "as_of", "valid_to", "standing"]
    list_filter = [StandingFilter, "currency", "includes_tax", "offer__supplier"]
    list_select_related = ["offer__part", "offer__sku"]
    search_fields = ["offer__supplier", "offer__title", "offer__part__name"]
    autocomplete_fields = ["offer", "sources"]
    date_hierarchy = "valid_from"


@admin.register(ExchangeRate)
class ExchangeRateAdmin(CatalogAdmin):
    """Rates that people entered, each with its day and source."""

    list_display = ["base", "quote", "rate", "on", "source"]
    list_filter = ["base", "quote"]
    date_hierarchy = "on"
