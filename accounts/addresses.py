"""Where a request comes from: behind a proxy the address it names, so that limits count people and not the proxy."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

LONGEST_ADDRESS = 45


def behind_proxy(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Take the last address of X-Forwarded-For, which our own proxy has added; what stands before it may be made up."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if settings.TRUST_PROXY:
            told = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
            if told and len(told) <= LONGEST_ADDRESS:
                request.META["REMOTE_ADDR"] = told
        return get_response(request)

    return middleware
