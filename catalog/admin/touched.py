"""Which open quotes a change touches: one click from any row of the admin, in its list and on its page."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import quote as quoted
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from simple_history.admin import SimpleHistoryAdmin

from catalog import bearings


class NamesTouchedQuotes(SimpleHistoryAdmin):
    """A table each of whose rows leads to the quotes that a change of it bears on."""

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Add the page before the catch-all of the admin."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_quotes"
        own = path("<path:object_id>/quotes/", self.admin_site.admin_view(self.quotes_view), name=name)
        return [own, *super().get_urls()]

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """End each row with the way to its quotes."""
        return [*super().get_list_display(request), "quotes_link"]

    @admin.display(description=gettext_lazy("quotes"))
    def quotes_link(self, row: Any) -> str:
        """The way to the quotes of a row, named after it for who hears it read."""
        address = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_quotes", args=[quoted(row.pk)])
        label = _("Quotes that a change touches: %s") % row
        return format_html('<a href="{}" aria-label="{}">{}</a>', address, label, _("which?"))

    def quotes_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """List the quotes that a change of the row bears on, open ones first."""
        row = self.get_object(request, unquote(object_id))
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        if row is None:
            raise Http404
        found = bearings.quotes_of(row)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Quotes that a change touches"),
            "opts": self.opts,
            "original": row,
            "open_quotes": [quote for quote in found if quote.is_open],
            "sent_quotes": [quote for quote in found if not quote.is_open],
        }
        return TemplateResponse(request, "admin/catalog/quotes.html", context)
