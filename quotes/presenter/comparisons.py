"""Comparisons of the customer's own case: cost and time by GPU, by method, and how far more GPUs pay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from quotes.charts.memory import used
from quotes.forms.calendar import ORDER_DAYS
from quotes.presenter import exchange, words
from quotes.presenter import quantities as q
from quotes.presenter.blocks import Block, note, prose, tabled
from quotes.presenter.by_date import by_date
from quotes.presenter.engine_words import say
from quotes.presenter.memory import without_size
from quotes.presenter.quantities import Quantity
from quotes.presenter.reading import Reading, dig
from quotes.presenter.tables import Cell, table

MOST_GPUS = 10


def by_gpu(reading: Reading) -> list[Block]:
    """Give time and rent of the finished job by GPU, and the rate at which the rents were converted."""
    found = reading.output.get("by_gpu") or []
    known = [one for one in found if dig(one, "seconds", "expected")]
    timed, rest = known[:MOST_GPUS], len(known[MOST_GPUS:])
    if not timed:
        return []
    columns = [
        (_("The same job by GPU"), "text"),
        (_("Time, 90% band"), "num"),
        (_("GPU-hours"), "num"),
        (_("Energy"), "num"),
        (_("Rent of the job"), "num"),
    ]
    made = tabled(table("by-gpu", columns, [_gpu_row(reading, one) for one in timed], css="long"))
    converted = exchange.of_rents(reading, [one.get("rent") or {} for one in timed])
    text = ngettext("And %(count)s more GPU does it.", "And %(count)s more GPUs do it.", rest) % {"count": rest}
    return [made, *([note(text)] if rest else []), *([note(converted)] if converted else [])]


def _gpu_row(reading: Reading, one: Mapping[str, Any]) -> list[Any]:
    name = f"{one.get('gpus')}{q.NO_BREAK}× {without_size(str(one.get('gpu_name') or ''))}"
    energy = one.get("energy_kwh")
    return [
        name,
        time_band(one["seconds"]),
        q.significant(one.get("gpu_hours")),
        str(Quantity(q.significant(energy), _("kWh"))) if energy else q.NOTHING,
        rent_of(reading, one),
    ]


def rent_of(reading: Reading, one: Mapping[str, Any]) -> str:
    """Write the rent of a finished job in the currency of the comparison; a dash where none is known."""
    rent = one.get("rent") or {}
    if rent.get("low") is None:
        return q.NOTHING
    low, high, currency = exchange.rent(reading, rent)
    return str(q.band(q.money(low, currency, digits=0), q.money(high, currency, digits=0)))


def time_band(seconds: Mapping[str, Any]) -> str:
    """Write the 90% band of a time [s]."""
    low, high = seconds.get("low"), seconds.get("high")
    unit = q.duration_unit(high)
    return str(q.band(q.duration(low, unit), q.duration(high, unit)))


def by_method(reading: Reading) -> Block | None:
    """Give the smallest machine that each method needs for the same case."""
    found = reading.output.get("by_method") or []
    if len(found) < 2:
        return None
    columns = [
        (_("The same case by method"), "text"),
        (_("Smallest machine"), "text"),
        (_("Memory of a GPU"), "num"),
        (_("Time, 90% band"), "num"),
        (_("What quality may cost"), "text"),
    ]
    return tabled(table("by-method", columns, [_method_row(one) for one in found]))


def _method_row(one: Mapping[str, Any]) -> list[Any]:
    name = words.of(words.SHORT_METHODS, one.get("method"))
    if one.get("message"):
        return [name, say(str(one["message"])), "", "", ""]
    machine = f"{one.get('gpus')}{q.NO_BREAK}× {without_size(str(one.get('gpu_name') or ''))}"
    high = used(one).get("high")
    time = time_band(one["seconds"]) if one.get("seconds") else q.NOTHING
    return [name, machine, _("up to %(size)s") % {"size": q.gib(high)}, time, say(str(one.get("quality") or ""))]


def software(reading: Reading) -> Block | None:
    """Give the checks of versions and formats on the chosen GPU."""
    found = dig(reading.candidate, "software") or []
    if not found:
        return None
    states = {"ok": "vendor", "open": "unconfirmed", "no": "refuted"}
    rows = [
        [
            words.of(words.FIXED, one.get("item")),
            Cell(say(str(one.get("message") or "")), sub=say(str(one.get("source") or ""))),
            Cell(
                words.status_word(states.get(str(one.get("status")), "")), status=states.get(str(one.get("status")), "")
            ),
        ]
        for one in found
    ]
    return tabled(table("software", [_("Software"), _("What this GPU needs"), _("State")], rows))


def ready(reading: Reading) -> list[Block | None]:
    """Give the days from the order to the result; where a day was named, from today and whether it is kept."""
    by = by_date(reading)
    return [_days_to_result(reading), prose(by.verdict) if by is not None and by.verdict else None]


def _days_to_result(reading: Reading) -> Block | None:
    found = dig(reading.candidate, "ready") or {}
    names = (
        ("delivery_days", _("Delivery")),
        ("installation_days", _("Installation")),
        ("run_days", _("The work itself")),
        ("days_from_order", _("From the order to the result")),
    )
    rows: list[Any] = [
        [label, str(days(found[name]["expected"])), days_band(found[name])] for name, label in names if found.get(name)
    ]
    if not rows:
        return None
    if offer := found.get("delivery_offer"):
        state = words.status_word("confirmed" if offer["confirmation"] == "confirmed" else "unconfirmed")
        rows[0][0] = Cell(rows[0][0], sub=_("offer of %(supplier)s: %(state)s") % {**offer, "state": state})
    if by_date(reading) is not None:
        order = {side: getattr(ORDER_DAYS, side) for side in ("expected", "low", "high")}
        rows.insert(0, [_("Order and contract"), str(days(order["expected"])), days_band(order)])
    columns = [(_("When it is ready"), "text"), (_("Expected"), "num"), (_("Range"), "num")]
    return tabled(table("speed", columns, rows))


def days(value: float) -> Quantity:
    """Write a number of days, whole from ten on."""
    return q.figure(round(value) if value >= 10 else round(value, 1), "days")


def days_band(found: Mapping[str, Any]) -> str:
    """Write the range of a number of days; a dash where it is one day."""
    if found["low"] == found["high"]:
        return q.NOTHING
    low, high = (round(found[side]) if found[side] >= 10 else round(found[side], 1) for side in ("low", "high"))
    return str(q.band(Quantity(q.significant(low)), Quantity(q.significant(high))))
