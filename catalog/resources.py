"""Rows of the catalog as tables to export and import, for django-import-export."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import isfinite
from typing import Any

from django.db.models import Model
from django.utils import timezone
from django.utils.encoding import force_str
from django.utils.html import format_html
from django.utils.translation import gettext as _
from import_export import resources, widgets
from import_export.resources import Diff
from import_export.results import Result

from catalog import services, tables
from catalog.models import Claim, Part

_KEYS = {"source": ("key",), "exchangerate": ("base", "quote", "on"), "fact": ("id",)}
_OURS = {
    "id", "part_ptr", "kind", "edited_at", "changed_at", "article_folded", "config", "state", "judged_by",
    "judged_by_name", "judged_at", "evidence", "evidence_file", "valid_until", "superseded_on", "is_chosen",
    "entered_by_name",
}  # fmt: skip


class Difference(Diff):
    """What an import would change, whole values instead of letters, without any style of its own."""

    def as_html(self) -> list[str]:
        """Write a cell of the preview for each column."""
        return [_cell("" if self.new else old, new) for old, new in zip(self.left, self.right, strict=False)]


def _cell(old: object, new: object) -> str:
    before, after = force_str(old), force_str(new)
    if before == after:
        return format_html("{}", after)
    if not before:
        return format_html('<ins class="import-diff__new">{}</ins>', after)
    template = '<del class="import-diff__old">{}</del> <ins class="import-diff__new">{}</ins>'
    return format_html(template, before, after)


WHOLE_FIELDS = (
    "IntegerField", "SmallIntegerField", "BigIntegerField",
    "PositiveIntegerField", "PositiveSmallIntegerField", "PositiveBigIntegerField",
)  # fmt: skip


class AmountWidget(widgets.DecimalWidget):
    """A number with either decimal sign and any spaces, as a price list is read."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        """Read a cell."""
        return None if self.is_empty(value) else _read(_amount, value)


class NumberWidget(widgets.FloatWidget):
    """A number without money, written with either decimal sign."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        """Read a cell."""
        if self.is_empty(value):
            return None
        number = float(_read(_amount, value))
        if not isfinite(number):
            raise ValueError(_("%s: the number is too large") % str(value)[:40])
        return number


class WholeWidget(widgets.IntegerWidget):
    """A whole number; a part of one is refused instead of cut off."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        """Read a cell."""
        number = NumberWidget().clean(value)
        if number is not None and number != int(number):
            raise ValueError(_("%s: a whole number is expected") % str(value)[:40])
        return None if number is None else int(_read(_amount, value))


class DayWidget(widgets.DateWidget):
    """A day as 2026-12-31 or 31.12.2026."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        """Read a cell."""
        return _read(tables.day, value)


def _amount(value: Any) -> Any:
    """A number; one mark alone is the decimal one, because exports write no thousands."""
    text = str(value)
    marks = [mark for mark in ".," if mark in text]
    return tables.amount(value, marks[0] if len(marks) == 1 and text.count(marks[0]) == 1 else "")


def _read(reader: Any, value: Any) -> Any:
    try:
        return reader(value)
    except tables.Unreadable as error:
        raise ValueError(f"{value}: {error}") from error


class LinedResult(Result):
    """What an import would do, with the lines of the file instead of a count of its rows."""

    def row_errors(self) -> list[tuple[int, list[Any]]]:
        """Errors by the line that they stand in."""
        return [(row.number, row.errors) for row in self.error_rows]

    def take_lines(self, lines: Sequence[int]) -> None:
        """Give every row its line; nothing for rows that came from no file."""
        for row in (*self.error_rows, *self.invalid_rows) if lines else ():
            row.number = lines[row.number - 1]


class CatalogResource(resources.ModelResource):
    """One table; an imported change is an edit: it is remembered and takes confirmations back."""

    WIDGETS_MAP = {
        **resources.ModelResource.WIDGETS_MAP,
        "TextField": widgets.CharWidget,
        "DecimalField": AmountWidget,
        "FloatField": NumberWidget,
        **dict.fromkeys(WHOLE_FIELDS, WholeWidget),
        "DateField": DayWidget,
    }

    @classmethod
    def get_result_class(cls) -> type[LinedResult]:
        """Tell lines of the file."""
        return LinedResult

    def import_data_inner(self, dataset: Any, *args: Any, **kwargs: Any) -> LinedResult:
        """Import the rows, and name the line of each that is wrong."""
        result: LinedResult = super().import_data_inner(dataset, *args, **kwargs)
        result.take_lines(getattr(dataset, "lines", ()))
        return result

    @classmethod
    def get_diff_class(cls) -> type[Difference]:
        """Show differences so that people can read them, under the strict policy."""
        return Difference

    def before_save_instance(self, instance: Any, row: Any, **kwargs: Any) -> None:
        """Remember the edit; a part gets its kind, an article its text to search in."""
        if isinstance(instance, Claim) and instance.state != Claim.State.UNCONFIRMED:
            services.reopen(instance)
        if hasattr(instance, "edited_at"):
            instance.edited_at = timezone.now()
        if isinstance(instance, Part):
            name = str(instance._meta.model_name)
            instance.kind = {"memorymodule": Part.Kind.MEMORY}.get(name, name)
        if hasattr(instance, "article_folded"):
            instance.article_folded = instance.article.casefold()
        instance.full_clean(validate_unique=False, exclude=["judged_by"])

    def after_save_instance(self, instance: Any, row: Any, **kwargs: Any) -> None:
        """Keep the facts of a part in step with the imported columns."""
        if isinstance(instance, Part):
            columns = [field.name for field in instance._meta.local_concrete_fields if field.name in row]
            services.record_edit(instance, columns, actor=kwargs.get("user"))


@cache
def resource_for(model: type[Model]) -> type[CatalogResource]:
    """The resource of a table: all columns but those that only the product writes."""
    name = model._meta.model_name or ""
    keys = _KEYS.get(name, ("slug",) if any(field.name == "slug" for field in model._meta.fields) else ("id",))
    own = {
        "model": model,
        "import_id_fields": keys,
        "exclude": tuple(_OURS - set(keys)),
        "skip_unchanged": True,
        "report_skipped": True,
        "use_transactions": True,
        "clean_model_instances": False,
    }
    return type(f"{model.__name__}Resource", (CatalogResource,), {"Meta": type("Meta", (), own)})
