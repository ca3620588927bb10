"""Who is away today, and to whom their work goes: read once, asked often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.contrib.auth.models import User

from quotes.actors import DEPUTIZED, Role, roles_of
from quotes.models import Absence, Issuer


@dataclass(frozen=True, slots=True)
class Away:
    """The absences of one day, by the key of who is absent."""

    by_person: Mapping[int, Absence]

    @classmethod
    def on(cls, day: date) -> Away:
        """Read the absences of a day. Runs SQL once."""
        rows = Absence.objects.on(day).select_related("person", "deputy").order_by("-starts_on", "-pk")
        return cls.among(rows, day)

    @classmethod
    def among(cls, rows: Iterable[Absence], day: date) -> Away:
        """Take the absences of a day from rows at hand."""
        return cls({row.person_id: row for row in rows if row.starts_on <= day <= row.ends_on})

    @classmethod
    def today(cls) -> Away:
        """Read the absences of the issuer's day. Runs SQL."""
        return cls.on(Issuer.current().today())

    def of(self, person: User | None) -> Absence | None:
        """Give the absence of a person, or None where the person is here."""
        return self.by_person.get(person.pk) if person is not None else None

    def deputy_of(self, person: User) -> User | None:
        """Give who does an absent person's work: the deputy, or the deputy's deputy; None where all are away."""
        seen: set[int] = set()
        found = person
        while (absence := self.by_person.get(found.pk)) is not None:
            if found.pk in seen:
                return None
            seen.add(found.pk)
            found = absence.deputy
        return found if found.is_active else None

    def taker(self, person: User, *, role: Role) -> User | None:
        """Give who takes a person's work: the person, or a deputy with the role; None where nobody can. Runs SQL."""
        if person.pk not in self.by_person:
            return person
        found = self.deputy_of(person)
        return found if found is not None and role in roles_of(found) else None

    def covered_by(self, person: User | None) -> frozenset[int]:
        """Give the keys of those whose work a person does today, themselves left out."""
        return frozenset(
            key for key, absence in self.by_person.items() if person and self.deputy_of(absence.person) == person
        )


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days of an absence on which one and the same person does the work; None where nobody does."""

    first: date
    last: date
    taker: User | None
    is_circle: bool = False


def stretches(absence: Absence, others: Iterable[Absence], *, since: date) -> list[Stretch]:
    """Say who does the work of an absent person, day by day from a day on, each change once. Runs SQL for roles.

    Parameters
    ----------
    absence : Absence
        The absence, stored or not.
    others : iterable of Absence
        All other absences that share a day with it, with `person` and `deputy`.
    since : date
        What was before is not asked.
    """
    rows = [absence, *others]
    starts = {day for row in rows for day in (row.starts_on, row.ends_on + timedelta(days=1))}
    first = max(absence.starts_on, since)
    starts = {first, *(day for day in starts if first < day <= absence.ends_on)}
    ends = [*sorted(starts)[1:], absence.ends_on + timedelta(days=1)]
    found: list[Stretch] = []
    for day, end in zip(sorted(starts), ends, strict=True):
        now = _stretch(absence, Away.among(rows, day), day, end - timedelta(days=1))
        if found and (found[-1].taker, found[-1].is_circle) == (now.taker, now.is_circle):
            now = Stretch(found.pop().first, now.last, now.taker, now.is_circle)
        found.append(now)
    return found if first <= absence.ends_on else []


def _stretch(absence: Absence, away: Away, first: date, last: date) -> Stretch:
    taker = away.deputy_of(absence.person)
    if taker is not None and not roles_of(taker) & roles_of(absence.person) & DEPUTIZED:
        taker = None
    return Stretch(first, last, taker, is_circle=taker is None and absence.person_id in set(_chain(absence, away)))


def _chain(absence: Absence, away: Away) -> Iterator[int]:
    """Give whom an absent person's work is passed to, one after another, until somebody is here or comes up again."""
    seen: set[int] = set()
    found: Absence | None = absence
    while found is not None and found.person_id not in seen:
        seen.add(found.person_id)
        yield found.deputy_id
        found = away.by_person.get(found.deputy_id)


def courses(rows: Iterable[Absence], *, since: date) -> list[tuple[Absence, list[Stretch]]]:
    """Give absences with the stretches on which another one than the deputy, or nobody, does the work. Runs SQL."""
    mine = list(rows)
    if not mine:
        return []
    first, last = min(row.starts_on for row in mine), max(row.ends_on for row in mine)
    around = list(Absence.objects.within(first, last).select_related("person", "deputy"))
    found = []
    for row in mine:
        others = [one for one in around if one.pk != row.pk]
        passed = [one for one in stretches(row, others, since=since) if one.taker != row.deputy]
        found.append((row, passed))
    return found
