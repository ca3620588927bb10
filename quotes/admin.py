"""The admin of the app: the issuer can be edited; requests, events and letters are read there, never written."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest

from quotes.actors import DEPUTIZED
from quotes.models import Absence, CustomerLink, Document, Issuer, Mail, NumberCounter, Quote, QuoteEvent, Request


@admin.register(Issuer)
class IssuerAdmin(admin.ModelAdmin[Issuer]):
    """The selling company: legal details, tax, terms, time zone."""

    list_display = ("name", "currency", "tax_rate", "time_zone", "four_eyes", "is_active")
    fieldsets = (
        (None, {"fields": ("name", "is_active", "logo", "email", "phone")}),
        ("Legal", {"fields": ("legal_details", "bank_details", "terms_en", "terms_ru")}),
        ("Money", {"fields": ("currency", "tax_rate", "tax_rounding", "margin_floor_percent")}),
        ("Rules", {"fields": ("number_prefix", "validity_days", "time_zone", "four_eyes", "link_days")}),
    )


@admin.register(Absence)
class AbsenceAdmin(admin.ModelAdmin[Absence]):
    """Who is away and who stands in; people set their own on their account page."""

    list_display = ("person", "starts_on", "ends_on", "deputy")
    list_filter = ("person",)
    date_hierarchy = "starts_on"

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer people whose work a deputy can do."""
        names = [role.value for role in DEPUTIZED]
        kwargs["queryset"] = User.objects.filter(groups__name__in=names, is_active=True).distinct()
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Rows that are looked at here and changed, if at all, at the desk."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


@admin.register(Request)
class RequestAdmin(ReadOnlyAdmin):
    """What customers asked for."""

    list_display = ("reference", "organization", "route", "assigned_to", "created_at")
    list_filter = ("route", "language")
    search_fields = ("reference", "search_text")


@admin.register(Quote)
class QuoteAdmin(ReadOnlyAdmin):
    """Revisions and where they are."""

    list_display = ("request", "number", "revision", "status", "net_total", "currency", "status_at")
    list_filter = ("status",)
    exclude = ("snapshot",)


@admin.register(QuoteEvent)
class QuoteEventAdmin(ReadOnlyAdmin):
    """The audit trail."""

    list_display = ("at", "request", "kind", "actor_name", "actor_role")
    list_filter = ("kind",)


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    """Rendered documents with their hashes."""

    list_display = ("created_at", "request", "kind", "language", "sha256")
    exclude = ("snapshot",)


@admin.register(Mail)
class MailAdmin(ReadOnlyAdmin):
    """Letters and how far they got."""

    list_display = ("created_at", "to", "template", "state", "attempts", "last_error")
    list_filter = ("state",)


@admin.register(CustomerLink)
class CustomerLinkAdmin(ReadOnlyAdmin):
    """Private addresses, without their tokens."""

    list_display = ("request", "issued_at", "expires_at", "revoked_at")
    exclude = ("nonce", "token_sha256")


@admin.register(NumberCounter)
class NumberCounterAdmin(ReadOnlyAdmin):
    """The last numbers drawn."""

    list_display = ("series", "year", "value")
