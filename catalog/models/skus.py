"""Articles that sellers write, and the lines they stand for."""

from __future__ import annotations

from django.db import models
from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from catalog.models.claims import Claim, ClaimQuerySet
from catalog.models.parts import Part, positive
from catalog.models.sources import Source


class SkuQuerySet(models.QuerySet["Sku"]):
    """Questions about articles."""

    def with_completeness(self) -> SkuQuerySet:
        """Count the lines of each row shown: in all, known, confirmed by a person."""
        return self.annotate(
            lines_total=_count_lines(Q()),
            lines_known=_count_lines(Q(part__isnull=False, quantity__isnull=False)),
            lines_confirmed=_count_lines(Q(state=Claim.State.CONFIRMED)),
        )


def _count_lines(condition: Q) -> Coalesce:
    """Count lines by a subquery, which the database runs for the rows of one page only."""
    lines = SkuLine.objects.filter(condition, sku=OuterRef("pk")).order_by().values("sku")
    return Coalesce(Subquery(lines.annotate(count=Count("pk")).values("count")), 0)


class Sku(models.Model):
    """One article as a seller writes it, e.g. SYS-821GE-TNHR-8xH200-2x8558-16x64GB: what it says and leaves open."""

    class Kind(models.TextChoices):
        SERVER = "server", _("server")
        SYSTEM = "system id", _("system of a benchmark")
        OPTION = "option", _("maker’s option code")
        GPU = "gpu", _("GPU")
        MEMORY = "memory", _("memory module")
        CLOUD = "cloud", _("cloud shape")

    class Standing(models.TextChoices):
        AS_WRITTEN = "as written", _("as written")
        UNCONFIRMED = "unconfirmed", _("content incomplete")
        SUSPECT = "suspect", _("contradicts the maker")
        REJECT = "reject", _("no such product")

    slug = models.SlugField(_("short name"), max_length=120, unique=True)
    article = models.CharField(_("article"), max_length=300, unique=True)
    article_folded = models.CharField(max_length=300, editable=False, db_index=True)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind, default=Kind.SERVER)
    seller = models.CharField(_("seller"), max_length=120, blank=True)
    reading = models.CharField(_("reading"), max_length=12, choices=Standing, default=Standing.UNCONFIRMED)
    notes = models.TextField(_("notes"), blank=True)
    unread = models.CharField(_("not understood"), max_length=600, blank=True)
    sources = models.ManyToManyField(Source, blank=True, related_name="skus", verbose_name=_("sources"))
    edited_at = models.DateTimeField(_("edited by a person"), null=True, blank=True, editable=False)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    objects = SkuQuerySet.as_manager()
    history = HistoricalRecords()

    class Meta:
        ordering = ["article"]
        verbose_name = _("article")
        verbose_name_plural = _("articles")
        constraints = [models.CheckConstraint(condition=~Q(article=""), name="sku_article_not_empty")]

    def __str__(self) -> str:
        return self.article


class SkuLineQuerySet(ClaimQuerySet["SkuLine"]):
    """Questions about lines of articles."""


class SkuLine(Claim):
    """One line of an article: what it says (8 × H200 SXM), or what it leaves open (drives: not stated)."""

    class Kind(models.TextChoices):
        PLATFORM = "platform", _("platform")
        GPU = "gpu", _("GPU")
        CPU = "cpu", _("processor")
        MEMORY = "memory", _("memory")
        DRIVE = "drive", _("drives")
        NIC = "nic", _("network adapters")
        PSU = "psu", _("power supplies")
        OTHER = "other", _("other")

    sku = models.ForeignKey(Sku, on_delete=models.CASCADE, related_name="lines", verbose_name=_("article"))
    position = models.PositiveSmallIntegerField(_("position"), default=0)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    part = models.ForeignKey(
        Part, on_delete=models.PROTECT, null=True, blank=True, related_name="sku_lines", verbose_name=_("part")
    )
    quantity = models.PositiveIntegerField(_("quantity"), null=True, blank=True, help_text=_("Empty: not stated."))
    text = models.CharField(_("as written"), max_length=300, blank=True)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    objects = SkuLineQuerySet.as_manager()
    history = HistoricalRecords()

    class Meta:
        ordering = ["sku", "position", "pk"]
        verbose_name = _("line of an article")
        verbose_name_plural = _("lines of articles")
        constraints = [
            *Claim.Meta.constraints,
            positive("sku_line_quantity_positive", "quantity"),
            models.CheckConstraint(
                condition=Q(kind__in=["platform", "gpu", "cpu", "memory", "drive", "nic", "psu", "other"]),
                name="sku_line_kind_is_known",
            ),
            models.UniqueConstraint(
                fields=["sku", "kind", "part"],
                name="sku_line_part_once",
                violation_error_message=_("This part already stands on a line: change its quantity."),
            ),
        ]

    def __str__(self) -> str:
        quantity = "?" if self.quantity is None else str(self.quantity)
        return f"{quantity} × {self.part or self.text or self.get_kind_display()}"

    @property
    def is_open(self) -> bool:
        """Whether part or quantity still has to be asked for."""
        return self.part_id is None or self.quantity is None
