"""What somebody has to look at: claims to confirm, and facts that nobody knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from catalog import usage
from catalog.models import Claim, Fact, Gpu, GpuSupport, Offer, Platform, Price, SkuLine
from catalog.presenting import label_of
from catalog.usage import Touched

KINDS: dict[str, tuple[Any, type[Claim]]] = {
    "line": (gettext_lazy("Lines"), SkuLine),
    "support": (gettext_lazy("Platform takes GPU"), GpuSupport),
    "price": (gettext_lazy("Prices"), Price),
    "offer": (gettext_lazy("Offers"), Offer),
}
NEEDED = {
    Gpu: ("memory_usable_gib", "memory_bandwidth_tb_s", "bf16_tflops", "nvlink_gb_s", "tdp_w", "slots", "min_cuda"),
    Platform: (
        "max_system_power_w",
        "rack_units",
        "cooling",
        "max_gpus",
        "psu_count",
        "psu_w",
        "dimm_slots",
        "weight_gross_kg",
    ),
}


@dataclass(slots=True)
class ToConfirm:
    """One claim on the worklist, with the quotes that wait on it."""

    kind: str
    claim: Any
    title: str
    detail: str
    evidence: str
    address: str
    slugs: tuple[str, ...] = ()
    waiting: list[Touched] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Name of the claim in a form."""
        return f"{self.kind}-{self.claim.pk}"


@dataclass(frozen=True, slots=True)
class Unknown:
    """One fact that nobody has given a source for, and how the engine gets along without it."""

    part: Any
    label: str
    instead: str
    address: str


def counts() -> dict[str, int]:
    """How many claims of each kind wait. One query a kind."""
    return {kind: _waiting(model).count() for kind, (_label, model) in KINDS.items()}


class ToConfirmList(Sequence[ToConfirm]):
    """Claims that somebody has to look at, those with most open quotes first, read page by page.

    Those that no open quote waits on follow kind by kind. Making it takes nine queries or fewer and reads names only;
    a slice of it takes at most two queries a kind more.
    """

    quotes: int
    """How many open quotes wait on any of them."""

    def __init__(self, kind: str = "", text: str = "", state: str = "") -> None:
        self._waiting = usage.waiting()
        self._rows = {name: _rows(name, text, state) for name in KINDS if kind in ("", name)}
        self._first = self._wanted()
        self._others: dict[str, int] = {
            name: rows.count() - sum(found == name for found, _pk in self._first) for name, rows in self._rows.items()
        }

    def __len__(self) -> int:
        """How many wait in all."""
        return len(self._first) + sum(self._others.values())

    @overload
    def __getitem__(self, index: int) -> ToConfirm: ...
    @overload
    def __getitem__(self, index: slice) -> list[ToConfirm]: ...
    def __getitem__(self, index: int | slice) -> ToConfirm | list[ToConfirm]:
        """Read the claims of one page, with their quotes."""
        if isinstance(index, int):
            return self[index : index + 1][0]
        start, stop, _step = index.indices(len(self))
        shown = self._described(self._first[start:stop])
        passed = len(self._first)
        for name, count in self._others.items():
            first, last = max(start - passed, 0), min(stop - passed, count)
            if first < last:
                shown += _DESCRIPTIONS[name][0](self._rows[name].exclude(self._touched(name))[first:last])
            passed += count
        for row in shown:
            row.waiting = self._quotes(row.slugs)
        return shown

    def _wanted(self) -> list[tuple[str, int]]:
        ranked: list[tuple[int, str, int]] = []
        by_slugs: dict[tuple[str, ...], frozenset[str]] = {}
        for name, rows in self._rows.items():
            for pk, *slugs in rows.filter(self._touched(name)).values_list("pk", *_slug_names(name)):
                waited = tuple(slug for slug in slugs if slug in self._waiting)
                if waited not in by_slugs:
                    by_slugs[waited] = frozenset(quote.address for quote in self._quotes(waited))
                ranked.append((len(by_slugs[waited]), name, pk))
        self.quotes = len(frozenset().union(*by_slugs.values()))
        return [(name, pk) for _count, name, pk in sorted(ranked, key=lambda one: -one[0])]

    def _touched(self, name: str) -> Q:
        return _any(_slug_names(name), "in", list(self._waiting))

    def _described(self, wanted: list[tuple[str, int]]) -> list[ToConfirm]:
        found: dict[tuple[str, int], ToConfirm] = {}
        for name, rows in self._rows.items():
            keys = [pk for kind, pk in wanted if kind == name]
            if keys:
                found |= {(name, row.claim.pk): row for row in _DESCRIPTIONS[name][0](rows.filter(pk__in=keys))}
        return [found[key] for key in wanted if key in found]

    def _quotes(self, slugs: Iterable[str]) -> list[Touched]:
        return list({quote.address: quote for slug in slugs for quote in self._waiting.get(slug, [])}.values())


def _slug_names(kind: str) -> list[str]:
    return [name for name in _DESCRIPTIONS[kind][1] if name.endswith("slug")]


