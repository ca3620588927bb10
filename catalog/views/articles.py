"""Articles: the list, and the check of one that somebody holds."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, permission_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalog import intake, specs
from catalog.article_page import article_context
from catalog.forms import ArticleForm
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
def article(request: HttpRequest) -> HttpResponse:
    """Read an article, say what it leaves open, and whether it does a job. Writes nothing."""
    given = request.POST if request.method == "POST" else request.GET
    form = ArticleForm(given or None)
    context: dict[str, Any] = {"form": form}
    if form.is_bound and form.is_valid():
        answer = contract.check_article(form.request(), hardware=specs.hardware_catalog())
        context |= article_context(form, answer)
    return render(request, "catalog/article.html", context)


@require_POST
@permission_required("catalog.add_sku", raise_exception=True)
def keep_article(request: HttpRequest) -> HttpResponse:
    """Keep an article that was read; every line starts unconfirmed."""
    form = ArticleForm(request.POST)
    if not form.is_valid():
        return render(request, "catalog/article.html", {"form": form}, status=422)
    answer = contract.check_article({"article": form.cleaned_data["article"]}, hardware=specs.hardware_catalog())
    try:
        sku = intake.keep(form.cleaned_data["article"], answer)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect(f"{reverse('catalog:articles')}")
    messages.success(request, _("Kept with every line unconfirmed."))
    return redirect("admin:catalog_sku_change", sku.pk)
