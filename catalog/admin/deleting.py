"""What keeps a row from being deleted, and who may delete it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from catalog import bearings, usage
from catalog.admin.history import CatalogAdmin
from catalog.models import Fact, GpuSupport, LanguageModel, Part, Price, Sku, Source

MOST_NAMED = 20
CITING = (Fact, Price, Sku, LanguageModel, GpuSupport)
"""Tables whose rows name the sources that they are taken from."""


class DeletesWhatNothingUses(CatalogAdmin):
    """A table some of whose rows are kept, because something rests on them that no foreign key says."""

    def kept_for(self, rows: list[Any]) -> Iterable[str]:
        """Name what rests on the rows, in words."""
        raise NotImplementedError

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, set[str], list[str]]:
        """Say what deleting takes along and what forbids it."""
        rows = list(objs)
        deletable, counts, lacking, protected = super().get_deleted_objects(rows, request)
        return deletable, counts, lacking, [*protected, *self.kept_for(rows)]


class DeletesWhatQuotesName(DeletesWhatNothingUses):
    """A table whose rows quotes name: parts and articles by their lines, language models by what was asked."""

    def kept_for(self, rows: list[Any]) -> Iterable[str]:
        """Name the quotes, with a fixed number of queries."""
        groups = [group for row in rows for group in bearings.groups_of(row)]
        return [_("Quote: %s") % quote.title for quote in usage.touched(groups)]


class DeletesParts(DeletesWhatQuotesName):
    """A table of parts of one kind, each deleted with its row of the parent table."""

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, set[str], list[str]]:
        """Ask for no permission of its own for the row of the parent table: it goes with the part."""
        deletable, counts, lacking, protected = super().get_deleted_objects(objs, request)
        return deletable, counts, lacking - {Part._meta.verbose_name}, protected


class DeletesWhatNothingCites(DeletesWhatNothingUses):
    """Sources: a claim keeps its evidence."""

    def kept_for(self, rows: list[Source]) -> Iterator[str]:
        """Name what is taken from the sources, with one query a table."""
        keys = [source.pk for source in rows]
        for model in CITING:
            named = capfirst(str(model._meta.verbose_name))
            cited = model._default_manager.filter(sources__in=keys).distinct()[:MOST_NAMED]
            yield from (f"{named}: {row}" for row in cited)


class DeletesWhatIsNotInUse(DeletesWhatNothingUses):
    """Facts: the value in a part's column keeps the fact that says where it is from."""

    def kept_for(self, rows: list[Fact]) -> Iterator[str]:
        """Name the values in use."""
        for fact in rows:
            if fact.is_chosen:
                yield _("%(part)s uses the value: %(fact)s. Put another in use, or empty the field of the part.") % {
                    "part": fact.part,
                    "fact": fact,
                }
