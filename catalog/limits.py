"""How often one address may use a public form: counted in the cache, refused with the waiting time."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from time import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

MINUTE_SECONDS = 60


View = Callable[..., HttpResponseBase]


def limited(name: str, *, per_minute: int, methods: tuple[str, ...] = ("POST", "GET")) -> Callable[[View], View]:
    """Let one address use a view so many times a minute; what comes on top gets a page that says when to try again.

    A fixed window is enough here: the limit protects the machine, not a secret.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def counted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method in methods and _is_over(request, name, per_minute):
                return refuse(request)
            return view(request, *args, **kwargs)

        return counted

    return decorate


def _is_over(request: HttpRequest, name: str, per_minute: int) -> bool:
    most = per_minute * getattr(settings, "RATE_LIMIT_FACTOR", 1)
    key = f"rate:{name}:{request.META.get('REMOTE_ADDR', '')}:{int(time() // MINUTE_SECONDS)}"
    try:
        return cache.incr(key) > most
    except ValueError:
        cache.add(key, 1, timeout=2 * MINUTE_SECONDS)
        return most < 1


def refuse(request: HttpRequest) -> HttpResponse:
    """Say that it was too often, and when it works again."""
    wait_seconds = MINUTE_SECONDS - int(time() % MINUTE_SECONDS)
    response = render(request, "429.html", {"wait_seconds": wait_seconds}, status=429)
    response["Retry-After"] = str(wait_seconds)
    return response
