"""An address that leads nowhere: our own page for it, also while debugging."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.defaults import page_not_found


class OwnNotFound:
    """Answer an unknown address with our page where Django would list every address it knows.

    Who tries the product with `make run` follows a link that was copied in part like everybody else; errors of the
    program keep Django's page while debugging.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if settings.DEBUG and response.status_code == 404 and request.resolver_match is None:
            return page_not_found(request, Http404(request.path))
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        """Answer a view that found nothing; every other exception goes its way."""
        if settings.DEBUG and isinstance(exception, Http404):
            return page_not_found(request, exception)
        return None
