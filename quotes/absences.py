"""Who is away today, and to whom their work goes: read once, asked often."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User

from quotes.actors import Role, roles_of
from quotes.models import Absence, Issuer


@dataclass(frozen=True, slots=True)
class Away:
    """The absences of one day, by the key of who is absent."""

    by_person: Mapping[int, Absence]

    @classmethod
    def on(cls, day: date) -> Away:
        """Read the absences of a day. Runs SQL once."""
        rows = Absence.objects.on(day).select_related("person", "deputy").order_by("-starts_on", "-pk")
        return cls({row.person_id: row for row in rows})

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
