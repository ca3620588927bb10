"""A short request: a way to answer, a sentence, files."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods

from catalog.limits import limited
from quotes import intake, services
from quotes.actors import Actor
from quotes.forms import uploads
from quotes.forms.contact import DiscussForm
from quotes.forms.ways import FORMS, bound
from quotes.views.customer.check import clear, idempotency_key, refused_files, submission_key, waiting_files
from quotes.views.customer.drafts import Draft
from quotes.views.customer.uploads import take_files


@login_not_required
@require_http_methods(["GET", "POST"])
@limited("submit", per_minute=10, methods=("POST",))
def discuss(request: HttpRequest) -> HttpResponse:
    """Take a short request; what was typed into the long form goes along."""
    draft = Draft(request)
    form = DiscussForm(request.POST if request.method == "POST" else None, initial=draft.values)
    refused: list[uploads.Refused] = []
    if request.method == "POST":
        draft.keep(
            {name: request.POST.get(name, "") for name in ("contact_name", "organization", "email", "phone", "message")}
        )
        if request.FILES.getlist("files") or request.POST.get("drop_file"):
            refused = take_files(draft, request)
        if not refused and not request.POST.get("drop_file") and form.is_valid():
            return _send(request, draft, form)
    context = {
        "form": form,
        "errors": form.summary() if form.is_bound and not request.POST.get("drop_file") else [],
        "file_errors": refused,
        "files": [uploads.Pending.of(stored) for stored in draft.files],
        "file_kinds": uploads.KINDS,
        "key": idempotency_key(draft),
    }
    return render(request, "quotes/customer/discuss.html", context, status=422 if context["errors"] or refused else 200)


def _send(request: HttpRequest, draft: Draft, form: DiscussForm) -> HttpResponse:
    if form.is_bot:
        return redirect("quotes:start")
    answers, asked = _typed(draft)
    contact = form.contact() | {"message": form.cleaned_data["message"]}
    _request, token = services.submit_request(
        answers=answers,
        asked=asked,
        route="discuss",
        language=(get_language() or "en")[:2],
        contact=contact,
        attachments=waiting_files(draft),
        refused=refused_files(draft),
        actor=Actor.submitting(request.user, name=contact["contact_name"] or contact["email"]),
        idempotency_key=submission_key(request, draft),
    )
    clear(draft)
    return redirect("quotes:status", token=token)


def _typed(draft: Draft) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give what the long form holds so far, where it is complete enough to be computed."""
    way = draft.values.get("way", "")
    typed = bound(way, draft.values) if way in FORMS else None
    if typed is None or not typed.is_valid():
        return {}, {}
    answers = typed.answered()
    return intake.jsonable(answers), intake.to_request(answers, route=intake.stored_route(answers, way=way))
