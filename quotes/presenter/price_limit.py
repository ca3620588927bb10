"""Below which purchase price owning pays: said of rents and running costs alone, so it needs no price of the server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.charts import swings as chart
from quotes.presenter import cloud_tables, exchange, own_or_rent
from quotes.presenter import quantities as q
from quotes.presenter.deal import deal
from quotes.presenter.engine_words import say
from quotes.presenter.reading import Reading, dig
from quotes.presenter.tables import Cell, Table, table
from sizing.economics import MOST_PRICE

THOUSAND = 1000
SETTLED = ("firm", "included")


def limits(found: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the prices below which owning pays; empty where the answer has none."""
    return found.get("price_to_pay") or {}


def about(amount: float | None, currency: str) -> str:
    """Write an amount to three digits, which is all that rents allow; words where no price pays."""
    if amount is None:
        return _("at no price")
    if amount >= MOST_PRICE:
        return _("at any price")
    step = 10 ** max(0, len(str(int(amount))) - 3)
    return str(q.money(round(amount / step) * step, currency, digits=0))


def finding(reading: Reading, found: Mapping[str, Any]) -> str:
    """Say below which price owning pays, and how much of the price is known."""
    text = pays_below(found)
    return text if limits(found).get("expected") is None else f"{text} {_known(reading, found)}".strip()


def pays_below(found: Mapping[str, Any]) -> str:
    """Say below which price owning pays, whatever the price is."""
    pays, currency = limits(found), str(found.get("currency") or "")
    said: dict[str, Any] = {"use": own_or_rent.use_of(found), "years": own_or_rent.years_of(found)}
    if pays.get("expected") is None:
        return _("At %(use)s renting costs less than power and room of an own server: it pays at no price.") % said
    said["price"] = about(pays["expected"], currency)
    return _("At %(use)s over %(years)s an own server pays if it costs less than %(price)s.") % said


def _known(reading: Reading, found: Mapping[str, Any]) -> str:
    """Say how much of the price is known, and that even this is too much where it is."""
    priced, total = counted(reading)
    if not total:
        return ""
    said = {"missing": total - priced, "total": total, "sum": ""}
    low = known_sum(reading, found)
    if low is None and reading.is_quote and deal(reading).is_complete:
        quoted, compared = deal(reading).currency, str(found.get("currency") or "")
        said |= {"quoted": quoted, "compared": compared}
        text = _("The total of this quote is in %(quoted)s and no rate leads to %(compared)s: they are not compared.")
        return text % said
    if low is None:
        return _("No price can be set against it: %(missing)s of %(total)s lines have none.") % said
    said["sum"] = about(low, str(found.get("currency") or ""))
    expected = limits(found).get("expected")
    if expected is not None and low > expected:
        return _("The lines with a price alone come to %(sum)s or more: at these rents it does not pay.") % said
    return _("The lines with a price come to %(sum)s or more; %(missing)s of %(total)s have none.") % said


def known_sum(reading: Reading, found: Mapping[str, Any]) -> float | None:
    """Give the least that the priced lines come to, in the currency of the comparison."""
    if not reading.is_quote:
        price = dig(found, "price", "low")
        return float(price) if price is not None else None
    money = deal(reading)
    rate = exchange.between(reading, money.currency, str(found.get("currency") or ""))
    if not money.firm or money.has_market_prices or not money.net or rate is None:
        return None
    return float(money.net) * rate.rate


def counted(reading: Reading) -> tuple[int, int]:
    """Count the lines with a price, and all."""
    if reading.is_quote:
        money = deal(reading)
        return money.firm, money.lines
    price, lines = dig(reading.candidate, "price") or {}, dig(reading.candidate, "lines") or []
    return int(price.get("lines_priced") or 0), int(price.get("lines_total") or len(lines))


def unpriced(reading: Reading) -> list[str]:
    """Name the lines without a price."""
    if reading.is_quote:
        open_lines = (line for line in reading.lines if str(line.get("price_kind")) not in SETTLED)
        return [say(str(line.get("description") or "")) for line in open_lines]
    lines = dig(reading.candidate, "lines") or []
    return [say(str(one.get("text") or "")) for one in lines if one.get("low") is None and not one.get("included")]


def by_time(found: Mapping[str, Any]) -> Table:
    """Give the price below which owning has paid within some time, at the middle rent and at both ends."""
    pays, currency = limits(found), str(found.get("currency") or "")
    rows = [_row(_after(one, pays), one, currency) for one in pays.get("by_months") or []]
    if pays.get("against_reserved") is not None:
        held = about(pays["against_reserved"], currency)
        rows.append([_("Against a reservation, over the years of use"), held, ""])
    return table("price-limit", _columns(_("Has paid")), rows)


