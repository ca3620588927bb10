"""From a candidate of the engine to the lines of a quote: what has to be bought, each line with how sure we are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from catalog.models import Claim, GpuSupport, Part, Price, Sku
from quotes.models import Confirmation, LineKind, PriceKind

CENT = Decimal("0.01")
# What a row on the catalog's word takes from a claim.
STANDING = ("confirmation", "is_of_catalog", "confirmed_by_name", "confirmed_at", "evidence", "valid_until")
FIGURE = re.compile(r"(?<![\d.,])(\d+(?:\.\d+)?)\s?(TB|GB|Gbit/s|months)\b")
ANY_MAKER = "any maker"
# Rows of the starter catalog without a maker: rails, cords, what we do ourselves. A line names the thing alone.
OURSELVES = frozenset({"", "Sizewright"})


@dataclass(slots=True)
class Need:
    """One position before it is a line, e.g. 16 memory modules of 64 GB, part not named yet."""

    kind: str
    description: str
    quantity: Decimal
    slug: str = ""
    article: str = ""
    detail: str = ""
    evidence: str = ""
    confirmed_by_name: str = ""
    confirmed_at: datetime | None = None
    valid_until: date | None = None
    confirmation: str = Confirmation.OPEN
    is_of_catalog: bool = False
    claims: list[Claim] = field(default_factory=list)
    price_kind: str = PriceKind.NONE
    unit_price: Decimal | None = None

    def fields(self) -> dict[str, Any]:
        """Give the fields of the line."""
        return {
            "kind": self.kind,
            "article": self.article[:120],
            "description": self.description[:300],
            "detail": self.detail[:500],
            "catalog_ref": self.slug,
            "quantity": self.quantity,
            "price_kind": self.price_kind,
            "unit_price": self.unit_price,
            "confirmation": self.confirmation,
            "is_of_catalog": self.is_of_catalog,
            "confirmed_by_name": self.confirmed_by_name,
            "confirmed_at": self.confirmed_at,
            "evidence": self.evidence[:500],
            "valid_until": self.valid_until,
        }

    def take(self, claim: Claim) -> None:
        """Carry over what the catalog says of it, with name and evidence."""
        self.claims.append(claim)
        found = decisive(self.claims)
        if found is not None:
            for name, value in said_by(found).items():
                setattr(self, name, value)


def decisive(claims: Iterable[Claim]) -> Claim | None:
    """Give the claim that counts today: a refuted one before the last confirmed one; None where all are open or old."""
    rows = list(claims)
    refuted = [claim for claim in rows if claim.state == Claim.State.REFUTED]
    confirmed = [claim for claim in rows if claim.is_confirmed]
    return next(iter([*refuted, *reversed(confirmed)]), None)


def said_by(claim: Claim) -> dict[str, Any]:
    """Give the fields of a row that stands on the catalog's word."""
    is_refuted = claim.state == Claim.State.REFUTED
    return {
        "confirmation": Confirmation.REFUTED if is_refuted else Confirmation.CONFIRMED,
        "is_of_catalog": True,
        "confirmed_by_name": claim.judged_by_name,
        "confirmed_at": claim.judged_at,
        "evidence": claim.evidence or str(claim.evidence_file).rpartition("/")[2],
        "valid_until": claim.valid_until,
    }


def needs_of(candidate: Mapping[str, Any], *, currency: str) -> list[Need]:
    """Give what a candidate needs, named and priced from the catalog as it is now. Runs SQL."""
    needs = [_need(line, currency) for line in candidate.get("lines") or []]
    if candidate.get("sku"):
        needs = _of_article(str(candidate["sku"]), int(candidate.get("nodes") or 1), needs)
    _name_parts(needs)
    _confirm_support(candidate, needs)
    _price_from_catalog(needs, currency)
    return needs


