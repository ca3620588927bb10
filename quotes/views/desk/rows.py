"""Panels on a line or an assumption: confirm, waive, refute, open again, change, edit, take out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from quotes import composing, services
from quotes.charts import memory
from quotes.models import Confirmation, LedgerEntry, Origin, PriceKind, Quote, QuoteLine
from quotes.presenter.standing import opened_again
from quotes.refusals import InvalidError, UnseenError
from quotes.services.ledger import Change
from quotes.views.desk import forms as desk_forms
from quotes.views.desk.common import (
    actor_of,
    check_says_version,
    detail_address,
    get_entry,
    get_line,
    get_quote,
    posted,
    refusing,
)
from quotes.views.desk.figures import spread
from quotes.views.desk.line_form import LineForm
from quotes.views.desk.panels import Panel
from quotes.views.desk.review import page

Row = QuoteLine | LedgerEntry
MORE_IS_BETTER = frozenset({"tokens/s", "count"})
JUDGING: dict[str, type[desk_forms.VersionedForm]] = {
    "confirm": desk_forms.ConfirmForm,
    "waive": desk_forms.WaiveForm,
    "refute": desk_forms.RefuteForm,
    "reopen": desk_forms.VersionedForm,
}
VERBS: dict[str, Callable[..., Any]] = {
    "confirm": services.confirm,
    "waive": services.waive,
    "refute": services.refute,
    "reopen": services.reopen,
}


@require_http_methods(["GET", "POST"])
@refusing
def line(request: HttpRequest, quote_id: UUID, row_id: UUID, action: str) -> HttpResponse:
    """Open a panel on a line, or do what it says."""
    quote = get_quote(request, quote_id)
    row = get_line(quote, row_id)
    check_says_version(request, "version")
    if action == "edit":
        return _edit(request, quote, row)
    if action == "remove":
        return _remove(request, quote, row)
    return _judge(request, quote, row, action, "quotes:line")


@require_http_methods(["GET", "POST"])
@refusing
def assumption(request: HttpRequest, quote_id: UUID, row_id: UUID, action: str) -> HttpResponse:
    """Open a panel on an assumption, or do what it says."""
    quote = get_quote(request, quote_id)
    row = get_entry(quote, row_id)
    check_says_version(request, "version")
    if action == "change":
        return _change(request, quote, row, reverse("quotes:assumption", args=[quote_id, row_id, "change"]))
    return _judge(request, quote, row, action, "quotes:assumption")


def _judge(request: HttpRequest, quote: Quote, row: Row, action: str, name: str) -> HttpResponse:
    if action not in JUDGING:
        raise Http404
    form = JUDGING[action](posted(request), initial={"version": row.version})
    address = reverse(name, args=[quote.public_id, row.public_id, action])
    panel = Panel(action, form, address, row)
    if request.method == "GET":
        return page(request, quote, panel=panel)
    if not form.is_valid():
        return page(request, quote, panel=panel, status=422)
    try:
        VERBS[action](row, actor=actor_of(request), **form.cleaned_data)
    except InvalidError as error:
        return _shown(request, quote, panel, error)
    return redirect(detail_address(quote, f"row-{row.public_id}"))


def _shown(request: HttpRequest, quote: Quote, panel: Panel, error: InvalidError) -> HttpResponse:
    field = error.field if error.field in panel.form.fields else None
    panel.form.add_error(field, error.message)
    return page(request, quote, panel=panel, status=422)


def _edit(request: HttpRequest, quote: Quote, row: QuoteLine) -> HttpResponse:
    form = LineForm(posted(request), line=row, to_be_priced=request.GET.get("price") == PriceKind.FIRM)
    panel = Panel("edit", form, reverse("quotes:line", args=[quote.public_id, row.public_id, "edit"]), row)
    if request.method == "GET":
        return page(request, quote, panel=panel)
    if not form.is_valid():
        return page(request, quote, panel=panel, status=422)
    try:
        edited = services.edit_line(row, actor=actor_of(request), **form.cleaned_data)
    except InvalidError as error:
        return _shown(request, quote, panel, error)
    if edited.confirmation == Confirmation.OPEN and edited.reopened_for:
        messages.warning(request, opened_again(edited))
    return redirect(detail_address(quote, f"row-{row.public_id}"))


def _remove(request: HttpRequest, quote: Quote, row: QuoteLine) -> HttpResponse:
    form = desk_forms.VersionedForm(posted(request), initial={"version": row.version})
    panel = Panel("remove", form, reverse("quotes:line", args=[quote.public_id, row.public_id, "remove"]), row)
    if request.method == "GET" or not form.is_valid():
        return page(request, quote, panel=panel)
    services.remove_line(row, actor=actor_of(request), version=form.cleaned_data["version"])
    messages.success(request, _("The line is out: %(what)s") % {"what": row.name})
    return redirect(detail_address(quote, "lines"))


@require_http_methods(["GET", "POST"])
@refusing
def lines_confirm(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Open the panel for several lines, or confirm them together."""
    quote = get_quote(request, quote_id)
    open_rows = quote.lines.exclude(confirmation__in=[Confirmation.CONFIRMED, Confirmation.WAIVED])
    initial: dict[str, Any] = {}
    if request.method == "GET":
        seen = {str(row.public_id): row.version for row in open_rows}
        initial = {**_named_by_catalog(quote, open_rows), "seen": seen}
    form = desk_forms.TogetherForm(posted(request), rows=open_rows, initial=initial)
    panel = Panel("together", form, reverse("quotes:lines_confirm", args=[quote.public_id]))
    if request.method == "GET":
        return page(request, quote, panel=panel)
    if not form.is_valid():
        return page(request, quote, panel=panel, status=422)
    if form.cleaned_data["seen"] is None:
        raise UnseenError
    try:
        services.confirm_together(quote, actor=actor_of(request), **form.cleaned_data)
    except InvalidError as error:
        return _shown(request, quote, panel, error)
    return redirect(detail_address(quote, "lines"))


