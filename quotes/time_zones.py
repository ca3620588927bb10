"""Times are told in the time zone of the selling company, as its documents tell them, wherever the server stands."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from quotes.models import Issuer

Answer = Callable[[HttpRequest], HttpResponseBase]


def in_issuers_zone(get_response: Answer) -> Answer:
    """Tell every time of a page, and what *today* is, in the zone of the company that issues now. Runs SQL.

    Without a database there is no company to ask: the page that says so speaks in the server's zone.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        try:
            zone = Issuer.current_zone()
        except DatabaseError:
            return get_response(request)
        with timezone.override(ZoneInfo(zone)):
            return get_response(request)

    return answer
