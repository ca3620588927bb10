"""Where facts come from."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords


class Source(models.Model):
    """One document, listing or measurement that facts are taken from, e.g. the maker's page of the H200."""

    class Kind(models.TextChoices):
        MAKER = "maker", _("maker’s document")
        MAKER_CODE = "maker_code", _("maker’s code")
        MEASURED = "measured", _("measurement")
        SUBMISSION = "submission", _("benchmark submission")
        SELLER = "seller", _("seller")
        SURVEY = "survey", _("price survey")
        PRESS = "press", _("press")
        DATABASE = "db", _("public database")
        SECONDARY = "secondary", _("secondary source")
        DERIVED = "derived", _("derived from other rows")
        OWN = "own", _("our own entry")

    class Read(models.TextChoices):
        DIRECT = "direct", _("read at the source")
        QUOTED = "quoted", _("quoted by another document")
        NOT_OPENED = "unopened", _("not opened yet")
        DERIVED = "derived", _("derived")

    key = models.CharField(_("key"), max_length=80, unique=True)
    title = models.CharField(_("title"), max_length=300)
    address = models.CharField(_("address"), max_length=600, blank=True)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    read = models.CharField(_("how it was read"), max_length=8, choices=Read, default=Read.DIRECT)
    via = models.CharField(_("quoted by"), max_length=300, blank=True)
    as_of = models.CharField(
        _("date of the source"), max_length=10, blank=True, help_text=_("2026, 2026-03 or 2026-03-05")
    )
    read_on = models.DateField(_("read on"), null=True, blank=True)
    edited_at = models.DateTimeField(_("edited by a person"), null=True, blank=True, editable=False)

    history = HistoricalRecords()

    class Meta:
        ordering = ["title"]
        verbose_name = _("source")
        verbose_name_plural = _("sources")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(as_of="")
                | models.Q(as_of__regex=r"^[12][0-9]{3}(-(0[1-9]|1[0-2])(-[0-3][0-9])?)?$"),
                name="source_date_is_year_month_or_day",
                violation_error_message=_("Write the date as 2026, 2026-03 or 2026-03-05."),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def link(self) -> str:
        """The address when it is one that a browser may open."""
        first = self.address.split(" ")[0] if self.address else ""
        return first if first.startswith(("https://", "http://")) else ""

    @property
    def is_dated(self) -> bool:
        """Whether the source says when it was written."""
        return bool(self.as_of)
