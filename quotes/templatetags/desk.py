"""What the desk's templates say with numbers, words and events: one rule for each, nothing formatted by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from quotes.models import PriceKind, Quote, QuoteEvent, Status
from quotes.models.quotes import EXPIRED
from quotes.presenter import dates, engine_words, ledger_moves, words
from quotes.presenter import quantities as q
from quotes.presenter.standing import changed_after, opened_again
from quotes.services.deciding import Channel
from quotes.transitions import MOVES, Move
from quotes.wording import name_of

register = template.Library()
HOUR = 3600

EVENT_WORDS = {
    "request.submitted": gettext_lazy("Request received"),
    "request.assigned": gettext_lazy("Handed over"),
    "request.due": gettext_lazy("Due date set"),
    "attachment.added": gettext_lazy("File added"),
    "attachment.refused": gettext_lazy("File not taken"),
    "line.confirmed": gettext_lazy("Line confirmed"),
    "line.waived": gettext_lazy("Line waived with a reason"),
    "line.refuted": gettext_lazy("Line refuted"),
    "line.reopened": gettext_lazy("Line opened again"),
    "line.added": gettext_lazy("Line added"),
    "line.edited": gettext_lazy("Line edited"),
    "line.removed": gettext_lazy("Line taken out"),
    "condition.confirmed": gettext_lazy("Condition confirmed"),
    "condition.waived": gettext_lazy("Condition waived with a reason"),
    "condition.refuted": gettext_lazy("Condition refuted"),
    "condition.reopened": gettext_lazy("Condition opened again"),
    "assumption.confirmed": gettext_lazy("Assumption confirmed"),
    "assumption.waived": gettext_lazy("Assumption waived with a reason"),
    "assumption.refuted": gettext_lazy("Assumption refuted"),
    "assumption.reopened": gettext_lazy("Assumption opened again"),
    "assumption.changed": gettext_lazy("Assumption changed, recomputed"),
    "assumption.customer_confirmed": gettext_lazy("The customer confirmed an assumption"),
    "assumption.disputed": gettext_lazy("The customer disputes an assumption"),
    "clarification.asked": gettext_lazy("Customer asked"),
    "clarification.answered": gettext_lazy("Customer answered"),
    "candidate.chosen": gettext_lazy("Another candidate chosen"),
    "document.rendered": gettext_lazy("Document rendered"),
    "pilot.recorded": gettext_lazy("Pilot run recorded"),
    "pilot.received": gettext_lazy("The customer uploaded the profile of a pilot run"),
    "pilot.set_aside": gettext_lazy("A profile of the customer's was set aside"),
    "quote.revised": gettext_lazy("Next revision started"),
    "quote.copied": gettext_lazy("A copy was made"),
    "request.copied": gettext_lazy("Copied from another quote"),
    "request.merged": gettext_lazy("Merged into another request"),
    "request.absorbed": gettext_lazy("A duplicate was merged into this request"),
    "request.unmerged": gettext_lazy("The merge was undone"),
    "request.released": gettext_lazy("A duplicate that was merged is a request of its own again"),
    "link.issued": gettext_lazy("Private address issued"),
    "link.revoked": gettext_lazy("Private address closed"),
    "request.forgotten": gettext_lazy("Personal data forgotten"),
}


@register.filter
def number(value: Any, digits: int = 0) -> str:
    """Write a number with separators of the language: 1,234.5 or 1 234,5."""
    return value if isinstance(value, str) else q.number(value, digits)


@register.filter
def figure(value: Any, unit: str = "") -> str:
    """Write a figure of the ledger without its unit; a constant in units of its own stays a plain number."""
    return words.word(value) if isinstance(value, str) else q.figure(value, unit).text


@register.filter
def said(text: Any) -> str:
    """Write a sentence of the engine in the reader's language."""
    return engine_words.say(str(text or ""))


@register.filter
def unit_of(value: Any, unit: str) -> str:
    """Give the unit `figure` writes beside it."""
    return q.figure(value, unit).unit


@register.filter
def gib(value: Any, digits: int = 1) -> str:
    """Write bytes of device memory in GiB, without the unit."""
    return q.gib(value, digits).text


@register.filter
def money(value: Any, digits: int = 2) -> str:
    """Write an amount without its currency; nothing is never zero."""
    return q.money(value, "", digits).text


@register.filter
def quantity(value: Any) -> str:
    """Write a quantity: whole numbers whole."""
    amount = Decimal(str(value))
    return q.number(amount, 0 if amount == amount.to_integral_value() else 2)


@register.filter
def amount(value: Any, kind: str) -> str:
    """Write a figure of a difference table by its kind, with its unit."""
    return str(q.EMPTY if value is None else WRITERS[kind](value))


WRITERS: dict[str, Callable[[Any], Any]] = {
    "bytes": q.gib,
    "seconds": q.duration,
    "watts": q.power,
    "money": lambda value: q.money(value, "", 0),
    "ms": lambda value: q.figure(float(f"{value:.3g}"), "ms"),
    "tokens/s": lambda value: q.figure(float(f"{value:.3g}"), "tokens/s"),
    "count": lambda value: q.number(value),
}


@register.filter
def minus(after: Any, before: Any) -> Any:
    """Give the absolute difference of two figures; nothing where one is missing."""
    return None if before is None or after is None else abs(after - before)


@register.filter
def reopened_because(row: Any) -> str:
    """Say what opened a settled row again; empty where nothing did."""
    return opened_again(row)


