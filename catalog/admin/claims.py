"""Confirming and refuting from the lists."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from catalog import services
from catalog.admin.deleting import DeletesWhatIsNotInUse
from catalog.admin.history import CatalogAdmin, standing_mark
from catalog.forms import ConfirmForm, RefuteForm
from catalog.models import Claim, Fact, GpuSupport
from catalog.worklists import key_of


class StandingFilter(admin.SimpleListFilter):
    """Claims by how far they can be relied on today."""

    title = gettext_lazy("standing")
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Offer the four standings and the worklist."""
        return [
            ("to_confirm", _("to be confirmed")),
            ("unconfirmed", _("unconfirmed")),
            ("confirmed", _("confirmed")),
            ("stale", _("stale")),
            ("refuted", _("refuted")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Filter by the standing asked for."""
        claims: Any = queryset
        asked = self.value()
        if asked in ("to_confirm", "confirmed", "stale"):
            found: QuerySet[Any] = getattr(claims, asked)()
            return found
        return queryset.filter(state=asked) if asked in ("unconfirmed", "refuted") else queryset


class ClaimAdmin(CatalogAdmin):
    """A table of claims: the list shows how far each can be relied on, and confirms many with one document."""

    actions = ["confirm_selected", "refute_selected"]
    judged = ("standing", "judged_by_name", "judged_at", "evidence", "evidence_link", "valid_until")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Show who judged and on what; none of it is typed in."""
        return [*super().get_readonly_fields(request, obj), *self.judged]

    @admin.display(description=gettext_lazy("standing"))
    def standing(self, claim: Claim) -> str:
        """Shape, word and color."""
        return standing_mark(claim.standing)

    @admin.display(description=gettext_lazy("evidence file"))
    def evidence_link(self, claim: Claim) -> str:
        """Download of the evidence, which no public address serves."""
        if not claim.evidence_file:
            return "–"
        address = reverse("catalog:evidence", args=[key_of(claim)])
        return format_html('<a href="{}">{}</a>', address, str(claim.evidence_file.name).rsplit("/", 1)[-1])

    @admin.action(description=gettext_lazy("Confirm with evidence"), permissions=["change"])
    def confirm_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        """Confirm the chosen claims with one document."""
        return self._judge(request, queryset, "confirm_selected")

    @admin.action(description=gettext_lazy("Refute with evidence"), permissions=["change"])
    def refute_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        """Refute the chosen claims."""
        return self._judge(request, queryset, "refute_selected")

    def _judge(self, request: HttpRequest, queryset: QuerySet[Any], action: str) -> HttpResponse | None:
        confirming = action == "confirm_selected"
        form_class = ConfirmForm if confirming else RefuteForm
        form = form_class(request.POST, request.FILES) if "evidence" in request.POST else form_class()
        if form.is_bound and form.is_valid() and self._apply(request, queryset, form, confirming):
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": _("Confirm with one document") if confirming else _("Refute"),
            "claims": queryset,
            "form": form,
            "action": action,
            "opts": self.model._meta,
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/catalog/judge.html", context)

    def _apply(self, request: HttpRequest, queryset: QuerySet[Any], form: Any, confirming: bool) -> bool:
        judge = services.confirm if confirming else services.refute
        try:
            done = judge(queryset, actor=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
            return False
        text = ngettext("One claim judged.", "%(count)s claims judged.", len(done)) % {"count": len(done)}
        self.message_user(request, text, messages.SUCCESS)
        return True


@admin.register(GpuSupport)
class GpuSupportAdmin(ClaimAdmin):
    """Which platform takes which GPU."""

    list_display = ["platform", "gpu", "platform_socket", "max_count", "interconnect", "standing", "valid_until"]
    list_filter = [StandingFilter, "platform_socket", "interconnect", "platform__vendor"]
    list_select_related = ["platform", "gpu"]
    search_fields = ["platform__name", "gpu__name"]
    autocomplete_fields = ["platform", "gpu", "sources"]


@admin.register(Fact)
class FactAdmin(DeletesWhatIsNotInUse, ClaimAdmin):
    """All values that sources give; one of those that disagree is put in use from here."""

    list_display = ["part", "field", "value", "is_chosen", "standing", "why"]
    list_filter = [StandingFilter, "is_chosen", "part__kind"]
    list_select_related = ["part"]
    search_fields = ["part__name", "field", "value"]
    autocomplete_fields = ["part", "sources"]
    readonly_fields = ["is_chosen", "entered_by_name"]
    fields = ["part", "field", "value", "why", "sources", "is_chosen", "entered_by_name", *ClaimAdmin.judged]
    actions = [*ClaimAdmin.actions, "put_in_use"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Fact]:
        """Fetch the sources that the standing reads."""
        queryset: QuerySet[Fact] = super().get_queryset(request)
        return queryset.prefetch_related("sources")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Keep part, field and value of a fact as they were written: another value is another fact."""
        fixed = ["part", "field", "value"] if obj is not None else []
        return [*super().get_readonly_fields(request, obj), *fixed]

    def save_model(self, request: HttpRequest, obj: Fact, form: Any, change: bool) -> None:
        """Add a value that was seen; it is put in use separately, with the reason.

        A state from the history in which the value was in use puts it in use again, and no other beside it. One in
        which it was not leaves it in use where it is: a column has a value in use as long as it has any.
        """
        is_wanted = change and obj.is_chosen
        obj.is_chosen = change and Fact.objects.filter(pk=obj.pk, is_chosen=True).exists()
        if not change:
            obj.entered_by_name = services.name_of(request.user)
        super().save_model(request, obj, form, change)
        if is_wanted and not obj.is_chosen:
            services.choose(obj, actor=request.user, why=obj.why)

    @admin.action(description=gettext_lazy("Put in use"), permissions=["change"])
    def put_in_use(self, request: HttpRequest, queryset: QuerySet[Fact]) -> None:
        """Put the chosen values in use; the reason written on each is the one that is shown."""
        for fact in queryset.select_related("part"):
            try:
                services.choose(fact, actor=request.user, why=fact.why)
            except ValidationError as error:
                self.message_user(request, f"{fact}: {' '.join(error.messages)}", messages.ERROR)
            else:
                self.message_user(request, _("%(fact)s is in use.") % {"fact": fact}, messages.SUCCESS)
