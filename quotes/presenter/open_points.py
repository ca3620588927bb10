"""What is not confirmed yet, or was waived: conditions of the candidate, lines and decisive assumptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import assumptions, dates
from quotes.presenter.engine_words import is_of_price, say
from quotes.presenter.reading import Reading, dig

SETTLED = ("confirmed",)
SAID_OPEN = ("waived", "refuted")
"""States that somebody gave a point: it is told whether or not it decides."""


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """One point: where it stands, what it is, its state, and what happens if it turns out otherwise."""

    place: str
    what: str
    state: str
    note: str
    effect: str

    @property
    def short(self) -> str:
        """Say the point in one line."""
        return f"{self.what}. {self.note}" if self.note else self.what


def open_points(reading: Reading) -> list[OpenPoint]:
    """Give the open points, unconfirmed before waived, assumptions before lines."""
    found = [*_assumptions(reading), *_conditions(reading), *_lines(reading)]
    return sorted(found, key=lambda one: one.state == "waived")


def _assumptions(reading: Reading) -> Iterator[OpenPoint]:
    for number, one in enumerate(reading.assumptions, 1):
        state = str(dig(one, "confirmation", "state") or "unconfirmed")
        if state in SETTLED or not (one.get("decisive") or one.get("customer_says") or state in SAID_OPEN):
            continue
        said = {"label": assumptions.label(one), "value": assumptions.value(one)}
        yield OpenPoint(
            assumptions.mark(number),
            _("%(label)s: %(value)s") % said,
            state,
            _reason(reading, one),
            assumptions.moves(one) or say(str(one.get("why") or "")),
        )


def _conditions(reading: Reading) -> Iterator[OpenPoint]:
    for text, confirmation in conditions_of(reading):
        state = str(confirmation.get("state") or "unconfirmed")
        if state not in SETTLED:
            effect = _("the machine as chosen") if state == "waived" else _("the candidate is conditional until then")
            yield OpenPoint("–", say(text).rstrip("."), state, _reason(reading, {"confirmation": confirmation}), effect)


def conditions_of(reading: Reading) -> list[tuple[str, Mapping[str, Any]]]:
    """Give what the chosen candidate is conditional on, each with its confirmation.

    A quote says itself what its prices and its budget are. What was issued before conditions were points of a quote,
    and a calculation alone, have nobody's word on them.
    """
    stored = reading.dig("conditions")
    if stored:
        return [(str(one.get("text") or ""), one.get("confirmation") or {}) for one in stored]
    found = [str(text) for text in dig(reading.candidate, "conditional") or []]
    return [(text, {}) for text in found if not (reading.is_quote and is_of_price(text))]


def _lines(reading: Reading) -> Iterator[OpenPoint]:
    for line in reading.lines:
        state = str(dig(line, "confirmation", "state") or "unconfirmed")
        if state in SETTLED:
            continue
        position = {"position": line.get("position")}
        yield OpenPoint(
            _("line %(position)s") % position,
            str(line.get("article") or say(str(line.get("description") or ""))),
            state,
            _reason(reading, line),
            _("the line as ordered") if state == "waived" else _("price, delivery or fit of this line"),
        )


def _reason(reading: Reading, row: Any) -> str:
    confirmation, words = dig(row, "confirmation") or {}, str(dig(row, "customer_says") or "")
    parts = [_("You said: %(words)s.") % {"words": words} if words else "", str(confirmation.get("reason") or "")]
    if confirmation.get("until"):
        parts.append(_("until %(day)s") % {"day": dates.short_day(confirmation["until"])})
    return " ".join(part for part in parts if part)
