"""A customer's own figures for owning against renting, in the engine's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

GB_PER_TB = 1000
PERCENT = 0.01
OWN_FIGURES = (
    ("server_price", "price", 1),
    ("electricity_price", "tariff", 1),
    ("cloud_rate", "rent_per_gpu_hour", 1),
    ("cloud_storage_price", "cloud_storage_per_gb_month", 1),
    ("egress_tb", "egress_gb_per_month", GB_PER_TB),
    ("egress_price", "egress_per_gb", 1),
    ("interest_percent", "interest_rate", PERCENT),
    ("years_of_use", "years", 1),
    ("pue", "pue", 1),
    ("space_price", "space_per_kw_month", 1),
    ("support_percent", "yearly_share", PERCENT),
    ("staff_percent", "staff_share", PERCENT),
    ("resale_percent", "residual_share", PERCENT),
    ("exchange_rate", "exchange_rate", 1),
)
"""Answer of the form, field of the contract's `economics`, and what one unit of the first is in the second [–]."""

IN_MONEY = frozenset(
    {
        "price",
        "tariff",
        "rent_per_gpu_hour",
        "cloud_storage_per_gb_month",
        "egress_per_gb",
        "space_per_kw_month",
        "exchange_rate",
    }
)


def economics(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Say the customer's own figures in the contract's words; empty where there are none.

    Use of the server a day stays with the workload; the currency is that of the budget.
    """
    found: dict[str, Any] = {}
    for name, key, factor in OWN_FIGURES:
        if answers.get(name) is not None:
            found[key] = answers[name] * factor
    if "rent_per_gpu_hour" in found:
        found["rent_kind"] = answers.get("cloud_rate_kind") or "on-demand"
        if answers.get("cloud_rate_date"):
            found["rent_as_of"] = str(answers["cloud_rate_date"])
    if "exchange_rate" in found and answers.get("exchange_rate_date"):
        found["exchange_rate_as_of"] = str(answers["exchange_rate_date"])
    if found.keys() & IN_MONEY:
        found["currency"] = answers.get("currency") or "USD"
    return found
