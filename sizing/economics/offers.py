"""Rents that somebody printed: dated rows of providers, on demand and reserved, and the customer's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from sizing.exchange import ExchangeRate
from sizing.hardware_data import CloudOffer

CURRENCY = "USD"
ON_DEMAND = "on-demand"
RESERVED = ("reserved", "3-year commitment")
OTHER_GPU = {"h200-nvl": "h200-sxm", "h100-nvl": "h100-pcie"}
OWN_QUOTE = "the customer's own quote for the cloud"


@dataclass(frozen=True, slots=True)
class Rent:
    """Rents of one GPU [currency/h]: the GPU they are of, and their rows in order of the rate."""

    gpu: str
    currency: str
    rows: tuple[Mapping[str, Any], ...]
    is_stated: bool = False
    is_reserved: bool = False

    def at(self, rate: ExchangeRate) -> Rent:
        """The same rents in another currency; each row keeps what its provider printed."""
        rows = tuple(
            {**one, "per_gpu_hour": float(one["per_gpu_hour"]) * rate.rate, "printed": one["per_gpu_hour"],
             "printed_currency": self.currency}
            for one in self.rows
        )  # fmt: skip
        return replace(self, currency=rate.quote, rows=rows)

    @property
    def low(self) -> float:
        """The lowest [currency/h]."""
        return float(self.rows[0]["per_gpu_hour"])

    @property
    def high(self) -> float:
        """The highest [currency/h]."""
        return float(self.rows[-1]["per_gpu_hour"])

    @property
    def middle(self) -> float:
        """The median [currency/h]."""
        return median(float(one["per_gpu_hour"]) for one in self.rows)

    @property
    def as_of(self) -> str:
        """The latest date of a row."""
        return max(str(one["as_of"]) for one in self.rows)

    def shown(self) -> dict[str, Any]:
        """The rents in the form of an answer."""
        return {
            "gpu": self.gpu,
            "currency": self.currency,
            "low": self.low,
            "median": self.middle,
            "high": self.high,
            "offers": len(self.rows),
            "as_of": self.as_of,
            "sources": sorted({str(one["source"]) for one in self.rows}),
            "rows": list(self.rows),
            "is_stated": self.is_stated,
            "is_reserved": self.is_reserved,
        }


def offers_for(
    gpu_slug: str, offers: Iterable[CloudOffer], kinds: tuple[str, ...] = (ON_DEMAND,)
) -> tuple[list[CloudOffer], str]:
    """Dated offers in USD of a GPU, and the GPU they are of: its sibling where nobody rents this one on demand."""
    known = [one for one in offers if one.currency == CURRENCY and one.as_of]
    for slug in (gpu_slug, OTHER_GPU.get(gpu_slug, "")):
        if any(one.gpu == slug and one.kind == ON_DEMAND for one in known):
            return [one for one in known if one.gpu == slug and one.kind in kinds], slug
    return [one for one in known if one.gpu == gpu_slug and one.kind in kinds], gpu_slug


def published(gpu_slug: str, offers: Iterable[CloudOffer], kinds: tuple[str, ...] = (ON_DEMAND,)) -> Rent | None:
    """What providers printed for a GPU; None where nobody dated a price."""
    found, slug = offers_for(gpu_slug, offers, kinds)
    rows = [
        {
            "provider": one.provider,
            "shape": one.shape,
            "kind": one.kind,
            "region": one.region,
            "per_gpu_hour": one.per_gpu_hour,
            "as_of": one.as_of,
            "source": one.source,
        }
        for one in sorted(found, key=lambda one: one.per_gpu_hour)
    ]
    return Rent(slug, CURRENCY, tuple(rows), is_reserved=ON_DEMAND not in kinds) if rows else None


def stated(given: Mapping[str, Any], gpu_slug: str, currency: str) -> Rent | None:
    """The rent a customer was quoted; None where none was given, or for another GPU."""
    rate = given.get("rent_per_gpu_hour")
    if rate is None or given.get("rent_gpu") not in (None, gpu_slug):
        return None
    kind = str(given.get("rent_kind") or ON_DEMAND)
    row = {
        "provider": str(given.get("rent_source") or ""),
        "shape": "",
        "kind": kind,
        "region": "",
        "per_gpu_hour": float(rate),
        "as_of": str(given.get("rent_as_of") or ""),
        "source": OWN_QUOTE,
    }
    return Rent(gpu_slug, currency, (row,), is_stated=True, is_reserved=kind != ON_DEMAND)
