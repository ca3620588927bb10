"""The selling company, and the counters its numbers come from."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from quotes.storage import private_storage


def check_time_zone(name: str) -> None:
    """Refuse a name that is not in the time-zone database."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValidationError(_("“%(name)s” is not a time zone, e.g. Europe/Moscow"), params={"name": name}) from error


class Issuer(models.Model):
    """The company that issues quotes: legal details, tax, terms, time zone; the newest active row counts."""

    class TaxRounding(models.TextChoices):
        """Where tax is rounded."""

        PER_RATE = "rate", _("once per tax rate, on the net sum")
        PER_LINE = "line", _("line by line")

    name = models.CharField(max_length=200)
    legal_details = models.TextField(blank=True)
    bank_details = models.TextField(blank=True)
    email = models.EmailField(blank=True)
    phone = models.CharField(max_length=40, blank=True)
    logo = models.FileField(storage=private_storage, upload_to="issuer", blank=True)
    currency = models.CharField(max_length=3, default="USD")
    tax_rate = models.DecimalField(max_digits=5, decimal_places=2, default=Decimal("0.00"))
    tax_rounding = models.CharField(max_length=4, choices=TaxRounding.choices, default=TaxRounding.PER_RATE)
    margin_floor_percent = models.DecimalField(max_digits=5, decimal_places=2, null=True, blank=True)
    four_eyes = models.BooleanField(default=True, help_text=_("The approver of a quote is never its author"))
    link_days = models.PositiveIntegerField(default=90, help_text=_("How long a customer's link opens a request"))
    validity_days = models.PositiveIntegerField(default=14)
    time_zone = models.CharField(max_length=64, default="Europe/Moscow", validators=[check_time_zone])
    number_prefix = models.CharField(max_length=10, default="SW")
    terms_en = models.TextField(blank=True)
    terms_ru = models.TextField(blank=True)
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["-is_active", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(tax_rate__gte=0) & Q(tax_rate__lt=100),
                name="issuer_tax_rate_is_a_percentage",
                violation_error_message=_("A tax rate is a number of percent from 0 to less than 100."),
            )
        ]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def current(cls) -> Issuer:
        """Give the company that issues now, or one with the defaults that is not stored yet. Runs SQL."""
        return cls.objects.filter(is_active=True).order_by("-pk").first() or cls(name="Sizewright")

    @classmethod
    def current_zone(cls) -> str:
        """Name the time zone of the company that issues now, e.g. Europe/Moscow. Runs SQL."""
        rows = cls.objects.filter(is_active=True).order_by("-pk").values_list("time_zone", flat=True)
        return rows.first() or cls().time_zone

    @classmethod
    def ensure(cls) -> Issuer:
        """Give the company that issues now, stored, so that a quote can name it. Runs SQL."""
        issuer = cls.current()
        if issuer.pk is None:
            issuer.save()
        return issuer

    def today(self, now: datetime | None = None) -> date:
        """Give the day in the company's time zone."""
        return (now or timezone.now()).astimezone(ZoneInfo(self.time_zone)).date()


class NumberCounter(models.Model):
    """The last number drawn in a series and year, e.g. quotes of 2026: 147."""

    series = models.CharField(max_length=20)
    year = models.PositiveIntegerField()
    value = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["series", "year"], name="number_series_once_a_year")]

    def __str__(self) -> str:
        return f"{self.series} {self.year}: {self.value}"

    @classmethod
    def draw(cls, *, series: str, year: int) -> int:
        """Draw the next number; a rolled back transaction gives it back. Runs SQL, call it in a transaction."""
        cls.objects.get_or_create(series=series, year=year)
        cls.objects.filter(series=series, year=year).update(value=F("value") + 1)
        return int(cls.objects.values_list("value", flat=True).get(series=series, year=year))
