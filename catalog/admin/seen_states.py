"""What a page of the admin showed: the state of its row, what the row links to, and the state of each row below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import ForeignKey, Max, Model
from django.forms.models import _get_foreign_key
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from catalog.admin.differences import difference


@dataclass(frozen=True, slots=True)
class Below:
    """One table of rows below a row that its page can edit, e.g. the lines of an article."""

    model: Any
    key: ForeignKey[Any, Any]

    @property
    def prefix(self) -> str:
        """Name of the rows in the page's form, e.g. ``lines``."""
        return str(self.key.remote_field.get_accessor_name(model=self.model)).replace("+", "")

    def rows(self, row: Model) -> Any:
        """Rows below one row."""
        return self.model._base_manager.filter(**{self.key.attname: row.pk})


def watched(parent: type[Model], inlines: Iterable[Any]) -> list[Below]:
    """Tables below a row whose rows its page can write; those that it only shows cannot be overwritten there."""
    writing = (one for one in inlines if set(one.fields or ()) - set(one.readonly_fields))
    return [Below(one.model, _get_foreign_key(parent, one.model, fk_name=one.fk_name)) for one in writing]


@dataclass(frozen=True, slots=True)
class Seen:
    """What one page showed.

    `state` is a number of the row's history, `links` the keys of linked rows by field, `below` the number of the
    history of each row below, by the name of its table in the form and its key.
    """

    state: int
    links: Mapping[str, frozenset[int]] = field(default_factory=dict)
    below: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    def fields(self) -> dict[str, str]:
        """Hidden fields that bring it back with the edit."""
        links = {f"seen-{name}": " ".join(map(str, sorted(keys))) for name, keys in self.links.items()}
        below = {
            f"seen-{prefix}": " ".join(f"{key}-{state}" for key, state in sorted(states.items()))
            for prefix, states in self.below.items()
        }
        return {"seen": str(self.state), **links, **below}


def shown(row: Model, below: Iterable[Below]) -> Seen | None:
    """What a page that is opened now shows; None for a row without a history. Two queries a table below."""
    model: Any = type(row)
    latest = model.history.filter(**{row._meta.pk.attname: row.pk}).values_list("history_id", flat=True).first()
    if latest is None:
        return None
    links = {name: _linked(row, name) for name in _links_of(row)}
    return Seen(latest, links, {one.prefix: _states(one, row) for one in below})


def read(data: Mapping[str, str], row: Model, below: Iterable[Below]) -> Seen | None:
    """What the page showed that an edit came from; None where the edit does not say."""
    if not data.get("seen", "").isdecimal():
        return None
    links = {name: frozenset(_numbers(data[f"seen-{name}"])) for name in _links_of(row) if f"seen-{name}" in data}
    states = {one.prefix: _pairs(data[f"seen-{one.prefix}"]) for one in below if f"seen-{one.prefix}" in data}
    return Seen(int(data["seen"]), links, states)


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that somebody has changed since, and the state that did it."""

    text: str
    record: Any


def changes_since(seen: Seen, row: Model, below: Iterable[Below]) -> list[Change]:
    """What others have changed since a page was shown: columns, links, rows below. Locks the row and those below."""
    # The lock lasts to the end of the admin's transaction, so that two edits cannot both be the first.
    type(row)._base_manager.select_for_update().filter(pk=row.pk).values_list("pk").first()
    found = list(_own_changes(seen, row))
    for one in below:
        if one.prefix in seen.below:
            list(one.rows(row).select_for_update().values_list("pk"))
            found += _changes_below(seen.below[one.prefix], _states(one, row), one.model)
    return found


def former_row(model: Any, state: int) -> Any:
    """The row as one state of its history has it, or None."""
    record = model.history.filter(history_id=state).first()
    return record.instance if record else None


def _own_changes(seen: Seen, row: Model) -> Iterator[Change]:
    model: Any = type(row)
    states = model.history.filter(**{row._meta.pk.attname: row.pk}).select_related("history_user")
    latest = states.first()
    if latest is not None and latest.history_id != seen.state:
        former = states.filter(history_id=seen.state).first()
        labels = {_label(model, name) for name in seen.links}
        for one in difference(model, latest, former) if former else []:
            if one["field"] not in labels:
                yield Change(_sentence(one), latest)
    for name, before in seen.links.items():
        now = _linked(row, name)
        if now != before:
            named = model._meta.get_field(name).related_model._default_manager.in_bulk(before | now)
            old, new = (", ".join(str(named.get(key, "?")) for key in sorted(keys)) or "–" for keys in (before, now))
            yield Change(f"{_label(model, name)}: {old} → {new}", latest)


def _label(model: Any, name: str) -> str:
    return str(capfirst(model._meta.get_field(name).verbose_name))


def _changes_below(before: Mapping[int, int], now: Mapping[int, int], model: Any) -> Iterator[Change]:
    for key in sorted({*before, *now}):
        if before.get(key) == now.get(key):
            continue
        latest = model.history.filter(**{model._meta.pk.attname: key}).select_related("history_user").first()
        if latest is None or (key not in before and latest.history_type == "-"):
            continue
        name = _name(latest)
        if latest.history_type == "-":
            yield Change(_("deleted: %s") % name, latest)
        elif key not in before:
            yield Change(_("added: %s") % name, latest)
        else:
            former = model.history.filter(history_id=before[key]).first()
            if former is None:
                yield Change(_("changed: %s") % name, latest)
            elif sentences := [_sentence(one) for one in difference(model, latest, former)]:
                yield Change(f"{name} – {', '.join(sentences)}", latest)


def _sentence(change: Mapping[str, Any]) -> str:
    return f"{change['field']}: {change['old']} → {change['new']}"


def _name(record: Any) -> str:
    try:
        return str(record.instance)
    except ObjectDoesNotExist:
        return str(record.instance_type._meta.verbose_name)


def _links_of(row: Model) -> list[str]:
    fields: Iterable[Any] = row._meta.many_to_many
    return [field.name for field in fields if field.remote_field.through._meta.auto_created]


def _linked(row: Model, name: str) -> frozenset[int]:
    return frozenset(getattr(row, name).values_list("pk", flat=True))


def _states(below: Below, row: Model) -> dict[int, int]:
    keys = list(below.rows(row).values_list("pk", flat=True))
    name = below.model._meta.pk.attname
    latest = below.model.history.filter(**{f"{name}__in": keys}).order_by().values_list(name)
    return dict.fromkeys(keys, 0) | dict(latest.annotate(Max("history_id")))


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split() if word.isdecimal() and len(word) < 19]


def _pairs(text: str) -> dict[int, int]:
    pairs = (word.partition("-") for word in text.split())
    return {
        int(key): int(state)
        for key, _dash, state in pairs
        if key.isdecimal() and state.isdecimal() and len(key) < 19 and len(state) < 19
    }