def _need(line: Mapping[str, Any], currency: str) -> Need:
    kind = str(line.get("kind") or LineKind.OTHER)
    need = Need(
        kind if kind in LineKind.values else LineKind.OTHER,
        str(line.get("text") or line.get("slug") or kind),
        Decimal(int(line.get("quantity") or 1)),
        slug=str(line.get("slug") or ""),
    )
    if line.get("included"):
        need.price_kind = PriceKind.INCLUDED
    elif line.get("high") is not None and line.get("currency") == currency:
        need.price_kind = PriceKind.ESTIMATE
        need.unit_price = Decimal(str(line["high"])).quantize(CENT)
    return need


def _of_article(article: str, nodes: int, computed: list[Need]) -> list[Need]:
    sku = Sku.objects.filter(Q(slug=article) | Q(article=article)).prefetch_related("lines__part").first()
    if sku is None:
        return computed
    needs = []
    for line in sku.lines.all():
        if line.is_open:
            continue
        kind = str(line.kind) if line.kind in LineKind.values else LineKind.OTHER
        slug = line.part.slug if line.part else ""
        need = Need(kind, line.text or str(line.part), Decimal(nodes * (line.quantity or 1)), slug=slug)
        need.detail = _("As the article says: %(article)s") % {"article": sku.article}
        need.take(line)
        needs.append(need)
    named = {need.kind for need in needs}
    return needs + [need for need in computed if need.kind not in named]


def _name_parts(needs: list[Need]) -> None:
    parts = {part.slug: part for part in Part.objects.filter(slug__in=[need.slug for need in needs if need.slug])}
    for need in needs:
        part = parts.get(need.slug)
        if part is not None and part.vendor != ANY_MAKER:
            is_named_alone = part.vendor in OURSELVES or part.vendor in part.name
            name = part.name if is_named_alone else f"{part.vendor} {part.name}"
            need.description = _with_figures(name, need.description)
            need.article = part.part_number


def _with_figures(name: str, text: str) -> str:
    """Name a part with the figures that the estimate knows and its name leaves out: Samsung PM9A3, 3.84 TB."""
    known = "".join(name.split()).casefold()
    figures = [f"{number} {unit}" for number, unit in FIGURE.findall(text) if f"{number}{unit}".casefold() not in known]
    return ", ".join([name, *figures])


def support_of(candidate: Mapping[str, Any]) -> GpuSupport | None:
    """Give what the catalog says of the candidate's GPU in its platform. Runs SQL."""
    return GpuSupport.objects.filter(platform__slug=candidate.get("platform"), gpu__slug=candidate.get("gpu")).first()


def _confirm_support(candidate: Mapping[str, Any], needs: list[Need]) -> None:
    support = support_of(candidate)
    if support is None:
        return
    for need in needs:
        if need.kind == LineKind.PLATFORM:
            need.take(support)


def cents(amount: Decimal) -> Decimal:
    """Write a price of the catalog as a line holds it."""
    return amount.quantize(CENT)


def confirmed_prices(slugs: list[str], *, currency: str) -> dict[str, Price]:
    """Give the price of each part that somebody confirmed and that is valid today. Runs SQL once."""
    confirmed = Price.objects.current(timezone.localdate()).confirmed()
    rows = confirmed.filter(currency=currency, offer__part__slug__in=slugs).select_related("offer__part")
    prices = {}
    for price in rows.order_by("valid_from", "pk"):
        if price.is_quotable and price.net_high is not None and price.offer.part is not None:
            prices[price.offer.part.slug] = price
    return prices


def _price_from_catalog(needs: list[Need], currency: str) -> None:
    """Take a price that somebody confirmed and that is valid today over a published market price."""
    prices = confirmed_prices([need.slug for need in needs if need.slug], currency=currency)
    for need in needs:
        found = prices.get(need.slug)
        if found is None or found.net_high is None:
            continue
        need.price_kind = PriceKind.FIRM if found.amount_low == found.amount_high else PriceKind.ESTIMATE
        need.unit_price = cents(found.net_high)
