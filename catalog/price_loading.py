"""Writing a price list that was looked at: everything in one transaction, nothing of it confirmed."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from simple_history.utils import bulk_create_with_history, bulk_update_with_history

from catalog import services
from catalog.importing import Change, Plan, Priced
from catalog.models import Claim, Offer, Part, Price, Sku, Source

_BATCH = 1_000


@transaction.atomic
def load(plan: Plan, *, actor: Any, file_name: str, looked_at: Iterable[int] = ()) -> int:
    """Load a list and give the number of prices written.

    Parameters
    ----------
    looked_at : iterable of int
        Lines of the file whose large shifts somebody has looked at.

    Raises
    ------
    ValidationError
        Where the list has faults, or a large shift nobody has looked at; then nothing is written.
    """
    if plan.faults:
        raise ValidationError(_("The list has faults. Nothing was loaded."))
    unseen = [change.row.line for change in plan.large if change.row.line not in set(looked_at)]
    if unseen:
        lines = ", ".join(str(line) for line in unseen[:10])
        raise ValidationError(_("Look at the prices that moved a lot first: line %s. Nothing was loaded.") % lines)
    reason = _("price list %s") % file_name[:60]
    today = timezone.localdate()
    source = _source(plan, file_name, today)
    offers = _offers(plan, actor, reason)
    _supersede(plan.changed, today, actor, reason)
    rows = [*plan.new, *(change.row for change in plan.changed)]
    prices = bulk_create_with_history(
        [_price(row, offers[row.key], today) for row in rows],
        Price,
        batch_size=_BATCH,
        default_user=actor,
        default_change_reason=reason,
    )
    through = Price.sources.through
    through.objects.bulk_create(
        [through(price_id=price.pk, source_id=source.pk) for price in prices], batch_size=_BATCH
    )
    return len(prices)


def _source(plan: Plan, file_name: str, today: datetime.date) -> Source:
    digest = hashlib.sha256(f"{plan.supplier} {file_name} {today} {plan.rows}".encode()).hexdigest()[:16]
    title = _("Price list of %(supplier)s, %(file)s") % {"supplier": plan.supplier, "file": file_name}
    source, _made = Source.objects.get_or_create(
        key=f"price-list:{digest}",
        defaults={
            "title": title[:300],
            "kind": Source.Kind.SELLER,
            "as_of": today.isoformat(),
            "read_on": today,
            "edited_at": timezone.now(),
        },
    )
    return source


def _offers(plan: Plan, actor: Any, reason: str) -> dict[tuple[str, int, str], Offer]:
    """Offers of all rows: new ones made, those whose terms changed brought up to date and unconfirmed again."""
    offers = dict(plan.offers)
    rows: Sequence[Priced] = [*plan.new, *(change.row for change in plan.changed), *plan.unchanged]
    fresh = {row.key: _offer(row, plan.supplier) for row in rows if row.key not in offers}
    made = bulk_create_with_history(
        list(fresh.values()), Offer, batch_size=_BATCH, default_user=actor, default_change_reason=reason
    )
    offers.update(zip(fresh, made, strict=True))
    changed = [offers[row.key] for row in rows if row.key in plan.offers and _take_terms(plan.offers[row.key], row)]
    if changed:
        fields = ["warranty_months", "lead_time_days", "availability", "state", "judged_by", "judged_by_name"]
        fields += ["judged_at", "evidence", "evidence_file", "valid_until", "edited_at", "changed_at"]
        bulk_update_with_history(
            changed, Offer, fields, batch_size=_BATCH, default_user=actor, default_change_reason=reason
        )
    return offers


def _offer(row: Priced, supplier: str) -> Offer:
    subject = row.subject
    return Offer(
        supplier=supplier,
        part=subject if isinstance(subject, Part) else None,
        sku=subject if isinstance(subject, Sku) else None,
        title=row.title,
        condition=row.condition,
        warranty_months=row.warranty,
        lead_time_days=row.lead_time,
        availability=row.availability,
        edited_at=timezone.now(),
    )


def _take_terms(offer: Offer, row: Priced) -> bool:
    """Take the terms that a row names; say whether any of them is new."""
    named = {"warranty_months": row.warranty, "lead_time_days": row.lead_time}
    if row.availability != Offer.Availability.UNKNOWN:
        named["availability"] = row.availability  # type: ignore[assignment]
    changes = {name: value for name, value in named.items() if value is not None and getattr(offer, name) != value}
    for name, value in changes.items():
        setattr(offer, name, value)
    if changes:
        offer.edited_at = offer.changed_at = timezone.now()
        if offer.state != Claim.State.UNCONFIRMED:
            services.reopen(offer)
    return bool(changes)


def _supersede(changes: list[Change], today: datetime.date, actor: Any, reason: str) -> None:
    former = [change.before for change in changes]
    for price in former:
        price.superseded_on = today
        price.changed_at = timezone.now()
    if former:
        bulk_update_with_history(
            former,
            Price,
            ["superseded_on", "changed_at"],
            batch_size=_BATCH,
            default_user=actor,
            default_change_reason=reason,
        )


def _price(row: Priced, offer: Offer, today: datetime.date) -> Price:
    return Price(
        offer=offer,
        amount_low=row.price,
        amount_high=row.price,
        currency=row.currency,
        includes_tax=row.includes_tax,
        tax_rate_percent=row.tax_rate,
        as_of=today.isoformat(),
        valid_from=today,
        valid_to=row.valid_to,
    )
