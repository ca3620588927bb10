"""What pages say about parts: facts with sources, disagreements, and what nobody knows."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model
from django.utils.dateformat import format as format_date
from django.utils.formats import get_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from catalog.models import Fact, Part, Source, Standing
from catalog.units import shown, unit_of

ALWAYS_SHOWN = {
    Part.Kind.GPU: ("memory_usable_gib", "memory_bandwidth_tb_s", "bf16_tflops", "nvlink_gb_s", "tdp_w", "tdp_min_w"),
    Part.Kind.PLATFORM: ("rack_units", "max_gpus", "max_system_power_w", "psu_count", "cooling", "dimm_slots"),
}
HIDDEN = {"kind", "is_dpu", "llvm_target", "memory_torch_gib", "memory_reported_mib", "supported_gpus"}
SUPPORTED = {"supported_gpus": "GPUs"}


@dataclass(frozen=True, slots=True)
class Cited:
    """A source as a page names it."""

    title: str
    date: str
    link: str
    kind: str


@dataclass(frozen=True, slots=True)
class Value:
    """One value that was seen for a field."""

    pk: int
    text: str
    unit: str
    is_chosen: bool
    cited: tuple[Cited, ...]
    entered_by: str = ""


@dataclass(frozen=True, slots=True)
class FactRow:
    """One line of the facts table: a field, the value in use, where it comes from and how far it can be relied on."""

    field: str
    label: str
    text: str
    unit: str
    standing: str
    cited: tuple[Cited, ...] = ()
    entered_by: str = ""
    note: str = ""
    others: int = 0

    @property
    def is_known(self) -> bool:
        """Whether any value is in use."""
        return bool(self.text)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A field for which sources say different things: all values, the one in use and why."""

    field: str
    label: str
    values: tuple[Value, ...]
    why: str


_WEIGHT = {
    Source.Kind.MAKER: 0,
    Source.Kind.MAKER_CODE: 1,
    Source.Kind.MEASURED: 2,
    Source.Kind.SUBMISSION: 2,
}


def cite_all(fact: Fact) -> tuple[Cited, ...]:
    """Sources of a value; reads the fetched ones."""
    return cite_sources(fact.sources.all())


def cite_sources(sources: Iterable[Source]) -> tuple[Cited, ...]:
    """Sources, those read first-hand and dated before the others."""
    ordered = sorted(
        sources,
        key=lambda source: (_WEIGHT.get(Source.Kind(source.kind), 3), source.read != "direct", not source.is_dated),
    )
    return tuple(cite(source) for source in ordered)


def cite(source: Source) -> Cited:
    """A source with the date that it bears, or the day it was read."""
    return Cited(source.title, date_of(source), source.link, str(source.get_kind_display()))


def date_of(source: Source) -> str:
    """Date of a source in words: its own, else the day it was read."""
    if source.as_of:
        return partial(source.as_of)
    if source.read_on:
        return _("undated, read on %(date)s") % {"date": format_date(source.read_on, get_format("DATE_FORMAT"))}
    return _("undated")


def partial(text: str) -> str:
    """A year, month or day in the reader's language."""
    parts = text.split("-")
    if not all(part.isdecimal() for part in parts):
        return text
    numbers = [int(part) for part in parts]
    if len(numbers) == 1:
        return parts[0]
    try:
        day = datetime.date(numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else 1)
    except ValueError:
        return text
    return format_date(day, get_format("DATE_FORMAT" if len(numbers) > 2 else "YEAR_MONTH_FORMAT"))


def label_of(model: type[Model], name: str) -> str:
    """A column's name in words."""
    try:
        return str(capfirst(model._meta.get_field(name).verbose_name))  # type: ignore[union-attr]
    except Exception:
        return SUPPORTED.get(name, name.replace("_", " "))


def fact_rows(part: Part, facts: Sequence[Fact], supplied: Iterable[Any] = ()) -> list[FactRow]:
    """The facts table of a part, in the order of its columns; unknown but important fields are listed as unknown."""
    chosen = {fact.field: fact for fact in facts if fact.is_chosen}
    seen: dict[str, int] = defaultdict(int)
    for fact in facts:
        seen[fact.field] += 1
    assumed = {given.field: given for given in supplied}
    important = ALWAYS_SHOWN.get(Part.Kind(part.kind), ())
    rows = []
    for name in [column.name for column in type(part)._meta.local_concrete_fields]:
        if name in HIDDEN:
            continue
        if name in chosen:
            rows.append(_known(type(part), chosen[name], seen[name] - 1))
        elif name in assumed:
            rows.append(_supposed(type(part), assumed[name]))
        elif name in important:
            label = label_of(type(part), name)
            rows.append(FactRow(name, label, "", unit_of(name), Standing.UNCONFIRMED, note=_("No source found")))
    return rows


def _known(model: type[Model], fact: Fact, others: int) -> FactRow:
    return FactRow(
        field=fact.field,
        label=label_of(model, fact.field),
        text=shown(fact.field, fact.value),
        unit=unit_of(fact.field),
        standing=fact.standing,
        cited=cite_all(fact),
        entered_by=fact.entered_by_name,
        note=fact.evidence,
        others=others,
    )


def _supposed(model: type[Model], given: Any) -> FactRow:
    """A value that nobody read and an estimate cannot do without, with the engine's reason."""
    return FactRow(
        field=given.field,
        label=label_of(model, given.field),
        text=shown(given.field, str(given.value)),
        unit=unit_of(given.field),
        standing="assumed",
        note=given.why,
    )


def disagreements(part: Part, facts: Sequence[Fact]) -> list[Disagreement]:
    """Fields of a part for which more than one value was seen."""
    by_field: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_field[fact.field].append(fact)
    return [
        Disagreement(name, label_of(type(part), name), tuple(_value(fact) for fact in seen), _why(seen))
        for name, seen in by_field.items()
        if len(seen) > 1 or not seen[0].is_chosen
    ]


def _why(seen: Sequence[Fact]) -> str:
    return next((fact.why for fact in seen if fact.is_chosen and fact.why), seen[0].why)


def _value(fact: Fact) -> Value:
    cited = cite_all(fact)
    text, unit = shown(fact.field, fact.value), unit_of(fact.field)
    return Value(fact.pk, text, unit, fact.is_chosen, cited, fact.entered_by_name)
