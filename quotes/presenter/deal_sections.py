"""What is ordered, how certain each line is, and what it costs; sums come from the snapshot, none is added up here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import dates
from quotes.presenter import quantities as q
from quotes.presenter.blocks import Block, Section, caution, heading, prose, section, tabled
from quotes.presenter.deal import Deal, budget, deal
from quotes.presenter.engine_words import say
from quotes.presenter.reading import Reading, dig
from quotes.presenter.sources import note_of
from quotes.presenter.tables import Row, Table, row, status, strong, table

SHORT_EVIDENCE = 24
"""Letters of an evidence that stand beside the state of a line without breaking it in three."""
PRICE_WORDS = {"estimate": lambda: _("market price"), "included": lambda: _("included")}


def lines_section(reading: Reading) -> Section:
    """Give section 2."""
    title = _("Configuration and order lines")
    if not reading.is_quote:
        return _parts(reading, title)
    if not reading.lines:
        return section("lines", "2", title, _("No line has been entered yet."))
    states = [str(dig(line, "confirmation", "state")) for line in reading.lines]
    said = {
        "confirmed": states.count("confirmed"),
        "waived": states.count("waived"),
        "open": len(states) - states.count("confirmed") - states.count("waived"),
    }
    finding = _("Lines confirmed: %(confirmed)s, unconfirmed: %(open)s, waived: %(waived)s.") % said
    basis = _("Names and pictures do not replace the delivery specification: what counts is this list.")
    shared = _shared(reading)
    told = [prose(_("%(mark)s: %(evidence)s.") % {"mark": mark, "evidence": text}) for text, mark in shared.items()]
    return section("lines", "2", title, finding, [tabled(_lines(reading, shared)), *told, prose(basis)])


def _shared(reading: Reading) -> dict[str, str]:
    """Give a mark to each evidence that several lines rest on: it is told once below the table."""
    counted = Counter(filter(None, (_evidence(reading, line) for line in reading.lines)))
    often = (text for text, count in counted.items() if count > 1 and len(text) > SHORT_EVIDENCE)
    return {text: f"E{number}" for number, text in enumerate(often, 1)}


def _lines(reading: Reading, shared: Mapping[str, str]) -> Table:
    totals = reading.dig("totals") or {}
    currency = str(totals.get("currency") or "")
    columns = [
        ("", "id"),
        (_("Article and description"), "text"),
        (_("Qty"), "num"),
        (_("Price, %(currency)s") % {"currency": currency}, "num"),
        (_("Sum, %(currency)s") % {"currency": currency}, "num"),
        (_("Confirmation and evidence"), "text"),
    ]
    rows: list[Row] = [_line(reading, line, shared) for line in reading.lines]
    found = deal(reading)
    if found.has_market_prices:
        said = {"priced": found.firm, "total": found.lines}
        rows.append(row("", _("Priced lines: %(priced)s of %(total)s") % said, "", "", "", "", kind="total"))
    else:
        label = _("Net total") if found.is_complete else _("Net total of the priced lines")
        rows.append(row("", label, "", "", _sum(found), currency, kind="total"))
    return table("lines", columns, rows, css="long", header=1)


def _sum(found: Deal) -> str:
    """Write the sum of the priced lines; where no line has a price there is none, and never 0.00."""
    return str(q.money(found.net)) if found.net else q.NOTHING


def _line(reading: Reading, line: Mapping[str, Any], shared: Mapping[str, str]) -> Row:
    article, description = str(line.get("article") or ""), say(str(line.get("description") or ""))
    detail = say(note_of(line, is_issued=reading.is_issued))
    evidence = _evidence(reading, line)
    sub = "; ".join(part for part in ((description if article else ""), detail) if part)
    return row(
        str(line.get("position") or ""),
        strong(article or description, sub=sub),
        q.significant(Decimal(str(line.get("quantity") or 1)), 6),
        _price(reading, line, "unit_price"),
        _price(reading, line, "net_amount"),
        status(str(dig(line, "confirmation", "state") or "unconfirmed"), sub=shared.get(evidence, evidence)),
    )


def _price(reading: Reading, line: Mapping[str, Any], name: str) -> str:
    amount = line.get(name)
    if reading.is_issued and str(line.get("price_kind")) == "estimate":
        return str(q.money(None))
    if amount is not None:
        return str(q.money(amount))
    words = PRICE_WORDS.get(str(line.get("price_kind")))
    return words() if words else str(q.money(None))


def _evidence(reading: Reading, line: Mapping[str, Any]) -> str:
    found = dig(line, "confirmation") or {}
    if found.get("state") == "waived":
        parts = [str(found.get("reason") or "")]
    else:
        parts = [str(found.get("evidence") or "")]
        if found.get("at"):
            parts.append(dates.short_day(found["at"], reading.zone))
    if str(line.get("price_kind")) == "estimate" and not reading.is_issued:
        parts.append(_("market price, not quoted"))
    if Decimal(str(line.get("discount_percent") or 0)):
        parts.append(_("discount %(percent)s") % {"percent": q.rate(line["discount_percent"])})
    return ", ".join(part for part in parts if part)


def _parts(reading: Reading, title: str) -> Section:
    lines = dig(reading.candidate, "lines") or []
    if not lines:
        return section("lines", "2", title, _("No composition: nothing in the catalog does the job."))
    columns = [("", "id"), (_("Part"), "text"), (_("Qty"), "num"), (_("Published market price, each"), "num")]
    rows = [
        [str(number), say(str(line.get("text") or "")), q.number(line.get("quantity")), _market(line)]
        for number, line in enumerate(lines, 1)
    ]
    finding = _("What the server would consist of. No line is confirmed, and market prices are not our prices.")
    made = table("parts", columns, rows, css="long", header=1)
    return section("lines", "2", title, finding, [tabled(made)])


def _market(line: Mapping[str, Any]) -> str:
    if line.get("included"):
        return _("included")
    if line.get("low") is None and line.get("high") is None:
        return str(q.money(None))
    low, high = (line.get(side) if line.get(side) is not None else line.get("high") for side in ("low", "high"))
    currency = str(line.get("currency") or "")
    return str(q.band(q.money(low, currency, digits=0), q.money(high, currency, digits=0)))


def price_section(reading: Reading) -> Section:
    """Give section 3."""
    title = _("Price")
    totals = reading.dig("totals") or {}
    if not reading.is_quote:
        return section("price", "3", title, _("A preliminary calculation carries no price of ours."))
    found = deal(reading)
    if not found.firm:
        return section("price", "3", title, _("No line has a price yet, so there is no total."))
    priced = {"priced": found.firm, "total": found.lines}
    finding = _("All %(total)s lines have a price.") % priced
    if not found.is_complete:
        finding = _("%(priced)s of %(total)s lines have a firm price, so there is no total to pay.") % priced
    columns = [(_("Item"), "text"), (_("Amount"), "num"), (_("Currency"), "text")]
    made = table("price", columns, list(_sums(totals, found)), css="narrow")
    blocks: list[Block | None] = [tabled(made), _within(reading), prose(_rounding(reading)), *_terms(reading)]
    return section("price", "3", title, finding, blocks)


def _sums(totals: Mapping[str, Any], found: Deal) -> Iterator[Row]:
    currency = found.currency
    if not found.is_complete:
        said = {"priced": found.firm, "total": found.lines}
        yield row(_("Priced lines"), _("%(priced)s of %(total)s") % said, "")
        if not found.has_market_prices:
            yield row(_("Net total of the priced lines"), _sum(found), currency, kind="sum")
        return
    if Decimal(str(totals.get("discount") or 0)):
        yield row(_("Discount, already in the lines"), str(q.money(totals["discount"])), currency)
    yield row(_("Net total"), str(q.money(totals.get("net"))), currency, kind="sum")
    yield from (_tax(one, currency) for one in totals.get("taxes") or [])
    yield row(_("To pay"), str(q.money(totals.get("gross"))), currency, kind="grand")


def _within(reading: Reading) -> Block | None:
    found = budget(reading)
    if found is None:
        return None
    if found.is_kept is None:
        said = {"budget": found.shown}
        return prose(_("Your budget of %(budget)s can not be compared yet: no complete total in its currency.") % said)
    return prose(found.verdict) if found.is_kept else caution(_("Over the budget."), found.verdict)


def _tax(one: Mapping[str, Any], currency: str) -> Row:
    said = {"rate": q.rate(one.get("rate") or 0), "net": q.money(one.get("net"), currency)}
    return row(_("Value added tax, %(rate)s of %(net)s") % said, str(q.money(one.get("amount"))), currency)


def _rounding(reading: Reading) -> str:
    text = _("Each line is rounded half up to the cent; totals are sums of the rounded lines.")
    if reading.dig("valid_until"):
        text += " " + _("Prices hold until %(day)s.") % {"day": dates.day(reading.dig("valid_until"))}
    return dates.sentence(text)


def _terms(reading: Reading) -> list[Block]:
    language = "ru" if q.is_russian() else "en"
    found = []
    terms = str(reading.dig("issuer", f"terms_{language}") or reading.dig("issuer", "terms_en") or "").strip()
    if terms:
        found += [heading(_("Terms")), prose(terms)]
    note = str(reading.dig("note") or "").strip()
    if note:
        found += [heading(_("Remark")), prose(note)]
    return found
