"""What is too large for a form is answered before anything reads it: in words, with the way back."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import url_has_allowed_host_and_scheme

BYTES_IN_MB = 2**20
CONTENT_TOO_LARGE = 413


class OversizedForms(MiddlewareMixin):
    """Stands before the check of the CSRF token, which reads the body first and would answer with a bare page."""

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """Read what was posted; where it exceeds the settings' limits, say so."""
        if request.method != "POST":
            return None
        try:
            len(request.POST)
        except (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent):
            return _too_large(request)
        return None


def _too_large(request: HttpRequest) -> HttpResponse:
    former = request.META.get("HTTP_REFERER", "")
    is_ours = url_has_allowed_host_and_scheme(former, {request.get_host()}, require_https=request.is_secure())
    context = {
        "size_mb": int(request.META.get("CONTENT_LENGTH") or 0) / BYTES_IN_MB,
        "limit_mb": (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0) / BYTES_IN_MB,
        "back": former if is_ours else reverse("quotes:start"),
    }
    return render(request, "413.html", context, status=CONTENT_TOO_LARGE)
