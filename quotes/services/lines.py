"""Lines of a quote: add, edit, take out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from quotes import pricing
from quotes.actors import Actor
from quotes.models import Confirmation, PriceKind, Quote, QuoteLine
from quotes.refusals import ConflictError, InvalidError
from quotes.services import preparing
from quotes.services.editing import difference, open_for_edit, reopened, write
from quotes.services.recording import record

FIELDS = (
    "kind",
    "article",
    "description",
    "detail",
    "quantity",
    "price_kind",
    "unit_price",
    "discount_percent",
    "tax_rate",
    "unit_cost",
)
# What a confirmation is about: changing it opens the line again (docs/decisions/0077).
IDENTITY = ("kind", "article", "description", "quantity")
PRICED = ("price_kind", "unit_price")
SUBSTANCE = (*IDENTITY, "detail", *PRICED)


def _checked(quote: Quote, values: Mapping[str, Any]) -> dict[str, Any]:
    fields = {name: values[name] for name in FIELDS if name in values}
    if fields.get("price_kind") in (PriceKind.NONE, PriceKind.INCLUDED):
        fields["unit_price"] = None
    if "quantity" in fields and fields["quantity"] <= 0:
        raise InvalidError("quantity", _("The quantity is from 0.01 to 100,000. Type how many are delivered"))
    line = QuoteLine(quote=quote, position=1, **fields)
    line.net_amount = pricing.net_amount(
        quantity=line.quantity,
        unit_price=line.unit_price,
        discount_percent=line.discount_percent,
        currency=quote.currency,
    )
    try:
        line.full_clean(exclude=["quote"])
    except ValidationError as error:
        field, messages = next(iter(error.message_dict.items()))
        raise InvalidError(field, messages[0]) from error
    return fields | {"net_amount": line.net_amount}


@transaction.atomic
def add_line(quote: Quote, *, actor: Actor, **values: Any) -> QuoteLine:
    """Add a line typed by hand; it starts unconfirmed and stays when another candidate is chosen."""
    locked = open_for_edit(quote, actor=actor)
    fields = _checked(locked, values)
    last = locked.lines.aggregate(last=Max("position"))["last"] or 0
    line = QuoteLine.objects.create(quote=locked, position=last + 1, typed_by_hand=True, **fields)
    preparing.refresh_totals(locked)
    change = {"line": line.position, "what": line.description, "fields": difference({}, fields)}
    record(locked.request, kind="line.added", actor=actor, quote=locked, change=change)
    return line


@transaction.atomic
def edit_line(line: QuoteLine, *, actor: Actor, version: int | None, **values: Any) -> QuoteLine:
    """Change a line; what was confirmed must be what is sold, so another substance opens a settled line again.

    Discount, tax rate and our cost are ours to set and keep the confirmation.
    """
    line.quote = quote = open_for_edit(line.quote, actor=actor)
    fields = _checked(quote, {name: values.get(name, getattr(line, name)) for name in FIELDS})
    was, opened_by = line.get_confirmation_display(), _opened_by(line, fields)
    if opened_by:
        fields |= reopened() | {"reopened_for": opened_by if line.confirmation != Confirmation.REFUTED else []}
    change = write(line, version=version, **fields)
    preparing.refresh_totals(quote)
    told = {"line": line.position, "what": line.description, "fields": change}
    record(quote.request, kind="line.edited", actor=actor, quote=quote, change=told)
    if opened_by:
        told = {"line": line.position, "what": line.description, "before": str(was), "changed": opened_by}
        record(quote.request, kind="line.reopened", actor=actor, quote=quote, change=told)
    return line


def _opened_by(line: QuoteLine, fields: Mapping[str, Any]) -> list[str]:
    """Give the changed fields that take a line's confirmation, waiver or refutation away; spacing changes nothing."""
    changed = [name for name in SUBSTANCE if name in fields and _bare(fields[name]) != _bare(getattr(line, name))]
    if line.confirmation == Confirmation.OPEN:
        return []
    if line.confirmation == Confirmation.REFUTED:
        return changed if set(changed) & set(IDENTITY) else []
    if line.is_of_catalog:
        return [name for name in changed if name not in PRICED]
    return changed


def _bare(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


@transaction.atomic
def remove_line(line: QuoteLine, *, actor: Actor, version: int | None = None) -> Quote:
    """Take a line out and close the gap in the numbering."""
    quote = open_for_edit(line.quote, actor=actor)
    rows = QuoteLine.objects.filter(pk=line.pk)
    deleted, _rows = (rows.filter(version=version) if version is not None else rows).delete()
    if not deleted:
        raise ConflictError(_("Somebody changed or removed this line while you were looking at it"))
    for position, row in enumerate(quote.lines.all(), start=1):
        if row.position != position:
            QuoteLine.objects.filter(pk=row.pk).update(position=position)
    preparing.refresh_totals(quote)
    record(
        quote.request,
        kind="line.removed",
        actor=actor,
        quote=quote,
        change={"line": line.position, "what": line.description},
    )
    return quote
