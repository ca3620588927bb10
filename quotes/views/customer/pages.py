"""What the private page shows, gathered once; it holds only what the customer may see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from quotes import snapshot, tasks
from quotes.forms.derived import derived
from quotes.models import CustomerLink, Document, Estimate, PilotResult, Quote, QuoteEvent, Request, Status
from quotes.models.quotes import CUSTOMER_READS, IN_PREPARATION
from quotes.pilot.loads import script_offer
from quotes.pilot.script import filename
from quotes.presenter import in_mind, machine_names
from quotes.presenter.by_date import by_date
from quotes.presenter.deal import budget_condition
from quotes.presenter.page_sections import page_sections
from quotes.presenter.reading import Reading, must
from quotes.views.customer import calendars, candidates, explained

PLACE = {Status.SENT: 0, Status.ACCEPTED: 1, **dict.fromkeys(IN_PREPARATION, 2), Status.CANCELLED: 4}
LAST_PLACE = 3
SHOWN_CLAIMS = 6
SERVICES = ("service", "documents")


def token_in(request: HttpRequest) -> str:
    """Give the token of this page's own address."""
    match = request.resolver_match
    return str(match.kwargs["token"]) if match else ""


def current_quote(link: CustomerLink) -> Quote:
    """Give the revision the customer deals with.

    What waits for an answer comes first, then what was accepted and is in force, then one in preparation, then the
    newest that was issued. A cancelled revision is shown only where there is no other.
    """
    quotes = link.request.quotes.select_related("estimate", "issuer").order_by("-pk")
    found = min(quotes, key=lambda quote: PLACE.get(Status(quote.status), LAST_PLACE), default=None)
    if found is None:
        raise Http404
    return found


def preliminary_document(request: Request) -> Document:
    """Give the stored preliminary document of the request's first estimate; render it where the worker has not."""
    estimate = request.estimates.order_by("created_at").first()
    if estimate is None or estimate.error:
        raise Http404
    stored = stored_preliminary(request)
    if stored is None:
        tasks.render_preliminary.call(estimate.pk)
        stored = stored_preliminary(request)
    if stored is None:
        raise Http404
    return stored


def stored_preliminary(request: Request) -> Document | None:
    """Give the preliminary document where the worker has made it. Runs SQL."""
    estimate = request.estimates.order_by("created_at").first()
    rows = Document.objects.filter(estimate=estimate, kind=Document.Kind.PRELIMINARY, language=request.language)
    return rows.first() if estimate else None


def has_preliminary(request: Request) -> bool:
    """Say whether there is a calculation to put into a document, also one that found nothing. Runs SQL."""
    estimate = request.estimates.order_by("created_at").first()
    return estimate is not None and not estimate.error


def result_page(request: HttpRequest, link: CustomerLink) -> dict[str, Any]:
    """Gather the page of one request for the holder of its link."""
    quote = current_quote(link)
    asked = link.request
    claims = [one for one in quote.ledger.all() if not one.is_condition] if quote.is_editable else []
    answers = quote.estimate.request_version.answers
    calculation = snapshot.of_calculation(quote.estimate)
    return {
        "asked": asked,
        "quote": quote,
        "link": link,
        "token": token_in(request),
        "address": request.build_absolute_uri(request.path.split("accept/")[0]),
        "estimate": quote.estimate,
        "steps": steps(quote),
        "headline": headline(quote),
        **pilot_of(quote),
        "own_pilots": list(PilotResult.objects.filter(quote__request=asked, by_customer=True)),
        "questions": list(quote.clarifications.all()),
        "open_questions": sum(one.is_open for one in quote.clarifications.all()),
        "claims": claims[:SHOWN_CLAIMS],
        "more_claims": claims[SHOWN_CLAIMS:],
        "documents": readable_documents(asked),
        "offer": offer(quote),
        "is_new": quote.status == Status.DRAFT,
        "is_sent": quote.status == Status.SENT and not quote.is_expired(),
        "is_quoted": quote.status in CUSTOMER_READS,
        "platform": platform_of(quote),
        "has_calculation": bool(quote.estimate.candidates or quote.estimate.rejected),
        "preliminary": stored_preliminary(asked),
        "has_preliminary": has_preliminary(asked),
        "does_the_job": candidates.doing(quote.estimate) is not None,
        "nearest": candidates.nearest(quote.estimate),
        "files": list(asked.attachments.all()),
        "refused_files": refused_files(asked),
        "derived": derived(answers, way=asked.route),
        "model": explained.model_of(quote.estimate),
        "apart": explained.size_apart(answers, (quote.estimate.output.get("model") or {}).get("parameters")),
        "way": explained.way_of(quote.estimate),
        "warnings": explained.warnings_of(quote.estimate),
        "article": explained.article_of(quote.estimate),
        "others": explained.others(quote.estimate),
        "by_date": by_date(Reading(quote.snapshot or calculation, "short")),
        "calendar": calendars.steps(answers, way=asked.route, today=timezone.localdate(asked.created_at)),
        "advised": candidates.advised(quote.estimate),
        "candidates": candidates.shown(quote.estimate),
        "rejected": candidates.rejected(quote.estimate),
        "sections": page_sections(calculation, is_quote=False),
        "rejected_count": len(quote.estimate.rejected) + explained.left_out_of(quote.estimate, "rejected"),
        "rejected_left_out": explained.left_out_of(quote.estimate, "rejected"),
        "columns": {"time": _("At the same time") if asked.route in SERVICES else _("Time to the result")},
    }


