"""What the catalog says today of the points of a draft: confirmations it gained, and those that hold no more.

Read when a draft is looked at and whenever it is submitted or approved; what was issued is never compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal

from django.utils import timezone
from django.utils.translation import gettext as _

from catalog.models import Claim, Price
from quotes import composing, conditions
from quotes.models import EDITABLE, Confirmation, LedgerEntry, PriceKind, Quote, QuoteLine, Status
from quotes.models.confirmations import STALE
from quotes.presenter import dates

COMPARED = EDITABLE | {Status.READY}
Row = QuoteLine | LedgerEntry
Kind = Literal["confirmed", "priced", "refuted", "ended", "price_refuted"]


@dataclass(frozen=True, slots=True)
class Word:
    """One point on which the catalog has another word than the draft, e.g. its support was confirmed meanwhile."""

    row: Row
    kind: Kind
    claim: Claim | None = None
    unit_price: Decimal | None = None

    @property
    def is_gain(self) -> bool:
        """Say whether the draft gains by it; what is no gain keeps the draft from being approved."""
        return self.kind in ("confirmed", "priced")

    @property
    def why(self) -> str:
        """Say what the catalog says, for the page and for the refusal."""
        if self.claim is None or self.kind == "ended":
            return _("The catalog no longer holds the confirmation that this rests on")
        said = {"day": dates.short_day(timezone.localdate(self.claim.judged_at)), "evidence": self.claim.evidence}
        if self.kind == "refuted":
            return _("Refuted in the catalog, %(day)s: %(evidence)s") % said
        if self.kind == "price_refuted":
            return _("The catalog has refuted this price, %(day)s: %(evidence)s") % said
        return _("Confirmed in the catalog, %(day)s: %(evidence)s") % said


@dataclass(frozen=True, slots=True)
class Words:
    """Everything the catalog says otherwise, gains apart from losses."""

    gains: list[Word] = field(default_factory=list)
    losses: list[Word] = field(default_factory=list)

    def loss_of(self, row: Row) -> Word | None:
        """Give what the catalog takes back of a row."""
        return next((word for word in self.losses if type(word.row) is type(row) and word.row.pk == row.pk), None)


def words(quote: Quote) -> Words:
    """Compare a draft with the catalog as it is now; nothing for what was issued. Runs SQL, independent of its size."""
    candidate = quote.candidate
    if quote.status not in COMPARED or candidate is None:
        return Words()
    today = quote.issuer.today()
    needs = composing.needs_of(candidate, currency=quote.currency)
    by_place = {(need.kind, need.slug, need.quantity): need for need in needs}
    lines = [line for line in quote.lines.all() if line.catalog_ref and not line.typed_by_hand]
    found: list[Word] = []
    refuted = _refuted_prices(lines, quote.currency)
    for line in lines:
        need = by_place.get((line.kind, line.catalog_ref, line.quantity))
        found += _of_row(line, need.claims if need else [], today)
        found += _of_price(line, need, refuted.get(line.catalog_ref, []))
    found += _of_conditions(quote, today)
    return Words([word for word in found if word.is_gain], [word for word in found if not word.is_gain])


def _of_conditions(quote: Quote, today: date) -> Iterator[Word]:
    candidate = quote.candidate or {}
    entries = [
        entry for entry in quote.ledger.all() if entry.is_condition and conditions.is_of_support(entry.why, candidate)
    ]
    support = composing.support_of(candidate) if entries else None
    for entry in entries:
        yield from _of_row(entry, [] if support is None else [support], today)


def _of_row(row: Row, claims: list[Claim], today: date) -> Iterator[Word]:
    claim = composing.decisive(claims)
    if claim is None:
        if row.is_of_catalog and row.confirmation == Confirmation.CONFIRMED:
            yield Word(row, "ended")
        return
    if claim.state == Claim.State.REFUTED:
        is_answered = bool(row.confirmed_at and claim.judged_at and row.confirmed_at >= claim.judged_at)
        if row.confirmation != Confirmation.REFUTED and not is_answered:
            yield Word(row, "refuted", claim)
        return
    if _would_gain(row, claim, today):
        yield Word(row, "confirmed", claim)


def _would_gain(row: Row, claim: Claim, today: date) -> bool:
    if row.is_of_catalog:
        return (row.confirmed_at, row.valid_until) != (claim.judged_at, claim.valid_until)
    return row.standing(today) in (Confirmation.OPEN, STALE)


def _of_price(line: QuoteLine, need: composing.Need | None, refuted: list[Price]) -> Iterator[Word]:
    if need is not None and need.price_kind == PriceKind.FIRM and not line.is_priced and _is_free(line):
        yield Word(line, "priced", unit_price=need.unit_price)
    if line.price_kind != PriceKind.FIRM or (need is not None and need.unit_price == line.unit_price):
        return
    for price in refuted:
        is_answered = bool(line.confirmed_at and price.judged_at and line.confirmed_at >= price.judged_at)
        if price.net_high is not None and composing.cents(price.net_high) == line.unit_price and not is_answered:
            yield Word(line, "price_refuted", price)
            return


def _is_free(line: QuoteLine) -> bool:
    """Say whether a price can be put into a line without changing what a person settled about it."""
    return line.confirmation == Confirmation.OPEN or line.is_of_catalog


def _refuted_prices(lines: Iterable[QuoteLine], currency: str) -> dict[str, list[Price]]:
    slugs = [line.catalog_ref for line in lines if line.price_kind == PriceKind.FIRM]
    rows = Price.objects.filter(state=Claim.State.REFUTED, currency=currency, offer__part__slug__in=slugs)
    found: dict[str, list[Price]] = {}
    for price in rows.select_related("offer__part").order_by("judged_at"):
        if price.offer.part is not None:
            found.setdefault(price.offer.part.slug, []).append(price)
    return found
