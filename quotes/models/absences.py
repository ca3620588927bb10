"""Who of the staff is away, and who stands in meanwhile."""

from __future__ import annotations

import uuid
from datetime import date
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

if TYPE_CHECKING:
    from quotes.absences import Stretch


class AbsenceQuerySet(models.QuerySet["Absence"]):
    """Which absences?"""

    def on(self, day: date) -> AbsenceQuerySet:
        """Keep those that hold on a day, first and last day included."""
        return self.filter(starts_on__lte=day, ends_on__gte=day)

    def within(self, first: date, last: date) -> AbsenceQuerySet:
        """Keep those that share a day with a span."""
        return self.filter(starts_on__lte=last, ends_on__gte=first)

    def not_over(self, day: date) -> AbsenceQuerySet:
        """Keep those that hold on a day or are still to come."""
        return self.filter(ends_on__gte=day)


class Absence(models.Model):
    """One absence, e.g. the engineer from 1 to 12 December, the colleague stands in; days are the issuer's."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="absences", verbose_name=_("who is absent")
    )
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))
    deputy = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="stands_in_for", verbose_name=_("deputy")
    )

    objects = AbsenceQuerySet.as_manager()
    history = HistoricalRecords()

    class Meta:
        ordering = ["starts_on", "pk"]
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        constraints = [
            models.CheckConstraint(
                condition=Q(starts_on__lte=F("ends_on")),
                name="absence_days_in_order",
                violation_error_message=_("The last day is not before the first one"),
            ),
            models.CheckConstraint(
                condition=~Q(person=F("deputy")),
                name="absence_deputy_is_somebody_else",
                violation_error_message=_("The deputy is somebody else"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} {self.starts_on:%Y-%m-%d} – {self.ends_on:%Y-%m-%d}"

    @property
    def version(self) -> int:
        """Name the state of the row, whoever saved it: the key of its newest history. Runs SQL."""
        return int(self.history.latest().history_id)

    def clean(self) -> None:
        """Refuse two absences at once, and a deputy who can't do the work or is away with nobody behind. Runs SQL."""
        from quotes.absences import stretches
        from quotes.actors import DEPUTIZED, roles_of
        from quotes.models import Issuer

        if None in (self.person_id, self.deputy_id, self.starts_on, self.ends_on):
            return
        wrong: dict[str, Any] = {}
        if not roles_of(self.person) & roles_of(self.deputy) & DEPUTIZED:
            wrong["deputy"] = _("The deputy has to be an engineer for an engineer, an approver for an approver")
        others = Absence.objects.within(self.starts_on, self.ends_on).exclude(pk=self.pk)
        rows = list(others.select_related("person", "deputy"))
        if any(row.person_id == self.person_id for row in rows):
            wrong["starts_on"] = _("There is an absence in these days already: end or change that one")
        elif not wrong and self.person_id != self.deputy_id and self.starts_on <= self.ends_on:
            found = stretches(self, rows, since=Issuer.current().today())
            gap = next((one for one in found if one.taker is None), None)
            if gap is not None:
                wrong["deputy"] = self._uncovered(gap)
        if wrong:
            raise ValidationError(wrong)

    def _uncovered(self, gap: Stretch) -> str:
        from quotes.presenter import dates

        said = {
            "name": self.deputy.get_full_name() or self.deputy.email,
            "first": dates.short_day(gap.first),
            "last": dates.short_day(gap.last),
        }
        if gap.is_circle:
            return (
                gettext("%(name)s is absent too and the work comes back, %(first)s to %(last)s: name somebody else")
                % said
            )
        return gettext("%(name)s can't stand in and nobody is behind, %(first)s to %(last)s: name somebody else") % said
