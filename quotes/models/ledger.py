"""What a quote rests on: assumptions, questions to the customer, pilot results."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from quotes.models.confirmations import Confirmable, Confirmation
from quotes.models.texts import ReadableChar, ReadableJson, ReadableText
from quotes.presenter import engine_words
from quotes.presenter.assumptions import LABELS
from quotes.wording import name_of

if TYPE_CHECKING:
    from quotes.models.requests import Request

KEEPS_LIMITS = "candidate.keeps_limits"
KEEPS_BUDGET = "candidate.keeps_budget"
OF_QUOTE = (KEEPS_LIMITS, KEEPS_BUDGET)
"""Points that no answer of the engine lists: the quote makes them of its configuration and of its lines."""
CONDITION = "candidate.condition."


class Origin(models.TextChoices):
    """Who said it."""

    ASSUMED = "assumed", _("assumed")
    CUSTOMER = "customer", _("customer")
    VENDOR = "vendor", _("vendor")
    MEASURED = "measured", _("measured")


class LedgerEntry(Confirmable):
    """One assumption of a quote, e.g. micro-batch 1 sequence, assumed, decisive, not yet confirmed.

    What the chosen machine is conditional on stands here too, as a point to settle without a value.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    quote = models.ForeignKey("quotes.Quote", on_delete=models.CASCADE, related_name="ledger")
    position = models.PositiveIntegerField(default=0)
    key = models.CharField(max_length=120)
    label = ReadableChar(max_length=240)
    value = ReadableJson(null=True)
    unit = models.CharField(max_length=40, blank=True)
    low = models.JSONField(null=True, blank=True)
    high = models.JSONField(null=True, blank=True)
    source = ReadableText(blank=True)
    as_of = models.CharField(max_length=40, blank=True)
    why = ReadableText(blank=True)
    origin = models.CharField(max_length=12, choices=Origin.choices, default=Origin.ASSUMED)
    decisive = models.BooleanField(default=False)
    moves = models.JSONField(null=True, blank=True)
    customer_says = ReadableChar(max_length=500, blank=True)

    class Meta:
        ordering = ["-decisive", "position", "pk"]
        constraints = [models.UniqueConstraint(fields=["quote", "key"], name="ledger_key_once_per_quote")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_disputed(self) -> bool:
        """Say whether the customer said something about it that nobody has settled yet."""
        return bool(self.customer_says) and self.confirmation not in (Confirmation.CONFIRMED, Confirmation.WAIVED)

    @property
    def is_condition(self) -> bool:
        """Say whether it is a condition of the chosen machine, e.g. support that nobody has confirmed."""
        return self.key.startswith(CONDITION)

    @property
    def name(self) -> str:
        """Name the assumption in the reader's language, as the documents do."""
        if self.is_condition:
            return engine_words.say(self.why).rstrip(".")
        return str(LABELS.get(self.key) or name_of(self.key, self.label))


class Clarification(models.Model):
    """A question to the customer and the answer, which can fill the assumption it was asked about."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    quote = models.ForeignKey("quotes.Quote", on_delete=models.CASCADE, related_name="clarifications")
    ledger_key = models.CharField(max_length=120, blank=True)
    question = ReadableText()
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    answer = ReadableText(blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]

    def __str__(self) -> str:
        return str(self.question)[:60]

    @property
    def is_open(self) -> bool:
        """Say whether the customer still owes the answer."""
        return self.answered_at is None


class PilotResultQuerySet(models.QuerySet["PilotResult"]):
    """Which pilot runs?"""

    def waiting_for(self, request: Request) -> PilotResultQuerySet:
        """Keep the customer's uploads to a request that wait for an engineer, of whatever revision."""
        return self.filter(quote__request=request, is_waiting=True)

    def around(self, request: Request) -> PilotResultQuerySet:
        """Keep what waits for an engineer of a request, and all runs of requests that were merged into it."""
        return self.filter(
            models.Q(quote__request=request, is_waiting=True) | models.Q(quote__request__merged_into=request)
        )


class PilotResult(models.Model):
    """What a trial run measured on one load; it says nothing about another load.

    A profile the customer uploads waits, and changes nothing, until an engineer uses it or sets it aside.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    quote = models.ForeignKey("quotes.Quote", on_delete=models.CASCADE, related_name="pilots")
    profile = ReadableJson()
    load_matches = models.BooleanField(default=False)
    mismatches = models.JSONField(default=list)
    measured = models.JSONField(default=dict)
    predicted = models.JSONField(default=dict)
    uploaded_at = models.DateTimeField(default=timezone.now)
    uploaded_by_name = ReadableChar(max_length=200, blank=True)
    by_customer = models.BooleanField(default=False)
    is_waiting = models.BooleanField(default=False)
    is_set_aside = models.BooleanField(default=False)

    objects = PilotResultQuerySet.as_manager()

    class Meta:
        ordering = ["uploaded_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(is_waiting=False) | models.Q(is_set_aside=False),
                name="pilot_set_aside_waits_no_more",
            )
        ]

    def __str__(self) -> str:
        return f"pilot of {self.quote_id}"

    @property
    def is_taken(self) -> bool:
        """Say whether an engineer took it: it is part of the quote, whether it matches the load or not."""
        return not self.is_waiting and not self.is_set_aside

    @property
    def outcome(self) -> str:
        """Give how the run ended, as its profile says; empty where it says nothing that can be read."""
        return str(self.measured.get("outcome") or "") if isinstance(self.measured, dict) else ""
