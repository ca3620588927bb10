"""Many language models at once: looked at first, then all that can be sized are loaded, or none."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from simple_history.utils import bulk_create_with_history

from catalog.model_adding import draft, slug_of
from catalog.model_files import ModelFile, Reading
from catalog.models import LanguageModel, Source

State = Literal["new", "known", "refused"]


@dataclass(frozen=True, slots=True)
class Entered:
    """What a person adds to a configuration, which itself says neither."""

    license: str = ""
    context: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration of a folder: what loading would do with it, and why not."""

    file: ModelFile
    state: State
    model: LanguageModel | None = None
    reason: str = ""


@dataclass(slots=True)
class Plan:
    """What loading would do. Nothing has been written."""

    rows: list[Row] = field(default_factory=list)
    passed_over: int = 0

    def of(self, state: State) -> list[Row]:
        """Rows in one state, in the order of the files."""
        return [row for row in self.rows if row.state == state]

    @property
    def new(self) -> list[Row]:
        """Those that would be loaded."""
        return self.of("new")

    @property
    def known(self) -> list[Row]:
        """Those that the catalog has."""
        return self.of("known")

    @property
    def refused(self) -> list[Row]:
        """Those that cannot be loaded."""
        return self.of("refused")


def plan(reading: Reading, entered: Mapping[str, Entered] | None = None) -> Plan:
    """Compare configurations with the catalog. Runs one query and writes nothing.

    Parameters
    ----------
    entered : mapping, optional
        What a person adds, by path.
    """
    known: dict[str, LanguageModel] = {}
    for model in LanguageModel.objects.defer("config"):
        known |= {key: model for key in (model.slug, model.hf_id.casefold()) if key}
    result, taken = Plan(passed_over=reading.passed_over), dict[str, str]()
    for file in reading.files:
        row = _row(file, known, (entered or {}).get(file.path, Entered()))
        if row.state == "new" and row.model is not None:
            first = taken.setdefault(row.model.slug, file.path)
            if first != file.path:
                row = replace(row, state="refused", reason=_("the same name as %s. Rename one of them.") % first)
        result.rows.append(row)
    return result


def _row(file: ModelFile, known: Mapping[str, LanguageModel], entered: Entered) -> Row:
    if file.refusal:
        return Row(file, "refused", reason=file.refusal)
    named = file.named
    try:
        model = draft(
            name=named.name,
            hf_id=named.hf_id,
            maker=named.maker,
            license=entered.license or file.license,
            context=entered.context,
            config=file.config,
        )
    except ValidationError as error:
        return Row(file, "refused", reason=" ".join(error.messages))
    there = known.get(named.hf_id.casefold()) or known.get(slug_of(named.name))
    if there is None:
        return Row(file, "new", model)
    differs = _("but this file describes another number of parameters") if there.parameters != model.parameters else ""
    return Row(file, "known", there, differs)


@transaction.atomic
def load(plan: Plan, *, actor: Any, name: str) -> list[LanguageModel]:
    """Load all configurations that can be sized, or none where the database refuses one of them.

    Parameters
    ----------
    name : str
        Name of the archive or folder, kept as their source.
    """
    models = [row.model for row in plan.new if row.model is not None]
    if not models:
        return []
    today = timezone.localdate()
    digest = hashlib.sha256(f"{name} {[model.slug for model in models]}".encode()).hexdigest()[:16]
    source, _made = Source.objects.get_or_create(
        key=f"models:{digest}",
        defaults={
            "title": (_("Configurations as published, loaded from %s") % name)[:300],
            "kind": Source.Kind.OWN,
            "as_of": today.isoformat(),
            "read_on": today,
            "edited_at": timezone.now(),
        },
    )
    reason = (_("loaded from %s") % name)[:100]
    saved: list[LanguageModel] = bulk_create_with_history(
        models, LanguageModel, default_user=actor, default_change_reason=reason
    )
    _cite(saved, source)
    return saved


def _cite(models: Iterable[LanguageModel], source: Source) -> None:
    through = LanguageModel.sources.through
    through.objects.bulk_create(through(languagemodel_id=model.pk, source_id=source.pk) for model in models)
