"""Processors, memory, drives, network and other parts: a list by kind."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from catalog import listing
from catalog.models import Fact, Part
from catalog.views.tabs import PARTS, tabs

COLUMNS = {
    "cpu": ("generation", "cores", "base_ghz", "tdp_w", "pcie_lanes", "memory_channels", "memory_max_mt_s"),
    "memory": ("memory_type", "capacity_gb", "speed_mt_s"),
    "drive": ("interface", "seq_read_mb_s", "rand_read_iops", "dwpd", "max_capacity_tb", "power_w"),
    "nic": ("ports", "port_speed_gbit_s", "cage", "pcie"),
    "switch": ("fabric", "ports", "port_speed_gbit_s", "typical_power_w", "max_power_w"),
    "accessory": ("category",),
    "service": ("unit", "duration_months"),
}


@require_GET
@login_not_required
def parts(request: HttpRequest, kind: str) -> HttpResponse:
    """List the parts of one kind with their main columns."""
    if kind not in COLUMNS:
        raise Http404
    model = listing.model_of(kind)
    facts = Fact.objects.filter(part__kind=kind).prefetch_related("sources")
    context = {
        "kind": kind,
        "kinds": [(key, listing.plural_of(key)) for key in PARTS],
        "title": listing.plural_of(kind),
        "columns": [listing.column_of(model, name) for name in COLUMNS[kind]],
        "rows": listing.part_rows(model.objects.order_by("vendor", "name"), COLUMNS[kind], listing.summaries(facts)),
        "quotes_address": f"admin:catalog_{model._meta.model_name}_quotes",
        "tabs": tabs(request, "cpu" if kind == Part.Kind.CPU else "other"),
    }
    return render(request, "catalog/parts.html", context)
