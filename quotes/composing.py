"""From a candidate of the engine to the lines of a quote: what has to be bought, each line with how sure we are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from catalog.models import GpuSupport, Part, Price, Sku
from quotes.models import Confirmation, LineKind, PriceKind

KINDS = {
    Part.Kind.GPU: LineKind.GPU,
    Part.Kind.PLATFORM: LineKind.PLATFORM,
    Part.Kind.CPU: LineKind.CPU,
    Part.Kind.MEMORY: LineKind.MEMORY,
    Part.Kind.DRIVE: LineKind.DRIVE,
    Part.Kind.NIC: LineKind.NIC,
    Part.Kind.SWITCH: LineKind.SWITCH,
    Part.Kind.ACCESSORY: LineKind.BRIDGE,
    Part.Kind.SERVICE: LineKind.SERVICE,
}


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
    confirmed_at: Any = None
    valid_until: date | None = None
    confirmation: str = Confirmation.OPEN
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
            "confirmed_by_name": self.confirmed_by_name,
            "confirmed_at": self.confirmed_at,
            "evidence": self.evidence[:500],
            "valid_until": self.valid_until,
        }


def needs_of(candidate: Mapping[str, Any], *, currency: str) -> list[Need]:
    """Give what a candidate needs: the lines of its article where it names one, else its parts. Runs SQL."""
    nodes = int(candidate.get("nodes") or 1)
    needs = [*_machine(candidate, nodes), *_host(candidate, nodes), *_network(candidate, nodes)]
    sku = candidate.get("sku")
    if sku:
        needs = _of_article(str(sku), nodes, needs)
    _name_parts(needs)
    _confirm_support(candidate, needs)
    _price(needs, currency)
    return needs


def _machine(candidate: Mapping[str, Any], nodes: int) -> Iterator[Need]:
    platform, gpu = str(candidate.get("platform") or ""), str(candidate.get("gpu") or "")
    if platform:
        yield Need(LineKind.PLATFORM, platform, Decimal(nodes), slug=platform)
    if gpu:
        yield Need(LineKind.GPU, gpu, Decimal(nodes * int(candidate.get("gpus_per_node") or 1)), slug=gpu)


def _host(candidate: Mapping[str, Any], nodes: int) -> Iterator[Need]:
    host = candidate.get("host") or {}
    sockets = int(host.get("sockets") or 0)
    if cores := host.get("cores"):
        title = _("Processors with %(cores)s cores in all") % {"cores": cores}
        yield Need(LineKind.CPU, title, Decimal(nodes * max(sockets, 1)))
    if memory_bytes := host.get("memory_bytes"):
        title = _("Memory, %(size)s GB a node") % {"size": round(memory_bytes / 1e9)}
        yield Need(LineKind.MEMORY, title, Decimal(nodes))
    storage = candidate.get("storage") or {}
    if capacity := storage.get("capacity_bytes"):
        title = _("NVMe drives, %(size)s TB in all") % {"size": f"{capacity / 1e12:.2f}"}
        yield Need(LineKind.DRIVE, title, Decimal(nodes))


def _network(candidate: Mapping[str, Any], nodes: int) -> Iterator[Need]:
    network = candidate.get("network") or {}
    if speed := network.get("gbit_per_node"):
        title = _("Network cards, %(speed)s Gbit/s a node") % {"speed": round(speed)}
        yield Need(LineKind.NIC, title, Decimal(nodes))


def _of_article(slug: str, nodes: int, computed: list[Need]) -> list[Need]:
    sku = Sku.objects.filter(Q(slug=slug) | Q(article=slug)).prefetch_related("lines__part").first()
    if sku is None:
        return computed
    needs = []
    named = set()
    for line in sku.lines.all():
        if line.is_open:
            continue
        named.add(line.kind)
        need = Need(
            str(line.kind if line.kind in LineKind.values else LineKind.OTHER),
            line.text or str(line.part),
            Decimal(nodes * (line.quantity or 1)),
            slug=line.part.slug if line.part else "",
            detail=_("As the article says: %(article)s") % {"article": sku.article},
        )
        if line.is_confirmed:
            _take_confirmation(need, line)
        needs.append(need)
    return needs + [need for need in computed if need.kind not in named]


def _name_parts(needs: list[Need]) -> None:
    parts = {part.slug: part for part in Part.objects.filter(slug__in=[need.slug for need in needs if need.slug])}
    for need in needs:
        part = parts.get(need.slug)
        if part is not None:
            need.kind = KINDS.get(Part.Kind(part.kind), need.kind)
            need.description = f"{part.vendor} {part.name}"
            need.article = part.part_number


def _confirm_support(candidate: Mapping[str, Any], needs: list[Need]) -> None:
    support = GpuSupport.objects.filter(
        platform__slug=candidate.get("platform"), gpu__slug=candidate.get("gpu")
    ).first()
    if support is None or not support.is_confirmed:
        return
    for need in needs:
        if need.kind == LineKind.PLATFORM:
            _take_confirmation(need, support)


def _take_confirmation(need: Need, claim: Any) -> None:
    need.confirmation = Confirmation.CONFIRMED
    need.confirmed_by_name = claim.judged_by_name
    need.confirmed_at = claim.judged_at
    need.evidence = claim.evidence
    need.valid_until = claim.valid_until


def _price(needs: list[Need], currency: str) -> None:
    slugs = [need.slug for need in needs if need.slug]
    prices: dict[str, Price] = {}
    rows = Price.objects.current(timezone.localdate()).filter(currency=currency, offer__part__slug__in=slugs)
    for price in rows.select_related("offer__part").order_by("valid_from", "pk"):
        slug = price.offer.part.slug
        best = prices.get(slug)
        if best is None or price.is_quotable or not best.is_quotable:
            prices[slug] = price
    for need in needs:
        found = prices.get(need.slug)
        if found is None or found.net_high is None:
            continue
        firm = found.is_quotable and found.amount_low == found.amount_high
        need.price_kind = PriceKind.FIRM if firm else PriceKind.ESTIMATE
        need.unit_price = found.net_high.quantize(Decimal("0.01"))
