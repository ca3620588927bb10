"""The start page: two questions choose the form."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from quotes.forms.route import PATHS, UNKNOWN, RouteForm
from quotes.views.customer.drafts import Draft
from quotes.views.customer.four_ways import picture


@login_not_required
@require_http_methods(["GET", "POST"])
def start(request: HttpRequest) -> HttpResponse:
    """Ask what changes and by when, then open the form of that way with what was typed before."""
    draft = Draft(request)
    if request.POST.get("forget"):
        draft.forget()
        return redirect("quotes:start")
    form = RouteForm(request.POST if request.method == "POST" else None, initial=draft.values)
    if request.method == "POST" and form.is_valid():
        draft.keep({name: request.POST.get(name, "") for name in form.fields})
        route = form.cleaned_data["route"]
        return redirect("quotes:discuss") if route == UNKNOWN else redirect("quotes:form", route=route)
    context = {
        "form": form,
        "paths": PATHS,
        "has_draft": bool(draft.values),
        "errors": summary(form),
        "ways": picture(),
    }
    return render(request, "quotes/customer/start.html", context, status=422 if form.errors else 200)


def summary(form: RouteForm) -> list[dict[str, str]]:
    """List the errors of the start form for the summary."""
    return [
        {"target": f"id_{name}", "label": str(form.fields[name].label), "message": str(message)}
        for name, messages in form.errors.items()
        for message in messages
    ]