def _waiting(model: type[Claim]) -> QuerySet[Any]:
    manager: Any = model._default_manager
    rows: QuerySet[Any] = manager.to_confirm()
    if model is SkuLine:
        return rows.filter(sku__kind="server")
    if model is Price:
        return rows.filter(superseded_on__isnull=True)
    if model is Offer:
        return rows.exclude(lead_time_days__isnull=True, availability=Offer.Availability.UNKNOWN)
    return rows


def _rows(kind: str, text: str, state: str) -> Any:
    model = KINDS[kind][1]
    rows: Any = _waiting(model) if state != "refuted" else model._default_manager.filter(state="refuted")
    if state == "stale":
        rows = rows.stale()
    elif state == "unconfirmed":
        rows = rows.filter(state=Claim.State.UNCONFIRMED)
    return rows.filter(_any(_DESCRIPTIONS[kind][1], "icontains", text.casefold())) if text else rows


def _any(names: Iterable[str], lookup: str, value: Any) -> Q:
    found = Q()
    for name in names:
        found |= Q(**{f"{name}__{lookup}": value})
    return found


def _address(claim: Any) -> str:
    return reverse(f"admin:catalog_{claim._meta.model_name}_change", args=[claim.pk])


def _line(rows: QuerySet[SkuLine]) -> Iterator[ToConfirm]:
    for row in rows.select_related("sku", "part"):
        slugs = (row.sku.slug, *((row.part.slug,) if row.part else ()))
        yield ToConfirm("line", row, str(row), row.sku.article, row.sku.seller, _address(row), slugs)


def _support(rows: QuerySet[GpuSupport]) -> Iterator[ToConfirm]:
    for row in rows.select_related("platform", "gpu").prefetch_related("sources"):
        title = _("%(platform)s takes %(gpu)s") % {"platform": row.platform.name, "gpu": row.gpu.name}
        detail = _("up to %s") % row.max_count if row.max_count else _("count not read")
        evidence = "; ".join(source.title for source in row.sources.all())
        yield ToConfirm("support", row, title, detail, evidence, _address(row), (row.platform.slug,))


def _price(rows: QuerySet[Price]) -> Iterator[ToConfirm]:
    for row in rows.select_related("offer__part", "offer__sku").prefetch_related("sources"):
        subject = row.offer.part or row.offer.sku
        slugs = (subject.slug,) if subject else ()
        evidence = "; ".join(source.title for source in row.sources.all()) or row.note
        detail = f"{row.offer.supplier}, {row}"
        yield ToConfirm("price", row, _("%s, price") % subject, detail, evidence, _address(row), slugs)


def _offer(rows: QuerySet[Offer]) -> Iterator[ToConfirm]:
    for row in rows.select_related("part", "sku"):
        subject = row.part or row.sku
        slugs = (subject.slug,) if subject else ()
        detail = _("%(days)s days, %(stock)s") % {
            "days": "?" if row.lead_time_days is None else row.lead_time_days,
            "stock": row.get_availability_display(),
        }
        yield ToConfirm("offer", row, _("%s, delivery") % subject, detail, row.supplier, _address(row), slugs)


_DESCRIPTIONS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "line": (_line, ("sku__slug", "part__slug", "sku__article_folded", "part__name")),
    "support": (_support, ("platform__slug", "platform__name", "gpu__name")),
    "price": (
        _price,
        ("offer__part__slug", "offer__sku__slug", "offer__supplier", "offer__title", "offer__part__name"),
    ),
    "offer": (_offer, ("part__slug", "sku__slug", "supplier", "title", "part__name")),
}


def unknown_facts() -> list[Unknown]:
    """Empty columns that matter, with what the engine does about each. One query a kind of part."""
    instead = {
        "max_system_power_w": _(
            "derived from GPUs, processors, fans and supplies, with a band; the candidate is conditional"
        ),
        "memory_usable_gib": _("taken from the memory as sold, in decimal GB"),
        "nvlink_gb_s": _("taken as none: traffic between GPUs is counted at PCIe speed"),
        "min_cuda": _("no check of software versions"),
    }
    return [
        Unknown(part, label_of(model, name), instead.get(name, _("left out of the check")), _address(part))
        for model, names in NEEDED.items()
        for part in model._default_manager.filter(is_listed=True).order_by("vendor", "name")
        for name in names
        if getattr(part, name) in (None, "")
    ]


def key_of(claim: Claim) -> str:
    """Name of a claim in forms and addresses, e.g. ``price-17``."""
    kinds = {model: kind for kind, (_label, model) in {**KINDS, "fact": ("", Fact)}.items()}
    return f"{kinds[type(claim)]}-{claim.pk}"


def claims_of(keys: Iterable[str]) -> list[Claim]:
    """Claims named by a form's keys, e.g. ``price-17``; unknown ones are left out."""
    found: list[Claim] = []
    for key in keys:
        kind, _dash, number = key.partition("-")
        model = Fact if kind == "fact" else KINDS[kind][1] if kind in KINDS else None
        if model is not None and number.isdecimal() and len(number) < 19:
            found += model._default_manager.filter(pk=int(number))
    return found
