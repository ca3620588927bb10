"""Worklists of those who keep the catalog."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from catalog import services, worklists
from catalog.forms import ConfirmForm
from catalog.models import Fact
from catalog.views.tabs import tabs

PAGE = 50


def _context(request: HttpRequest, form: ConfirmForm, chosen: list[str]) -> dict[str, object]:
    kind, text, state = (request.GET.get(name, "")[:100] for name in ("kind", "q", "state"))
    rows = worklists.ToConfirmList(kind, text, state)
    counts = worklists.counts()
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    return {
        "page": page,
        "total": len(rows),
        "waiting": rows.quotes,
        "kinds": [(name, label, counts[name]) for name, (label, _model) in worklists.KINDS.items()],
        "all": sum(counts.values()),
        "kind": kind,
        "q": text,
        "state": state,
        "form": form,
        "chosen": chosen,
        "tabs": tabs(request, "to_confirm"),
    }


@require_GET
@permission_required("catalog.view_fact", raise_exception=True)
def to_confirm(request: HttpRequest) -> HttpResponse:
    """List claims by how many open quotes wait on them."""
    return render(request, "catalog/to_confirm.html", _context(request, ConfirmForm(), request.GET.getlist("claim")))


@require_POST
@permission_required("catalog.change_fact", raise_exception=True)
def confirm(request: HttpRequest) -> HttpResponse:
    """Confirm the chosen claims with one document, all of them or none."""
    form = ConfirmForm(request.POST, request.FILES)
    chosen = request.POST.getlist("claim")
    claims = worklists.claims_of(chosen)
    if form.is_valid() and claims:
        try:
            done = services.confirm(claims, actor=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, ngettext("%d claim confirmed.", "%d claims confirmed.", len(done)) % len(done))
            return redirect(reverse("catalog:to_confirm"))
    return render(request, "catalog/to_confirm.html", _context(request, form, chosen), status=422)


@require_GET
@permission_required("catalog.view_fact", raise_exception=True)
def evidence(request: HttpRequest, key: str) -> FileResponse:
    """Hand out the file that a claim was confirmed with, as a download and never to be shown in place."""
    claim = next(iter(worklists.claims_of([key])), None)
    if (
        claim is None
        or not claim.evidence_file
        or not claim.evidence_file.storage.exists(str(claim.evidence_file.name))
    ):
        raise Http404
    name = str(claim.evidence_file.name).rsplit("/", 1)[-1]
    return FileResponse(
        claim.evidence_file.open("rb"), as_attachment=True, filename=name, content_type="application/octet-stream"
    )


@require_GET
@permission_required("catalog.view_fact", raise_exception=True)
def unknown_facts(request: HttpRequest) -> HttpResponse:
    """List the facts that nobody has a source for."""
    context = {"rows": worklists.unknown_facts(), "tabs": tabs(request, "unknown")}
    return render(request, "catalog/unknown_facts.html", context)


@require_POST
@permission_required("catalog.change_fact", raise_exception=True)
def choose_fact(request: HttpRequest) -> HttpResponse:
    """Put another of the seen values in use, with the reason."""

    fact = get_object_or_404(Fact.objects.select_related("part"), pk=request.POST.get("fact") or 0)
    try:
        services.choose(fact, actor=request.user, why=request.POST.get("why", ""))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect(fact.part)
