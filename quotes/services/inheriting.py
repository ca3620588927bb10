"""Taking over what the catalog says of a draft's points: its confirmations, its prices, and what it took back."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from quotes import catalog_words, composing, pricing
from quotes.actors import Actor
from quotes.catalog_words import Word
from quotes.models import CATALOG_CHANGED, PriceKind, Quote, QuoteLine
from quotes.refusals import ConflictError
from quotes.services import preparing
from quotes.services.confirming import noun, subject_of
from quotes.services.editing import open_for_edit, reopened, write
from quotes.services.recording import record

VERBS = {"confirmed": "confirmed", "refuted": "refuted", "ended": "reopened"}


@transaction.atomic
def take_catalogs_word(quote: Quote, *, actor: Actor, seen: int | None = None) -> list[Word]:
    """Let every point of a draft stand as the catalog says today; each is an event. Gives what was taken over.

    Nothing of an approved or sent revision is touched: it is refused as every edit is.
    """
    locked = open_for_edit(quote, actor=actor, seen=seen)
    found = catalog_words.words(locked)
    taken = [*found.losses, *found.gains]
    if not taken:
        raise ConflictError(_("The catalog says nothing new of this quote"))
    for word in taken:
        word.row.quote = locked
        if isinstance(word.row, QuoteLine) and word.kind in ("priced", "price_refuted"):
            _price(word.row, word, actor)
        else:
            _judge(word, actor)
    preparing.refresh_totals(locked)
    return taken


def _judge(word: Word, actor: Actor) -> None:
    row = word.row
    fields: dict[str, Any] = reopened()
    if word.kind in ("confirmed", "refuted") and word.claim is not None:
        fields |= composing.said_by(word.claim)
    else:
        fields["reopened_for"] = [CATALOG_CHANGED]
    change = write(row, version=None, **fields)
    record(
        row.quote.request,
        kind=f"{noun(row)}.{VERBS[word.kind]}",
        actor=actor,
        quote=row.quote,
        reason=word.why,
        change={**subject_of(row), "fields": change},
    )


def _price(line: QuoteLine, word: Word, actor: Actor) -> None:
    """Take a price that the catalog confirms; one that it refuted stays in sight as an estimate, and opens the line."""
    fields: dict[str, Any] = {"price_kind": PriceKind.FIRM, "unit_price": word.unit_price}
    if word.kind == "price_refuted":
        fields = {**reopened(), "price_kind": PriceKind.ESTIMATE, "reopened_for": [CATALOG_CHANGED]}
    net_amount = pricing.net_amount(
        quantity=line.quantity,
        unit_price=fields.get("unit_price", line.unit_price),
        discount_percent=line.discount_percent,
        currency=line.quote.currency,
    )
    change = write(line, version=None, **fields, net_amount=net_amount)
    told = {"line": line.position, "what": line.description, "fields": change}
    record(line.quote.request, kind="line.edited", actor=actor, quote=line.quote, reason=word.why, change=told)
