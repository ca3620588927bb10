"""Facts of the reviewed files: every value seen, its sources, and which one is in use."""

from __future__ import annotations

from collections.abc import Iterable

from simple_history.utils import bulk_create_with_history

from catalog.models import Fact, Part, Source
from catalog.starter.parts import FileFact
from catalog.starter.sync import REASON, Report

Key = tuple[int, str, str]


def load_facts(facts: Iterable[FileFact], report: Report) -> None:
    """Bring the facts up to the files; parts that a person edited keep theirs unless edits are to be replaced."""
    parts = {part.slug: part for part in Part.objects.all()}
    wanted = {
        (parts[fact.slug].pk, fact.field, fact.value): fact for fact in facts if report.may_write(parts[fact.slug])
    }
    existing = {(fact.part_id, fact.field, fact.value): fact for fact in Fact.objects.all()}
    ours = {parts[fact.slug].pk for fact in wanted.values()}
    _drop_unknown(existing, wanted, ours, report)
    _mark_chosen(existing, wanted, report)
    missing = [key for key in wanted if key not in existing]
    created = bulk_create_with_history(
        [
            Fact(part_id=key[0], field=key[1], value=key[2], is_chosen=wanted[key].is_chosen, why=wanted[key].why)
            for key in missing
        ],
        Fact,
        default_change_reason=REASON,
    )
    if created:
        report.count(report.created, Fact, len(created))
    existing.update(zip(missing, created, strict=True))
    _link_sources(existing, wanted)


def _drop_unknown(existing: dict[Key, Fact], wanted: dict[Key, FileFact], ours: set[int], report: Report) -> None:
    """Remove what the files no longer say, except what a person entered or judged."""
    gone = [
        key
        for key, fact in existing.items()
        if fact.part_id in ours
        and key not in wanted
        and not fact.entered_by_name
        and fact.state == Fact.State.UNCONFIRMED
    ]
    for key in gone:
        existing.pop(key).delete()
        report.count(report.updated, Fact)


def _mark_chosen(existing: dict[Key, Fact], wanted: dict[Key, FileFact], report: Report) -> None:
    changed = [
        (existing[key], fact)
        for key, fact in wanted.items()
        if key in existing and (existing[key].is_chosen, existing[key].why) != (fact.is_chosen, fact.why)
    ]
    for row, fact in sorted(changed, key=lambda pair: pair[1].is_chosen):
        row.is_chosen, row.why = fact.is_chosen, fact.why
        row.save()
        report.count(report.updated, Fact)


def _link_sources(existing: dict[Key, Fact], wanted: dict[Key, FileFact]) -> None:
    ids = dict(Source.objects.values_list("key", "pk"))
    through = Fact.sources.through
    have = set(through.objects.values_list("fact_id", "source_id"))
    links = {(existing[key].pk, ids[source]) for key, fact in wanted.items() for source in fact.sources}
    through.objects.bulk_create(through(fact_id=fact, source_id=source) for fact, source in sorted(links - have))
