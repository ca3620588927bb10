"""The queue: which requests there are, what each waits for, and on whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from quotes.absences import Away
from quotes.actors import DESK_READERS, Actor, Role
from quotes.models import IN_PREPARATION, Absence, Issuer, Quote, Request, Route, Status
from quotes.models.quotes import QuoteQuerySet
from quotes.views.desk import sheets
from quotes.views.desk.auditing import may_audit
from quotes.views.desk.common import actor_of
from quotes.views.desk.figures import spread

PAGE_SIZE = 25
SORTS = {
    "waiting": ("status_at", "pk"),
    "newest": ("-request__created_at", "-pk"),
    "value": ("-net_total", "pk"),
    "due": ("request__due_on", "status_at"),
}
STATES: dict[str, list[str]] = {"open": sorted(IN_PREPARATION), **{status.value: [status.value] for status in Status}}
COLUMNS = (
    "reference",
    "number",
    "revision",
    "status",
    "customer",
    "route",
    "model",
    "platform",
    "gpu",
    "net_total",
    "currency",
    "engineer",
    "since",
)
# Whose move it is: the engineer's, the approver's, the customer's.
WAITS: dict[str, list[str]] = {
    "engineer": [Status.DRAFT, Status.IN_REVIEW, Status.APPROVED],
    "approver": [Status.READY],
    "customer": [Status.AWAITING_CUSTOMER, Status.SENT],
}
AGES_DAYS = (1, 3, 7, 30)
VALUES = (10_000, 50_000, 100_000, 500_000)
BLOCKS = ("line", "assumption", "condition", "memory")


@dataclass(frozen=True, slots=True)
class Tab:
    """A saved view, e.g. what waits for me."""

    slug: str
    label: Any
    condition: Q


def tabs(actor: Actor, today: date, away: Away) -> list[Tab]:
    """Give the saved views; *needs me* depends on who looks and for whom they stand in."""
    due = Q(status__in=IN_PREPARATION, request__due_on__lte=today + timedelta(days=1))
    expiring = Q(status=Status.SENT, valid_until__range=(today, today + timedelta(days=7)))
    return [
        Tab("mine", _("Needs me"), _needs(actor, away)),
        Tab("due", _("Due by tomorrow"), due),
        Tab("waiting", _("Awaiting customer"), Q(status=Status.AWAITING_CUSTOMER)),
        Tab("ready", _("To approve"), Q(status=Status.READY)),
        Tab("sent", _("Sent"), Q(status=Status.SENT)),
        Tab("expiring", _("Expiring in 7 days"), expiring),
        Tab("all", _("All"), Q()),
    ]


def _needs(actor: Actor, away: Away) -> Q:
    needs = Q(pk__in=[])
    if Role.ENGINEER in actor.roles:
        mine = Q(request__assigned_to=actor.user) | Q(request__assigned_to=None)
        mine |= Q(request__assigned_to__in=away.covered_by(actor.user))
        needs |= mine & Q(status__in=[Status.DRAFT, Status.IN_REVIEW, Status.APPROVED])
    if Role.APPROVER in actor.roles:
        needs |= Q(status=Status.READY)
    if Role.AUDITOR in actor.roles:
        needs |= Q(status__in=IN_PREPARATION)
    return needs


def filtered(request: HttpRequest, rows: QuoteQuerySet, today: date) -> QuoteQuerySet:
    """Narrow the list to what the filters ask for; an unknown value counts as not asked."""
    asked = request.GET
    if words := asked.get("q", "").strip():
        rows = rows.filter(request__in=Request.objects.found_by(words[:200]))
    if asked.get("route") in Route.values:
        rows = rows.filter(request__route=asked["route"])
    if asked.get("state") == "expired":
        rows = rows.expired(today)
    elif asked.get("state") in STATES:
        rows = rows.filter(status__in=STATES[asked["state"]])
    if asked.get("blocked") == "memory":
        rows = rows.filter(summary__fits=False)
    elif asked.get("blocked") in BLOCKS:
        rows = rows.blocked_by(asked["blocked"], today)
    if asked.get("waits") in WAITS:
        rows = rows.filter(status__in=WAITS[asked["waits"]])
    if asked.get("age", "") in {str(days) for days in AGES_DAYS}:
        rows = rows.filter(status_at__lt=timezone.now() - timedelta(days=int(asked["age"])))
    if asked.get("value", "") in {str(least) for least in VALUES}:
        rows = rows.filter(net_total__gte=int(asked["value"]))
    if asked.get("engineer") == "none":
        rows = rows.filter(request__assigned_to=None)
    elif asked.get("engineer"):
        rows = rows.filter(request__assigned_to__username=asked["engineer"])
    return rows.order_by(*SORTS.get(asked.get("sort", ""), SORTS["waiting"]))


@require_GET
def queue(request: HttpRequest) -> HttpResponse:
    """Show one page of the queue: saved views with counts, filters, rows."""
    actor = actor_of(request)
    if not actor.roles & DESK_READERS:
        raise Http404
    today = Issuer.current().today()
    away = Away.on(today)
    views = tabs(actor, today, away)
    chosen = next((tab for tab in views if tab.slug == request.GET.get("view")), views[0])
    counts = counts_of(request, views, today)
    page = Paginator(rows_of(request, chosen, today).values_list("pk", flat=True), PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    rows = shown(list(page.object_list), today)
    context = {
        "page": page,
        "rows": [(row, *absence_of(row, away)) for row in rows],
        "standing_in": sorted(name_of(away.by_person[key].person) for key in away.covered_by(actor.user)),
        "tabs": [(tab, counts.get(tab.slug, 0)) for tab in views],
        "chosen": chosen.slug,
        "elsewhere": max(0, counts["all"] - page.paginator.count),
        "is_narrowed": bool(query_without(request, "page", "view", "sort")),
        "kept": query_without(request, "page", "view"),
        "asked": request.GET,
        "routes": Route.choices,
        "states": Status.choices,
        "ages": AGES_DAYS,
        "values": VALUES,
        "engineers": User.objects.filter(groups__name=Role.ENGINEER.value, is_active=True).order_by("first_name"),
        "scale_bytes": spread(row.summary.get("capacity_bytes") for row in rows),
        "today": today,
        "may_audit": may_audit(request),
        "query": query_without(request, "page"),
    }
    return render(request, "quotes/desk/queue.html", context)


def absence_of(quote: Quote, away: Away) -> tuple[Absence | None, User | None]:
    """Give the absence of a quote's engineer and who stands in; nothing where the engineer is here."""
    owner = quote.request.assigned_to
    absence = away.of(owner)
    return absence, away.deputy_of(owner) if owner is not None and absence is not None else None


