"""What sources say about parts, disagreement included."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from catalog.models.claims import Claim, ClaimQuerySet, Standing
from catalog.models.parts import Part
from catalog.models.sources import Source


class FactQuerySet(ClaimQuerySet["Fact"]):
    """Questions about facts."""

    def chosen(self) -> FactQuerySet:
        """The values in use."""
        return self.filter(is_chosen=True)


class Fact(Claim):
    """One value that some sources give for one field of one part, e.g. 4.8 TB/s for the H200's memory bandwidth.

    All values seen are kept. The chosen one is the value that stands in the part's own column.
    """

    part = models.ForeignKey(Part, on_delete=models.CASCADE, related_name="facts", verbose_name=_("part"))
    field = models.CharField(_("field"), max_length=60)
    value = models.CharField(_("value"), max_length=600, blank=True)
    is_chosen = models.BooleanField(_("in use"), default=True)
    why = models.CharField(_("why this one"), max_length=600, blank=True)
    entered_by_name = models.CharField(_("entered by"), max_length=200, blank=True)
    sources = models.ManyToManyField(Source, blank=True, related_name="facts", verbose_name=_("sources"))
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    objects = FactQuerySet.as_manager()
    history = HistoricalRecords()

    class Meta:
        ordering = ["part", "field", "-is_chosen", "value"]
        verbose_name = _("fact")
        verbose_name_plural = _("facts")
        constraints = [
            *Claim.Meta.constraints,
            models.UniqueConstraint(
                fields=["part", "field"], condition=models.Q(is_chosen=True), name="fact_one_chosen_by_field"
            ),
            models.UniqueConstraint(fields=["part", "field", "value"], name="fact_value_unique_by_field"),
        ]

    def __str__(self) -> str:
        return f"{self.field} = {self.value}"

    @property
    def standing(self) -> str:
        """The state as people should read it today; reads the prefetched sources.

        Without anybody's confirmation a value still has a standing when its own dated source was read: the maker's
        document, or a measurement. What is only quoted, or has no date, stays unconfirmed.
        """
        if self.state != Claim.State.UNCONFIRMED:
            return super().standing
        read = [source for source in self.sources.all() if source.read == Source.Read.DIRECT and source.is_dated]
        if any(source.kind in {Source.Kind.MAKER, Source.Kind.MAKER_CODE} for source in read):
            return Standing.VENDOR
        if any(source.kind in {Source.Kind.MEASURED, Source.Kind.SUBMISSION} for source in read):
            return Standing.MEASURED
        return Standing.UNCONFIRMED
