"""What the customer said, in words: every answered question with its unit, by section of the form."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from quotes.forms import numbers
from quotes.forms.fields import Number
from quotes.forms.known_models import facts, known, of_config
from quotes.forms.sections import EXPERT, PLAIN, SectionForm
from quotes.presenter import dates
from quotes.views.customer.estimates import conversions
from sizing.errors import SizingError

__all__ = ["Answer", "answer_groups", "facts"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One question with its answer, e.g. "Power per rack: 12 kW, must"; `note` adds what was read from it."""

    name: str
    label: str
    text: str
    note: str = ""
    depth: str = PLAIN

    @property
    def is_measured(self) -> bool:
        """Say whether the figure was measured on a run of the customer's own."""
        return self.name.startswith("profile_")


def answer_groups(form: SectionForm, *, way: str) -> list[dict[str, Any]]:
    """Give the sections that hold an answer, each with its answers in the order of the form."""
    answered = form.answered()
    groups = []
    for section in form.sections:
        answers = list(_answers(form, answered, section.names(EXPERT), way))
        if answers:
            groups.append({"key": section.key, "title": section.title, "answers": answers})
    return groups


def _answers(form: SectionForm, answered: Mapping[str, Any], names: list[str], way: str) -> Iterator[Answer]:
    for name in names:
        if name not in answered or _is_idle(name, answered):
            continue
        field = form.fields[name]
        text = _joined(form, name, answered, say(field, answered[name]))
        strength = answered.get(f"{name}_strength") if getattr(field, "strength", False) else None
        if strength and not _is_soft(name, answered):
            text = f"{text}, {say(form.fields[f'{name}_strength'], strength)}"
        yield Answer(name, str(form[name].label), text, _note(name, answered, way), depth_of(form, name))


def depth_of(form: SectionForm, name: str) -> str:
    """Say in which view of the form a question stands."""
    return PLAIN if any(name in section.names(PLAIN) for section in form.sections) else EXPERT


# Questions that one line answers together: the second is written behind the first.
JOINED = {
    "dataset_amount": ("dataset_unit",),
    "checkpoint_every": ("checkpoint_unit",),
    "budget": ("currency", "tax"),
}
DEADLINE = {"in": ("deadline_amount", "deadline_unit"), "date": ("deadline_date",)}
FOLLOWS = {
    "cloud_rate_kind": ("cloud_rate", None),
    "latency_means": ("first_word_seconds", None),
    "pages_per_document": ("dataset_unit", "documents"),
    "trainable_billion": ("trainable", "part"),
}


def _joined(form: SectionForm, name: str, answered: Mapping[str, Any], text: str) -> str:
    model = known(str(answered[name])) if name == "model_name" else None
    if model:
        return model.label
    others = DEADLINE.get(str(answered.get("when")), ()) if name == "when" else JOINED.get(name, ())
    parts = [say(form.fields[other], answered[other]) for other in others if other in answered]
    amount = answered.get("deadline_amount" if name == "when" else name)
    if isinstance(amount, int | float) and not isinstance(amount, bool):
        parts = [bent(part, amount) for part in parts]
    return " ".join([text, *parts])


def bent(word: str, value: Any) -> str:
    """Write a counted word in the form that its number asks for; what counts nothing stays as it is."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return word
    count = int(value) if float(value).is_integer() else 2
    forms_of = {
        _("tokens"): ngettext("token", "tokens", count),
        _("answers"): ngettext("answer", "answers", count),
        _("pages"): ngettext("page", "pages", count),
        _("documents"): ngettext("document", "documents", count),
        _("dialogues"): ngettext("dialogue", "dialogues", count),
        _("hours"): ngettext("hour", "hours", count),
        _("days"): ngettext("day", "days", count),
        _("weeks"): ngettext("week", "weeks", count),
        _("minutes"): ngettext("minute", "minutes", count),
        _("steps"): ngettext("step", "steps", count),
        _("years"): ngettext("year", "years", count),
    }
    return forms_of.get(word, word)


def _is_idle(name: str, answered: Mapping[str, Any]) -> bool:
    """Say whether an answer needs no line: it stands behind another, or its question was not asked."""
    if any(name in others for others in (*JOINED.values(), *DEADLINE.values())):
        return True
    owner, wanted = FOLLOWS.get(name, ("", None))
    if not owner or (name == "pages_per_document" and "documents" in answered):
        return False
    return owner not in answered if wanted is None else answered.get(owner) != wanted


def _is_soft(name: str, answered: Mapping[str, Any]) -> bool:
    return (name == "when" and answered.get("when") in ("none", "compare")) or (
        name in ("cooling", "region") and answered.get(name) in ("undecided", "either", "anywhere")
    )


def named(field: forms.ChoiceField) -> list[tuple[str, Any]]:
    """Give the answers a field offers."""
    return [(str(key), label) for key, label in field.widget.choices]


def say(field: forms.Field, value: Any) -> str:
    """Write an answer as a person reads it."""
    if isinstance(field, forms.ChoiceField):
        return next((str(label) for key, label in named(field) if key == value), str(value))
    if isinstance(field, Number):
        words = bent(str(field.unit), value)
        unit = f"\u00a0{words}" if words else ""
        return f"{numbers.say(value)}{unit}"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, date):
        return dates.day(value)
    if isinstance(value, dict):
        return _("config.json, read")
    return str(value)


def _note(name: str, answered: Mapping[str, Any], way: str) -> str:
    if name == "model_name":
        model = known(str(answered[name]))
        return model.facts if model else ""
    if name == "config":
        try:
            return of_config(answered[name]).facts
        except SizingError:
            return ""
    if name in ("dataset_amount", "users"):
        return " ".join(conversions(answered, way=way))
    return ""


def config_text(config: Mapping[str, Any]) -> str:
    """Write a configuration back as the form holds it."""
    return json.dumps(config)
