"""The review page: everything about one quote, and at most one open panel in it."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Q, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from quotes import catalog_words, duplicates, guards, pricing, snapshot, transitions
from quotes.absences import Away
from quotes.actors import Actor, Role
from quotes.charts import memory as chart
from quotes.models import (
    Attachment,
    Clarification,
    Confirmation,
    Document,
    InternalNote,
    LedgerEntry,
    Mail,
    PilotResult,
    Quote,
    Request,
    Status,
)
from quotes.pilot.loads import script_offer
from quotes.presenter import memory as memory_words
from quotes.presenter.by_date import by_date
from quotes.presenter.engine_words import is_of_price
from quotes.presenter.page_sections import page_sections
from quotes.presenter.reading import Reading
from quotes.refusals import NotAllowedError
from quotes.services.ledger import is_changeable
from quotes.services.merging import why_not_undone
from quotes.services.revising import REVISABLE
from quotes.transitions import Move
from quotes.views.desk import comparison, pilots, stated
from quotes.views.desk.common import actor_of, get_quote, refusing
from quotes.views.desk.figures import spread
from quotes.views.desk.handling_forms import AssignForm, DueForm, NoteForm
from quotes.views.desk.panels import Panel
from quotes.views.desk.results import results_of

EVENTS_SHOWN = 8
BUTTONS = (Move.REVIEW, Move.SUBMIT, Move.APPROVE, Move.SEND)


@require_GET
@refusing
def detail(request: HttpRequest, quote_id: UUID) -> HttpResponse:
    """Show the review of a quote."""
    return page(request, get_quote(request, quote_id))


def page(request: HttpRequest, quote: Quote, *, panel: Panel | None = None, status: int = 200) -> HttpResponse:
    """Render the review with a panel, or without one where the person may not use it; a post of theirs is refused."""
    context = context_of(quote, actor_of(request), panel=panel)
    if panel is not None and context["panel"] is None and request.method != "GET":
        raise NotAllowedError(_("Only who handles this request does this"))
    return render(request, "quotes/desk/detail.html", context, status=status)


def context_of(quote: Quote, actor: Actor, *, panel: Panel | None = None) -> dict[str, Any]:
    """Gather what the page shows; the number of queries does not depend on the number of rows."""
    lines, points = list(quote.lines.all()), list(quote.ledger.all())
    ledger = [entry for entry in points if not entry.is_condition]
    cached = {"lines": lines, "ledger": points, "pilots": list(quote.pilots.all())}
    quote._prefetched_objects_cache = cached  # type: ignore[attr-defined]
    today = quote.issuer.today()
    columns = comparison.columns(quote.estimate, quote.chosen_rank)
    said = catalog_words.words(quote)
    found = guards.all_of(quote, actor=actor if Role.APPROVER in actor.roles else None, words=said)
    blocking = [guard for guard in found if guard.kind == "blocks"]
    market = stated.market_prices(quote.candidate)
    owner = quote.request.assigned_to
    open_sibling = quote.request.quotes.open().exists() if quote.status in REVISABLE else False
    away = Away.on(today)
    stands_in = owner is not None and owner.pk in away.covered_by(actor.user)
    is_mine = owner is None or stands_in or (actor.user is not None and owner.pk == actor.user.pk)
    seen = snapshot.of_review(quote)
    return {
        "quote": quote,
        "customer": quote.request,
        "summary": quote.summary,
        "panel": panel if panel is not None and panel.is_for(actor, is_mine=is_mine) else None,
        "guards": found,
        "blocking": blocking,
        "lines": [(line, line.standing(today), market.get((line.kind, line.catalog_ref))) for line in lines],
        "lines_settled": sum(not line.blocks(today) for line in lines),
        "conditions": [(entry, entry.standing(today)) for entry in points if entry.is_condition],
        "bare_conditions": bare_conditions(quote.candidate, points),
        "words": said,
        "totals": pricing.totals(quote),
        "margin": pricing.margin_percent(quote),
        **ledger_of(ledger, today, panel),
        "decisive_open": sum(entry.decisive and entry.blocks(today) for entry in ledger),
        "candidate": quote.candidate,
        "results": results_of(quote.candidate),
        **memory_of(quote.candidate),
        "stated": stated.facts(quote.estimate.input, model_title=quote.estimate.output.get("model") or {}),
        "answered": stated.answered(quote.estimate.request_version.answers, quote.request.route),
        "columns": columns,
        "others": comparison.others(quote.estimate, columns),
        "end_bytes": spread(one.memory.get("capacity") for one in columns),
        "rejected": quote.estimate.rejected,
        "left_out": quote.estimate.output.get("left_out") or {},
        "sections": page_sections(seen, is_quote=True),
        "by_date": by_date(Reading(seen | {"answers": quote.estimate.request_version.answers}, "short")),
        "can_edit": quote.is_editable and Role.ENGINEER in actor.roles and is_mine,
        "can_set_aside": Role.ENGINEER in actor.roles and is_mine,
        "can_take": Role.ENGINEER in actor.roles and not is_mine,
        "is_engineer": Role.ENGINEER in actor.roles,
        "can_note": bool({Role.ENGINEER, Role.APPROVER} & actor.roles),
        "can_revise": Role.ENGINEER in actor.roles and quote.status in REVISABLE and not open_sibling,
        "can_record": Role.ENGINEER in actor.roles and quote.status == Status.SENT and is_mine,
        "can_retract": Role.ENGINEER in actor.roles and quote.status == Status.ACCEPTED and is_mine,
        "why_not_undone": why_not_undone(quote.request) if quote.request.merged_into else "",
        "moves": moves_of(quote, actor, blocking, is_mine=is_mine),
        "absence": away.of(owner),
        "deputy": away.deputy_of(owner) if owner is not None and away.of(owner) else None,
        "stands_in": stands_in and Role.ENGINEER in actor.roles,
        "assign_form": AssignForm(away=away, owner=owner, initial={"to": owner.username if owner else None}),
        **_around(quote),
    }


def bare_conditions(candidate: dict[str, Any] | None, points: list[LedgerEntry]) -> list[str]:
    """Give what a candidate is conditional on and no point of the ledger says; prices a quote says of its lines."""
    known = {entry.why for entry in points if entry.is_condition}
    found = (str(text) for text in (candidate or {}).get("conditional") or [] if text not in known)
    return [text for text in found if not is_of_price(text)]


def ledger_of(ledger: list[LedgerEntry], today: date, panel: Panel | None) -> dict[str, Any]:
    """Give the assumptions that decide, move something or were settled first; the rest waits behind a fold."""
    ordered = sorted(ledger, key=lambda entry: not entry.is_disputed)
    rows = [(entry, entry.standing(today), is_changeable(entry)) for entry in ordered]
    first = [
        row for row in rows if row[0].is_disputed or row[0].decisive or row[0].moves or row[1] != Confirmation.OPEN
    ]
    rest = [row for row in rows if row not in first]
    is_open = panel is not None and any(row[0] == panel.row for row in rest)
    return {
        "ledger": rows,
        "ledger_first": first,
        "ledger_rest": rest,
        "rest_is_open": is_open or not first,
        "disputed": sum(entry.is_disputed for entry in ledger),
    }


def memory_of(candidate: dict[str, Any] | None) -> dict[str, Any]:
    """Give the memory of the chosen candidate: the answer, its parts in words, and what is left or lacking."""
    memory = ((candidate or {}).get("estimate") or {}).get("memory") or {}
    drawn = chart.gauge(memory) if memory else None
    if drawn is None:
        return {"memory": None}
    spare = memory_words.spare_text(drawn)
    return {"memory": memory, "parts": memory_words.rows(memory), "spare": spare, "drawn": drawn}


def moves_of(quote: Quote, actor: Actor, blocking: list[guards.Guard], *, is_mine: bool) -> list[dict[str, Any]]:
    """Give the buttons: each move whose state and role fit, with whether guards are in its way."""
    found = []
    for move, rule in transitions.possible(quote, actor):
        if move in (Move.ASK, Move.ANSWER, Move.ACCEPT, Move.RECORD, Move.DECLINE, Move.RETRACT):
            continue
        if not is_mine and transitions.needs_handler(move, actor):
            continue
        own = [guard for guard in blocking if guard.code != "four_eyes" or move is Move.APPROVE]
        found.append(
            {
                "move": move,
                "slug": move.value.partition(".")[2],
                "label": rule.label,
                "is_primary": move in BUTTONS,
                "needs_reason": rule.needs_reason,
                "is_blocked": rule.guarded and bool(own),
            }
        )
    return sorted(found, key=lambda one: not one["is_primary"])


def _runs_from_elsewhere(quote: Quote) -> list[pilots.Row]:
    """Give what waits at other revisions, then the runs of requests merged into this one. Runs SQL, one query."""
    found = PilotResult.objects.around(quote.request).exclude(quote=quote).select_related("quote__request")
    waiting = [pilots.row(one) for one in found if one.quote.request_id == quote.request_id]
    others = [one for one in found if one.quote.request_id != quote.request_id]
    return waiting + [pilots.row(one, merged_from=one.quote.request.reference) for one in others]


def last_quote_id(request: Request) -> UUID | None:
    """Give the id of a request's last revision. Runs SQL."""
    return Quote.objects.filter(request=request).order_by("-pk").values_list("public_id", flat=True).first()


