"""Our answer to a request: a quote in its revisions, and its lines."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Count, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from quotes.models.confirmations import Confirmable, Confirmation
from quotes.models.issuers import Issuer
from quotes.models.texts import ReadableChar, ReadableText
from quotes.presenter import engine_words

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser


class Status(models.TextChoices):
    """Where a revision is in its life; *expired* is computed, never stored."""

    DRAFT = "draft", _("Draft")
    IN_REVIEW = "in_review", _("In review")
    AWAITING_CUSTOMER = "awaiting_customer", _("Awaiting customer")
    READY = "ready", _("Ready for approval")
    APPROVED = "approved", _("Approved")
    SENT = "sent", _("Sent")
    ACCEPTED = "accepted", _("Accepted")
    DECLINED = "declined", _("Declined")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    SUPERSEDED = "superseded", _("Superseded")
    CANCELLED = "cancelled", _("Cancelled")


EDITABLE = frozenset({Status.DRAFT, Status.IN_REVIEW, Status.AWAITING_CUSTOMER})
IN_PREPARATION = EDITABLE | {Status.READY, Status.APPROVED}
ISSUED = frozenset({Status.APPROVED, Status.SENT, Status.ACCEPTED, Status.DECLINED, Status.SUPERSEDED})
CUSTOMER_READS = frozenset({Status.SENT, Status.ACCEPTED, Status.DECLINED, Status.SUPERSEDED})
EXPIRED = "expired"


class QuoteQuerySet(models.QuerySet["Quote"]):
    """Which quotes?"""

    def visible_to(self, user: AbstractBaseUser | AnonymousUser) -> QuoteQuerySet:
        """Keep what this person may read: engineers, approvers and auditors read all, nobody else any."""
        from quotes.actors import DESK_READERS, roles_of

        return self if roles_of(user) & DESK_READERS else self.none()

    def readable_by_customer(self) -> QuoteQuerySet:
        """Keep revisions that were sent; what is in preparation is ours alone."""
        return self.filter(status__in=CUSTOMER_READS)

    def open(self) -> QuoteQuerySet:
        """Keep quotes on which somebody has still to do something before sending."""
        return self.filter(status__in=IN_PREPARATION)

    def expired(self, today: date) -> QuoteQuerySet:
        """Keep sent quotes past their validity."""
        return self.filter(status=Status.SENT, valid_until__lt=today)

    def expiring(self, today: date, *, days: int = 7) -> QuoteQuerySet:
        """Keep sent quotes whose validity ends within some days."""
        return self.filter(status=Status.SENT, valid_until__range=(today, today + timedelta(days=days)))

    def with_open_points(self, today: date) -> QuoteQuerySet:
        """Add `open_lines`, `open_assumptions` and `open_conditions`: how many keep a quote from being approved."""
        return self.annotate(**{f"open_{name}s": _count_of(rows) for name, rows in self._open_points(today).items()})

    def blocked_by(self, what: str, today: date) -> QuoteQuerySet:
        """Keep quotes that a line, an assumption or a condition keeps from being approved, without counting them."""
        return self.filter(models.Exists(self._open_points(today)[what]))

    def _open_points(self, today: date) -> dict[str, models.QuerySet[Any]]:
        unsettled = ~Q(confirmation__in=[Confirmation.CONFIRMED, Confirmation.WAIVED]) | Q(
            confirmation=Confirmation.CONFIRMED, valid_until__lt=today
        )
        priceless = ~Q(price_kind__in=[PriceKind.FIRM, PriceKind.INCLUDED]) & ~Q(confirmation=Confirmation.WAIVED)
        lines = QuoteLine.objects.filter(unsettled | priceless, quote=models.OuterRef("pk"))
        from quotes.models.ledger import CONDITION, LedgerEntry

        entries = LedgerEntry.objects.filter(
            unsettled, Q(decisive=True) | ~Q(customer_says=""), quote=models.OuterRef("pk")
        )
        of_machine = Q(key__startswith=CONDITION)
        return {"line": lines, "assumption": entries.exclude(of_machine), "condition": entries.filter(of_machine)}


def _count_of(rows: models.QuerySet[Any]) -> Coalesce:
    counted = rows.order_by().values("quote").annotate(n=Count("pk")).values("n")
    return Coalesce(models.Subquery(counted), 0, output_field=models.IntegerField())


class Quote(models.Model):
    """One revision of our answer, e.g. SW-2026-0147/2; numbered at approval, never edited afterwards."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    request = models.ForeignKey("quotes.Request", on_delete=models.PROTECT, related_name="quotes")
    estimate = models.ForeignKey("quotes.Estimate", on_delete=models.PROTECT, related_name="quotes")
    issuer = models.ForeignKey(Issuer, on_delete=models.PROTECT, related_name="quotes")
    predecessor = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="successors")
    number = models.CharField(max_length=32, null=True, blank=True, db_index=True)
    revision = models.PositiveIntegerField(default=1)
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.DRAFT)
    status_at = models.DateTimeField(default=timezone.now)
    chosen_rank = models.PositiveIntegerField(null=True, blank=True)
    summary = models.JSONField(default=dict)
    currency = models.CharField(max_length=3, default="USD")
    net_total = models.DecimalField(max_digits=16, decimal_places=2, default=Decimal("0.00"))
    tax_total = models.DecimalField(max_digits=16, decimal_places=2, default=Decimal("0.00"))
    gross_total = models.DecimalField(max_digits=16, decimal_places=2, default=Decimal("0.00"))
    note = ReadableText(blank=True)
    valid_until = models.DateField(null=True, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="authored_quotes"
    )
    approver = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="approved_quotes"
    )
    issued_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    accepted_sha256 = models.CharField(max_length=64, blank=True)
    snapshot = models.JSONField(null=True, blank=True)
    snapshot_sha256 = models.CharField(max_length=64, blank=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)

    objects = QuoteQuerySet.as_manager()

    class Meta:
        ordering = ["status_at", "pk"]
        indexes = [models.Index(fields=["status", "status_at"], name="quote_queue")]
        constraints = [
            models.UniqueConstraint(fields=["number", "revision"], name="quote_number_and_revision_once"),
            models.UniqueConstraint(
                fields=["request"],
                condition=Q(status__in=["draft", "in_review", "awaiting_customer", "ready", "approved"]),
                name="one_revision_in_preparation_per_request",
            ),
            models.CheckConstraint(
                condition=Q(number__isnull=False)
                | Q(status__in=["draft", "in_review", "awaiting_customer", "ready", "cancelled"]),
                name="issued_quote_has_a_number",
            ),
            models.CheckConstraint(condition=Q(net_total__gte=0), name="quote_total_not_negative"),
        ]

    def __str__(self) -> str:
        return self.full_number or f"{self.request_id}/{self.revision}"

    @property
    def full_number(self) -> str:
        """Give number and revision, e.g. ``SW-2026-0147/2``; empty before approval."""
        return f"{self.number}/{self.revision}" if self.number else ""

    @property
    def is_editable(self) -> bool:
        """Say whether lines and assumptions may still change."""
        return self.status in EDITABLE

    @property
    def is_open(self) -> bool:
        """Say whether somebody has still to do something before it is sent."""
        return self.status in IN_PREPARATION

    @property
    def is_with_customer(self) -> bool:
        """Say whether the customer may read this revision; what is in preparation is ours alone."""
        return self.status in CUSTOMER_READS

    @property
    def candidate(self) -> dict[str, Any] | None:
        """Give the chosen candidate of the estimate."""
        return self.estimate.candidate(self.chosen_rank)

    def is_expired(self, today: date | None = None) -> bool:
        """Say whether it was sent and its validity is over, in the issuer's time zone."""
        day = today or self.issuer.today()
        return self.status == Status.SENT and self.valid_until is not None and self.valid_until < day

    @property
    def shown_status(self) -> str:
        """Give the status people read: the stored one, or expired."""
        return EXPIRED if self.is_expired() else self.status

    def get_shown_status_display(self) -> str:
        """Give the word for `shown_status`."""
        return str(_("Expired")) if self.is_expired() else str(self.get_status_display())


