"""What the answer rests on: the assumption ledger, and what is not confirmed yet."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from quotes.presenter import assumptions, dates
from quotes.presenter.blocks import Block, Section, heading, prose, section, tabled
from quotes.presenter.engine_words import say
from quotes.presenter.open_points import conditions_of, open_points
from quotes.presenter.reading import Reading, dig
from quotes.presenter.tables import Cell, Row, Table, group, row, status, strong, table


def assumptions_section(reading: Reading) -> Section:
    """Give section 11."""
    title = _("Assumptions")
    found = reading.assumptions
    if not found:
        return section("assumptions", "11", title, _("Nothing was assumed: every value was stated."))
    decisive = sum(bool(one.get("decisive")) for one in found)
    said = {"count": len(found)}
    finding = ngettext("%(count)s value was assumed.", "%(count)s values were assumed.", len(found)) % said + " "
    finding += (
        ngettext("%(count)s of them decides the answer.", "%(count)s of them decide the answer.", decisive)
        % {"count": decisive}
        if decisive
        else _("None of them alone changes the chosen configuration within its range.")
    )
    hint = _("Nothing is filled in silently: replace any row by your own value, and we show what moves.")
    made = _whole(found) if reading.is_whole or reading.kind == "preliminary" else _compact(found)
    return section("assumptions", "11", title, finding, [tabled(made), prose(hint)])


def _whole(found: list[Mapping[str, Any]]) -> Table:
    numbered = list(enumerate(found, 1))
    ordered = sorted(numbered, key=lambda one: _place(one[1]))
    rows: list[Row] = []
    for name, entries in groupby(ordered, key=lambda one: assumptions.group(one[1])):
        rows.append(group(name, 5))
        rows += [_entry(number, one) for number, one in entries]
    columns = [
        ("", "id"),
        (_("Assumption"), "text"),
        (_("Value (range)"), "text"),
        (_("Status"), "text"),
        (_("Why, and what it moves"), "text"),
    ]
    return table("ledger", columns, rows, css="long", header=1)


def _place(one: Mapping[str, Any]) -> int:
    titles = [str(title) for _prefixes, title in assumptions.GROUPS]
    return titles.index(assumptions.group(one))


def _entry(number: int, one: Mapping[str, Any]) -> Row:
    name = assumptions.label(one)
    why = say(str(one.get("why") or "")).rstrip(".")
    source = " ".join(part for part in (say(str(one.get("source") or "")), str(one.get("as_of") or "")) if part)
    moves = assumptions.moves(one)
    return row(
        assumptions.mark(number),
        strong(name) if one.get("decisive") else name,
        assumptions.with_range(one),
        _state(one),
        Cell(moves or why, sub="; ".join(part for part in ((why if moves else ""), source) if part), is_strong=False),
        anchor=assumptions.mark(number),
    )


def _state(one: Mapping[str, Any]) -> Cell:
    state = str(dig(one, "confirmation", "state") or "")
    origin = str(one.get("origin") or "assumed")
    if state in ("confirmed", "waived", "refuted", "stale"):
        note = str(dig(one, "confirmation", "reason") or dig(one, "confirmation", "evidence") or "")
        return status(state, sub=note)
    if one.get("decisive"):
        return status("unconfirmed")
    return status(origin)


def _compact(found: list[Mapping[str, Any]]) -> Table:
    rows = []
    for number, one in enumerate(found, 1):
        name = assumptions.label(one)
        cell = strong(name) if one.get("decisive") else Cell(name)
        rows.append(row(assumptions.mark(number), cell, assumptions.with_range(one), _state(one)))
    columns = [("", "id"), (_("Assumption"), "text"), (_("Value (range)"), "text"), (_("Status"), "text")]
    return table("ledger-short", columns, rows, css="long", header=1)


def open_section(reading: Reading) -> Section:
    """Give section 12."""
    title = _("Outstanding confirmations")
    points, settled = open_points(reading), _settled(reading)
    if not points:
        finding = _("Nothing is outstanding: every line, condition and decisive assumption is confirmed.")
        return section("open", "12", title, finding, settled)
    waived = sum(one.state == "waived" for one in points)
    said = {"open": len(points) - waived, "waived": waived}
    finding = _("Unconfirmed: %(open)s; waived with a reason: %(waived)s.") % said
    rows = [row(one.place, strong(one.what), status(one.state, sub=one.note), one.effect) for one in points]
    columns = [("", "id"), (_("What"), "text"), (_("State and reason"), "text"), (_("What it bears on"), "text")]
    made = tabled(table("open", columns, rows, css="long", header=1))
    return section("open", "12", title, finding, [made, *settled, *_questions(reading)])


def _settled(reading: Reading) -> list[Block | None]:
    """Give the conditions of the machine that somebody confirmed, with the evidence; lines and assumptions have it."""
    rows = []
    for text, confirmation in conditions_of(reading):
        if confirmation.get("state") == "confirmed":
            at = dates.short_day(confirmation["at"], reading.zone) if confirmation.get("at") else ""
            sub = ", ".join(part for part in (confirmation.get("evidence"), confirmation.get("by"), at) if part)
            rows.append(row(strong(say(text).rstrip(".")), status("confirmed", sub=sub)))
    if not rows:
        return []
    columns = [(_("What the machine was conditional on"), "text"), (_("Confirmation and evidence"), "text")]
    return [heading(_("Conditions that are settled")), tabled(table("settled", columns, rows, css="long", header=1))]


def _questions(reading: Reading) -> list[Block | None]:
    asked = reading.dig("clarifications") or []
    if not asked:
        return []
    rows = [[str(one.get("question") or ""), str(one.get("answer") or "") or _("not answered yet")] for one in asked]
    return [
        heading(_("Questions and answers")),
        tabled(table("questions", [_("Asked"), _("Answer")], rows, css="long")),
    ]
