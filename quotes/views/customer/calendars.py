"""A date counted back, as the pages show it: order, delivery, installation, and what is left for the run."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quotes.forms.calendar import STEPS, calendar
from quotes.forms.route import DOCUMENTS, SERVICE
from quotes.presenter import quantities as q

SECONDS_PER_HOUR = 3600.0
WORDS = {
    "order": gettext_lazy("Order and contract, assumed"),
    "delivery": gettext_lazy("Delivery, assumed"),
    "installation": gettext_lazy("Installation and first start, assumed"),
}


def steps(answers: Mapping[str, Any], *, way: str = "", today: date | None = None) -> list[dict[str, str]]:
    """Give each step with its band; a run that has no time left is said to have none.

    `today` is the day it is counted from, today when None. Empty where no date was named or nothing runs to an end.
    """
    counted = None if way in (SERVICE, DOCUMENTS) else calendar(answers, today=today)
    if counted is None:
        return []
    found = [
        {
            "label": str(WORDS[name]),
            "text": str(_days(step.expected)),
            "band": str(q.band(_days(step.low), _days(step.high))),
        }
        for name, step in STEPS
    ]
    hours = counted.run_hours
    left = str(q.duration(hours * SECONDS_PER_HOUR)) if hours else _("no time is left: choose a later date")
    return [*found, {"label": _("Left for the run"), "text": left, "band": ""}]


def _days(days: float) -> q.Quantity:
    return q.Quantity(q.number(round(days)), q.duration_word("d"))
