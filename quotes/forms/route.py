"""The first question: which parameters change, and by when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from quotes.forms.fields import Choice, Date, Number
from sizing.fields import Day

ADAPTERS = "adapters"
FULL = "full"
SCRATCH = "scratch"
SERVICE = "service"
DOCUMENTS = "documents"
UNKNOWN = "unknown"

HOURS = {"hours": 1, "days": 24, "weeks": 168}
LONGEST_DEADLINE_DAYS = 3650


@dataclass(frozen=True, slots=True)
class Path:
    """One way into the form, e.g. adapters: what it is called, what it means, its pictogram."""

    slug: str
    label: Any
    hint: Any
    icon: str
    summary: Any


PATHS = (
    Path(
        DOCUMENTS,
        _("None: answers over new documents are needed"),
        _("Search over documents (RAG) comes first: training may not be needed at all"),
        "components/icons/params-docs.html",
        _("No parameter changes: the model answers over your documents"),
    ),
    Path(
        SERVICE,
        _("None: a service on a ready model is needed"),
        _("We count users, latency and cache, not training"),
        "components/icons/params-none.html",
        _("No parameter changes: a service for users"),
    ),
    Path(
        ADAPTERS,
        _("A small addition to the model: LoRA or QLoRA"),
        _("The base weights are frozen, yet they and the activations take the memory"),
        "components/icons/params-adapter.html",
        _("A small part changes: LoRA or QLoRA"),
    ),
    Path(
        FULL,
        _("All parameters of a ready model"),
        _("Full fine-tuning: with AdamW 16–20 bytes a parameter before activations"),
        "components/icons/params-all.html",
        _("All parameters change: full fine-tuning"),
    ),
    Path(
        SCRATCH,
        _("All of them, from scratch"),
        _("Asks for the architecture, the amount of data, the number of steps and the deadline"),
        "components/icons/params-new.html",
        _("Every parameter is new: training from scratch"),
    ),
    Path(
        UNKNOWN,
        _("I don’t know yet"),
        _("Describe the task in words, an engineer proposes the way"),
        "components/icons/params-unknown.html",
        _("The way is still open"),
    ),
)
PATH = {path.slug: path for path in PATHS}


class RouteForm(forms.Form):
    """Two questions that decide all others."""

    route = Choice(
        choices=[(path.slug, path.label) for path in PATHS],
        kind="paths",
        required=True,
        label=_("Which parameters of the model change?"),
    )
    when = Choice(
        choices=[
            ("in", _("No later than in")),
            ("date", _("By a date")),
            ("none", _("No deadline")),
            ("compare", _("I want to compare")),
        ],
        kind="when",
        label=_("By when is the result needed?"),
    )
    deadline_amount = Number(low=1, high=10_000, whole=True, width="w4", label=_("How much"))
    deadline_unit = Choice(
        choices=[("hours", _("hours")), ("days", _("days")), ("weeks", _("weeks"))], initial="days", label=_("Unit")
    )
    deadline_date = Date(label=_("Date"))

    def clean_route(self) -> str:
        """Refuse to guess: without a choice the form does not go on."""
        return str(self.cleaned_data["route"])

    def clean(self) -> dict[str, Any]:
        """Ask for the number or the date that the chosen answer speaks of."""
        cleaned = super().clean() or {}
        when = cleaned.get("when")
        if when == "in" and cleaned.get("deadline_amount") is None and "deadline_amount" not in self.errors:
            self.add_error("deadline_amount", _("Say in how many hours, days or weeks, or choose “No deadline”."))
        if when == "date" and "deadline_date" not in self.errors:
            check_date(self, cleaned.get("deadline_date"))
        return cleaned


def check_date(form: forms.Form, day: date | None) -> None:
    """Refuse a missing, a past and an absurdly late day, each with what to do."""
    today = timezone.localdate()
    if day is None:
        form.add_error("deadline_date", _("Name the day, for example 2027-03-31, or choose “No deadline”."))
    elif day <= today:
        form.add_error("deadline_date", _("This day has passed. Name a day after today."))
    elif (day - today).days > LONGEST_DEADLINE_DAYS:
        form.add_error(
            "deadline_date", ValidationError(_("This is more than ten years ahead. Check the year."), code="too_late")
        )


def deadline_hours(answers: dict[str, Any], *, today: date | None = None) -> float | None:
    """Give the time a run may take, from "in 7 days" or from a date; None where there is no deadline [h]."""
    if answers.get("when") == "in" and answers.get("deadline_amount"):
        return float(answers["deadline_amount"]) * HOURS.get(str(answers.get("deadline_unit")), 24)
    day = answers.get("deadline_date")
    if answers.get("when") == "date" and day:
        until = date.fromisoformat(day) if isinstance(day, str) else day
        return max(0.0, float((until - (today or timezone.localdate())).days * 24))
    return None


def check_day_of_quote(day: date) -> None:
    """Refuse a date that nothing named by today can have: one ahead, or before the first that the engine takes."""
    if not Day().first <= day <= timezone.localdate():
        raise ValidationError(_("Give the day it was named: not before 2010, and not in the future."), code="day")
