"""Candidates side by side, and what was rejected with its reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from quotes.charts.memory import used
from quotes.presenter import comparisons, in_mind, rag_blocks, words
from quotes.presenter import quantities as q
from quotes.presenter.blocks import Block, Section, prose, section, tabled
from quotes.presenter.deal import deal
from quotes.presenter.engine_words import is_of_price, say
from quotes.presenter.machine_names import gpus_of, server_of
from quotes.presenter.open_points import conditions_of, open_points
from quotes.presenter.quantities import Quantity
from quotes.presenter.reading import Reading, band_of, dig
from quotes.presenter.rejections import Rejection, together
from quotes.presenter.tables import Cell, Column, Table, strong, table

MOST_REJECTED = 20


def alternatives_section(reading: Reading) -> Section:
    """Give section 6."""
    title = _("Alternatives, and why not")
    blocks: list[Block | None] = [
        tabled(_compare(reading)) if len(reading.candidates) > 1 else None,
        _further(reading),
        *_in_mind(reading),
        *rag_blocks.search_or_tune(reading),
        *comparisons.by_gpu(reading),
        comparisons.by_method(reading),
        tabled(_rejected(reading)) if reading.rejected else None,
        _left_out(reading),
    ]
    if not any(blocks):
        return section(
            "alternatives", "6", title, _("Nothing else in the catalog was considered, and nothing rejected.")
        )
    return section("alternatives", "6", title, _finding(reading), blocks)


def _in_mind(reading: Reading) -> list[Block]:
    """Give the verdict on the machine in mind; its money stands here where the document has no section of its own."""
    text = in_mind.finding(reading)
    return [prose(text), *(() if reading.is_whole else in_mind.money(reading))] if text else []


def _finding(reading: Reading) -> str:
    if not reading.does_the_job:
        return _("Nothing in the catalog keeps every limit; the nearest one is shown with what it breaks.")
    smallest = next((one for one in reading.candidates if "smallest" in (one.get("labels") or [])), None)
    if smallest is None or dig(smallest, "rank") == dig(reading.candidate, "rank"):
        return _("The smallest configuration that does the job is the one chosen.")
    said = {"name": gpus_of(smallest, is_short=True), "platform": server_of(smallest)}
    return _("The smallest that does the job is %(name)s in %(platform)s.") % said


def _compare(reading: Reading) -> Table:
    chosen = dig(reading.candidate, "rank")
    shown = reading.candidates
    columns = [Column("")] + [
        Column(words.labels(list(one.get("labels") or [])) or _("chosen"), is_pick=one.get("rank") == chosen)
        for one in shown
    ]
    rows = [[label, *(make(one) for one in shown)] for label, make in _lines_of(reading)]
    caption = ""
    if reading.is_quote:
        caption = _("The chosen one as in this quote; the others as first calculated, not confirmed")
    return table(f"compare{len(shown)}", columns, rows, caption=caption, css="long")


def _lines_of(reading: Reading) -> list[tuple[str, Callable[[Mapping[str, Any]], Cell | str]]]:
    time = _("Time to result, 90% band") if reading.is_training else _("First word, 90% band")
    return [
        (_("GPUs"), lambda one: strong(gpus_of(one, is_short=True), sub=server_of(one))),
        (_("Memory at the upper edge"), _memory),
        (time, _time),
        (_("Power at the wall, 90% band"), _power),
        (
            _("Height"),
            lambda one: f"{one['facility']['rack_units']}U" if dig(one, "facility", "rack_units") else q.NOTHING,
        ),
        (_("Price, net") if reading.is_quote else _("Published prices"), lambda one: _price(reading, one)),
        (_("For"), lambda one: _reasons(reading, one, "reasons_for")),
        (_("Against"), lambda one: _reasons(reading, one, "reasons_against")),
        (_("Conditional on"), lambda one: _conditions(reading, one)),
    ]


ANSWERED = ("confirmed", "waived")


def is_quoted(reading: Reading, one: Mapping[str, Any]) -> bool:
    """Say whether a candidate is the one that the quote's lines are about."""
    return reading.is_quote and one.get("rank") is not None and one.get("rank") == dig(reading.candidate, "rank")


def _reasons(reading: Reading, one: Mapping[str, Any], name: str) -> str:
    kept = (text for text in one.get(name) or [] if not (is_quoted(reading, one) and is_of_price(text)))
    return " ".join(say(text) for text in kept) or q.NOTHING


