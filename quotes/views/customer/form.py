"""The requirements form in its two depths, and the estimate beside it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from catalog.limits import limited
from quotes.forms import uploads as files
from quotes.forms.known_models import all_labels, known
from quotes.forms.route import ADAPTERS, FULL, PATH, SCRATCH
from quotes.forms.sections import EXPERT, PLAIN, FormError, SectionForm, merge
from quotes.forms.ways import FORMS, bound, last_valid
from quotes.views.customer.articles import article_of
from quotes.views.customer.drafts import Draft
from quotes.views.customer.estimates import Preview, preview_of
from quotes.views.customer.lookups import LONGEST_ARTICLE, found
from quotes.views.customer.uploads import config_facts, take_config, take_files

ADVICE = {
    SCRATCH: {
        "title": gettext_lazy("Adapting a ready model usually needs a small part of this"),
        "text": gettext_lazy(
            "From scratch is right for a new language, for data of a new kind, or where licenses forbid the rest."
        ),
    },
    FULL: {
        "title": gettext_lazy("Adapters change less and often do as well"),
        "text": gettext_lazy("Full fine-tuning is right where the model must learn much that is new to it."),
    },
    ADAPTERS: {
        "title": gettext_lazy("If only new facts are needed, compare with search over documents first"),
        "text": gettext_lazy(
            "Documents can change every day without training. Choose another way above: your answers stay."
        ),
    },
}


@login_not_required
@require_http_methods(["GET", "POST"])
@limited("form", per_minute=300)
def form(request: HttpRequest, route: str) -> HttpResponse:
    """Ask for the requirements; every button keeps what was typed and then does its own thing."""
    if route not in FORMS:
        raise Http404
    depth = EXPERT if request.GET.get("depth") == EXPERT else PLAIN
    draft = Draft(request)
    if request.method == "GET":
        return _page(request, route, draft, depth=depth, show_errors=False)
    errors = _keep(request, route, draft, depth=depth)
    go = request.POST.get("go", "")
    asked = bound(route, draft.values, depth=depth)
    if go in (PLAIN, EXPERT):
        return _to(route, go)
    if go == "save":
        return redirect("quotes:saved")
    if go == "check" and not errors and asked.is_valid():
        return redirect("quotes:check")
    return _page(request, route, draft, depth=depth, show_errors=go in ("check", "calculate"), **errors)


@login_not_required
@require_POST
@limited("preview", per_minute=6000)
def preview(request: HttpRequest, route: str) -> HttpResponse:
    """Recount the estimate from what is typed now; wrong answers fall back to their last valid value.

    Only answers are taken: htmx also posts the button that has the focus and the files, and neither was pressed here.
    """
    if route not in FORMS:
        raise Http404
    depth = EXPERT if request.GET.get("depth") == EXPERT else PLAIN
    draft = Draft(request)
    draft.keep(merge(draft.values, request.POST.dict(), FORMS[route], depth=depth) | {"way": route})
    estimate = _compared(_estimate(route, draft, depth=depth), draft)
    context = {"preview": estimate, "path": PATH[route], "is_swap": True, "expert": depth == EXPERT}
    return render(request, "quotes/customer/_preview.html", context)


def _keep(request: HttpRequest, route: str, draft: Draft, *, depth: str) -> dict[str, Any]:
    """Put the posted answers and files into the draft; give back the refusals of files."""
    posted = request.POST.dict()
    if posted.get("pick_model"):
        picked = known(posted["pick_model"])
        posted["model_name"] = picked.label if picked else posted["pick_model"]
    values = merge(draft.values, posted, FORMS[route], depth=depth) | {"way": route}
    if posted.get("go") == "drop_config":
        values["config"] = ""
    draft.keep(values)
    refused: dict[str, Any] = {}
    for file in request.FILES.getlist("config_file")[:1]:
        refused["config_error"] = take_config(draft, file)
    if request.FILES.getlist("files") or posted.get("drop_file"):
        refused["file_errors"] = take_files(draft, request)
    return {name: errors for name, errors in refused.items() if errors}


def _to(route: str, depth: str) -> HttpResponseRedirect:
    return redirect(reverse("quotes:form", kwargs={"route": route}) + f"?depth={depth}")


def _estimate(route: str, draft: Draft, *, depth: str) -> Preview:
    typed = bound(route, draft.values, depth=depth)
    if typed.is_valid():
        draft.keep({}, valid={name: draft.values.get(name, "") for name in typed.fields})
        return preview_of(typed.answered(), way=route)
    passed = {name: draft.values[name] for name in typed.fields if name not in typed.errors and name in draft.values}
    draft.keep({}, valid=passed)
    fallback = last_valid(route, typed, draft.valid)
    if fallback is None:
        return Preview(missing=[str(error.label or error.message) for error in typed.summary()])
    estimate = preview_of(fallback.answered(), way=route)
    estimate.fallbacks = _fallbacks(typed, fallback)
    return estimate


def _compared(estimate: Preview, draft: Draft) -> Preview:
    """Hold an estimate against the last one that was shown, and remember it for the next."""
    estimate.before = dict(draft.last)
    draft.last = estimate.remembered()
    draft.save()
    return estimate


def _fallbacks(typed: SectionForm, used: SectionForm) -> list[dict[str, Any]]:
    """Say which answers were replaced by their last valid value, and by which."""
    return [
        {"label": typed[name].label, "typed": typed.data.get(name, ""), "used": used.data.get(name, "")}
        for name in typed.errors
        if name in typed.fields
    ]


def _refused_files(refused: dict[str, Any]) -> list[FormError]:
    """Give the refusals of files for the summary on top."""
    found = [FormError("id_config_file", "config.json", refused["config_error"])] if "config_error" in refused else []
    return found + [FormError("id_files", str(_("Files")), str(message)) for message in refused.get("file_errors", [])]


def _page(
    request: HttpRequest, route: str, draft: Draft, *, depth: str, show_errors: bool, **refused: Any
) -> HttpResponse:
    shown: SectionForm = bound(route, draft.values, depth=depth)
    errors = shown.summary() if show_errors else []
    if not show_errors:
        shown = FORMS[route](initial=dict(shown.data), depth=depth)
    errors = [*_refused_files(refused), *errors]
    article = draft.values.get("article", "").strip()[:LONGEST_ARTICLE]
    estimate = _estimate(route, draft, depth=depth)
    if request.POST.get("go") == "calculate":
        estimate = _compared(estimate, draft)
    context = {
        "form": shown,
        "path": PATH[route],
        "advice": ADVICE.get(route),
        "expert": depth == EXPERT,
        "errors": errors,
        "preview": estimate,
        "found": found(draft.values.get("model_name", "")),
        "model_labels": all_labels(),
        "config_facts": config_facts(draft.values.get("config", "")),
        "files": [files.Pending.of(stored) for stored in draft.files],
        "article": article_of(article, draft.values) if article else None,
        "file_kinds": files.KINDS,
        **refused,
    }
    status = 422 if errors or refused else 200
    return render(request, "quotes/customer/form.html", context, status=status)
