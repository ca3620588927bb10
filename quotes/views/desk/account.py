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
from quotes.absences import Away, courses
from quotes.actors import DEPUTIZED, Role
from quotes.models import Absence, Issuer
from quotes.presenter import dates
from quotes.refusals import InvalidError
from quotes.views.desk.auditing import may_audit
from quotes.views.desk.common import actor_of, check_says_version, posted, refusing
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
    asked = {name: form.cleaned_data[name] for name in ("starts_on", "ends_on", "deputy")}
    try:
        absence = services.plan_absence(actor_of(request), **asked)
    except InvalidError as error:
        return _refused(request, person, form, error)
    messages.success(request, _("Noted. What comes for you in these days goes to your deputy"))
    _warn(request, absence)
    return redirect("quotes:account")


@require_http_methods(["GET", "POST"])
@refusing
def change(request: HttpRequest, absence_id: UUID) -> HttpResponse:
    """Open an absence with its days and deputy, and take others."""
    person = _person(request)
    absence = get_object_or_404(Absence, public_id=absence_id, person=person)
    check_says_version(request, "version")
    initial = {name: getattr(absence, name) for name in ("starts_on", "ends_on", "version")}
    initial["deputy"] = absence.deputy.username
    form = AbsenceForm(posted(request), person=person, initial=initial)
    if request.method == "GET":
        return _page(request, person, form, changed=absence)
    if not form.is_valid():
        return _page(request, person, form, changed=absence, status=422)
    try:
        changed = services.change_absence(absence, actor=actor_of(request), **form.cleaned_data)
    except InvalidError as error:
        return _refused(request, person, form, error, changed=absence)
    messages.success(request, _("Changed. What comes for you in these days goes to your deputy"))
    _warn(request, changed)
    return redirect("quotes:account")


def _refused(
    request: HttpRequest, person: User, form: AbsenceForm, error: InvalidError, *, changed: Absence | None = None
) -> HttpResponse:
    form.add_error(error.field if error.field in form.fields else None, error.message)
    return _page(request, person, form, changed=changed, status=422)


def _warn(request: HttpRequest, absence: Absence) -> None:
    """Say on which days colleagues who count on this person have nobody, now that the person is absent."""
    today = Issuer.current().today()
    counting = Absence.objects.filter(deputy=absence.person).within(absence.starts_on, absence.ends_on)
    for other, passed in courses(counting.select_related("person", "deputy"), since=today):
        for one in passed:
            if one.taker is None:
                said = {"name": other.person.get_full_name() or other.person.email}
                said |= {"first": dates.short_day(one.first), "last": dates.short_day(one.last)}
                text = _("%(name)s has named you as deputy and has nobody now, %(first)s to %(last)s: tell them")
                messages.warning(request, text % said)


def _page(
    request: HttpRequest, person: User, form: AbsenceForm, *, changed: Absence | None = None, status: int = 200
) -> HttpResponse:
    today = Issuer.current().today()
    mine = Absence.objects.filter(person=person).not_over(today).select_related("person", "deputy")
    away = Away.on(today)
    covered = away.covered_by(person)
    roles = actor_of(request).roles
    context = {
        "form": form,
        "roles": [label for role, label in LABELS.items() if role in roles],
        "may_audit": may_audit(request),
        "may_be_absent": bool(roles & DEPUTIZED),
        "absences": courses(mine, since=today),
        "changed": changed,
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
