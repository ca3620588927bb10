"""Tables and the picture of owning against renting: sums, parts a month, dated rents, what moves the answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from quotes.charts import swings as chart
from quotes.presenter import assumptions, dates, sources, words
from quotes.presenter import quantities as q
from quotes.presenter.reading import Reading, dig
from quotes.presenter.tables import Cell, Table, row, status, table
from sizing.economics import NEVER_MONTHS

FRESH_MONTHS = 6
"""Age from which a printed price is marked as stale."""

COLUMNS = ("text", "num", "text")


def sums(found: Mapping[str, Any]) -> Table:
    """Give the price, the rents and the break-even."""
    currency = str(found.get("currency") or "")
    price = found.get("price") or {}
    band = q.band(q.money(price.get("low"), currency, digits=0), q.money(price.get("high"), currency, digits=0))
    label = _("Price of the server, this quote") if found.get("is_our_total") else _("Price of the server, published")
    if found.get("price_is_stated") and not found.get("is_our_total"):
        label = _("Price of the server, as you gave it")
    rows = [
        [label, str(band), _quoted(found)],
        [_("Running an own server, a month"), _a_month(found, "own_per_month"), _("power, room, support, staff")],
        *_rent_rows(found),
        *_reserved_rows(found),
        [
            _("Months until it has paid"),
            ends(found.get("months_to_pay")),
            _("dearest rent and lowest price, to the opposite"),
        ],
        [
            _("Hours of use a day from which it pays"),
            ends(found.get("hours_per_day_to_pay")),
            _("over the years of use"),
        ],
    ]
    return table("cloud", _columns(), rows)


def _quoted(found: Mapping[str, Any]) -> str:
    """Say the total of the quote in its own currency, where it was converted."""
    quoted = found.get("price_quoted")
    if not quoted:
        return ""
    return _("converted from %(total)s") % {"total": q.money(quoted["amount"], quoted["currency"], digits=0)}


def by_hours(found: Mapping[str, Any]) -> Table | None:
    """Give the same comparison at other hours of use; None where the calculation is older than it."""
    rows: list[Any] = [
        row(
            str(q.figure(one["hours_per_day"], "h/day")),
            _a_month({**found, **one}, "own_per_month"),
            _a_month({**found, **one}, "rent_per_month"),
            ends(one["months_to_pay"]),
            kind="total" if one["hours_per_day"] == found.get("hours_per_day") else "",
        )
        for one in found.get("by_hours") or []
    ]
    columns = [
        (_("Use of the server"), "text"),
        (_("Running an own server, a month"), "num"),
        (_("Rent of the same GPUs, a month"), "num"),
        (_("Months until it has paid"), "num"),
    ]
    return table("cloud-hours", columns, rows) if rows else None


def rents(found: Mapping[str, Any]) -> Table:
    """Give the rents alone, where nothing can be compared with them."""
    return table("cloud", _columns(), [*_rent_rows(found), *_reserved_rows(found)])


def _columns() -> list[tuple[str, str]]:
    return list(zip((_("Figure"), _("Value"), _("How")), COLUMNS, strict=True))


def _rent_rows(found: Mapping[str, Any]) -> list[list[str]]:
    rent = found.get("rent") or {}
    currency = str(rent.get("currency") or found.get("currency") or "")
    band = q.band(q.money(rent.get("low"), currency), q.money(rent.get("high"), currency))
    said = {"count": rent.get("offers"), "gpu": str(rent.get("gpu") or "")}
    said["as_of"] = dates.printed(rent.get("as_of"))
    how = _("middle of %(count)s offers for %(gpu)s up to %(as_of)s") % said + f": {band}"
    if rent.get("offers") == 1:
        how = _("the only offer known for %(gpu)s, %(as_of)s") % said
    if rent.get("is_stated"):
        how = _("your own quote for the cloud, %(as_of)s") % {"as_of": said["as_of"] or _("undated")}
    rows = [[_("Rent of one GPU, an hour"), str(q.money(rent.get("median"), currency)), how]]
    if found.get("rent_per_month") is None:
        return rows
    held = rent.get("is_reserved")
    billed = _("reserved: paid around the clock") if held else _("for the hours used")
    return [[_("Rent of the same GPUs, a month"), _a_month(found, "rent_per_month"), billed], *rows]


def _reserved_rows(found: Mapping[str, Any]) -> list[list[str]]:
    reserved = found.get("reserved") or {}
    if reserved.get("median") is None:
        return []
    currency = str(reserved.get("currency") or "")
    said = {"count": reserved.get("offers"), "as_of": dates.printed(reserved.get("as_of"))}
    held = dig(found, "against_reserved", "rent_per_month")
    how = _("middle of %(count)s reserved offers up to %(as_of)s, paid around the clock") % said
    if reserved.get("offers") == 1:
        how = _("the only reserved offer known, %(as_of)s, paid around the clock") % said
    if held is not None:
        how += ": " + _("%(sum)s a month") % {"sum": q.money(held, currency, digits=0)}
    return [[_("Reserved GPU, an hour"), str(q.money(reserved.get("median"), currency)), how]]


def _a_month(found: Mapping[str, Any], name: str) -> str:
    return str(q.money(found.get(name), str(found.get("currency") or ""), digits=0))


def ends(found: Any) -> str:
    """Write months or hours with the two ends of their range in brackets."""
    expected, low, high = (dig(found, name) for name in ("expected", "low", "high"))
    if expected is None and low is None:
        return _("never")
    shown = _("never") if expected is None else q.significant(expected, 2)
    ends = [_("never") if one is None else q.significant(one, 2) for one in (low, high)]
    return shown if ends[0] == ends[1] == shown else f"{shown} ({ends[0]}{q.DASH}{ends[1]})"


def by_part(found: Mapping[str, Any]) -> Table | None:
    """Give what both cost a month over the years of use, part by part; None of an answer that does not say it."""
    own, cloud = found.get("own_parts") or {}, found.get("cloud_parts") or {}
    if not own or not cloud:
        return None
    names = {
        "depreciation": _("Price less resale value, over the years of use"),
        "financing": _("Interest of a loan or lease"),
        "power": _("Electricity, with the cooling of the room"),
        "space": _("Room in the rack"),
        "support": _("Support and spare parts"),
        "staff": _("Staff"),
    }
    rented = {"gpus": _("Rent of the GPUs"), "storage": _("Storage"), "egress": _("Traffic out of the cloud")}
    missing = {str(one).removeprefix("economics.") for one in found.get("not_counted") or []}
    absent = {"storage": "cloud_storage_per_gb_month", "egress": "egress_per_gb", "space": "space_per_kw_month"}

    def amount(part: str, cost: Any) -> str:
        return _("not counted") if absent.get(part) in missing else str(q.money(cost, "", digits=0))

    rows: list[Any] = [[label, amount(part, own.get(part)), ""] for part, label in names.items()]
    rows += [[label, "", amount(part, cloud.get(part))] for part, label in rented.items()]
    totals = [str(q.money(sum(parts.values()), "", digits=0)) for parts in (own, cloud)]
    rows.append(row(Cell(_("Sum a month"), sub=_("added before rounding")), *totals, kind="total"))
    columns = [
        (_("A month, %(currency)s") % {"currency": found.get("currency") or ""}, "text"),
        (_("Own server"), "num"),
        (_("Cloud"), "num"),
    ]
    return table("cloud-parts", columns, rows)


def offers(reading: Reading, found: Mapping[str, Any]) -> Table | None:
    """Give the dated rents of providers, each with its source; an old one is marked."""
    shown = _offer_rows(found)
    if not shown or dig(found, "rent", "is_stated"):
        return None
    currency = str(dig(found, "rent", "currency") or "")
    rows = [
        [
            Cell(str(one.get("provider") or ""), sub=str(one.get("shape") or "")),
            words.word(str(one.get("kind") or "")),
            Cell(str(q.money(one.get("per_gpu_hour"), currency)), sub=_printed(one)),
            _dated(one.get("as_of"), reading),
            "; ".join(sources.published(str(one.get("source") or ""), is_dated=bool(one.get("as_of")))),
        ]
        for one in shown
    ]
    columns = [
        (_("Provider"), "text"),
        (_("How it is paid"), "text"),
        (_("A GPU-hour"), "num"),
        (_("Date"), "text"),
        (_("Where it was read"), "text"),
    ]
    return table("offers", columns, rows, css="long")


def _printed(one: Mapping[str, Any]) -> str:
    """Say what the provider printed, where the rent was converted."""
    if one.get("printed") is None:
        return ""
    return _("printed: %(rent)s") % {"rent": q.money(one["printed"], str(one.get("printed_currency") or ""))}


def _dated(as_of: Any, reading: Reading) -> Cell:
    text = dates.printed(as_of) or _("undated")
    return status("stale", sub=text) if is_stale(as_of, reading) else Cell(text)


def _offer_rows(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [one for name in ("rent", "reserved") for one in dig(found, name, "rows") or []]


def stale_count(reading: Reading, found: Mapping[str, Any]) -> int:
    """Count the rents that are old."""
    return sum(is_stale(one.get("as_of"), reading) for one in _offer_rows(found))


def is_stale(as_of: Any, reading: Reading) -> bool:
    """Say whether a printed date lies further back than prices are trusted, seen from the day of the document."""
    at, today = last_day(str(as_of or "")), dates.today_of(reading.dig("frozen_at"))
    if at is None or today is None:
        return False
    return (today.year - at.year) * 12 + today.month - at.month - (today.day < at.day) >= FRESH_MONTHS


def last_day(text: str) -> date | None:
    """Read a date that may be a month, a half-year or a year only, as the last month that it covers."""
    found = re.fullmatch(r"(\d{4})(?:-(?:H([12])|(\d{2})(?:-(\d{2}))?))?", text)
    if not found:
        return None
    year, half, month, day = found.groups()
    last = int(month) if month else 6 * int(half) if half else 12
    return date(int(year), last, int(day) if day else 28) if 1 <= last <= 12 else None


def swings(found: Mapping[str, Any], most: int) -> Table:
    """Give what moves the months to pay, the strongest first."""
    currency = str(found.get("currency") or "")
    moved = _moving(found) or found.get("sensitivity") or []
    rows = [[label(str(one.get("key") or "")), range_of(one, currency), _months(one)] for one in moved[:most]]
    columns = [(_("What moves it most"), "text"), (_("Range"), "num"), (_("Months until it has paid"), "num")]
    return table("swings", columns, rows)


def range_of(one: Mapping[str, Any], currency: str) -> str:
    """Write the two ends between which an input was tried; prices and rents are in the currency of the comparison."""
    is_amount = str(one.get("key")) in ("economics.price", "economics.rent_per_gpu_hour")
    unit = str(one.get("unit") or "") or (currency if is_amount else "")
    return str(q.band(q.figure(one.get("low"), unit), q.figure(one.get("high"), unit)))


def _moving(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The inputs that move the months to pay, the strongest first."""
    return [one for one in found.get("sensitivity") or [] if one.get("months_low") != one.get("months_high")]


def swings_picture(found: Mapping[str, Any], most: int) -> dict[str, Any] | None:
    """Give the picture of what moves the months to pay; None where nothing does."""
    expected = dig(found, "months_to_pay", "expected")
    moved = _moving(found)[:most]
    if not moved:
        return None
    rows = [(label(str(one["key"])), _months(one), one.get("months_low"), one.get("months_high")) for one in moved]
    said = {"input": rows[0][0], "ends": rows[0][1]}
    return {
        "drawn": chart.swings(rows, expected=expected, end=NEVER_MONTHS),
        "title": _("Months until it has paid; the strongest input is %(input)s: %(ends)s") % said,
        "unit": str(q.figure(2, "months").unit),
    }


def _months(one: Mapping[str, Any]) -> str:
    ends = [
        _("never") if one.get(name) is None else q.significant(one[name], 2) for name in ("months_low", "months_high")
    ]
    return f"{ends[0]} {q.DASH} {ends[1]}"


def label(key: str) -> str:
    """Name an input of the comparison."""
    return str(_("Price of the server")) if key == "economics.price" else assumptions.label({"key": key})
