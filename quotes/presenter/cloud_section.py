"""Own against rented: money only; the other reasons stand beside the number, never inside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import assumptions, own_or_rent, pictures
from quotes.presenter import quantities as q
from quotes.presenter.blocks import Block, Item, Section, heading, listed, picture, section, tabled
from quotes.presenter.deal import deal
from quotes.presenter.engine_words import say
from quotes.presenter.reading import Reading, dig
from quotes.presenter.tables import Table, table

MOST_SWINGS = 5


def cloud_section(reading: Reading) -> Section:
    """Give section 10."""
    title = _("Own or cloud")
    found = own_or_rent.comparison(reading)
    if not found:
        return section("cloud", "10", title, _("Not compared: the calculation holds no prices to compare."))
    if not found.get("known"):
        return section("cloud", "10", title, _("Not compared. %(reason)s") % {"reason": say(found.get("reason"))})
    if not own_or_rent.is_comparable(found):
        beside = listed(Item(say(text)) for text in found.get("reasons_beside_money") or [])
        blocks: list[Block | None] = [tabled(_rents(found)), heading(_("Reasons beside money")), beside]
        return section("cloud", "10", title, _incomplete(reading, found), blocks)
    blocks = [
        _curve(found),
        tabled(_sums(found)),
        tabled(_swings(found)) if found.get("sensitivity") else None,
        heading(_("Reasons beside money")),
        listed(Item(say(text)) for text in found.get("reasons_beside_money") or []),
    ]
    return section("cloud", "10", title, _finding(found), blocks)


def _incomplete(reading: Reading, found: Mapping[str, Any]) -> str:
    money, price = deal(reading), dig(reading.candidate, "price") or {}
    if reading.is_quote and money.is_complete:
        said = {"own": money.currency, "rent": found.get("currency") or ""}
        return _("The quote is in %(own)s, the rents are in %(rent)s: not comparable.") % said
    said = {"priced": price.get("lines_priced"), "total": price.get("lines_total")}
    if reading.is_quote:
        said = {"priced": money.firm, "total": money.lines}
    return _("Only %(priced)s of %(total)s lines have a price: not comparable.") % said


def _finding(found: Mapping[str, Any]) -> str:
    hours, months = dig(found, "hours_per_day_to_pay", "expected"), dig(found, "months_to_pay", "expected")
    said = {"hours": q.figure(hours, "h/day"), "months": q.figure(months and round(months), "months"),
            "use": q.figure(found.get("hours_per_day"), "h/day")}  # fmt: skip
    if months is not None:
        return _("At %(use)s the own server has paid for itself after %(months)s; it pays above %(hours)s.") % said
    if hours is not None:
        return _("At %(use)s renting stays cheaper; owning pays above %(hours)s.") % said
    return _("At these prices renting stays cheaper at any use.")


def _curve(found: Mapping[str, Any]) -> Block | None:
    drawn = pictures.break_even_curve(found)
    if drawn is None:
        return None
    return picture(
        "curves",
        drawn,
        lead=_("Money spent so far: own server and rented GPUs."),
        text=_("Thousand %(currency)s, by months of use; the resale value is taken off the own server")
        % {"currency": found.get("currency") or ""},
    )


def _sums(found: Mapping[str, Any]) -> Table:
    currency = str(found.get("currency") or "")
    price = found.get("price") or {}
    band = q.band(q.money(price.get("low"), currency, digits=0), q.money(price.get("high"), currency, digits=0))
    label = _("Price of the server, this quote") if found.get("is_our_total") else _("Price of the server, published")
    rows = [
        [label, str(band), ""],
        [_("Running an own server, a month"), _a_month(found, "own_per_month"), _("power, cooling, upkeep")],
        *_rent_rows(found),
        [
            _("Months until it has paid"),
            _ends(found.get("months_to_pay")),
            _("dearest rent and lowest price, to the opposite"),
        ],
        [
            _("Hours of use a day from which it pays"),
            _ends(found.get("hours_per_day_to_pay")),
            _("over the years of use"),
        ],
    ]
    columns = [(_("Figure"), "text"), (_("Value"), "num"), (_("How"), "text")]
    return table("cloud", columns, rows)


def _rents(found: Mapping[str, Any]) -> Table:
    columns = [(_("Figure"), "text"), (_("Value"), "num"), (_("How"), "text")]
    return table("cloud", columns, _rent_rows(found))


def _rent_rows(found: Mapping[str, Any]) -> list[list[str]]:
    currency, rent = str(found.get("currency") or ""), found.get("rent") or {}
    rents = q.band(q.money(rent.get("low"), currency), q.money(rent.get("high"), currency))
    said = {"count": rent.get("offers"), "gpu": str(rent.get("gpu") or ""), "as_of": rent.get("as_of") or ""}
    return [
        [_("Rent of the same GPUs, a month"), _a_month(found, "rent_per_month"), _("for the hours used")],
        [
            _("Rent of one GPU, an hour"),
            str(q.money(rent.get("median"), currency)),
            _("middle of %(count)s offers for %(gpu)s up to %(as_of)s") % said + f": {rents}",
        ],
    ]


def _a_month(found: Mapping[str, Any], name: str) -> str:
    return str(q.money(found.get(name), str(found.get("currency") or ""), digits=0))


def _ends(found: Any) -> str:
    expected, low, high = (dig(found, name) for name in ("expected", "low", "high"))
    if expected is None and low is None:
        return _("never")
    shown = _("never") if expected is None else q.significant(expected, 2)
    ends = [_("never") if one is None else q.significant(one, 2) for one in (low, high)]
    return f"{shown} ({ends[0]}{q.DASH}{ends[1]})"


def _swings(found: Mapping[str, Any]) -> Table:
    rows = []
    for one in (found.get("sensitivity") or [])[:MOST_SWINGS]:
        unit = str(one.get("unit") or "")
        ends = q.band(q.figure(one.get("low"), unit), q.figure(one.get("high"), unit))
        months = [
            _("never") if one.get(name) is None else q.significant(one[name], 2)
            for name in ("months_low", "months_high")
        ]
        rows.append([_label(str(one.get("key") or "")), str(ends), f"{months[0]} {q.DASH} {months[1]}"])
    columns = [(_("What moves it most"), "text"), (_("Range"), "num"), (_("Months until it has paid"), "num")]
    return table("swings", columns, rows)


def _label(key: str) -> str:
    names = {"economics.rent_per_gpu_hour": _("Rent of one GPU, an hour"), "economics.price": _("Price of the server")}
    return names.get(key) or assumptions.label({"key": key})
