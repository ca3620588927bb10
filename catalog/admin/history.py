"""What all our admin pages share: history with revert, protected deletion, edits remembered."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from import_export.admin import ImportExportMixin
from simple_history.admin import SimpleHistoryAdmin

from catalog import services
from catalog.models import Claim
from catalog.resources import resource_for


class CatalogAdmin(ImportExportMixin, SimpleHistoryAdmin):
    """A table of the catalog whose edits are remembered, so that the next load of the files leaves them alone."""

    list_per_page = 50
    show_full_result_count = False
    skip_export_form = False

    def get_resource_classes(self, request: HttpRequest) -> list[type[Any]]:
        """Use the resource that carries rows with all their columns and marks edits."""
        return [resource_for(self.model)]

    def revert_disabled(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let people who may change a row go back to an earlier state of it."""
        return False

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save an edit, take back a confirmation that it overtakes, and remember that a person edited the row.

        An earlier state that is brought back from the history is an edit too: it brings no confirmation with it.
        """
        changed = form.changed_data or changed_columns(obj)
        if changed and isinstance(obj, Claim) and obj.state != Claim.State.UNCONFIRMED:
            services.reopen(obj)
        if changed and hasattr(obj, "edited_at"):
            obj.edited_at = timezone.now()
        super().save_model(request, obj, form, change)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Save lines below a row by the same rules."""
        for row in formset.save(commit=False):
            if isinstance(row, Claim) and row.state != Claim.State.UNCONFIRMED:
                services.reopen(row)
            if hasattr(row, "edited_at"):
                row.edited_at = timezone.now()
            row.save()
        for row in formset.deleted_objects:
            row.delete()
        formset.save_m2m()


def changed_columns(obj: Model) -> list[str]:
    """Columns in which a row differs from what is stored, typed or brought back from the history. Runs one query."""
    stored = type(obj)._default_manager.filter(pk=obj.pk).first()
    if stored is None:
        return []
    fields = [field for field in obj._meta.concrete_fields if field.name not in ("edited_at", "changed_at")]
    return [field.name for field in fields if getattr(stored, field.attname) != getattr(obj, field.attname)]


def standing_mark(word: str) -> str:
    """A standing as shape, word and color."""
    return render_to_string("admin/catalog/standing.html", {"word": word})


@admin.display(description="standing")
def standing_column(claim: Claim) -> str:
    """The standing of a claim in a list."""
    return standing_mark(claim.standing)
