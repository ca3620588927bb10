"""The private link: who holds it reads one request and nothing else."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from catalog.limits import View, limited
from quotes import links
from quotes.refusals import Refusal


def by_link(view: View) -> View:
    """Open a view to the holder of a link: a guess is not found, a closed link says so, a refusal becomes a page.

    The link of a request that was merged leads on where both are one person's, and says so elsewhere; it does nothing.
    """

    @login_not_required
    @never_cache
    @limited("link", per_minute=300)
    @wraps(view)
    def opened(request: HttpRequest, token: str, **kwargs: Any) -> HttpResponseBase:
        link = links.find(token)
        if link is None:
            raise Http404
        if not link.is_open:
            return render(request, "quotes/customer/expired.html", {"link": link}, status=410)
        if link.request.merged_into_id is not None:
            onward = links.leads_to(link)
            if onward is not None:
                return redirect("quotes:status", token=onward)
            return render(request, "quotes/customer/merged.html", {}, status=410)
        try:
            return view(request, link, **kwargs)
        except Refusal as refusal:
            context = {"reason": refusal.message, "token": token}
            return render(request, "quotes/customer/refused.html", context, status=refusal.status_code)

    return opened
