"""Articles: the list, and the check of one that somebody holds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, permission_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalog import intake, specs
from catalog.article_files import as_one, is_specification
from catalog.article_page import article_context
from catalog.article_table import table_of
from catalog.forms import ArticleForm, KeepForm
from catalog.intake import LONGEST_KEPT
from catalog.limits import limited
from catalog.models import Sku
from catalog.views.tabs import tabs
from sizing import contract

PAGE = 50


@require_GET
@login_not_required
def articles(request: HttpRequest) -> HttpResponse:
    """List articles with what is known and confirmed of each."""
    text = request.GET.get("q", "").strip()[:100]
    rows = Sku.objects.with_completeness().prefetch_related("lines__part", "sources")
    if text:
        rows = rows.filter(article_folded__contains=text.casefold())
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "q": text, "total": Sku.objects.count(), "tabs": tabs(request, "sku")}
    return render(request, "catalog/articles.html" + ("#rows" if request.htmx else ""), context)  # type: ignore[attr-defined]


@require_http_methods(["GET", "POST"])
@login_not_required
@limited("article", per_minute=60)
def article(request: HttpRequest) -> HttpResponse:
    """Read articles, say what they leave open, and whether they do a job. Writes nothing.

    One short article gets an address that can be shared; a specification and a list are shown at once.
    """
    form = ArticleForm(request.POST or request.GET or None, request.FILES or None)
    if not form.is_bound or not form.is_valid():
        return render(request, "catalog/article.html", {"form": form})
    lines, job = form.cleaned_data["lines"], _job(form)
    if request.method == "POST" and len(lines) == 1 and not request.FILES and len(lines[0].text) <= LONGEST_KEPT:
        return redirect(f"{reverse('catalog:article')}?{urlencode({'article': lines[0].text, **job})}")
    hardware = specs.hardware_catalog()

    @cache
    def read(text: str) -> Mapping[str, Any]:
        return contract.check_article(form.request(text), hardware=hardware)

    layout = form.cleaned_data["layout"]
    context: dict[str, Any] = {"form": form}
    if layout == "list" or (not layout and not is_specification(lines, read)):
        context["rows"] = table_of(lines, read, job=job)
    elif not form.refuse_length(text := as_one(lines)):
        context |= {"text": text, **article_context(text, read(text))}
    return render(request, "catalog/article.html", context)


def _job(form: ArticleForm) -> dict[str, Any]:
    """What the form asks beside the articles, as it stands in an address."""
    values = form.cleaned_data
    asked = {"method": values["method"], "model": values["model"] and values["model"].slug}
    asked["sequence_length"] = values["sequence_length"]
    return {name: value for name, value in asked.items() if value}


@require_POST
@permission_required("catalog.add_sku", raise_exception=True)
def keep_article(request: HttpRequest) -> HttpResponse:
    """Keep articles that were read, or a specification under a name; every line starts unconfirmed."""
    form = KeepForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(form.messages()))
        return redirect("catalog:article")
    hardware = specs.hardware_catalog()
    kept = []
    for text in form.cleaned_data["article"]:
        answer = contract.check_article({"article": text}, hardware=hardware)
        name = form.cleaned_data["name"]
        try:
            kept.append(intake.keep(name or text, answer, specification=text if name else ""))
        except ValidationError as error:
            messages.error(request, f"{(name or text)[:80]}: {' '.join(error.messages)}")
    if len(kept) == 1:
        messages.success(request, _("Kept with every line unconfirmed."))
        return redirect("admin:catalog_sku_change", kept[0].pk)
    if kept:
        text = ngettext(
            "%d article kept, every line unconfirmed.", "%d articles kept, every line unconfirmed.", len(kept)
        )
        messages.success(request, text % len(kept))
    return redirect("catalog:articles")
