"""Offers of suppliers, their prices, and exchange rates."""

from __future__ import annotations

import datetime
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from catalog.models.claims import Claim, ClaimQuerySet
from catalog.models.parts import Part, positive
from catalog.models.skus import Sku
from catalog.models.sources import Source
from catalog.money import CURRENCIES, UNKNOWN_CURRENCY, currency_choices


class OfferQuerySet(ClaimQuerySet["Offer"]):
    """Questions about offers."""


class Offer(Claim):
    """What one supplier offers of one part or article in one condition; lead time and stock are what is confirmed."""

    class Condition(models.TextChoices):
        NEW = "new", _("new")
        REFURBISHED = "refurbished", _("refurbished")
        USED = "used", _("used")
        UNKNOWN = "unknown", _("not stated")

    class Availability(models.TextChoices):
        IN_STOCK = "in_stock", _("in stock")
        TO_ORDER = "to_order", _("to order")
        ENDED = "ended", _("supply ended")
        UNKNOWN = "unknown", _("not stated")

    supplier = models.CharField(_("supplier"), max_length=120)
    part = models.ForeignKey(
        Part, on_delete=models.PROTECT, null=True, blank=True, related_name="offers", verbose_name=_("part")
    )
    sku = models.ForeignKey(
        Sku, on_delete=models.PROTECT, null=True, blank=True, related_name="offers", verbose_name=_("article")
    )
    title = models.CharField(_("as the supplier names it"), max_length=300, blank=True)
    condition = models.CharField(_("condition"), max_length=12, choices=Condition, default=Condition.UNKNOWN)
    warranty_months = models.PositiveSmallIntegerField(_("warranty"), null=True, blank=True)
    lead_time_days = models.PositiveSmallIntegerField(_("lead time"), null=True, blank=True)
    availability = models.CharField(
        _("availability"), max_length=12, choices=Availability, default=Availability.UNKNOWN
    )
    edited_at = models.DateTimeField(_("edited by a person"), null=True, blank=True, editable=False)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    objects = OfferQuerySet.as_manager()
    history = HistoricalRecords()

    class Meta:
        ordering = ["supplier", "title"]
        verbose_name = _("offer")
        verbose_name_plural = _("offers")
        constraints = [
            *Claim.Meta.constraints,
            models.CheckConstraint(
                condition=Q(part__isnull=False, sku__isnull=True) | Q(part__isnull=True, sku__isnull=False),
                name="offer_is_for_a_part_or_an_article",
                violation_error_message=_("An offer is for one part or for one article."),
            ),
            models.UniqueConstraint(
                fields=["supplier", "part", "condition", "title"],
                condition=Q(part__isnull=False),
                name="offer_unique_by_supplier_part_condition",
            ),
            models.UniqueConstraint(
                fields=["supplier", "sku", "condition", "title"],
                condition=Q(sku__isnull=False),
                name="offer_unique_by_supplier_article_condition",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.supplier}: {self.title or self.part or self.sku}"


class PriceQuerySet(ClaimQuerySet["Price"]):
    """Questions about prices."""

    def current(self, today: datetime.date | None = None) -> PriceQuerySet:
        """Those that nothing has replaced and whose validity has begun."""
        day = today or timezone.localdate()
        return self.filter(superseded_on__isnull=True).filter(Q(valid_from__isnull=True) | Q(valid_from__lte=day))


class Price(Claim):
    """One price of an offer, from a day until it ends or is replaced, e.g. 1,962 EUR net for a 64 GB module.

    A new price is a new row: the old one keeps saying what was quoted.
    """

    offer = models.ForeignKey(Offer, on_delete=models.CASCADE, related_name="prices", verbose_name=_("offer"))
    amount_low = models.DecimalField(_("price, from"), max_digits=14, decimal_places=2)
    amount_high = models.DecimalField(_("price, to"), max_digits=14, decimal_places=2)
    currency = models.CharField(_("currency"), max_length=3, choices=currency_choices)
    includes_tax = models.BooleanField(_("includes tax"), null=True, blank=True, help_text=_("Empty: not stated."))
    tax_rate_percent = models.DecimalField(_("tax rate"), max_digits=5, decimal_places=2, null=True, blank=True)
    as_of = models.CharField(
        _("date of the price"), max_length=10, blank=True, help_text=_("2026, 2026-03 or 2026-03-05")
    )
    valid_from = models.DateField(_("valid from"), null=True, blank=True)
    valid_to = models.DateField(_("supplier’s offer ends"), null=True, blank=True)
    superseded_on = models.DateField(_("replaced on"), null=True, blank=True, editable=False)
    note = models.CharField(_("note"), max_length=300, blank=True)
    sources = models.ManyToManyField(Source, blank=True, related_name="prices", verbose_name=_("sources"))
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    objects = PriceQuerySet.as_manager()
    history = HistoricalRecords()

    class Meta:
        ordering = ["offer", "-valid_from", "-pk"]
        verbose_name = _("price")
        verbose_name_plural = _("prices")
        constraints = [
            *Claim.Meta.constraints,
            positive("price_amount_positive", "amount_low", "amount_high"),
            models.CheckConstraint(
                condition=Q(amount_low__lte=F("amount_high")),
                name="price_range_in_order",
                violation_error_message=_("The lower price stands first."),
            ),
            models.CheckConstraint(
                condition=Q(currency__in=list(CURRENCIES)),
                name="price_currency_is_known",
                violation_error_message=_("Use a currency of the list."),
            ),
            models.CheckConstraint(
                condition=Q(valid_from__lte=F("valid_to")),
                name="price_dates_in_order",
                violation_error_message=_("The price ends before it begins."),
            ),
            models.CheckConstraint(
                condition=Q(tax_rate_percent__gte=0, tax_rate_percent__lte=100),
                name="price_tax_rate_is_a_share",
                violation_error_message=_("A tax rate is a number of percent from 0 to 100."),
            ),
        ]

    def __str__(self) -> str:
        span = f"{self.amount_low}" if self.amount_low == self.amount_high else f"{self.amount_low}–{self.amount_high}"
        return f"{span} {self.currency}"

    @property
    def is_stale(self) -> bool:
        """Whether the confirmation, or the supplier's own offer, has run out."""
        return super().is_stale or (self.valid_to is not None and self.valid_to < timezone.localdate())

    @property
    def has_currency(self) -> bool:
        """Whether the source states the currency."""
        return self.currency != UNKNOWN_CURRENCY

    @property
    def is_quotable(self) -> bool:
        """Whether the price may stand in a quote without a waiver."""
        return self.is_confirmed and self.has_currency

    @property
    def net_low(self) -> Decimal | None:
        """The lower price without tax, None where it is not known whether tax is in."""
        return self._net(self.amount_low)

    @property
    def net_high(self) -> Decimal | None:
        """The upper price without tax, None where it is not known whether tax is in."""
        return self._net(self.amount_high)

    def _net(self, amount: Decimal) -> Decimal | None:
        if self.includes_tax is False:
            return amount
        if self.includes_tax is None or self.tax_rate_percent is None:
            return None
        return amount / (1 + self.tax_rate_percent / 100)


WIDEST_SPREAD = Decimal("0.02")
"""How far a rate and its other direction may be apart [–]: what banks keep between buying and selling, and rounding."""


class ExchangeRate(models.Model):
    """What one unit of a currency was worth in another on a day, entered or imported by a person, never fetched."""

    base = models.CharField(_("one unit of"), max_length=3, choices=currency_choices)
    quote = models.CharField(_("is worth in"), max_length=3, choices=currency_choices)
    rate = models.DecimalField(_("rate"), max_digits=18, decimal_places=8)
    on = models.DateField(_("on"))
    source = models.CharField(_("source"), max_length=200)

    history = HistoricalRecords()

    class Meta:
        ordering = ["base", "quote", "-on"]
        verbose_name = _("exchange rate")
        verbose_name_plural = _("exchange rates")
        constraints = [
            models.UniqueConstraint(fields=["base", "quote", "on"], name="exchange_rate_unique_by_day"),
            positive("exchange_rate_positive", "rate"),
            models.CheckConstraint(condition=~Q(base=F("quote")), name="exchange_rate_between_two_currencies"),
            models.CheckConstraint(condition=~Q(source=""), name="exchange_rate_has_a_source"),
        ]

    def __str__(self) -> str:
        return f"1 {self.base} = {self.rate.normalize():f} {self.quote} ({self.on})"

    def clean(self) -> None:
        """Refuse a rate of a currency in itself, and one of a day that has not come."""
        if self.base and self.base == self.quote:
            raise ValidationError({"quote": _("A rate is between two currencies. Choose another one here.")})
        day: datetime.date | None = getattr(self, "on", None)
        if day is not None and day > timezone.localdate():
            raise ValidationError({"on": _("This day has not come yet. Give the day on which the rate held.")})
        rate: object = self.rate
        if day is not None and isinstance(rate, Decimal) and rate > 0:
            self._check_other_direction(day)

    def _check_other_direction(self, day: datetime.date) -> None:
        """Refuse a rate that the other direction of the same day contradicts. Runs SQL."""
        other = ExchangeRate.objects.filter(base=self.quote, quote=self.base, on=day).first()
        if other is not None and abs(self.rate * other.rate - 1) > WIDEST_SPREAD:
            text = _(
                "%(other)s is entered already, so 1 %(base)s is about %(turned)s %(quote)s. One of the two is wrong."
            )
            turned = f"{float(1 / other.rate):.6g}"
            named = {"other": other, "base": self.base, "turned": turned, "quote": self.quote}
            raise ValidationError({"rate": text % named})
