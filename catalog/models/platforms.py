"""Servers, and which GPUs they take."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from catalog.models.claims import Claim, ClaimQuerySet
from catalog.models.gpus import SOCKETS, Gpu, Socket
from catalog.models.parts import Part, positive
from catalog.models.sources import Source
from sizing.hardware_data.wording import sockets_of


class Platform(Part):
    """One server model without its GPUs, e.g. Supermicro SYS-821GE-TNHR. Lists are written one entry a line."""

    rack_units = models.PositiveSmallIntegerField(_("height"), null=True, blank=True)
    form_factor = models.CharField(_("chassis"), max_length=80, blank=True)
    gpu_form_factor = models.CharField(
        _("GPU form factor"), max_length=120, blank=True, help_text=_("The maker’s wording.")
    )
    max_gpus = models.PositiveSmallIntegerField(_("GPUs at most"), null=True, blank=True)
    max_gpus_single_width = models.PositiveSmallIntegerField(_("single-width cards at most"), null=True, blank=True)
    max_gpus_triple_width = models.PositiveSmallIntegerField(_("triple-width cards at most"), null=True, blank=True)
    max_gpus_quad_width = models.PositiveSmallIntegerField(_("quad-width cards at most"), null=True, blank=True)
    gpu_topology = models.CharField(_("GPU topology"), max_length=200, blank=True)
    cpu_sockets = models.PositiveSmallIntegerField(_("CPU sockets"), null=True, blank=True)
    cpu_families = models.TextField(_("CPU families"), blank=True, help_text=_("One a line."))
    cpu_max_tdp_w = models.PositiveIntegerField(_("CPU power at most, air"), null=True, blank=True)
    cpu_max_tdp_liquid_w = models.PositiveIntegerField(_("CPU power at most, liquid"), null=True, blank=True)
    dimm_slots = models.PositiveSmallIntegerField(_("memory slots"), null=True, blank=True)
    memory_type = models.CharField(_("memory type"), max_length=80, blank=True)
    memory_max_tb = models.FloatField(_("memory at most"), null=True, blank=True)
    memory_max_1dpc_tb = models.FloatField(_("memory at most, 1 module a channel"), null=True, blank=True)
    memory_speed_mt_s = models.PositiveIntegerField(_("memory speed, 1 module a channel"), null=True, blank=True)
    memory_speed_2dpc_mt_s = models.PositiveIntegerField(_("memory speed, 2 modules a channel"), null=True, blank=True)
    drive_bays = models.CharField(_("drive bays"), max_length=300, blank=True)
    nvme_hot_swap = models.PositiveSmallIntegerField(_("hot-swap NVMe bays"), null=True, blank=True)
    pcie_slots = models.CharField(_("PCIe slots"), max_length=300, blank=True)
    nic_slots = models.CharField(_("network slots"), max_length=300, blank=True)
    psu_count = models.PositiveSmallIntegerField(_("power supplies"), null=True, blank=True)
    psu_w = models.PositiveIntegerField(_("power of one supply"), null=True, blank=True)
    psu_options_w = models.CharField(_("other supplies offered"), max_length=80, blank=True)
    psu_redundancy = models.CharField(_("supply redundancy"), max_length=200, blank=True)
    psu_efficiency = models.CharField(_("supply efficiency"), max_length=80, blank=True)
    max_system_power_w = models.PositiveIntegerField(_("power at full load"), null=True, blank=True)
    weight_net_kg = models.FloatField(_("weight"), null=True, blank=True)
    weight_gross_kg = models.FloatField(_("weight with packing"), null=True, blank=True)
    cooling = models.CharField(_("cooling"), max_length=200, blank=True)
    operating_temp_min_c = models.FloatField(_("inlet temperature from"), null=True, blank=True)
    operating_temp_max_c = models.FloatField(_("inlet temperature to"), null=True, blank=True)
    height_mm = models.FloatField(_("height in millimetres"), null=True, blank=True)
    width_mm = models.FloatField(_("width"), null=True, blank=True)
    depth_mm = models.FloatField(_("depth"), null=True, blank=True)
    tested_configurations = models.TextField(_("tested configurations"), blank=True, help_text=_("One a line."))

    gpus: models.ManyToManyField[Gpu, GpuSupport] = models.ManyToManyField(
        Gpu, through="GpuSupport", related_name="platforms", verbose_name=_("GPUs")
    )
    history = HistoricalRecords()

    class Meta:
        verbose_name = _("platform")
        verbose_name_plural = _("platforms")
        constraints = [
            positive("platform_size_positive", "rack_units", "max_gpus", "cpu_sockets", "dimm_slots", "memory_max_tb"),
            positive("platform_power_positive", "psu_count", "psu_w", "max_system_power_w"),
            positive("platform_weight_positive", "weight_net_kg", "weight_gross_kg"),
            models.CheckConstraint(
                condition=models.Q(operating_temp_min_c__lt=models.F("operating_temp_max_c")),
                name="platform_temperatures_in_order",
                violation_error_message=_("The lower temperature stands first."),
            ),
        ]

    @property
    def cpu_family_list(self) -> list[str]:
        """CPU families one by one."""
        return [line.strip() for line in self.cpu_families.splitlines() if line.strip()]

    @property
    def takes_liquid(self) -> bool:
        """Whether the maker names liquid cooling."""
        return "liquid" in self.cooling.lower() or "direct-to-chip" in self.cooling.lower()


class Interconnect(models.TextChoices):
    """What joins the GPUs of one node."""

    NVSWITCH = "nvswitch", _("NVSwitch")
    NVLINK_BRIDGE = "nvlink_bridge", _("NVLink bridge")
    INFINITY_FABRIC = "infinity_fabric", _("Infinity Fabric")
    PCIE = "pcie", _("PCIe")
    NONE = "none", _("none")


class GpuSupportQuerySet(ClaimQuerySet["GpuSupport"]):
    """Questions about what takes what."""


class GpuSupport(Claim):
    """One platform takes one GPU, e.g. SYS-821GE-TNHR takes eight H200 SXM.

    Both sockets are copied onto the row so that the database itself refuses a PCIe card in an SXM board.
    """

    platform = models.ForeignKey(Platform, on_delete=models.PROTECT, related_name="support", verbose_name=_("platform"))
    gpu = models.ForeignKey(Gpu, on_delete=models.PROTECT, related_name="support", verbose_name=_("GPU"))
    platform_socket = models.CharField(_("platform’s socket"), max_length=10, choices=Socket, blank=True)
    gpu_socket = models.CharField(_("GPU’s socket"), max_length=10, choices=Socket, blank=True, editable=False)
    max_count = models.PositiveSmallIntegerField(_("GPUs at most"), null=True, blank=True)
    interconnect = models.CharField(_("joined by"), max_length=16, choices=Interconnect, default=Interconnect.PCIE)
    sources = models.ManyToManyField(Source, blank=True, related_name="+", verbose_name=_("sources"))
    edited_at = models.DateTimeField(_("edited by a person"), null=True, blank=True, editable=False)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    objects = GpuSupportQuerySet.as_manager()
    history = HistoricalRecords(m2m_fields=[sources])

    class Meta:
        ordering = ["platform", "gpu"]
        verbose_name = _("platform takes GPU")
        verbose_name_plural = _("platforms take GPUs")
        constraints = [
            *Claim.Meta.constraints,
            models.UniqueConstraint(fields=["platform", "gpu"], name="support_unique_by_platform_and_gpu"),
            models.CheckConstraint(
                condition=models.Q(platform_socket=models.F("gpu_socket")),
                name="support_sockets_match",
                violation_error_message=_(
                    "The GPU’s form factor is not the platform’s: a PCIe card does not replace an SXM or OAM module."
                ),
            ),
            models.CheckConstraint(
                condition=models.Q(platform_socket__in=SOCKETS, gpu_socket__in=SOCKETS), name="support_sockets_known"
            ),
            positive("support_count_positive", "max_count"),
        ]

    def __str__(self) -> str:
        return f"{self.platform} + {self.gpu}"

    def clean(self) -> None:
        """Copy the GPU's socket and refuse what the platform's own description contradicts. Runs SQL."""
        if not self.gpu_id:
            return
        self.gpu_socket = self.gpu.socket
        named = {"gpu": self.gpu, "socket": self.gpu.get_socket_display() or _("unknown")}
        if self.platform_socket != self.gpu_socket:
            raise ValidationError({"platform_socket": _WRONG_SOCKET % named})
        stated = sockets_of(self.platform.gpu_form_factor) if self.platform_id else ()
        if stated and self.platform_socket not in stated:
            raise ValidationError({"platform_socket": _NO_SUCH_SOCKET % {**named, "platform": self.platform}})


_WRONG_SOCKET = _(
    "%(gpu)s is made for the socket %(socket)s. A card of one form factor does not replace a module of another: "
    "choose the socket that the platform really has, or another GPU."
)
_NO_SUCH_SOCKET = _(
    "The GPU form factor of %(platform)s does not name the socket %(socket)s. "
    "Correct the platform or choose another GPU."
)