def by_hours(found: Mapping[str, Any]) -> Table | None:
    """Give the price below which owning pays at other hours of use; None for a reservation."""
    currency = str(found.get("currency") or "")
    shown = limits(found).get("by_hours") or []
    rows = [_row(str(q.figure(one["hours_per_day"], "h/day")), one, currency) for one in shown]
    return table("price-limit", _columns(_("Use of the server")), rows) if rows else None


def _columns(first: str) -> list[tuple[str, str]]:
    return [(first, "text"), (_("Pays if it costs less than"), "num"), (_("lowest to dearest rent"), "num")]


def _after(one: Mapping[str, Any], pays: Mapping[str, Any]) -> str:
    months = q.figure(round(one["months"]), "months")
    if one["months"] >= (pays.get("years") or 0) * 12:
        return _("within the years of use: %(months)s") % {"months": months}
    return _("within %(months)s") % {"months": months}


def _row(first: str, one: Mapping[str, Any], currency: str) -> list[Any]:
    ends = [about(one.get(name), "") for name in ("low", "high")]
    return [first, Cell(about(one.get("expected"), currency)), f"{ends[0]} {q.DASH} {ends[1]}"]


def when_not_to_buy(found: Mapping[str, Any]) -> Iterator[str]:
    """Say as plainly as the rest at which price renting is the better choice."""
    pays, currency = limits(found), str(found.get("currency") or "")
    said: dict[str, Any] = {
        "use": q.figure(pays.get("hours_per_day"), "h/day"),
        "years": q.figure(pays.get("years"), "years"),
        "price": about(pays.get("expected"), currency),
    }
    if pays.get("expected") is None:
        yield _("Do not buy for the sake of money at %(use)s: renting then costs less.") % said
        return
    yield _("Do not buy if the whole server costs more than %(price)s: over %(years)s renting then costs less.") % said
    first = next(iter(pays.get("by_months") or []), None)
    if first and first.get("expected") is not None and first["months"] < (pays.get("years") or 0) * 12:
        said |= {"months": q.figure(round(first["months"]), "months"), "price": about(first["expected"], currency)}
        yield _("Do not buy at more than %(price)s if the work ends within %(months)s.") % said
    held = pays.get("against_reserved")
    if held is not None and held < (pays["expected"] or 0):
        said |= {"price": about(held, currency)}
        yield _("Against a reservation, paid around the clock, do not buy at more than %(price)s.") % said


def _moving(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The inputs that move the price below which owning pays, the strongest first."""
    return [one for one in limits(found).get("sensitivity") or [] if one["price_low"] != one["price_high"]]


def swings_picture(found: Mapping[str, Any], most: int) -> dict[str, Any] | None:
    """Give the picture of what moves the price below which owning pays; None where nothing does."""
    pays, currency = limits(found), str(found.get("currency") or "")
    moved = _moving(found)[:most]
    expected = pays.get("expected")
    if not moved or expected is None:
        return None
    rows = [(cloud_tables.label(str(one["key"])), _ends(one), *_thousands(one)) for one in moved]
    said = {"input": rows[0][0], "ends": rows[0][1]}
    return {
        "drawn": chart.swings(rows, expected=expected / THOUSAND, end=expected / THOUSAND),
        "title": _("Price below which owning pays; the strongest input is %(input)s: %(ends)s") % said,
        "unit": _("thousand %(currency)s") % {"currency": currency},
    }


def swings(found: Mapping[str, Any], most: int) -> Table | None:
    """Give what moves the price below which owning pays, the strongest first."""
    currency = str(found.get("currency") or "")
    rows = [
        [cloud_tables.label(str(one["key"])), cloud_tables.range_of(one, currency), _ends(one)]
        for one in _moving(found)[:most]
    ]
    columns = [
        (_("What moves it most"), "text"),
        (_("Range"), "num"),
        (_("Pays if it costs less than, %(currency)s") % {"currency": currency}, "num"),
    ]
    return table("swings", columns, rows) if rows else None


def _ends(one: Mapping[str, Any]) -> str:
    return f"{about(one['price_low'], '')} {q.DASH} {about(one['price_high'], '')}"


def _thousands(one: Mapping[str, Any]) -> tuple[float, float]:
    return one["price_low"] / THOUSAND, one["price_high"] / THOUSAND
