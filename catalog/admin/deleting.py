"""What keeps a part from being deleted, and who may delete it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from catalog import usage
from catalog.admin.history import CatalogAdmin
from catalog.models import Part


class DeletesWhatQuotesName(CatalogAdmin):
    """A table whose rows quotes name by their short names."""

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, set[str], list[str]]:
        """Say what deleting takes along and what forbids it: claims on the row, and quotes that name it."""
        deletable, counts, lacking, protected = super().get_deleted_objects(objs, request)
        quotes = usage.of_many([row.slug for row in objs])
        named = {quote.address: quote for found in quotes.values() for quote in found}
        protected = [*protected, *(_("Quote: %s") % quote.title for quote in named.values())]
        return deletable, counts, lacking, protected


class DeletesParts(DeletesWhatQuotesName):
    """A table of parts of one kind, each deleted with its row of the parent table."""

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, set[str], list[str]]:
        """Ask for no permission of its own for the row of the parent table: it goes with the part."""
        deletable, counts, lacking, protected = super().get_deleted_objects(objs, request)
        return deletable, counts, lacking - {Part._meta.verbose_name}, protected
