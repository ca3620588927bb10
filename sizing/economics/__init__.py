"""Own or rent: what both cost, when a bought server has paid for itself, and what that rests on."""

from __future__ import annotations

from sizing.economics.case import (
    DAYS_PER_MONTH,
    NEVER_MONTHS,
    Case,
    cloud_parts,
    curve,
    hours_to_pay,
    interest,
    months_to_pay,
    own_parts,
    own_spent,
    rent_needed,
    rent_per_month,
    running_per_month,
)
from sizing.economics.compare import REASONS_BESIDE_MONEY, compare, figures, sensitivity
from sizing.economics.inputs import BY_NAME, INPUTS, Inputs, read
from sizing.economics.offers import offers_for, published

__all__ = [
    "BY_NAME",
    "DAYS_PER_MONTH",
    "INPUTS",
    "NEVER_MONTHS",
    "REASONS_BESIDE_MONEY",
    "Case",
    "Inputs",
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
    "published",
    "read",
    "rent_needed",
    "rent_per_month",
    "running_per_month",
    "sensitivity",
]
