"""Facts on which sources disagree: every value that was seen, the one used and why."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from catalog.models import Gpu, Platform
from catalog.presenting import label_of
from catalog.units import shown, unit_of
from quotes.presenter.reading import Reading, dig
from quotes.presenter.sources import RESEARCH
from quotes.presenter.tables import Cell, Table, row, table

MODELS = {"gpu": Gpu, "platform": Platform}


def disagreements(reading: Reading) -> Table | None:
    """Give the table of the chosen machine; None where its sources agree, or the calculation is older than it."""
    found = dig(reading.candidate, "conflicts") or []
    rows = [
        row(
            Cell(one["part"], sub=label_of(MODELS[one["kind"]], one["field"].partition(".")[0])),
            Cell(_figure(one, one["chosen"]) or _("none"), is_strong=True),
            "; ".join(f"{_figure(one, seen['value'])}: {_source(seen['source'])}" for seen in one["values"]),
            one["why"],
        )
        for one in found
        if one.get("kind") in MODELS
    ]
    columns = [
        (_("Fact"), "text"),
        (_("Value used"), "text"),
        (_("Values seen, and where"), "text"),
        (_("Why this one"), "text"),
    ]
    caption = _("Where sources disagree")
    return table("disagreements", columns, rows, css="long", caption=caption) if rows else None


def _source(title: str) -> str:
    """A source as a quote names it: how figures were collected is nobody's evidence."""
    found = RESEARCH.sub("", title)
    return _("a survey of published figures") if "price survey" in found.lower() else found


def _figure(one: dict[str, Any], value: Any) -> str:
    """A value with its unit."""
    if value is None:
        return ""
    text = shown(one["field"], str(value))
    unit = unit_of(one["field"]) if isinstance(value, int | float) else ""
    return f"{text}\u00a0{unit}" if unit else text