def refused_files(request: Request) -> list[str]:
    """Say which files were not taken when the request was sent, and why. Runs SQL."""
    events = QuoteEvent.objects.filter(request=request, kind="attachment.refused").order_by("pk")
    return [str(event.change.get("why")) for event in events if event.change.get("why")]


def pilot_of(quote: Quote) -> dict[str, Any]:
    """Give the pilot script of a training, or why there is none; a service has its own way to be tried."""
    found = script_offer(quote, for_customer=True)
    trains = quote.request.route not in (*SERVICES, "discuss") and bool(quote.estimate.candidates)
    name = filename(found.workload["quote"]) if found.workload else ""
    return {"pilot": found, "pilot_is_said": trains, "pilot_file": name}


def readable_documents(request: Request) -> list[Document]:
    """Give the issued documents the customer may download, the newest first."""
    sent = request.quotes.readable_by_customer().values_list("pk", flat=True)
    return list(request.documents.filter(quote__in=list(sent)).exclude(kind=Document.Kind.DRAFT))


def offer(quote: Quote) -> Document | None:
    """Give the short document of a sent quote: the one that is accepted."""
    if quote.status not in CUSTOMER_READS:
        return None
    return quote.documents.filter(kind=Document.Kind.SHORT).first()


def steps(quote: Quote) -> list[dict[str, Any]]:
    """Give the marks of the track: received, reviewed, your answers, approval, quote."""
    place = {
        Status.DRAFT: 0,
        Status.IN_REVIEW: 1,
        Status.AWAITING_CUSTOMER: 2,
        Status.READY: 3,
        Status.APPROVED: 3,
    }.get(Status(quote.status), 4)
    labels = (
        _("Received"),
        _("An engineer checks"),
        _("Questions to you"),
        _("Approval"),
        _("Quote as PDF"),
    )
    return [
        {"label": label, "is_done": number < place, "is_current": number == place, "number": number}
        for number, label in enumerate(labels)
    ]


def headline(quote: Quote) -> dict[str, str]:
    """Say the answer in a sentence: the quote that was sent, else what does the job, else what comes nearest."""
    if quote.status in CUSTOMER_READS:
        said = {"number": quote.full_number, "status": str(quote.get_shown_status_display())}
        return {"title": _("Quote %(number)s: %(status)s") % said, "lead": platform_of(quote)}
    estimate = quote.estimate
    if estimate.error:
        return {"title": _("An engineer reads it and answers you"), "lead": ""}
    advised = candidates.doing(estimate)
    if advised is None:
        nearest = candidates.nearest(estimate)
        lead = _("The nearest one is %(name)s; what it breaks is below.") % nearest if nearest else ""
        return {"title": _("No configuration in the catalog keeps every limit"), "lead": lead}
    smallest = next((one for one in estimate.candidates if "smallest" in (one.get("labels") or [])), None)
    names = {"advised": machine_names.gpus_of(advised), "smallest": machine_names.gpus_of(smallest or advised)}
    about = explained.article_says(estimate) or in_mind.said(estimate.output)
    lead = " ".join(filter(None, (_open_budget(estimate, advised), about)))
    if smallest is None or names["smallest"] == names["advised"]:
        return {"title": _("%(advised)s does the job") % names, "lead": lead}
    return {"title": _("%(smallest)s is enough, %(advised)s is advised") % names, "lead": lead}


def _open_budget(estimate: Estimate, advised: Mapping[str, Any]) -> str:
    limits = estimate.input.get("limits") or {}
    return budget_condition(advised) if must(limits, "budget") else ""


def platform_of(quote: Quote) -> str:
    """Name the server of a quote with its GPUs; empty where its lines were written by hand."""
    one = quote.candidate
    if one is None:
        return ""
    return f"{one.get('platform_title') or one.get('platform') or ''}, {machine_names.gpus_of(one)}".strip(", ")
