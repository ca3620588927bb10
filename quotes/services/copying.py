"""A new request of the same customer, made from a quote there is: answers, plan and lines come along, promises don't.

What stands behind a line is asked again: the catalog's confirmations are taken as they are today, those of a person
are open. See docs/decisions/0066.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quotes import composing, links, pricing
from quotes.actors import Actor
from quotes.models import (
    Confirmation,
    Estimate,
    Issuer,
    LedgerEntry,
    PriceKind,
    Quote,
    QuoteLine,
    Request,
    RequestVersion,
)
from quotes.models.ledger import CONDITION
from quotes.refusals import InvalidError
from quotes.services import building, points, preparing
from quotes.services.editing import check_engineer, reopened
from quotes.services.recording import record, refresh_search
from quotes.services.requests import CONTACT_FIELDS, LONGEST_KEY, draw_reference


class Prices(models.TextChoices):
    """Which prices a copy starts with."""

    TODAY = "today", gettext_lazy("Today's prices, from the catalog")
    QUOTED = "quoted", gettext_lazy("The prices as they were quoted")


def prices_hold_until(quote: Quote) -> date:
    """Give the last day on which the prices of a quote count: its validity, or what it would be for a draft."""
    drafted = quote.issuer.today(quote.created_at) + timedelta(days=quote.issuer.validity_days)
    return quote.valid_until or drafted


def copy(quote: Quote, *, prices: str, actor: Actor, idempotency_key: str = "") -> Quote:
    """Make a request and its quote, in review by the actor, from a quote in any state.

    No letter goes out: the customer hears of it with the first question or with the quote itself. The same key gives
    the same copy.
    """
    check_engineer(actor)
    if prices not in Prices.values:
        raise InvalidError("prices", _("Choose which prices the copy starts with"))
    key = idempotency_key[:LONGEST_KEY] or None
    with transaction.atomic():
        source = Quote.objects.select_for_update(of=("self",)).select_related("request", "estimate", "issuer")
        found = source.get(pk=quote.pk)
        former = Quote.objects.filter(request__idempotency_key=key, request__copied_from=found).first() if key else None
        return former or _copied(found, prices, actor, key)


def _copied(source: Quote, prices: str, actor: Actor, key: str | None) -> Quote:
    issuer = Issuer.ensure()
    request = _request(source, issuer, actor, key)
    name = source.full_number or source.request.reference
    copied = building.start(
        source,
        request=request,
        estimate=_estimate(source.estimate, request, name),
        issuer=issuer,
        actor=actor,
    )
    kept = _copy_lines(source, copied, prices)
    _copy_ledger(source, copied)
    points.note_points(copied, copied.candidate)
    preparing.refresh_totals(copied)
    links.issue(request, by=actor.user)
    change = {"name": name, "quote": str(source.public_id), "prices": prices, "former_prices_of_lines": kept}
    record(request, kind="request.copied", actor=actor, quote=copied, change=change)
    told = {"name": request.reference, "prices": prices}
    record(source.request, kind="quote.copied", actor=actor, quote=source, change=told)
    refresh_search(request)
    return copied


def _request(source: Quote, issuer: Issuer, actor: Actor, key: str | None) -> Request:
    former = source.request
    return Request.objects.create(
        reference=draw_reference(issuer),
        route=former.route,
        language=former.language,
        consented_at=former.consented_at,
        entered_by=actor.user,
        assigned_to=actor.user,
        copied_from=source,
        idempotency_key=key,
        **{name: getattr(former, name) for name in CONTACT_FIELDS},
    )


def _estimate(former: Estimate, request: Request, name: str) -> Estimate:
    """Copy what was asked and answered, with the day it was computed on: nothing is computed again."""
    version = RequestVersion.objects.create(
        request=request,
        number=1,
        answers=former.request_version.answers,
        why=_("Copied from %(quote)s") % {"quote": name},
    )
    return Estimate.objects.create(
        request=request,
        request_version=version,
        input=former.input,
        output=former.output,
        engine_version=former.engine_version,
        catalog_fingerprint=former.catalog_fingerprint,
        created_at=former.created_at,
    )


def _copy_lines(source: Quote, target: Quote, prices: str) -> list[int]:
    """Copy the lines; give the positions that keep a former price because the catalog has none today. Runs SQL."""
    candidate = source.candidate
    needs = composing.needs_of(candidate, currency=source.currency) if candidate else []
    known = {(need.kind, need.slug, need.description, need.quantity): need for need in needs}
    rate_then = Decimal(str(((source.snapshot or {}).get("issuer") or {}).get("tax_rate", source.issuer.tax_rate)))
    rows, kept = [], []
    for line in source.lines.all():
        row = _row(line, target)
        identity = (line.kind, line.catalog_ref, line.description, line.quantity)
        need = None if line.typed_by_hand else known.get(identity)
        if need is not None and need.is_of_catalog and row.confirmation == Confirmation.OPEN:
            for name in composing.STANDING:
                setattr(row, name, getattr(need, name))
        if prices == Prices.QUOTED:
            _hold(row, need, source)
        elif not _price_today(row, need):
            kept.append(row.position)
        if prices == Prices.TODAY and row.tax_rate == rate_then:
            row.tax_rate = target.issuer.tax_rate
        row.net_amount = pricing.net_amount(
            quantity=row.quantity,
            unit_price=row.unit_price,
            discount_percent=row.discount_percent,
            currency=target.currency,
        )
        rows.append(row)
    QuoteLine.objects.bulk_create(rows)
    return kept


def _row[RowT: (QuoteLine, LedgerEntry)](former: RowT, target: Quote) -> RowT:
    """Make a row from a former one; nobody stands behind it yet, and what was refuted stays so."""
    row = building.row_like(former, target)
    if row.confirmation != Confirmation.REFUTED:
        for name, value in reopened().items():
            setattr(row, name, value)
    return row


def _hold(row: QuoteLine, need: composing.Need | None, source: Quote) -> None:
    """Let a quoted price that no longer counts be a stale confirmation, which the guards of the approval find."""
    until = prices_hold_until(source)
    is_todays = need is not None and need.price_kind == PriceKind.FIRM and need.unit_price == row.unit_price
    if row.price_kind != PriceKind.FIRM or is_todays or until >= source.issuer.today():
        return
    if row.confirmation != Confirmation.REFUTED:
        row.confirmation = Confirmation.CONFIRMED
        row.confirmed_by_name = source.issuer.name
        row.confirmed_at = source.issued_at or timezone.now()
        row.evidence = _("Price of %(quote)s") % {"quote": source.full_number or source.request.reference}
        row.valid_until = until


def _price_today(row: QuoteLine, need: composing.Need | None) -> bool:
    """Take the catalog's price; where it has none a price that was typed stays as an estimate: give False."""
    if row.price_kind == PriceKind.INCLUDED:
        return True
    if need is not None and need.price_kind != PriceKind.NONE:
        row.price_kind, row.unit_price = need.price_kind, need.unit_price
        return True
    if row.price_kind == PriceKind.NONE:
        return True
    row.price_kind = PriceKind.ESTIMATE
    return False


def _copy_ledger(source: Quote, target: Quote) -> None:
    """Copy the assumptions with their values; what the customer disputes and nobody settled stays disputed."""
    rows = []
    for entry in source.ledger.exclude(key__startswith=CONDITION):
        row = _row(entry, target)
        row.customer_says = entry.customer_says if entry.is_disputed else ""
        rows.append(row)
    LedgerEntry.objects.bulk_create(rows)
