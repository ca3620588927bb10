"""What all our admin pages share: history with revert, protected deletion, edits remembered."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Model, TextField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from import_export.admin import ImportExportMixin
from import_export.forms import SelectableFieldsExportForm

from catalog import services
from catalog.admin import seen_states
from catalog.admin.differences import difference
from catalog.admin.stale_edits import catches_up, overtaken, refusing
from catalog.admin.textareas import PlainTextarea
from catalog.admin.touched import NamesTouchedQuotes
from catalog.formats import FORMATS
from catalog.models import Claim
from catalog.presenting import label_of
from catalog.resources import resource_for
from catalog.tables import Unreadable


class ExportForm(SelectableFieldsExportForm):
    """Columns to export, named as the forms name them."""

    def _get_field_label(self, resource: Any, field_name: str) -> str:
        return label_of(resource._meta.model, field_name)


class CatalogAdmin(ImportExportMixin, NamesTouchedQuotes):
    """A table of the catalog whose edits are remembered, so that the next load of the files leaves them alone."""

    formats = FORMATS
    formfield_overrides = {TextField: {"widget": PlainTextarea}}
    export_form_class = ExportForm
    export_template_name = "admin/catalog/export.html"
    change_form_template = "admin/catalog/change_form.html"
    object_history_list_template = "admin/catalog/history_list.html"
    object_history_form_template = "admin/catalog/history_form.html"
    list_per_page = 50
    show_full_result_count = False
    skip_export_form = False

    def get_resource_classes(self, request: HttpRequest) -> list[type[Any]]:
        """Use the resource that carries rows with all their columns and marks edits."""
        return [resource_for(self.model)]

    def add_data_read_fail_error_to_form(self, form: Any, e: Exception) -> None:
        """Say what is wrong with a file in our words where they are ours."""
        if isinstance(e, Unreadable):
            form.add_error("import_file", str(e))
        else:
            super().add_data_read_fail_error_to_form(form, e)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> type[Any]:
        """Refuse an edit of a row that somebody else has saved since the page was opened."""
        form: type[Any] = super().get_form(request, obj, change=change, **kwargs)
        if obj is None or request.method != "POST":
            return form
        found = overtaken(request, obj, self._below(request, obj))
        return refusing(form, found) if found else form

    def get_formset_kwargs(self, request: HttpRequest, obj: Any, inline: Any, prefix: str) -> dict[str, Any]:
        """Show the rows below as they are now, with what was typed in them, after an edit was refused."""
        kwargs: dict[str, Any] = super().get_formset_kwargs(request, obj, inline, prefix)
        found = overtaken(request, obj, self._below(request, obj)) if "data" in kwargs and obj.pk else None
        if found and prefix in found.seen.below:
            formset = inline.get_formset(request, obj)(instance=obj, prefix=prefix, queryset=kwargs["queryset"])
            kwargs["data"] = catches_up(request.POST, formset=formset, seen=found.seen)
        return kwargs

    def _below(self, request: HttpRequest, obj: Any) -> list[seen_states.Below]:
        return seen_states.watched(self.model, self.get_inline_instances(request, obj))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Name the state of the row that the page shows, for the edit to send back."""
        row = self.get_object(request, unquote(object_id))
        seen = seen_states.shown(row, self._below(request, row)) if row is not None else None
        context = {**(extra_context or {}), "seen": seen.fields() if seen else {}}
        answer: HttpResponse = super().change_view(request, object_id, form_url, context)
        return answer

    def revert_disabled(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let people who may change a row go back to an earlier state of it."""
        return False

    def set_history_delta_changes(
        self, request: HttpRequest, historical_records: Sequence[Any], foreign_keys_are_objs: bool = True
    ) -> None:
        """Say what each state changed, confirmations included, which no form writes."""
        for record, former in pairwise(historical_records):
            record.history_delta_changes = difference(self.model, record, former)

    def history_form_view(
        self, request: HttpRequest, object_id: str, version_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show an earlier state and bring it back whole, or refuse with the reason and change nothing."""
        try:
            with transaction.atomic():
                shown: HttpResponse = super().history_form_view(request, object_id, version_id, extra_context)
                return shown
        except ValidationError as refused:
            reason = " ".join(refused.messages)
        except IntegrityError:
            reason = _("another row has its place by now, or what it names is no longer there.")
        messages.error(request, _("This state cannot be brought back: %s Nothing was changed.") % reason)
        return redirect(f"admin:catalog_{self.model._meta.model_name}_history", object_id)

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
    """Columns in which a row differs from what is stored, typed or brought back from the history. Runs one query.

    All of them for a row that was deleted and comes back; none for one that was never stored.
    """
    if obj.pk is None:
        return []
    stored = type(obj)._default_manager.filter(pk=obj.pk).first()
    fields = [field for field in obj._meta.concrete_fields if field.name not in ("edited_at", "changed_at")]
    if stored is None:
        return [field.name for field in fields]
    return [field.name for field in fields if getattr(stored, field.attname) != getattr(obj, field.attname)]


def standing_mark(word: str) -> str:
    """A standing as shape, word and color."""
    return render_to_string("admin/catalog/standing.html", {"word": word})


@admin.display(description=gettext_lazy("standing"))
def standing_column(claim: Claim) -> str:
    """The standing of a claim in a list."""
    return standing_mark(claim.standing)