def _around(quote: Quote) -> dict[str, Any]:
    request = quote.request
    events = list(request.events.select_related("quote")[: EVENTS_SHOWN + 1])
    documents = list(request.documents.defer("snapshot"))
    revisions = list(request.quotes.only("public_id", "number", "revision", "status").order_by("pk"))
    is_issued = any(one.number for one in revisions)
    is_open = request.merged_into_id is None and quote.status != Status.CANCELLED
    alike = duplicates.likely(request, is_issued=is_issued) if is_open else []
    here = Q(request=request) | Q(request__merged_into=request)
    last = Quote.objects.filter(request=OuterRef("pk")).order_by("-pk").values("public_id")
    merged = request.merged.annotate(quote_id=Subquery(last[:1]))
    runs = [pilots.row(one) for one in quote.pilots.all()]
    return {
        "events": events[:EVENTS_SHOWN],
        "has_more_events": len(events) > EVENTS_SHOWN,
        "clarifications": list(quote.clarifications.all()),
        "merged_questions": list(
            Clarification.objects.filter(quote__request__merged_into=request).select_related("quote__request")
        ),
        "pilots": [*runs, *_runs_from_elsewhere(quote)],
        "pilot_offer": script_offer(quote),
        "attachments": list(Attachment.objects.filter(here).select_related("request")),
        "notes": list(InternalNote.objects.filter(here).select_related("author", "request")),
        "merged": list(merged),
        "survivor_quote_id": last_quote_id(request.merged_into) if request.merged_into else None,
        "duplicates": alike[: duplicates.MOST_SHOWN],
        "more_duplicates": len(alike[duplicates.MOST_SHOWN :]),
        "documents": [one for one in documents if one.quote_id in (None, quote.pk)],
        "is_rendering": quote.status == Status.APPROVED
        and not any(one.quote_id == quote.pk and one.kind == Document.Kind.SHORT for one in documents),
        "revisions": revisions,
        "links": list(request.links.all()),
        "troubled_mail": list(request.mails.filter(state__in=[Mail.State.FAILED, Mail.State.SENDING])),
        "version": quote.estimate.request_version,
        "note_form": NoteForm(),
        "due_form": DueForm(initial={"due_on": request.due_on}),
    }
