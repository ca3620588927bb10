"""The day by which a customer wants the result: what order, delivery, installation and the work leave of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from quotes.forms.calendar import ORDER_DAYS, STEPS
from quotes.presenter import dates
from quotes.presenter import quantities as q
from quotes.presenter.quantities import Quantity
from quotes.presenter.reading import Reading, dig


@dataclass(frozen=True, slots=True)
class ByDate:
    """The wanted day, and the days on which the result is there: expected, after quick and after slow steps."""

    wanted: date
    expected: date | None
    low: date | None
    high: date | None
    is_must: bool

    @property
    def shown(self) -> str:
        """Write the wanted day with its strength."""
        strength = _("must be kept") if self.is_must else _("preferred")
        return f"{dates.day(self.wanted)} ({strength})"

    @property
    def is_sure(self) -> bool:
        """Say whether even slow steps keep the day."""
        return self.high is not None and self.high <= self.wanted

    @property
    def verdict(self) -> str:
        """Say in a sentence or two whether the day is kept; empty where the lead times are not known."""
        if self.expected is None or self.high is None or self.low is None:
            return ""
        said = {name: dates.day(getattr(self, name)) for name in ("wanted", "expected", "low", "high")}
        if self.is_sure:
            text = _("Ready by %(wanted)s even with slow steps: expected on %(expected)s, on %(high)s at the latest.")
        elif self.expected <= self.wanted:
            text = _(
                "Expected on %(expected)s, before %(wanted)s; with a slow delivery not before %(high)s: have the "
                "supplier name the day before you order."
            )
        elif self.low <= self.wanted:
            text = _(
                "Ready by %(wanted)s only with quick steps (%(low)s); expected on %(expected)s, after a slow delivery "
                "on %(high)s."
            )
        else:
            text = _("Not ready by %(wanted)s: %(low)s at the earliest, expected on %(expected)s.")
        return dates.sentence(text % said)


def by_date(reading: Reading) -> ByDate | None:
    """Give the wanted day against the way to it, counted from the day of the document; None where none was named."""
    answers = reading.dig("answers") or {}
    if answers.get("when") != "date" or not answers.get("deadline_date"):
        return None
    start = _day(reading)
    days = dig(reading.candidate, "ready", "days_from_order") or {}
    ends: dict[str, date | None] = dict.fromkeys(("expected", "low", "high"))
    if start is not None and days:
        ends = {name: start + timedelta(days=round(getattr(ORDER_DAYS, name) + days[name])) for name in ends}
    wanted = date.fromisoformat(str(answers["deadline_date"]))
    return ByDate(wanted, **ends, is_must=answers.get("when_strength") != "prefer")


def counted_back() -> str:
    """Say what was taken off the time until the day."""
    day = q.duration_word("d")
    steps: dict[str, Any] = {name: Quantity(q.number(round(step.expected)), day) for name, step in STEPS}
    return _("counted back from the day: order %(order)s, delivery %(delivery)s, installation %(installation)s") % steps


def _day(reading: Reading) -> date | None:
    text = str(reading.dig("issued_at") or reading.dig("frozen_at") or reading.dig("calculated_at") or "")
    if not text:
        return None
    at = datetime.fromisoformat(text)
    return at.astimezone(ZoneInfo(reading.zone)).date() if reading.zone and at.tzinfo else at.date()