def name_of(person: User) -> str:
    """Give the name people know."""
    return person.get_full_name() or person.email


def counts_of(request: HttpRequest, views: list[Tab], today: date) -> dict[str, int]:
    """Give how many rows each saved view holds under the search and the filters. Runs SQL, one query."""
    rows = filtered(request, Quote.objects.visible_to(request.user), today).order_by()
    counted: dict[str, int] = rows.aggregate(**{tab.slug: Count("pk", filter=tab.condition or None) for tab in views})
    return counted


def rows_of(request: HttpRequest, tab: Tab, today: date) -> QuoteQuerySet:
    """Give the rows of a saved view under the filters."""
    rows = Quote.objects.visible_to(request.user).filter(tab.condition)
    return filtered(request, rows, today).select_related("request__assigned_to", "issuer").defer("snapshot")


def shown(keys: list[int], today: date) -> list[Quote]:
    """Give the rows of one page in its order, with what blocks each; only these rows are counted through."""
    rows = Quote.objects.filter(pk__in=keys).with_open_points(today)
    by_key = {
        row.pk: row
        for row in rows.select_related("request__assigned_to", "request__merged_into", "issuer").defer("snapshot")
    }
    return [by_key[key] for key in keys if key in by_key]


def query_without(request: HttpRequest, *names: str) -> str:
    """Give the query string without some names, for links that change one thing."""
    return urlencode([(name, value) for name, value in request.GET.items() if name not in names and value])


@require_GET
def queue_csv(request: HttpRequest) -> HttpResponse:
    """Export the rows of the view and filters as CSV."""
    actor = actor_of(request)
    if not actor.roles & DESK_READERS:
        raise Http404
    today = Issuer.current().today()
    views = tabs(actor, today, Away.on(today))
    chosen = next((tab for tab in views if tab.slug == request.GET.get("view")), views[-1])
    cells = (cells_of(quote) for quote in rows_of(request, chosen, today))
    response = HttpResponse("".join(sheets.lines(COLUMNS, cells)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="queue.csv"'
    return response


def cells_of(quote: Quote) -> list[Any]:
    """Give the cells of a row of the export, in the order of its columns."""
    owner = quote.request.assigned_to
    return [
        quote.request.reference,
        quote.number or "",
        quote.revision,
        quote.shown_status,
        quote.request.customer_name,
        quote.request.route,
        quote.summary.get("model", ""),
        quote.summary.get("platform", ""),
        quote.summary.get("gpu", ""),
        quote.net_total or "",
        quote.currency,
        owner.email if owner else "",
        timezone.localtime(quote.status_at).isoformat(timespec="minutes"),
    ]
