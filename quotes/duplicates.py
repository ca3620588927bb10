"""Requests that may be one and the same: found by customer and time, compared by an engineer, never joined alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, Subquery
from django.utils.translation import gettext as _

from quotes.models import Quote, Request, Status
from quotes.presenter import dates

WITHIN = timedelta(days=60)
MOST_SHOWN = 5
# What a company is says nothing about which one it is.
LEGAL_FORMS = frozenset(
    {"ооо", "оао", "зао", "ао", "пао", "ип", "нко", "фгуп", "gmbh", "ag", "ltd", "llc", "inc", "sa", "bv", "oy", "ab"}
)


def fold_email(address: str) -> str:
    """Give an address as it is compared: in one case, without spaces around it."""
    return address.strip().casefold()


def fold_organization(name: str) -> str:
    """Give a company as it is compared: its words in one case and order, without marks and legal form."""
    words = re.findall(r"\w+", name.casefold().replace("ё", "е"))
    return " ".join(sorted(word for word in words if word not in LEGAL_FORMS))[:200]


def have_same_email(one: Request, other: Request) -> bool:
    """Say whether both carry one e-mail address: for us, the same person."""
    return bool(one.email_folded) and one.email_folded == other.email_folded


def have_same_customer(one: Request, other: Request) -> bool:
    """Say whether both carry one e-mail address or one company."""
    same_company = bool(one.organization_folded) and one.organization_folded == other.organization_folded
    return have_same_email(one, other) or same_company


def likely(request: Request, *, is_issued: bool) -> list[Request]:
    """Give the other open requests of the customer around the same time. Runs SQL twice.

    Those that ask for the same workload come first, then the newest. Each carries `quote_id`, `state` and `is_issued`.
    Copies are meant to be two; of two issued ones neither can close.
    """
    same = Q(pk__in=[])
    if request.email_folded:
        same |= Q(email_folded=request.email_folded)
    if request.organization_folded:
        same |= Q(organization_folded=request.organization_folded)
    quotes = Quote.objects.filter(request=OuterRef("pk")).order_by("-pk")
    rows = Request.objects.filter(
        same, merged_into=None, created_at__range=(request.created_at - WITHIN, request.created_at + WITHIN)
    ).annotate(
        quote_id=Subquery(quotes.values("public_id")[:1]),
        state=Subquery(quotes.values("status")[:1]),
        asked=Subquery(quotes.values("estimate__input")[:1]),
        is_issued=Exists(quotes.filter(number__isnull=False)),
    )
    rows = rows.exclude(pk=request.pk).exclude(state=Status.CANCELLED).exclude(copied_from__request=request)
    if request.copied_from is not None:
        rows = rows.exclude(pk=request.copied_from.request_id)
    if is_issued:
        rows = rows.filter(is_issued=False)
    asked = Quote.objects.filter(request=request).order_by("-pk").values_list("estimate__input", flat=True).first()
    return sorted(rows, key=lambda one: not _ask_the_same(vars(one).get("asked"), asked))


def _ask_the_same(one: Any, other: Any) -> bool:
    return _workload(one) is not None and _workload(one) == _workload(other)


def _workload(asked: Any) -> Any:
    given = json.loads(asked) if isinstance(asked, str) else asked
    return given.get("workload") if isinstance(given, dict) else None


def facts(request: Request, quote: Quote | None) -> Iterator[tuple[str, str]]:
    """Give what an engineer compares before joining two requests, as name and value. Runs SQL for counts."""
    owner = request.assigned_to
    yield _("Received"), dates.moment_here(request.created_at)
    yield _("Contact person"), request.contact_name
    yield _("Company"), request.organization
    yield _("E-mail"), request.email
    yield _("Phone"), request.phone
    yield _("Language"), str(request.get_language_display())
    yield _("Message"), request.message
    yield _("Route"), str(request.get_route_display())
    yield _("State"), quote.get_shown_status_display() if quote else ""
    yield _("Number"), quote.full_number if quote else ""
    yield _("Engineer"), (owner.get_full_name() or owner.email) if owner else ""
    yield _("Files"), str(request.attachments.count())
    yield _("Notes for colleagues"), str(request.internal_notes.count())
    yield _("Questions"), str(quote.clarifications.count() if quote else 0)