@register.filter
def waiting(since: datetime) -> str:
    """Say how long something has waited: 4 h 20 min, 1 d 3 h."""
    gone = timezone.now() - since
    days, hours, minutes = gone.days, gone.seconds // HOUR, gone.seconds % HOUR // 60
    if days:
        return _("%(d)s d %(h)s h") % {"d": days, "h": hours}
    if hours:
        return _("%(h)s h %(m)s min") % {"h": hours, "m": minutes}
    return _("%(m)s min") % {"m": minutes}


@register.filter
def moment(at: datetime | None) -> str:
    """Write day and time."""
    return dates.moment_here(at)


@register.filter
def day(on: date | None) -> str:
    """Write a day shortly; of a moment, the day it is on at the selling company."""
    return dates.short_day(timezone.localtime(on) if isinstance(on, datetime) else on)


@register.simple_tag
def zone_name() -> str:
    """Name the time zone the page speaks in, e.g. Europe/Moscow."""
    return timezone.get_current_timezone_name()


@register.filter
def percent_of(value: Any, whole: Any) -> str:
    """Give a part of a scale as a percentage for a drawing: a point, whatever the language."""
    if not value or not whole:
        return "0%"
    return f"{min(100.0, 100 * float(value) / float(whole)):.2f}%"


@register.filter
def event_word(event: QuoteEvent) -> str:
    """Say in words what an event is."""
    if event.kind in EVENT_WORDS:
        return str(EVENT_WORDS[event.kind])
    try:
        return str(MOVES[Move(event.kind)].label)
    except ValueError:
        return event.kind


@register.filter
def event_detail(event: QuoteEvent) -> str:
    """Say what an event was about: the line, the value before and after, the reason."""
    change = event.change
    said = change
    if event.kind.startswith("assumption.") and change.get("key"):
        said = {**change, "what": name_of(change["key"], change.get("what") or change.get("label") or ""), "label": ""}
    elif event.kind.startswith(("line.", "condition.")) and change.get("what"):
        said = {**change, "what": engine_words.say(change["what"])}
    parts = [str(said[name]) for name in ("what", "label", "question", "name", "platform") if said.get(name)]
    if event.kind == "assumption.changed":
        parts.append(f"{figure(change.get('before'))} → {figure(change.get('after'))}")
    if change.get("answer"):
        parts.append(f"“{change['answer']}”")
    if change.get("accepted_by"):
        parts += [change["accepted_by"], str(Channel(change["channel"]).label), dates.short_day(change["given_on"])]
    if event.kind in (Move.RETRACT, Move.RECORD) and change.get("evidence"):
        parts.append(change["evidence"])
    if change.get("sha256"):
        parts.append(f"SHA-256 {change['sha256'][:12]}…")
    if isinstance(change.get("changed"), list):
        parts.append(changed_after(change["changed"]))
    fields = change.get("fields")
    if isinstance(fields, dict):
        named = [
            f"{SHOWN[name]}: {_plain(name, pair[0])} → {_plain(name, pair[1])}"
            for name, pair in fields.items()
            if name in SHOWN
        ]
        parts += named[:4]
    return "; ".join(parts)


def _plain(name: str, value: Any) -> str:
    if value in (None, ""):
        return "–"
    if name == "price_kind" and value in PriceKind.values:
        return str(PriceKind(value).label)
    if name == "valid_until":
        return dates.short_day(str(value))
    if name == "unit_price":
        return q.money(str(value), "").text
    return quantity(value) if name in ("quantity", "discount_percent") else str(value)


SHOWN = {
    "quantity": gettext_lazy("quantity"),
    "unit_price": gettext_lazy("price of one"),
    "price_kind": gettext_lazy("price is"),
    "discount_percent": gettext_lazy("discount, %"),
    "valid_until": gettext_lazy("valid until"),
    "evidence": gettext_lazy("rests on"),
    "article": gettext_lazy("article"),
}


@register.inclusion_tag("quotes/desk/_state.html")
def state(quote: Quote) -> dict[str, str]:
    """Show where a quote is in its life: shape, word and color."""
    shown = quote.shown_status
    return {"state": shown, "label": quote.get_shown_status_display()}


@register.filter
def state_word(status: str) -> str:
    """Say a status in words."""
    return str(_("Expired")) if status == EXPIRED else str(Status(status).label)


@register.simple_tag
def blocked_by(quote: Quote) -> str:
    """Say what keeps a quote of the queue from being approved, in a few words."""
    parts = []
    if quote.summary.get("fits") is False:
        parts.append(_("upper band does not fit"))
    if not quote.summary.get("platform"):
        parts.append(_("nothing is chosen"))
    lines, entries = getattr(quote, "open_lines", 0), getattr(quote, "open_assumptions", 0)
    if entries:
        parts.append(ngettext("%(n)s assumption", "%(n)s assumptions", entries) % {"n": entries})
    if conditions := getattr(quote, "open_conditions", 0):
        parts.append(ngettext("%(n)s condition", "%(n)s conditions", conditions) % {"n": conditions})
    if lines:
        parts.append(ngettext("%(n)s line", "%(n)s lines", lines) % {"n": lines})
    return ", ".join(parts) or _("nothing")


@register.simple_tag
def range_of(entry: Any) -> str:
    """Write the plausible range of an entry: a span of numbers, or the other words that it could be."""
    ends = [end for end in (entry.low, entry.high) if end is not None]
    if len(ends) == 2 and all(isinstance(end, int | float) for end in ends):
        return "–".join(figure(end, entry.unit) for end in ends)
    return ", ".join(figure(end, entry.unit) for end in ends if end != entry.value)


@register.simple_tag
def ends_of(entry: Any) -> list[str]:
    """Say what the low and the high end of an assumption would move, as the engine recomputed it."""
    return ledger_moves.ends(entry.moves, entry.unit)
