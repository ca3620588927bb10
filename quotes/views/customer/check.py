"""Check your answers, say where to answer, send once."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from catalog.limits import limited
from quotes import intake, services
from quotes.actors import Actor
from quotes.forms import uploads
from quotes.forms.contact import ContactForm
from quotes.forms.route import PATH
from quotes.forms.sections import SectionForm
from quotes.forms.ways import FORMS, bound
from quotes.views.customer import calendars
from quotes.views.customer.answers import answer_groups
from quotes.views.customer.drafts import Draft
from quotes.views.customer.estimates import preview_of


@login_not_required
@require_http_methods(["GET", "POST"])
@limited("submit", per_minute=10, methods=("POST",))
def check(request: HttpRequest) -> HttpResponse:
    """Show what was said and what we assumed; a valid contact sends it, once."""
    draft = Draft(request)
    way = draft.values.get("way", "")
    asked = bound(way, draft.values) if way in FORMS else None
    if asked is None or not asked.is_valid():
        return redirect("quotes:form", route=way) if asked is not None else redirect("quotes:start")
    contact = ContactForm(request.POST if request.method == "POST" else None, initial=draft.values)
    if request.method == "POST":
        draft.keep({name: request.POST.get(name, "") for name in ("contact_name", "organization", "email", "phone")})
        if contact.is_valid():
            return _send(request, draft, asked, contact, way)
    return render(
        request,
        "quotes/customer/check.html",
        _context(draft, asked, contact, way),
        status=422 if contact.errors else 200,
    )


def _context(draft: Draft, asked: SectionForm, contact: ContactForm, way: str) -> dict[str, Any]:
    return {
        "groups": answer_groups(asked, way=way),
        "contact": contact,
        "errors": contact.summary(),
        "preview": preview_of(asked.answered(), way=way),
        "path": PATH[way],
        "calendar": calendars.steps(asked.answered(), way=way),
        "key": idempotency_key(draft),
        "files": [uploads.Pending.of(stored) for stored in draft.files],
        "refused_files": draft.refused,
    }


def idempotency_key(draft: Draft) -> str:
    """Give the key of this draft: sending it twice makes one request."""
    key = draft.session.get("draft_key")
    if not key:
        key = draft.session["draft_key"] = secrets.token_urlsafe(24)
    draft.session.setdefault("visitor", secrets.token_urlsafe(24))
    return str(key)


def submission_key(request: HttpRequest, draft: Draft) -> str:
    """Give the key that a submit came with, bound to this visitor: nobody's key opens somebody else's request."""
    key = idempotency_key(draft)
    return services.bound_key(draft.session["visitor"], request.POST.get("key") or key)


def _send(request: HttpRequest, draft: Draft, asked: SectionForm, contact: ContactForm, way: str) -> HttpResponse:
    if contact.is_bot:
        return redirect("quotes:start")
    answers = asked.answered()
    route = intake.stored_route(answers, way=way)
    _request, token = services.submit_request(
        answers=intake.jsonable(answers),
        asked=intake.to_request(answers, route=route),
        route=route,
        language=(get_language() or "en")[:2],
        contact=contact.contact(),
        attachments=waiting_files(draft),
        refused=refused_files(draft),
        actor=Actor.submitting(
            request.user, name=contact.cleaned_data["contact_name"] or contact.cleaned_data["email"]
        ),
        idempotency_key=submission_key(request, draft),
    )
    clear(draft)
    return redirect("quotes:status", token=token)


def waiting_files(draft: Draft) -> list[tuple[str, Any]]:
    """Give the files of the draft as the request takes them."""
    pending = [uploads.Pending.of(stored) for stored in draft.files]
    return [(one.kind, checked) for one in pending if (checked := uploads.read(one)) is not None]


def refused_files(draft: Draft) -> list[dict[str, str]]:
    """Give the files that were refused, and those that waited too long and are gone, each with its reason."""
    waited = [uploads.Pending.of(stored) for stored in draft.files]
    text = _("“%(name)s” waited too long and was cleared away. Send it to the engineer.")
    gone = [{"name": one.name, "message": text % {"name": one.name}} for one in waited if uploads.read(one) is None]
    return [*draft.refused, *gone]


def clear(draft: Draft) -> None:
    """Empty the draft and delete its waiting copies."""
    for stored in draft.files:
        uploads.drop(uploads.Pending.of(stored))
    draft.session.pop("draft_key", None)
    draft.forget()
