"""The audit of all requests for who checks them: a period, people, and every event as a table or as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, time, timedelta
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from quotes.actors import DESK_READERS, Role
from quotes.models import Issuer, QuoteEvent
from quotes.models.append_only import AppendOnlyQuerySet
from quotes.refusals import NotAllowedError
from quotes.views.desk import sheets
from quotes.views.desk.common import actor_of, refusing
from quotes.views.desk.handling_forms import PeriodForm

COLUMNS = ("at", "request", "number", "revision", "kind", "actor", "role", "engineer", "reason", "change")
ROWS_AT_ONCE = 1000
SHOWN_AT_FIRST = timedelta(days=30)


def may_audit(request: HttpRequest) -> bool:
    """Say whether a person checks what everybody did: auditors, and administrators of the site."""
    user = request.user
    return Role.AUDITOR in actor_of(request).roles or (isinstance(user, User) and user.is_active and user.is_superuser)


def _auditors(view: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponseBase:
        if not may_audit(request):
            if not actor_of(request).roles & DESK_READERS:
                raise Http404
            raise NotAllowedError(_("Only auditors and administrators read the audit of all requests"))
        return view(request)

    return wrapped


@require_GET
@refusing
@_auditors
def audits(request: HttpRequest) -> HttpResponse:
    """Ask for which days and people."""
    today = Issuer.current().today()
    form = PeriodForm(initial={"first": today - SHOWN_AT_FIRST, "last": today})
    return _page(request, form)


def _page(request: HttpRequest, form: PeriodForm, *, status: int = 200) -> HttpResponse:
    return render(request, "quotes/desk/audits.html", {"form": form}, status=status)


@require_GET
@refusing
@_auditors
def audit_csv(request: HttpRequest) -> HttpResponseBase:
    """Export the events as CSV, oldest first."""
    return _export(request, "csv", "text/csv; charset=utf-8", _sheet)


@require_GET
@refusing
@_auditors
def audit_jsonl(request: HttpRequest) -> HttpResponseBase:
    """Export the events as JSON Lines, oldest first."""
    return _export(request, "jsonl", "application/x-ndjson; charset=utf-8", _json_lines)


def _export(
    request: HttpRequest,
    ending: str,
    content_type: str,
    writer: Callable[[Iterator[QuoteEvent]], Iterator[str]],
) -> HttpResponseBase:
    form = PeriodForm(request.GET)
    if not form.is_valid():
        return _page(request, form, status=422)
    rows = chosen(form.cleaned_data).iterator(chunk_size=ROWS_AT_ONCE)
    response = StreamingHttpResponse(writer(rows), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="audit.{ending}"'
    response["Cache-Control"] = "private, no-store"
    return response


def chosen(asked: dict[str, Any]) -> AppendOnlyQuerySet:
    """Give the events of a period and of people, oldest first; days are the issuer's, the last one included."""
    zone = ZoneInfo(Issuer.current_zone())
    rows = QuoteEvent.objects.select_related("request__assigned_to", "quote").defer("quote__snapshot", "quote__summary")
    if asked.get("first"):
        rows = rows.filter(at__gte=datetime.combine(asked["first"], time.min, zone))
    if asked.get("last"):
        rows = rows.filter(at__lt=datetime.combine(asked["last"] + timedelta(days=1), time.min, zone))
    if asked.get("engineer"):
        rows = rows.filter(request__assigned_to=asked["engineer"])
    if asked.get("actor"):
        rows = rows.filter(actor=asked["actor"])
    return rows.order_by("at", "pk")


def entry_of(event: QuoteEvent) -> dict[str, Any]:
    """Give what an export tells of an event; the time in UTC. The quote has to be at hand."""
    return {
        "at": event.at.astimezone(UTC).isoformat(),
        "kind": event.kind,
        "revision": event.quote.revision if event.quote else None,
        "actor": event.actor_name,
        "role": event.actor_role,
        "reason": event.reason,
        "change": event.change,
    }


def _entry_of_all(event: QuoteEvent) -> dict[str, Any]:
    owner = event.request.assigned_to
    return {
        "request": event.request.reference,
        "number": event.quote.number if event.quote else None,
        "engineer": owner.email if owner else None,
        **entry_of(event),
    }


def json_line(entry: dict[str, Any]) -> str:
    """Write an entry as one line."""
    return json.dumps(entry, ensure_ascii=False) + "\n"


def _json_lines(events: Iterator[QuoteEvent]) -> Iterator[str]:
    for event in events:
        yield json_line(_entry_of_all(event))


def _sheet(events: Iterator[QuoteEvent]) -> Iterator[str]:
    def cells(event: QuoteEvent) -> list[Any]:
        entry = _entry_of_all(event)
        entry["change"] = json.dumps(entry["change"], ensure_ascii=False)
        return ["" if entry[name] is None else entry[name] for name in COLUMNS]

    return sheets.lines(COLUMNS, (cells(event) for event in events))
