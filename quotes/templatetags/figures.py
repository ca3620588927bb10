"""Numbers, dates and pictures of templates: the presenter's rules as tags, nothing formatted by hand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date as day_type
from typing import Any

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from quotes.charts import amount, memory
from quotes.presenter import dates, machine_names, pictures
from quotes.presenter import memory as memory_words
from quotes.presenter import quantities as q

register = template.Library()


@register.simple_tag
def number(value: Any, digits: int = 0) -> str:
    """Write a number: 1,234.5 or 1 234,5."""
    return value if isinstance(value, str) else q.number(value, digits)


@register.simple_tag
def significant(value: Any, digits: int = 3) -> str:
    """Write a number with so many significant digits."""
    return q.significant(value, digits)


@register.filter
def gpus(candidate: Mapping[str, Any]) -> str:
    """Name the GPUs of a candidate in all its servers."""
    return machine_names.gpus_of(candidate)


@register.filter
def server(candidate: Mapping[str, Any]) -> str:
    """Name the platform of a candidate, and in how many of them the GPUs are."""
    return machine_names.server_of(candidate)


@register.filter
def needed(answer: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Give the band of what a job needs on a device [B], of answers old and new."""
    return memory.used(answer)


@register.simple_tag
def bytes_gib(value: Any, digits: int = 1) -> SafeString:
    """Write device memory [B] in GiB, the unit muted."""
    return q.gib(value, digits).markup()


@register.simple_tag
def bytes_gb(value: Any) -> SafeString:
    """Write sold capacity [B] in GB or TB, the unit muted."""
    return q.gigabytes(value).markup()


@register.simple_tag
def money(value: Any, currency: str = "", digits: int = 2) -> SafeString:
    """Write an amount with its currency; no price is not zero."""
    return q.money(value, currency, digits).markup()


@register.simple_tag
def duration(seconds: Any) -> SafeString:
    """Write a time [s] in the unit in which it is read most easily."""
    return q.duration(seconds).markup()


@register.simple_tag
def duration_band(low: Any, high: Any) -> SafeString:
    """Write two ends of a time [s] in one unit."""
    unit = q.duration_unit(high)
    return q.band(q.duration(low, unit), q.duration(high, unit)).markup()


@register.simple_tag
def power(watts: Any) -> SafeString:
    """Write power [W] in W or kW, the unit muted."""
    return q.power(watts).markup()


@register.simple_tag
def percent(share: Any, digits: int = 0) -> SafeString:
    """Write a share [0–1] in percent."""
    return q.percent(share, digits).markup()


@register.simple_tag(name="figure")
def figure_tag(value: Any, unit: str = "") -> SafeString:
    """Write any figure of the engine by its unit."""
    return q.figure(value, unit).markup()


@register.simple_tag
def date(value: day_type | str | None, zone: str = "") -> str:
    """Write a day in words: 30 November 2026."""
    return dates.day(value, zone)


@register.simple_tag
def plain_number(value: Any) -> str:
    """Write the number of a tick: whole where it is whole."""
    return q.significant(value, 4)


@register.simple_tag
def plain_gib(value: Any, digits: int = 1) -> str:
    """Write device memory [B] in GiB without its unit."""
    return q.gib(value, digits).text


@register.inclusion_tag("charts/memory.html")
def gauge(answer: Mapping[str, Any] | None, gpu: str = "") -> dict[str, Any]:
    """Draw the memory of one GPU, as the engine answered it, against the end of the card."""
    return _memory(answer, gpu)


@register.inclusion_tag("charts/memory_cell.html")
def gauge_cell(answer: Mapping[str, Any] | None, end_bytes: float | None = None) -> dict[str, Any]:
    """Draw the memory gauge of a table cell or a card; gauges side by side share the end of their scale."""
    return _memory(answer, "", end_bytes)


@register.inclusion_tag("charts/memory_paper.html")
def gauge_paper(answer: Mapping[str, Any] | None, gpu: str = "") -> dict[str, Any]:
    """Draw the memory gauge with the names of its parts, as wide as the text of a document."""
    drawn = memory.gauge(answer)
    return {} if drawn is None else pictures.memory_on_paper(drawn, gpu)


@register.inclusion_tag("charts/amount.html")
def time_gauge(speed: Mapping[str, Any] | None, deadline_seconds: float | None = None) -> dict[str, Any]:
    """Draw the time to the result [s] against the deadline."""
    found = pictures.time(speed, deadline_seconds)
    return {} if found is None else _amount(*found)


@register.inclusion_tag("charts/curves.html")
def scaling_curve(found: Mapping[str, Any] | None) -> dict[str, Any]:
    """Draw how much faster more GPUs are: ``scaling`` of a candidate."""
    return pictures.scaling_curve(found) or {}


@register.inclusion_tag("charts/curves.html")
def break_even(found: Mapping[str, Any] | None) -> dict[str, Any]:
    """Draw money spent over months, own against rented: ``economics`` of a candidate."""
    return pictures.break_even_curve(found) or {}


@register.inclusion_tag("charts/amount_cell.html")
def amount_cell(
    expected: Any, low: Any = None, high: Any = None, limit: Any = None, end: Any = 0, label: str = ""
) -> dict[str, Any]:
    """Draw a plain amount (time, power, money) in a cell; all arguments in one unit."""
    drawn = amount.amount(float(expected or 0), low=low, high=high, limit=limit, end=float(end or 0))
    said = {"label": label, "expected": q.significant(expected), "limit": q.significant(limit)}
    title = _("%(label)s: %(expected)s of %(limit)s") % said if limit is not None else f"{label}: {said['expected']}"
    return {"gauge": drawn, "title": title, "hatch": pictures.hatch_name(drawn)}


def _memory(answer: Mapping[str, Any] | None, gpu: str, end_bytes: float | None = None) -> dict[str, Any]:
    drawn = memory.gauge(answer, end_bytes=end_bytes)
    if drawn is None:
        return {}
    return {
        "gauge": drawn,
        "title": memory_words.title(drawn),
        "limit_text": memory_words.limit_text(drawn, gpu),
        "unit": _("GiB"),
        "hatch": pictures.hatch_name(drawn),
    }


def _amount(drawn: amount.Amount, title: str, limit_text: str, unit: str) -> dict[str, Any]:
    return {"gauge": drawn, "title": title, "limit_text": limit_text, "unit": unit, "hatch": pictures.hatch_name(drawn)}