def _named_by_catalog(quote: Quote, rows: Iterable[QuoteLine]) -> dict[str, Any]:
    """Tick the lines at a price that the catalog confirms today, on its evidence where it is one and the same."""
    lines = list(rows)
    prices = composing.confirmed_prices([line.catalog_ref for line in lines], currency=quote.currency)
    found = [
        (line, price)
        for line in lines
        if line.confirmation == Confirmation.OPEN
        and line.price_kind == PriceKind.FIRM
        and (price := prices.get(line.catalog_ref)) is not None
        and line.unit_price == price.net_high
    ]
    evidence = {price.evidence for _line, price in found}
    ends = [price.valid_until for _line, price in found if price.valid_until is not None]
    return {
        "lines": [line.public_id for line, _price in found],
        "evidence": evidence.pop() if len(evidence) == 1 else "",
        "valid_until": min(ends, default=None),
    }


@require_http_methods(["GET", "POST"])
@refusing
def line_new(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Open the panel for a new line, or add it."""
    quote = get_quote(request, quote_id)
    form = LineForm(posted(request), tax_rate=quote.issuer.tax_rate)
    panel = Panel("add", form, reverse("quotes:line_new", args=[quote.public_id]))
    if request.method == "GET":
        return page(request, quote, panel=panel)
    if not form.is_valid():
        return page(request, quote, panel=panel, status=422)
    values = {name: value for name, value in form.cleaned_data.items() if name != "version"}
    try:
        row = services.add_line(quote, actor=actor_of(request), **values)
    except InvalidError as error:
        return _shown(request, quote, panel, error)
    return redirect(detail_address(quote, f"row-{row.public_id}"))


@require_http_methods(["GET", "POST"])
@refusing
def stated(request: HttpRequest, quote_id: UUID, key: str) -> HttpResponse:
    """Try another value for what the customer stated, or keep it."""
    quote = get_quote(request, quote_id)
    row = services.stated_entry(quote, key)
    check_says_version(request, "version")
    return _change(request, quote, row, reverse("quotes:stated", args=[quote_id, key]))


def _change(request: HttpRequest, quote: Quote, row: LedgerEntry, address: str) -> HttpResponse:
    """Try a value with GET and show the difference; keep it with POST."""
    data = request.POST if request.method == "POST" else (request.GET if "value" in request.GET else None)
    initial = {"version": row.version, "value": "" if row.value is None else row.value}
    form = desk_forms.ChangeForm(data, initial=initial)
    panel = Panel("change", form, address, row)
    if data is None:
        return page(request, quote, panel=panel)
    if not form.is_valid():
        return page(request, quote, panel=panel, status=422)
    try:
        value = services.parse_value(row, form.cleaned_data["value"])
        if request.method == "POST":
            return _keep(request, quote, row, value, form)
        tried = services.try_value(row, value=value)
    except InvalidError as error:
        return _shown(request, quote, panel, error)
    return page(request, quote, panel=Panel("change", form, address, row, shown_change(tried)))


def _keep(request: HttpRequest, quote: Quote, row: LedgerEntry, value: Any, form: forms.Form) -> HttpResponse:
    evidence = form.cleaned_data["evidence"].strip()
    services.change_assumption(
        row,
        value=value,
        actor=actor_of(request),
        origin=form.cleaned_data["origin"] or Origin.ASSUMED,
        evidence=evidence,
        version=form.cleaned_data["version"],
    )
    messages.success(request, _("Recomputed with the new value: %(label)s") % {"label": row.name})
    return redirect(detail_address(quote, "ledger"))


def shown_change(tried: Change) -> dict[str, Any]:
    """Give what the panel shows of a tried value: figures, and both bars on one scale."""
    memories = [dig(side, ("estimate", "memory")) or {} for side in (tried.before, tried.after)]
    ends = [memory.used(one).get("high") for one in memories] + [one.get("capacity") for one in memories]
    before, after = memories
    return {"tried": tried, "figures": moved(tried), "before": before, "after": after, "end": spread(ends)}


def moved(tried: Change) -> list[dict[str, Any]]:
    """Give what a tried value moves: each figure before and after, in base units."""
    rows: list[dict[str, Any]] = []
    figures = (
        (_("Memory of a GPU, upper band"), "bytes", ("needed", "high")),
        (_("Memory of a GPU, expected"), "bytes", ("needed", "expected")),
        (_("Time to result"), "seconds", ("estimate", "speed", "seconds_to_result")),
        (_("Time to result, upper band"), "seconds", ("estimate", "speed", "high", "seconds_to_result")),
        (_("To the first word, upper band"), "ms", ("estimate", "speed", "high", "ttft_ms")),
        (_("Answers, all users"), "tokens/s", ("estimate", "speed", "output_tokens_per_second")),
        (_("Room for users at the same time"), "count", ("estimate", "speed", "max_concurrency")),
        (_("Power at the wall"), "watts", ("facility", "power_watts", "expected")),
        (_("Price of the lines, upper end"), "money", ("price", "high")),
    )
    sides = with_needed(tried.before), with_needed(tried.after)
    for label, kind, path in figures:
        before, after = (dig(side, path) for side in sides)
        if before is not None or after is not None:
            turned = way(after, before) if kind in MORE_IS_BETTER else way(before, after)
            rows.append({"label": label, "kind": kind, "before": before, "after": after, "way": turned})
    return rows


def with_needed(candidate: dict[str, Any] | None) -> dict[str, Any] | None:
    """Put beside a candidate's figures the memory its load needs, which every page compares with the card [bytes]."""
    needed = memory.used(dig(candidate, ("estimate", "memory")) or {})
    return None if candidate is None else {**candidate, "needed": needed}


def dig(data: Any, path: tuple[str, ...]) -> Any:
    """Give the value at a path of nested dictionaries; None where a step is missing."""
    for name in path:
        data = data.get(name) if isinstance(data, dict) else None
    return data


def way(before: Any, after: Any) -> str:
    """Say whether a figure got worse (more), better (less), or stayed."""
    if before is None or after is None or before == after:
        return "same"
    return "worse" if after > before else "better"