def _conditions(reading: Reading, one: Mapping[str, Any]) -> str:
    if not is_quoted(reading, one):
        return " ".join(say(text) for text in one.get("conditional") or []) or q.NOTHING
    own = [text for text, confirmation in conditions_of(reading) if confirmation.get("state") not in ANSWERED]
    left = sum(point.state != "waived" for point in open_points(reading))
    if not left:
        return _("nothing: every line, condition and decisive assumption is confirmed or waived")
    counted = _("unconfirmed points: %(count)s, section 12") % {"count": left}
    return " ".join([*(say(text) for text in own), counted])


def _memory(one: Mapping[str, Any]) -> str:
    memory = dig(one, "estimate", "memory") or {}
    said = {"high": q.gib(used(memory).get("high")), "capacity": q.gib(memory.get("capacity"))}
    return _("%(high)s of %(capacity)s") % said


def _time(one: Mapping[str, Any]) -> str:
    speed = dig(one, "estimate", "speed") or {}
    found = band_of(speed, "seconds_to_result")
    if found:
        unit = q.duration_unit(found[2])
        return str(q.band(q.duration(found[1], unit), q.duration(found[2], unit)))
    first = band_of(speed, "ttft_ms")
    if not first:
        return q.NOTHING
    return str(
        q.band(
            Quantity(q.number(first[1]), q.figure(1, "ms").unit), Quantity(q.number(first[2]), q.figure(1, "ms").unit)
        )
    )


def _power(one: Mapping[str, Any]) -> str:
    watts = dig(one, "facility", "power_watts") or {}
    return str(q.power_band(watts.get("low"), watts.get("high"))) if watts else q.NOTHING


def _price(reading: Reading, one: Mapping[str, Any]) -> str:
    if is_quoted(reading, one):
        found = deal(reading)
        if found.is_complete:
            return str(q.money(found.net, found.currency))
        return _("Priced lines: %(priced)s of %(total)s") % {"priced": found.firm, "total": found.lines}
    price = one.get("price") or {}
    if price.get("low") is None:
        return str(q.money(None))
    currency = str(price.get("currency") or "")
    band = q.band(q.money(price["low"], currency, digits=0), q.money(price["high"], currency, digits=0))
    if price.get("lines_priced") == price.get("lines_total"):
        return _("%(band)s, market prices") % {"band": band} if reading.is_quote else str(band)
    if reading.is_quote:
        return _("not priced")
    said = {"band": band, "priced": price.get("lines_priced"), "total": price.get("lines_total")}
    return _("%(band)s for %(priced)s of %(total)s lines: not comparable") % said


def _rejected(reading: Reading) -> Table:
    rows = [
        [Cell(one.gpus, sub=", ".join(filter(None, (*one.platforms, one.servers)))), one.limit, one.reason]
        for one in _told(reading)
    ]
    columns = [_("Rejected"), _("By"), _("Reason")]
    return table("rejected", columns, rows, caption=_("Rejected, each with its reason"), css="long")


def _told(reading: Reading) -> list[Rejection]:
    return together(reading.rejected, is_short=True)[:MOST_REJECTED]


def _further(reading: Reading) -> Block | None:
    """Say how many configurations do the job beside those that are shown side by side."""
    shown = {one.get("rank") for one in reading.candidates}
    able = [one for one in reading.output.get("candidates") or [] if one.get("does_the_job", True)]
    rest = sum(one.get("rank") not in shown for one in able)
    if not rest:
        return None
    text = ngettext(
        "%(count)s more configuration does the job; the attached calculation names it with its figures.",
        "%(count)s more configurations do the job; the attached calculation names them with their figures.",
        rest,
    )
    return prose(text % {"count": q.number(rest)})


def _left_out(reading: Reading) -> Block | None:
    """Say how many rejected ones the calculation names beside these, and how many configurations it does not name."""
    rest = len(reading.rejected) - sum(one.count for one in _told(reading))
    unnamed = say(str(reading.dig("output", "left_out", "message") or ""))
    text = _("%(count)s more were rejected for the same kinds of reasons; the attached calculation names them.")
    said = " ".join(filter(None, (text % {"count": q.number(rest)} if rest > 0 else "", unnamed)))
    return prose(said) if said else None
