"""What keeps a part from being deleted, and who may delete it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from catalog import usage
from catalog.admin.history import CatalogAdmin
from catalog.models import Part


class DeletesParts(CatalogAdmin):
    """A table of parts of one kind, each deleted with its row of the parent table."""

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, set[str], list[str]]:
        """Say what deleting takes along and what forbids it: claims on the part, and quotes that name it.

        The row of the parent table goes with the part and asks for no permission of its own.
        """
        deletable, counts, lacking, protected = super().get_deleted_objects(objs, request)
        quotes = usage.of_many([part.slug for part in objs])
        named = {quote.address: quote for found in quotes.values() for quote in found}
        protected = [*protected, *(_("Quote: %s") % quote.title for quote in named.values())]
        return deletable, counts, lacking - {Part._meta.verbose_name}, protected
