"""Parts of the catalog that every one of its pages offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.models import LanguageModel, Part, Sku

PARTS = (
    Part.Kind.CPU,
    Part.Kind.MEMORY,
    Part.Kind.DRIVE,
    Part.Kind.NIC,
    Part.Kind.SWITCH,
    Part.Kind.ACCESSORY,
    Part.Kind.SERVICE,
)


@dataclass(frozen=True, slots=True)
class Tab:
    """One part of the catalog: where it leads and how many rows it has."""

    key: str
    label: Any
    address: str
    count: int | None
    is_current: bool


def tabs(request: HttpRequest, current: str) -> list[Tab]:
    """List the parts of the catalog, the current one marked. Runs three queries."""
    kinds = dict(Part.objects.order_by().values_list("kind").annotate(rows=Count("pk")))
    entries: list[tuple[str, Any, str, int | None]] = [
        ("gpu", _("GPUs"), reverse("catalog:index"), kinds.get("gpu", 0)),
        ("platform", _("Platforms"), reverse("catalog:platforms"), kinds.get("platform", 0)),
        ("cpu", _("Processors"), reverse("catalog:parts", args=["cpu"]), kinds.get("cpu", 0)),
        ("other", _("Other parts"), reverse("catalog:parts", args=["memory"]), sum(kinds.get(k, 0) for k in PARTS[1:])),
        ("language_model", _("Language models"), reverse("catalog:language_models"), LanguageModel.objects.count()),
        ("sku", _("Articles"), reverse("catalog:articles"), Sku.objects.count()),
        ("collection", _("Ready selections"), reverse("catalog:collections"), None),
    ]
    if request.user.has_perm("catalog.view_fact"):
        entries.append(("to_confirm", _("Needs confirmation"), reverse("catalog:to_confirm"), None))
        entries.append(("unknown", _("Unknown facts"), reverse("catalog:unknown_facts"), None))
    return [Tab(key, label, address, count, key == current) for key, label, address, count in entries]
