"""What must hold before a quote is approved; the same list is the panel on the page and the refusal of the service."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any, Literal

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from quotes import catalog_words, conditions, pricing
from quotes.actors import Actor
from quotes.catalog_words import Words
from quotes.models import STALE, Confirmation, LedgerEntry, PriceKind, Quote, QuoteEvent, QuoteLine
from quotes.models.ledger import KEEPS_BUDGET, KEEPS_LIMITS, OF_QUOTE
from quotes.pilot.loads import ran_out_of_memory
from quotes.presenter import engine_words
from quotes.presenter import quantities as q
from quotes.presenter.standing import opened_again

EDITS = reduce(
    or_, (Q(kind__startswith=start) for start in ("line.", "assumption.", "condition.", "candidate.", "pilot."))
) | Q(kind__in=["clarification.asked", "quote.submit"])
Kind = Literal["blocks", "waived", "passed", "note"]


@dataclass(frozen=True, slots=True)
class Guard:
    """One condition with its verdict, e.g. "Line 3: the bridge is not confirmed", which blocks."""

    code: str
    kind: Kind
    title: str
    detail: str = ""
    line: QuoteLine | None = None
    entry: LedgerEntry | None = None

    @property
    def can_be_waived(self) -> bool:
        """Say whether a reason can take the place of a confirmation; a refuted row must change."""
        row = self.line or self.entry
        return self.kind == "blocks" and row is not None and row.confirmation != Confirmation.REFUTED


def all_of(
    quote: Quote, *, actor: Actor | None = None, approving: bool = True, words: Words | None = None
) -> list[Guard]:
    """Give every guard, blocking ones first. Runs SQL for lines and ledger unless they are prefetched.

    `words` is what the catalog says of the quote, where the caller has asked already.
    """
    today, words = quote.issuer.today(), words or catalog_words.words(quote)
    found = [
        *_answer_guards(quote),
        *_condition_guards(quote, today, words),
        *_ledger_guards(quote, today),
        *_line_guards(quote, today, words),
        *_composition(quote),
        *_price_guards(quote),
        *(_four_eyes(quote, actor) if approving else ()),
    ]
    order = {"blocks": 0, "note": 1, "waived": 2, "passed": 3}
    return sorted(found, key=lambda guard: order[guard.kind])


def blocking(quote: Quote, *, actor: Actor | None = None, approving: bool = True) -> list[Guard]:
    """Give the guards that keep the quote from being approved."""
    return [guard for guard in all_of(quote, actor=actor, approving=approving) if guard.kind == "blocks"]


def _composition(quote: Quote) -> Iterator[Guard]:
    """Hold servers and GPUs of the lines against the configuration that the first page names."""
    candidate = quote.candidate or {}
    nodes = candidate.get("nodes") or 0
    configured = {"platform": nodes, "gpu": nodes * (candidate.get("gpus_per_node") or 0)}
    names = {"platform": _("servers"), "gpu": "GPU"}
    for kind, wanted in configured.items():
        held = [line.quantity for line in quote.lines.all() if line.kind == kind]
        if not held or not wanted or sum(held) == wanted:
            continue
        said = {"what": names[kind], "lines": _plain(sum(held)), "wanted": wanted}
        title = _("The lines hold %(lines)s %(what)s, the configuration %(wanted)s") % said
        why = _("The first page names the configuration: change the lines, or choose the one that they make up")
        yield Guard("composition", "blocks" if sum(held) < wanted else "note", title, why)


def _answer_guards(quote: Quote) -> Iterator[Guard]:
    candidate = quote.candidate
    if candidate is None:
        yield Guard("candidate", "blocks", _("No configuration is chosen"))
        return
    memory = (candidate.get("estimate") or {}).get("memory") or {}
    if memory.get("fits") is False:
        yield Guard("fits", "blocks", _("The upper band of memory does not fit"))
    elif memory.get("fits"):
        yield Guard("fits", "passed", _("Fits at the upper band"))
    if ran_out_of_memory(quote):
        title = _("A pilot run of this load ran out of memory")
        yield Guard("pilot", "blocks", title, _("Choose another configuration, or change the load"))
    if candidate.get("does_the_job") is False and not any(one.key == KEEPS_LIMITS for one in quote.ledger.all()):
        yield Guard("job", "blocks", _("The chosen configuration does not do the job"), _("Choose another one"))


def _condition_guards(quote: Quote, today: date, words: Words) -> Iterator[Guard]:
    """Hold every condition of the chosen machine against what was said of it; one without a point is open."""
    candidate = quote.candidate or {}
    entries = {entry.key: entry for entry in quote.ledger.all() if entry.is_condition}
    for text in conditions.texts_of(candidate):
        entry = entries.get(conditions.key_of(text, candidate))
        title = _("Conditional: %(reason)s") % {"reason": engine_words.say(text)}
        loss = words.loss_of(entry) if entry is not None else None
        if entry is None:
            yield Guard("condition", "blocks", title, _("Not confirmed"))
        elif loss is not None:
            yield Guard("condition", "blocks", title, loss.why, entry=entry)
        elif entry.confirmation == Confirmation.WAIVED:
            yield Guard("condition", "waived", title, _waived(entry), entry=entry)
        elif entry.blocks(today):
            yield Guard("condition", "blocks", title, _why_open(entry, today), entry=entry)


def _ledger_guards(quote: Quote, today: date) -> Iterator[Guard]:
    entries = [entry for entry in quote.ledger.all() if not entry.is_condition]
    for entry in entries:
        if entry.is_disputed:
            said = _("“%(words)s”. Change the value, confirm it, or answer with a reason") % {
                "words": entry.customer_says
            }
            yield Guard(
                "dispute", "blocks", _("The customer disputes: %(label)s") % {"label": entry.name}, said, None, entry
            )
    decisive = [entry for entry in entries if entry.decisive and not entry.is_disputed]
    for entry in decisive:
        title = _title_of(entry)
        standing = entry.standing(today)
        if standing == Confirmation.WAIVED:
            yield Guard("assumption", "waived", title, _waived(entry), entry=entry)
        elif standing == STALE:
            yield Guard("assumption", "blocks", title, _("The confirmation is past its validity"), entry=entry)
        elif entry.blocks(today):
            assumed = _("Assumed by us, nobody has confirmed it")
            why = engine_words.say(entry.why) if entry.key in OF_QUOTE else assumed
            yield Guard("assumption", "blocks", title, why, entry=entry)
    if not any(entry.is_disputed or (entry.decisive and entry.blocks(today)) for entry in entries):
        yield Guard("assumption", "passed", _("Every decisive assumption is settled"))


def _title_of(entry: LedgerEntry) -> str:
    if entry.key == KEEPS_LIMITS:
        return _("The chosen configuration does not do the job")
    if entry.key == KEEPS_BUDGET:
        return _("The budget that must hold is not known to be kept")
    return _("Decisive assumption: %(label)s") % {"label": entry.name}


def _line_guards(quote: Quote, today: date, words: Words) -> Iterator[Guard]:
    lines = list(quote.lines.all())
    if not lines:
        yield Guard("line", "blocks", _("The quote has no lines"))
        return
    for line in lines:
        title = _("Line %(number)s: %(what)s") % {"number": line.position, "what": line.name}
        loss = words.loss_of(line)
        if loss is not None:
            yield Guard("line", "blocks", title, loss.why, line=line)
        elif line.confirmation == Confirmation.WAIVED:
            yield Guard("line", "waived", title, _waived(line), line=line)
        elif line.blocks(today):
            yield Guard("line", "blocks", title, _why_open(line, today), line=line)
    if not any(line.blocks(today) or words.loss_of(line) for line in lines):
        yield Guard("line", "passed", _("Every line is settled"))


def _why_open(row: QuoteLine | LedgerEntry, today: date) -> str:
    reasons = {
        STALE: _("The confirmation is past its validity"),
        Confirmation.REFUTED: _("Refuted: replace the line or take it out"),
    }
    if isinstance(row, LedgerEntry):
        reasons[Confirmation.REFUTED] = _("Refuted: choose another configuration")
    return reasons.get(row.standing(today)) or opened_again(row) or _("Not confirmed")


def _waived(row: Any) -> str:
    return _("Waived with a reason: “%(reason)s”. The PDF prints it") % {"reason": row.reason}


def _plain(value: Decimal | int) -> str:
    """Write a number with its decimals only where it has any."""
    decimals = Decimal(value).normalize().as_tuple().exponent
    return q.number(value, max(0, -int(decimals)))


def _why_unpriced(line: QuoteLine) -> str:
    if line.price_kind == PriceKind.ESTIMATE:
        return _("Market price, not quoted: type the price, or waive it with a reason")
    return _("No price: type it, choose “included”, or waive it with a reason")


def _price_guards(quote: Quote) -> Iterator[Guard]:
    for line in quote.lines.all():
        if line.lacks_price:
            title = _("Line %(number)s: %(what)s") % {"number": line.position, "what": line.name}
            yield Guard("price", "blocks", title, _why_unpriced(line), line=line)
    totals = pricing.totals(quote)
    if totals.lines_priced < totals.lines_total:
        title = ngettext(
            "%(priced)s of %(total)s line priced", "%(priced)s of %(total)s lines priced", totals.lines_total
        ) % {"priced": totals.lines_priced, "total": totals.lines_total}
        yield Guard("price", "note", title, _("The document says that the total is incomplete"))
    else:
        yield Guard("price", "passed", _("Every line has a price"))
    floor = quote.issuer.margin_floor_percent
    margin = pricing.margin_percent(quote)
    if floor is not None and margin is not None and margin < floor:
        title = _("Margin %(margin)s %%, the floor is %(floor)s %%") % {
            "margin": _plain(margin),
            "floor": _plain(floor),
        }
        yield Guard("margin", "blocks", title)
    if quote.valid_until and quote.valid_until < quote.issuer.today():
        yield Guard("validity", "blocks", _("The validity date has passed"))


def edited_by(quote: Quote, user: User) -> bool:
    """Say whether a person has changed or submitted any revision of this quote, for whomever. Runs SQL.

    A revision begins with the lines and prices of the former one, and a copy with those of its source: who made them
    there has made them here.
    """
    made_from = Q(quote__request=quote.request_id) | Q(quote__request__quotes__copies=quote.request_id)
    return QuoteEvent.objects.filter(EDITS, made_from, actor=user).exists()


def _four_eyes(quote: Quote, actor: Actor | None) -> Iterator[Guard]:
    if not quote.issuer.four_eyes:
        return
    if actor is not None and actor.user is not None and actor.user.pk == quote.author_id:
        yield Guard("four_eyes", "blocks", _("The author can't approve: a colleague has to"))
    elif actor is not None and actor.user is not None and edited_by(quote, actor.user):
        yield Guard(
            "four_eyes",
            "blocks",
            _("You changed or submitted this quote, or what it was made from: a colleague has to approve it"),
        )
    else:
        yield Guard("four_eyes", "passed", _("The approver is not the author"))
