"""Many language models at once: a ZIP archive is looked at first, and loaded second."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from catalog import held, model_files, model_loading
from catalog.forms import AddedForm, ModelArchiveForm
from catalog.tables import Unreadable


@require_http_methods(["GET", "POST"])
@permission_required("catalog.add_languagemodel", raise_exception=True)
def language_model_files(request: HttpRequest) -> HttpResponse:
    """Read an archive of configurations and show what loading it would do. Writes nothing to the catalog."""
    form = ModelArchiveForm(request.POST or None, request.FILES or None)
    if form.is_bound and form.is_valid():
        file = form.cleaned_data["file"]
        content = file.read()
        try:
            reading = model_files.read_archive(content, name=file.name)
        except Unreadable as error:
            form.add_error("file", str(error))
        else:
            token = held.keep(held.MODEL_ARCHIVES, content, name=file.name)
            return render(request, "catalog/model_files.html", _context(reading, token, file.name, None))
    return render(request, "catalog/model_files_form.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
@permission_required("catalog.add_languagemodel", raise_exception=True)
def load_language_models(request: HttpRequest) -> HttpResponse:
    """Load the archive that was looked at: all configurations that can be sized, or none."""
    token = request.POST.get("token", "")
    try:
        upload = held.take(held.MODEL_ARCHIVES, token)
    except held.GoneError:
        messages.error(request, _("This preview is too old or was loaded already. Choose the archive again."))
        return redirect("catalog:language_model_files")
    name = upload.said["name"]
    reading = model_files.read_archive(upload.content, name=name)
    context = _context(reading, token, name, request.POST)
    if not all(form.is_valid() for _row, form in context["new"]):
        return render(request, "catalog/model_files.html", context, status=422)
    entered = {row.file.path: model_loading.Entered(**form.cleaned_data) for row, form in context["new"]}
    loaded = model_loading.load(model_loading.plan(reading, entered), actor=request.user, name=name)
    upload.drop()
    text = ngettext("%d model loaded with exact counts.", "%d models loaded with exact counts.", len(loaded))
    messages.success(request, text % len(loaded))
    return redirect("catalog:language_models")


def _context(reading: model_files.Reading, token: str, name: str, given: QueryDict | None) -> dict[str, Any]:
    plan = model_loading.plan(reading)
    first = [{"license": row.model.license, "context": row.model.context_length} for row in plan.new if row.model]
    forms = [AddedForm(given, prefix=f"model{number}", initial=values) for number, values in enumerate(first, start=1)]
    return {"plan": plan, "new": list(zip(plan.new, forms, strict=True)), "token": token, "name": name}
