"""A date counted back: order, delivery, installation, and what is left for the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from quotes.forms import numbers
from quotes.forms.route import deadline_hours
from sizing.case import Interval
from sizing.recommend.delivery import INSTALLATION_DAYS
from sizing.recommend.delivery import USUAL_DAYS as DELIVERY_DAYS

HOURS_PER_DAY = 24.0
# From the decision to a signed order: quote, approval and contract; an assumption until the customer says otherwise.
ORDER_DAYS = Interval(7.0, 3.0, 14.0)
STEPS = (("order", ORDER_DAYS), ("delivery", DELIVERY_DAYS), ("installation", INSTALLATION_DAYS))


@dataclass(frozen=True, slots=True)
class Calendar:
    """The days until a date, e.g. 120: what order, delivery and installation take of them [day].

    Delivery and installation are the engine's own figures, so that form, calculation and quote agree.
    """

    days: float

    @property
    def left(self) -> Interval:
        """What is left for the run: expected, and after slow and quick steps; negative where nothing is [day]."""
        expected, low, high = (sum(getattr(step, end) for _name, step in STEPS) for end in ("expected", "high", "low"))
        return Interval(self.days - expected, self.days - low, self.days - high)

    @property
    def run_hours(self) -> float | None:
        """Time the run may take; after the quickest steps where the usual ones leave none; None without any [h]."""
        left = self.left
        days = left.expected if left.expected > 0 else left.high
        return days * HOURS_PER_DAY if days > 0 else None

    @property
    def sentence(self) -> str:
        """Say that the date cannot be kept, or only with a quick delivery; nothing where it can."""
        said = {
            "days": numbers.say(round(self.days)),
            "delivery": numbers.say(DELIVERY_DAYS.expected),
            "low": numbers.say(DELIVERY_DAYS.low),
            "high": numbers.say(DELIVERY_DAYS.high),
            "least": numbers.say(sum(step.low for _name, step in STEPS)),
            "usual": numbers.say(sum(step.expected for _name, step in STEPS)),
        }
        if self.run_hours is None:
            return (
                _(
                    "This date cannot be reached: delivery alone takes %(delivery)s days (%(low)s to %(high)s), order, "
                    "delivery and installation at least %(least)s, and the date is %(days)s days away. The calculation "
                    "takes no deadline from it."
                )
                % said
            )
        if self.left.expected <= 0:
            return (
                _(
                    "The date is kept only with a quick delivery: order, delivery and installation usually take "
                    "%(usual)s days, at least %(least)s, and the date is %(days)s days away."
                )
                % said
            )
        return ""


def calendar(answers: Mapping[str, Any], *, today: date | None = None) -> Calendar | None:
    """Count back from the date in the answers; None where the deadline is not a date."""
    hours = deadline_hours(dict(answers), today=today or timezone.localdate())
    if answers.get("when") != "date" or hours is None:
        return None
    return Calendar(hours / HOURS_PER_DAY)


def run_hours(answers: Mapping[str, Any]) -> float | None:
    """Give the time the run may take: "in 7 days" means the run, a date is counted back; None without a limit [h]."""
    counted = calendar(answers)
    return counted.run_hours if counted else deadline_hours(dict(answers))