class LineKind(models.TextChoices):
    """What a line is."""

    PLATFORM = "platform", _("Platform")
    GPU = "gpu", _("GPU")
    CPU = "cpu", _("Processor")
    MEMORY = "memory", _("Memory")
    DRIVE = "drive", _("Drive")
    NIC = "nic", _("Network card")
    BRIDGE = "bridge", _("GPU bridge")
    SWITCH = "switch", _("Switch")
    CABLE = "cable", _("Cables")
    PSU = "psu", _("Power supply")
    ACCESSORY = "accessory", _("Accessories")
    SERVICE = "service", _("Service")
    OTHER = "other", _("Other")


class PriceKind(models.TextChoices):
    """What the price of a line is worth."""

    NONE = "none", _("no price")
    ESTIMATE = "estimate", _("estimate")
    FIRM = "firm", _("quoted")
    INCLUDED = "included", _("included")


class QuoteLine(Confirmable):
    """One position of a quote, e.g. 2 x NVIDIA H200 NVL, confirmed by the supplier's letter."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    quote = models.ForeignKey(Quote, on_delete=models.CASCADE, related_name="lines")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=LineKind.choices, default=LineKind.OTHER)
    article = ReadableChar(max_length=120, blank=True)
    description = ReadableChar(max_length=300)
    detail = ReadableChar(max_length=500, blank=True)
    catalog_ref = models.CharField(max_length=160, blank=True)
    quantity = models.DecimalField(max_digits=10, decimal_places=2, default=Decimal("1"))
    price_kind = models.CharField(max_length=8, choices=PriceKind.choices, default=PriceKind.NONE)
    unit_price = models.DecimalField(max_digits=14, decimal_places=2, null=True, blank=True)
    discount_percent = models.DecimalField(max_digits=5, decimal_places=2, default=Decimal("0.00"))
    tax_rate = models.DecimalField(max_digits=5, decimal_places=2, default=Decimal("0.00"))
    net_amount = models.DecimalField(max_digits=16, decimal_places=2, null=True, blank=True)
    unit_cost = models.DecimalField(max_digits=14, decimal_places=2, null=True, blank=True)
    typed_by_hand = models.BooleanField(default=False)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(quantity__gt=0), name="line_quantity_is_positive"),
            models.CheckConstraint(
                condition=Q(unit_price__isnull=True) | Q(unit_price__gte=0), name="line_price_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(discount_percent__gte=0) & Q(discount_percent__lte=100),
                name="line_discount_is_a_percentage",
            ),
            models.CheckConstraint(
                condition=Q(price_kind__in=["estimate", "firm"], unit_price__isnull=False)
                | Q(price_kind__in=["none", "included"], unit_price__isnull=True),
                name="line_price_matches_its_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quantity.normalize():f} × {self.name}"

    @property
    def name(self) -> str:
        """Name the line in the reader's language; what a person typed stays as typed."""
        return engine_words.say(self.description)

    @property
    def is_priced(self) -> bool:
        """Say whether the customer knows what to pay: a quoted price, or nothing because it is included."""
        return self.price_kind in (PriceKind.FIRM, PriceKind.INCLUDED)

    @property
    def lacks_price(self) -> bool:
        """Say whether a missing price keeps a quote from being approved: no reason was given either."""
        return not self.is_priced and self.confirmation != Confirmation.WAIVED
