"""Under which assumptions full tuning comes to fit one card of 48 GB, for the customer's own model and length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import quantities as q
from quotes.presenter import words
from quotes.presenter.blocks import Block, tabled
from quotes.presenter.engine_words import say
from quotes.presenter.reading import Reading
from quotes.presenter.tables import Cell, Row, row, table


def finding(reading: Reading) -> str:
    """Say whether any set of assumptions puts the job on one card; empty where none was computed."""
    found = _found(reading)
    if not found:
        return ""
    said: dict[str, Any] = {"card": _card(found)}
    holding = [one for one in found["sets"] if one["fits"]]
    if not holding:
        least = min(found["sets"], key=lambda one: float(one["needed"]["high"]))
        said["size"] = q.gib(least["needed"]["high"])
        return (
            _("One card of %(card)s holds it under none of the usual savings: the least takes up to %(size)s.") % said
        )
    said |= {"count": q.number(len(holding)), "total": q.number(len(found["sets"]))}
    return (
        _("One card of %(card)s holds it under %(count)s of %(total)s sets of assumptions, each with its price.") % said
    )


def blocks(reading: Reading) -> list[Block]:
    """Give every set with its memory, whether it fits and what it costs."""
    found = _found(reading)
    if not found:
        return []
    columns = [
        (_("What would make one card of %(card)s enough") % {"card": _card(found)}, "text"),
        (_("Needed, 90% band"), "num"),
        (_("Fits"), "text"),
        (_("What it costs"), "text"),
    ]
    made = table("one-card", columns, [_row(one) for one in found["sets"]], css="long")
    return [tabled(made)]


def _found(reading: Reading) -> Mapping[str, Any]:
    found = reading.output.get("one_card") or {}
    return found if found.get("sets") else {}


def _card(found: Mapping[str, Any]) -> str:
    return str(q.figure(found["card_gb"], "GB"))


def _row(one: Mapping[str, Any]) -> Row:
    needed = one["needed"]
    band = q.band(q.gib(needed["low"]), q.gib(needed["high"]))
    host = one.get("host_bytes")
    beside = _("and %(size)s of the server's memory") % {"size": q.gib(host)} if host else ""
    return row(
        say(one["assumes"]), Cell(str(q.gib(needed["expected"])), sub=str(band)), words.yes(one["fits"]),
        Cell(say(one["costs"]), sub=beside), kind="total" if one["fits"] else "",
    )  # fmt: skip
