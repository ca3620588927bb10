"""One's own page: what one may do, when one is away and who stands in."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from quotes import services
from quotes.absences import Away
from quotes.actors import DEPUTIZED, Role
from quotes.models import Absence, Issuer
from quotes.refusals import InvalidError
from quotes.views.desk.common import actor_of, posted, refusing
from quotes.views.desk.handling_forms import AbsenceForm

LABELS = {
    Role.ENGINEER: gettext_lazy("sales engineer"),
    Role.APPROVER: gettext_lazy("approver"),
    Role.CATALOG_ADMINISTRATOR: gettext_lazy("catalog administrator"),
    Role.AUDITOR: gettext_lazy("auditor"),
}


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user


@require_http_methods(["GET", "POST"])
@refusing
def account(request: HttpRequest) -> HttpResponse:
    """Show one's roles, absences and whom one stands in for; take a new absence."""
    person = _person(request)
    form = AbsenceForm(posted(request), person=person)
    if request.method == "GET":
        return _page(request, person, form)
    if not form.is_valid():
        services.may_be_absent(actor_of(request))
        return _page(request, person, form, status=422)
    try:
        services.plan_absence(actor_of(request), **form.cleaned_data)
    except InvalidError as error:
        form.add_error(error.field if error.field in form.fields else None, error.message)
        return _page(request, person, form, status=422)
    messages.success(request, _("Noted. What comes for you in these days goes to your deputy"))
    return redirect("quotes:account")


def _page(request: HttpRequest, person: User, form: AbsenceForm, *, status: int = 200) -> HttpResponse:
    today = Issuer.current().today()
    away = Away.on(today)
    covered = away.covered_by(person)
    roles = actor_of(request).roles
    context = {
        "form": form,
        "roles": [label for role, label in LABELS.items() if role in roles],
        "may_be_absent": bool(roles & DEPUTIZED),
        "absences": Absence.objects.filter(person=person).not_over(today).select_related("deputy"),
        "covers": [absence for key, absence in away.by_person.items() if key in covered],
        "coming": Absence.objects.filter(deputy=person, starts_on__gt=today).select_related("person"),
    }
    return render(request, "quotes/desk/account.html", context, status=status)


@require_POST
@refusing
def end(request: HttpRequest, absence_id: UUID) -> HttpResponse:
    """Be back, or drop what was planned."""
    absence = get_object_or_404(Absence, public_id=absence_id, person=_person(request))
    services.end_absence(absence, actor=actor_of(request))
    messages.success(request, _("Done. Your work comes to you again"))
    return redirect("quotes:account")
