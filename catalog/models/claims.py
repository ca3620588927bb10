"""Confirmation: who vouches for a claim, on what evidence, and until when."""

from __future__ import annotations

import datetime
from typing import Any, Self, TypeVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from catalog.models.bounds import WithinBounds

ClaimT = TypeVar("ClaimT", bound="Claim")


class Standing(models.TextChoices):
    """How far a claim can be relied on today; `stale` is computed and never stored."""

    UNCONFIRMED = "unconfirmed", _("unconfirmed")
    CONFIRMED = "confirmed", _("confirmed")
    REFUTED = "refuted", _("refuted")
    STALE = "stale", _("stale")
    VENDOR = "vendor", _("maker’s document")
    MEASURED = "measured", _("measured")


class ClaimQuerySet(models.QuerySet[ClaimT]):
    """Questions that every claim answers."""

    def confirmed(self, today: datetime.date | None = None) -> Self:
        """Those confirmed and still valid."""
        day = today or timezone.localdate()
        return self.filter(state=Claim.State.CONFIRMED).filter(
            models.Q(valid_until__isnull=True) | models.Q(valid_until__gte=day)
        )

    def stale(self, today: datetime.date | None = None) -> Self:
        """Those whose confirmation has run out."""
        return self.filter(state=Claim.State.CONFIRMED, valid_until__lt=today or timezone.localdate())

    def to_confirm(self, today: datetime.date | None = None) -> Self:
        """Those that somebody has to look at: unconfirmed, or confirmed too long ago."""
        day = today or timezone.localdate()
        return self.filter(
            models.Q(state=Claim.State.UNCONFIRMED) | models.Q(state=Claim.State.CONFIRMED, valid_until__lt=day)
        )


class Claim(WithinBounds):
    """A statement that a person can confirm or refute with evidence. Only `catalog.services` changes its state."""

    class State(models.TextChoices):
        UNCONFIRMED = "unconfirmed", _("unconfirmed")
        CONFIRMED = "confirmed", _("confirmed")
        REFUTED = "refuted", _("refuted")

    state = models.CharField(_("state"), max_length=12, choices=State, default=State.UNCONFIRMED, editable=False)
    judged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        verbose_name=_("confirmed or refuted by"),
    )
    judged_by_name = models.CharField(_("name at that time"), max_length=200, blank=True, editable=False)
    judged_at = models.DateTimeField(_("confirmed or refuted at"), null=True, blank=True, editable=False)
    evidence = models.CharField(_("evidence"), max_length=500, blank=True, editable=False)
    evidence_file = models.FileField(_("evidence file"), upload_to="evidence/%Y/", blank=True, editable=False)
    valid_until = models.DateField(_("valid until"), null=True, blank=True, editable=False)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state="unconfirmed")
                | (models.Q(judged_at__isnull=False) & (~models.Q(evidence="") | ~models.Q(evidence_file=""))),
                name="%(class)s_judged_with_evidence",
                violation_error_message=_("A confirmation names its evidence and its time."),
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["unconfirmed", "confirmed", "refuted"]),
                name="%(class)s_state_is_known",
            ),
        ]

    @property
    def is_stale(self) -> bool:
        """Whether the confirmation has run out."""
        return (
            self.state == self.State.CONFIRMED
            and self.valid_until is not None
            and self.valid_until < timezone.localdate()
        )

    @property
    def standing(self) -> str:
        """The state as people should read it today."""
        return Standing.STALE if self.is_stale else self.state

    @property
    def standing_label(self) -> Any:
        """The standing in words."""
        return Standing(self.standing).label

    @property
    def is_confirmed(self) -> bool:
        """Whether the claim can be relied on today."""
        return self.standing == Standing.CONFIRMED
