"""Who stands behind a line or an assumption: the fields both share."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from quotes.models.texts import ReadableChar


class Confirmation(models.TextChoices):
    """How sure we are; *stale* is computed from the validity, never stored."""

    OPEN = "unconfirmed", _("unconfirmed")
    CONFIRMED = "confirmed", _("confirmed")
    REFUTED = "refuted", _("refuted")
    WAIVED = "waived", _("waived with a reason")


STALE = "stale"
CATALOG_CHANGED = "catalog"


class Party(models.TextChoices):
    """Who will bring a confirmation that is still missing."""

    US = "us", _("we")
    SUPPLIER = "supplier", _("the supplier")
    CUSTOMER = "customer", _("the customer")


class Confirmable(models.Model):
    """Confirmation of one row: state, by whom, when, evidence, validity; or a waiver with its reason.

    A row that the catalog's confirmation was taken over for stands and falls with it. What opened a settled row again
    is kept until somebody settles it: names of the changed fields, or `CATALOG_CHANGED`.
    """

    confirmation = models.CharField(max_length=12, choices=Confirmation.choices, default=Confirmation.OPEN)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    confirmed_by_name = ReadableChar(max_length=200, blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    evidence = ReadableChar(max_length=500, blank=True)
    valid_until = models.DateField(null=True, blank=True)
    reason = ReadableChar(max_length=240, blank=True)
    reason_party = models.CharField(max_length=12, choices=Party.choices, blank=True)
    reason_until = models.DateField(null=True, blank=True)
    is_of_catalog = models.BooleanField(default=False)
    reopened_for = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        abstract = True

    def standing(self, today: date) -> str:
        """Give the state on a day: a confirmation past its validity is stale."""
        if self.confirmation == Confirmation.CONFIRMED and self.valid_until and self.valid_until < today:
            return STALE
        return self.confirmation

    def blocks(self, today: date) -> bool:
        """Say whether the row keeps a quote from being approved."""
        return self.standing(today) not in (Confirmation.CONFIRMED, Confirmation.WAIVED)
