"""A table of several parts of one kind: a row a column of theirs, a column a part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.models import Fact, Part
from catalog.presenting import HIDDEN, label_of
from catalog.services import fact_text
from catalog.units import shown, unit_of

TICKS = 50
"""Ticks that a list carries along; more come from no form of ours."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One value of one part, with its standing; empty text where nobody read it."""

    text: str
    standing: str


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One field of all parts."""

    label: str
    unit: str
    cells: tuple[Compared, ...]
    differs: bool


def ticked(asked: Iterable[str], rows: Iterable[Part]) -> dict[str, Any]:
    """What a list's page knows of the ticks: the slugs, and the ticked parts that the narrowed list leaves out.

    ``asked`` are the slugs of the query, ``rows`` the parts that the list shows.
    """
    slugs = [slug for slug in dict.fromkeys(asked) if slug][:TICKS]
    hidden = set(slugs) - {row.slug for row in rows}
    kept = Part.objects.filter(slug__in=hidden).order_by("name") if hidden else []
    return {"ticked": slugs, "kept": list(kept)}


def table(parts: Sequence[Any]) -> list[ComparedRow]:
    """The fields that at least one part has a value for; facts and their sources are fetched before."""
    if not parts:
        return []
    rows = []
    chosen = [{fact.field: fact for fact in part.facts.all() if fact.is_chosen} for part in parts]
    for column in type(parts[0])._meta.local_concrete_fields:
        if column.name in HIDDEN or column.name == "part_ptr":
            continue
        cells = tuple(
            _cell(column.name, part, facts.get(column.name)) for part, facts in zip(parts, chosen, strict=True)
        )
        if any(cell.text for cell in cells):
            differs = len({cell.text for cell in cells}) > 1
            rows.append(ComparedRow(label_of(type(parts[0]), column.name), unit_of(column.name), cells, differs))
    return rows


def _cell(name: str, part: Any, fact: Fact | None) -> Compared:
    text = shown(name, fact_text(getattr(part, name)))
    return Compared(text, fact.standing if fact is not None else "unconfirmed")
