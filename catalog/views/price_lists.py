"""Price lists: looked at first, loaded second."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from catalog import held, importing, price_loading, tables
from catalog.forms import PriceListForm
from catalog.importing import Plan

MOST_TICKS = 500
"""Large shifts that are ticked one by one; more are looked at together, after their summary."""


def _shown(plan: Plan, token: str, name: str) -> dict[str, Any]:
    """What the page of a check shows: the plan, and a summary of its large shifts where they are too many to tick."""
    shares = [change.percent for change in plan.large if change.percent is not None]
    rises, falls = [share for share in shares if share > 0], [share for share in shares if share < 0]
    summary = {
        "count": len(plan.large),
        "rises": len(rises),
        "highest": max(rises, default=0),
        "falls": len(falls),
        "lowest": min(falls, default=0),
        "other": len(plan.large) - len(shares),
    }
    return {"plan": plan, "token": token, "name": name, "together": summary if len(plan.large) > MOST_TICKS else None}


@require_http_methods(["GET", "POST"])
@permission_required("catalog.add_price", raise_exception=True)
def price_list(request: HttpRequest) -> HttpResponse:
    """Read a list and show what loading it would do. Writes nothing to the catalog."""
    form = PriceListForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"form": form}
    if form.is_bound and form.is_valid():
        file = form.cleaned_data["file"]
        content = file.read()
        asked = {name: form.cleaned_data[name] for name in ("supplier", "currency", "decimal")}
        try:
            plan = importing.plan(tables.read(content, file.name), **asked)
        except tables.Unreadable as error:
            form.add_error("file", str(error))
        else:
            token = held.keep(held.PRICE_LISTS, content, asked=asked, name=file.name)
            return render(request, "catalog/price_list.html", _shown(plan, token, file.name))
    return render(request, "catalog/price_list_form.html", context, status=422 if form.errors else 200)


@require_POST
@permission_required("catalog.add_price", raise_exception=True)
def import_price_list(request: HttpRequest) -> HttpResponse:
    """Load the list that was looked at: everything, or nothing where the catalog has moved or a fault remains."""
    try:
        upload = held.take(held.PRICE_LISTS, request.POST.get("token", ""))
    except held.GoneError:
        messages.error(request, _("This preview is too old or was loaded already. Upload the list again."))
        return redirect("catalog:price_list")
    name = upload.said["name"]
    plan = importing.plan(tables.read(upload.content, name), **upload.said["asked"])
    looked_at = [int(line) for line in request.POST.getlist("looked_at") if line.isdecimal() and len(line) < 10]
    if request.POST.get("looked_at_all") == str(len(plan.large)):
        looked_at = [change.row.line for change in plan.large]
    try:
        count = price_loading.load(plan, actor=request.user, file_name=name, looked_at=looked_at)
    except ValidationError as error:
        context = {**_shown(plan, request.POST["token"], name), "refused": error.messages}
        return render(request, "catalog/price_list.html", context, status=409)
    upload.drop()
    messages.success(
        request, ngettext("%d price loaded, unconfirmed.", "%d prices loaded, unconfirmed.", count) % count
    )
    return redirect("catalog:to_confirm")
