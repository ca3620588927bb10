"""Numbers and pictograms of the catalog's pages."""

from __future__ import annotations

import re
from typing import Any

from django import template
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from catalog import units
from catalog.models import Gpu

register = template.Library()

_SHAPES = {
    "sxm": _("SXM module"),
    "nvl": _("PCIe card with NVLink bridge"),
    "pcie": _("PCIe card"),
    "oam": _("OAM module"),
}

# Ways of cooling as makers print them, the longest first; what follows is the maker's own remark.
_COOLING = {
    "air for CPUs, liquid-assisted air for GPUs": _("air for CPUs, liquid-assisted air for GPUs"),
    "air or liquid-assisted": _("air or liquid-assisted"),
    "air or direct liquid": _("air or direct liquid"),
    "direct liquid": _("direct liquid"),
    "liquid": _("liquid cooling"),
    "air": _("air cooling"),
}


@register.filter
def cooling(printed: str) -> SafeString:
    """Say a way of cooling in the reader's language; a remark of the maker stays English and is marked so."""
    known = next((one for one in _COOLING if re.match(rf"{re.escape(one)}(?!\w)", printed)), None)
    if known is None:
        return format_html('<span lang="en">{}</span>', printed) if printed else SafeString()
    rest = printed.removeprefix(known)
    remark = format_html('<span lang="en">{}</span>', rest) if rest else ""
    return format_html("{}{}", _COOLING[known], remark)


@register.filter
def figure(value: Any, decimals: int | None = None) -> str:
    """Write a number in the reader's language, with the decimals it has."""
    return units.figure(value, decimals)


@register.filter
def money(amount: Any) -> str:
    """Write an amount with two decimals where it has any."""
    return units.figure(amount, 0 if amount == int(amount) else 2)


@register.filter
def gib(size_bytes: Any, decimals: int = 1) -> str:
    """Write bytes as GiB, without the unit."""
    return units.figure(float(size_bytes) / 2**30, decimals) if size_bytes is not None else ""


@register.filter
def kib(size_bytes: Any) -> str:
    """Write bytes as KiB, without the unit."""
    return units.figure(float(size_bytes) / 2**10, 1)


@register.filter
def billions(count: Any) -> str:
    """Write a count of parameters in billions."""
    return units.figure(float(count) / 1e9, 2 if float(count) < 1e11 else 1)


def shape_of(gpu: Gpu) -> str:
    """Name of the pictogram of a GPU's form factor."""
    if gpu.socket.startswith("sxm") or gpu.socket == "superchip":
        return "sxm"
    if gpu.socket == "oam":
        return "oam"
    return "nvl" if gpu.nvlink_bridge_max_gpus else "pcie"


@register.inclusion_tag("catalog/_form_factor.html")
def form_factor(gpu: Gpu, size: str = "md") -> dict[str, Any]:
    """Draw the form factor of a GPU."""
    shape = shape_of(gpu)
    return {"icon": f"components/icons/{shape}.html", "label": _SHAPES[shape], "size": size}


@register.simple_tag(takes_context=True)
def sort_link(context: Context, column: str) -> str:
    """Return the query that sorts by a column, or turns the order round where it sorts already."""
    query = context["request"].GET.copy()
    query["sort"] = sort_value(context, column)
    query.pop("page", None)
    return f"?{query.urlencode()}"


@register.simple_tag(takes_context=True)
def sort_value(context: Context, column: str) -> str:
    """Return the order by a column, turned round where it sorts already; for a button that sends the ticks along."""
    sort = context["request"].GET.get("sort", str(context.get("sort")))
    return f"-{column}" if sort == column else column


@register.simple_tag(takes_context=True)
def sorted_as(context: Context, column: str) -> str:
    """Return how a column is sorted, as screen readers know it."""
    sort = str(context.get("sort", ""))
    return {column: "ascending", f"-{column}": "descending"}.get(sort, "")
