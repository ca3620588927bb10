"""Processors, memory, drives, network, and what else stands on a quote."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from catalog.models.parts import Part, positive


class Cpu(Part):
    """One host processor, e.g. Xeon Platinum 8558."""

    generation = models.CharField(_("generation"), max_length=80, blank=True)
    cores = models.PositiveSmallIntegerField(_("cores"), null=True, blank=True)
    threads = models.PositiveSmallIntegerField(_("threads"), null=True, blank=True)
    base_ghz = models.FloatField(_("base clock"), null=True, blank=True)
    boost_ghz = models.FloatField(_("boost clock"), null=True, blank=True)
    tdp_w = models.PositiveSmallIntegerField(_("power"), null=True, blank=True)
    pcie_gen = models.PositiveSmallIntegerField(_("PCIe generation"), null=True, blank=True)
    pcie_lanes = models.PositiveSmallIntegerField(_("PCIe lanes"), null=True, blank=True)
    memory_channels = models.PositiveSmallIntegerField(_("memory channels"), null=True, blank=True)
    memory_max_mt_s = models.PositiveIntegerField(_("memory speed at most"), null=True, blank=True)

    history = HistoricalRecords()

    class Meta:
        verbose_name = _("processor")
        verbose_name_plural = _("processors")
        constraints = [
            positive("cpu_quantities_positive", "cores", "threads", "base_ghz", "boost_ghz", "tdp_w", "memory_channels")
        ]


class MemoryModule(Part):
    """One kind of memory module, e.g. DDR5-5600 RDIMM 64 GB."""

    capacity_gb = models.PositiveSmallIntegerField(_("capacity"))
    memory_type = models.CharField(_("memory type"), max_length=40, blank=True)
    speed_mt_s = models.PositiveIntegerField(_("speed"), null=True, blank=True)

    history = HistoricalRecords()

    class Meta:
        verbose_name = _("memory module")
        verbose_name_plural = _("memory modules")
        constraints = [positive("memory_module_quantities_positive", "capacity_gb", "speed_mt_s")]


class Drive(Part):
    """One drive series, or one capacity of it where a price names it, e.g. Samsung PM9A3 3.84 TB."""

    interface = models.CharField(_("interface"), max_length=60, blank=True)
    capacity_tb = models.FloatField(_("capacity"), null=True, blank=True)
    max_capacity_tb = models.FloatField(_("largest of the series"), null=True, blank=True)
    seq_read_mb_s = models.PositiveIntegerField(_("sequential read"), null=True, blank=True)
    seq_write_mb_s = models.PositiveIntegerField(_("sequential write"), null=True, blank=True)
    rand_read_iops = models.PositiveIntegerField(_("random read"), null=True, blank=True)
    dwpd = models.FloatField(_("drive writes a day"), null=True, blank=True)
    power_w = models.FloatField(_("power"), null=True, blank=True)

    history = HistoricalRecords()

    class Meta:
        verbose_name = _("drive")
        verbose_name_plural = _("drives")
        constraints = [
            positive(
                "drive_quantities_positive",
                *(
                    "capacity_tb",
                    "max_capacity_tb",
                    "seq_read_mb_s",
                    "seq_write_mb_s",
                    "rand_read_iops",
                    "dwpd",
                    "power_w",
                ),
            )
        ]


class Nic(Part):
    """One network adapter or DPU, e.g. ConnectX-7 400 Gb/s."""

    ports = models.PositiveSmallIntegerField(_("ports"), null=True, blank=True)
    port_speed_gbit_s = models.PositiveIntegerField(_("speed of one port"), null=True, blank=True)
    cage = models.CharField(_("cage"), max_length=40, blank=True)
    pcie = models.CharField(_("PCIe"), max_length=40, blank=True)
    is_dpu = models.BooleanField(_("DPU"), default=False)

    history = HistoricalRecords()

    class Meta:
        verbose_name = _("network adapter")
        verbose_name_plural = _("network adapters")
        constraints = [positive("nic_quantities_positive", "ports", "port_speed_gbit_s")]


class Switch(Part):
    """One network switch, e.g. Quantum-2 QM9700."""

    fabric = models.CharField(_("fabric"), max_length=60, blank=True)
    ports = models.PositiveSmallIntegerField(_("ports"), null=True, blank=True)
    port_speed_gbit_s = models.PositiveIntegerField(_("speed of one port"), null=True, blank=True)
    capacity_tbit_s = models.FloatField(_("capacity, both directions"), null=True, blank=True)
    rack_units = models.PositiveSmallIntegerField(_("height"), null=True, blank=True)
    typical_power_w = models.FloatField(_("typical power"), null=True, blank=True)
    max_power_w = models.FloatField(_("power at most"), null=True, blank=True)
    weight_kg = models.FloatField(_("weight"), null=True, blank=True)

    history = HistoricalRecords()

    class Meta:
        verbose_name = _("switch")
        verbose_name_plural = _("switches")
        constraints = [
            positive(
                "switch_quantities_positive",
                *("ports", "port_speed_gbit_s", "capacity_tbit_s", "rack_units", "typical_power_w", "max_power_w"),
            )
        ]


class Accessory(Part):
    """What a server needs beside its main parts, e.g. an NVLink bridge or a power cable."""

    category = models.CharField(_("category"), max_length=60, blank=True)

    history = HistoricalRecords()

    class Meta:
        verbose_name = _("accessory")
        verbose_name_plural = _("accessories")


class Service(Part):
    """Work or cover sold with a server, e.g. installation or a longer warranty."""

    unit = models.CharField(_("unit"), max_length=40, blank=True)
    duration_months = models.PositiveSmallIntegerField(_("duration"), null=True, blank=True)

    history = HistoricalRecords()

    class Meta:
        verbose_name = _("service")
        verbose_name_plural = _("services")
        constraints = [positive("service_duration_positive", "duration_months")]
