"""What the customer stated, as name and value: what the engine was asked, and every answer of the form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from quotes.forms.route import ADAPTERS
from quotes.forms.ways import FORMS
from quotes.presenter import quantities as q
from quotes.presenter import words
from quotes.presenter.request_section import UNITS
from quotes.services.ledger import ROOMS
from quotes.summaries import model_name
from quotes.wording import ORDER, name_of

FIXED = frozenset({"workload.model", "workload.task"})
STRENGTH = "_strength"
NOT_ANSWERS = frozenset({"changes", "way", "route", "config"})


@dataclass(frozen=True, slots=True)
class Stated:
    """One stated field, e.g. the sequence length; `can_change` where another value can be tried."""

    key: str
    name: str
    value: Any
    shown: str

    @property
    def can_change(self) -> bool:
        """Say whether the desk can try another value."""
        return (
            self.key.partition(".")[0] in ROOMS and self.key not in FIXED and isinstance(self.value, int | float | str)
        )


def facts(asked: Mapping[str, Any], *, model_title: Mapping[str, Any]) -> list[Stated]:
    """Give the stated fields in the order of the table, then the rest by their own names."""
    flat = dict(_flatten(asked))
    found: list[Stated] = []
    model = model_name((asked.get("workload") or {}).get("model") or {})
    if model:
        title = str(model_title.get("title") or model_title.get("name") or model)
        found.append(Stated("workload.model", _("Model"), model, title))
    names = [*(name for name in ORDER if name in flat), *(name for name in flat if name not in ORDER and "." in name)]
    return found + [Stated(name, name_of(name), flat[name], _shown(name, flat[name])) for name in names]


def _flatten(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in data.items():
        path = f"{prefix}.{name}" if prefix else str(name)
        if path in ("workload.model", "workload.profile", "id"):
            continue
        if isinstance(value, Mapping) and not value.keys() & {"must", "prefer"}:
            yield from _flatten(value, path)
        elif isinstance(value, Mapping):
            yield path, _limit(path, value)
        elif value is not None:
            yield path, value


def _shown(key: str, value: Any) -> str:
    if key == "workload.task":
        return words.of(words.TASKS, value)
    if key == "workload.method":
        return words.of(words.SHORT_METHODS, value)
    if isinstance(value, str | list):
        return words.word(value)
    return str(q.figure(value, UNITS.get(key.rsplit(".", 1)[-1], "")))


def _limit(key: str, limit: Mapping[str, Any]) -> str:
    value = limit.get("must", limit.get("prefer"))
    strength = _("must") if "must" in limit else _("prefer")
    text = _shown(key, value)
    if limit.get("currency"):
        text = str(q.money(value, str(limit["currency"]), 0))
        text += ", " + (_("with tax") if limit.get("net") is False else _("without tax"))
    return f"{text} ({strength})"


def answered(answers: Mapping[str, Any], route: str) -> list[tuple[str, str]]:
    """Give every answer of the customer by the label of the form, also those the engine does not use."""
    form = FORMS.get(ADAPTERS if route in ("lora", "qlora") else route)
    fields: dict[str, forms.Field] = dict(form.base_fields) if form else {}
    names = [*(name for name in fields if name in answers), *(name for name in answers if name not in fields)]
    found = []
    for name in names:
        value = answers[name]
        if name in NOT_ANSWERS or name.endswith(STRENGTH) or value in (None, "", [], {}):
            continue
        field = fields.get(name)
        label = str((field.label if field else "") or name.replace("_", " ").capitalize())
        found.append((label, _answer(field, value)))
    return found


def _answer(field: forms.Field | None, value: Any) -> str:
    choices = {str(key): str(word) for key, word in getattr(field, "choices", None) or () if not isinstance(word, list)}
    if isinstance(value, list):
        return ", ".join(choices.get(str(one), words.word(one)) for one in value)
    if str(value) in choices:
        return choices[str(value)]
    return words.word(value) if isinstance(value, str) else str(q.figure(value))


def market_prices(candidate: Mapping[str, Any] | None) -> dict[tuple[str, str], str]:
    """Give what we know of market prices by kind and part of a line, for the staff alone."""
    found = {}
    for line in (candidate or {}).get("lines") or []:
        if line.get("high") is None:
            continue
        low, high = (q.money(line.get(end), str(line.get("currency") or ""), 0) for end in ("low", "high"))
        said = {"band": q.band(low, high), "source": line.get("source") or "", "as_of": line.get("as_of") or ""}
        found[(str(line.get("kind")), str(line.get("slug") or ""))] = (
            _("market price %(band)s, %(source)s, %(as_of)s") % said
        )
    return found
