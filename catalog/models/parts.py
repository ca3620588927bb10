"""What every sellable part has in common."""

from __future__ import annotations

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.models.bounds import WithinBounds


class Part(WithinBounds):
    """Anything that can stand on a line of a quote, e.g. an H200 SXM, a server, a memory module, an installation.

    Each kind has its own table with its own facts; this one gives lines, prices and facts one thing to point to.
    """

    class Kind(models.TextChoices):
        GPU = "gpu", _("GPU")
        PLATFORM = "platform", _("platform")
        CPU = "cpu", _("processor")
        MEMORY = "memory", _("memory module")
        DRIVE = "drive", _("drive")
        NIC = "nic", _("network adapter")
        SWITCH = "switch", _("switch")
        ACCESSORY = "accessory", _("accessory")
        SERVICE = "service", _("service")

    class Confidence(models.TextChoices):
        HIGH = "high", _("by the maker’s own list or a signed benchmark file")
        MEDIUM = "medium", _("by several second-hand sources")
        LOW = "low", _("by one second-hand source")

    slug = models.SlugField(_("short name"), max_length=80, unique=True)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind, editable=False)
    vendor = models.CharField(_("maker"), max_length=80, blank=True, help_text=_("Empty: any maker’s."))
    name = models.CharField(_("name"), max_length=160)
    part_number = models.CharField(_("maker’s part number"), max_length=80, blank=True)
    confidence = models.CharField(_("how well it is documented"), max_length=8, choices=Confidence, blank=True)
    notes = models.TextField(_("notes"), blank=True)
    is_listed = models.BooleanField(_("offered for sale"), default=True)
    edited_at = models.DateTimeField(_("edited by a person"), null=True, blank=True, editable=False)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        ordering = ["vendor", "name"]
        verbose_name = _("part")
        verbose_name_plural = _("parts")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "vendor", "name"],
                name="part_name_unique_by_maker",
                violation_error_message=_("This maker already has a part of this kind with this name."),
            ),
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=["gpu", "platform", "cpu", "memory", "drive", "nic", "switch", "accessory", "service"]
                ),
                name="part_kind_is_known",
            ),
            models.CheckConstraint(condition=~models.Q(name=""), name="part_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.vendor} {self.name}".strip()

    def get_absolute_url(self) -> str:
        """The public page, for the kinds that have one."""
        if self.kind in {self.Kind.GPU, self.Kind.PLATFORM}:
            return reverse(f"catalog:{self.kind}", args=[self.slug])
        return reverse("catalog:parts", args=[self.kind])


def positive(name: str, *fields: str) -> models.CheckConstraint:
    """Constrain fields to be above zero where they are known; unknown stays null and is never zero."""
    condition = models.Q()
    for field in fields:
        condition &= models.Q(**{f"{field}__gt": 0})
    return models.CheckConstraint(
        condition=condition,
        name=name,
        violation_error_message=_("Quantities are above zero; leave unknown ones empty."),
    )
