"""An edit that came second, in words: each field by the name its form has, each value as the page writes it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _

from quotes.models import Confirmation, LineKind, Origin, Party, PriceKind
from quotes.presenter import dates
from quotes.presenter import quantities as q
from quotes.presenter.words import word
from quotes.refusals import StaleEditError

FIELDS: dict[str, Any] = {
    "kind": _("Kind"),
    "description": _("Position"),
    "article": _("Article"),
    "detail": _("Detail"),
    "quantity": _("Quantity"),
    "price_kind": _("Price is"),
    "unit_price": _("Price of one, without tax"),
    "discount_percent": _("Discount, %"),
    "tax_rate": _("Tax rate, %"),
    "unit_cost": _("Our cost of one"),
    "net_amount": _("Amount"),
    "value": _("Value"),
    "origin": _("Who said it"),
    "confirmation": _("Confirmation"),
    "confirmed_by_name": _("Confirmed by"),
    "evidence": _("What it rests on"),
    "valid_until": _("Valid until"),
    "reason": _("Reason"),
    "reason_party": _("Who will confirm it"),
    "reason_until": _("By which day"),
}
CHOICES: dict[str, Any] = {
    "kind": LineKind,
    "price_kind": PriceKind,
    "origin": Origin,
    "confirmation": Confirmation,
    "reason_party": Party,
}
MONEY = frozenset({"unit_price", "unit_cost", "net_amount"})


def pairs(refusal: StaleEditError) -> list[tuple[str, str, str]]:
    """Give name, stored and asked of each field a person knows, only where the two differ."""
    return [
        (str(label), shown(name, refusal.stored.get(name)), shown(name, refusal.asked[name]))
        for name, label in FIELDS.items()
        if name in refusal.asked and refusal.stored.get(name) != refusal.asked[name]
    ]


def shown(name: str, value: Any) -> str:
    """Write a value of a field; nothing is a dash."""
    if value is None or value == "":
        return q.NOTHING
    if name in CHOICES and value in CHOICES[name].values:
        return str(CHOICES[name](value).label)
    if name in MONEY:
        return q.money(value, "").text
    if isinstance(value, Decimal):
        return q.number(value, 0 if value == value.to_integral_value() else 2)
    return dates.short_day(value) if isinstance(value, date) else word(value)
