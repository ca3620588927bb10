"""Compare rows with files: create, update, or report and leave alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from django.db.models import Model
from django.utils.translation import gettext_noop

REASON = gettext_noop("starter catalog")
DATA = Path(__file__).resolve().parent.parent / "data"


def read(name: str) -> Any:
    """A reviewed file of the catalog's own."""
    return yaml.safe_load((DATA / name).read_text(encoding="utf-8"))


@dataclass(slots=True)
class Report:
    """What a load did: counts by table, and differences that were left because a person had edited the row."""

    overwrite: bool = False
    created: dict[str, int] = field(default_factory=dict)
    updated: dict[str, int] = field(default_factory=dict)
    unchanged: dict[str, int] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)

    def count(self, what: dict[str, int], model: type[Model], by: int = 1) -> None:
        """Count rows of a table in one of the three dictionaries."""
        name = str(model._meta.verbose_name_plural)
        what[name] = what.get(name, 0) + by

    def may_write(self, row: Any) -> bool:
        """Whether nobody has edited the row, or edits are to be replaced."""
        return self.overwrite or row.edited_at is None

    @property
    def is_quiet(self) -> bool:
        """Whether the load changed nothing."""
        return not self.created and not self.updated


def sync[ModelT: Model](
    model: type[ModelT], rows: Iterable[Mapping[str, Any]], report: Report, *, key: str = "slug"
) -> dict[str, ModelT]:
    """Bring the rows of a table up to the file's and give them all by key."""
    existing = {getattr(row, key): row for row in model._default_manager.all()}
    for values in rows:
        row = existing.get(values[key])
        if row is None:
            existing[values[key]] = _save(model(**values))
            report.count(report.created, model)
            continue
        changes = {name: value for name, value in values.items() if not _same(getattr(row, name), value)}
        if not changes:
            report.count(report.unchanged, model)
        elif report.may_write(row):
            _update(row, changes, report)
        else:
            report.differences += [
                f"{values[key]}, {name}: catalog {getattr(row, name)!r}, file {value!r}"
                for name, value in changes.items()
            ]
    return existing


def _update(row: Any, changes: Mapping[str, Any], report: Report) -> None:
    for name, value in changes.items():
        setattr(row, name, value)
    row.edited_at = None
    _save(row)
    report.count(report.updated, type(row))


def _save[ModelT: Model](row: ModelT) -> ModelT:
    row._change_reason = REASON  # type: ignore[attr-defined]
    row.save()
    return row


def _same(stored: Any, value: Any) -> bool:
    if isinstance(stored, float) and isinstance(value, int | float):
        return abs(stored - value) < 1e-9
    return bool(stored == value)
