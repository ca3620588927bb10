"""Own or rent: what both cost, when a bought server has paid for itself, and what that rests on."""

from __future__ import annotations

from sizing.economics.case import (
    DAYS_PER_MONTH,
    MOST_PRICE,
    NEVER_MONTHS,
    Case,
    cloud_parts,
    curve,
    hours_to_pay,
    interest,
    months_to_pay,
    own_parts,
    own_spent,
    price_to_pay,
    rent_needed,
    rent_per_month,
    running_per_month,
)
from sizing.economics.compare import REASONS_BESIDE_MONEY, compare, figures, sensitivity
from sizing.economics.inputs import BY_NAME, INPUTS, Inputs, assume_without_tax, read, stated_rate
from sizing.economics.offers import CURRENCY, offers_for, published

__all__ = [
    "BY_NAME",
    "CURRENCY",
    "DAYS_PER_MONTH",
    "INPUTS",
    "MOST_PRICE",
    "NEVER_MONTHS",
    "REASONS_BESIDE_MONEY",
    "Case",
    "Inputs",
    "assume_without_tax",
    "cloud_parts",
    "compare",
    "curve",
    "figures",
    "hours_to_pay",
    "interest",
    "months_to_pay",
    "offers_for",
    "own_parts",
    "own_spent",
    "price_to_pay",
    "published",
    "read",
    "rent_needed",
    "rent_per_month",
    "running_per_month",
    "sensitivity",
    "stated_rate",
]
