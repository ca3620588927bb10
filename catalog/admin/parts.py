"""Hardware and what is known about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from catalog import services
from catalog.admin.deleting import DeletesParts
from catalog.admin.history import changed_columns
from catalog.admin.inlines import FactInline, SupportInline
from catalog.models import (
    Accessory,
    Cpu,
    Drive,
    Fact,
    Gpu,
    MemoryModule,
    Nic,
    Part,
    Platform,
    Service,
    Switch,
)


class PartAdmin(DeletesParts):
    """A kind of part: its columns, the facts behind them, and what is not known."""

    kind: Part.Kind
    list_display = ["name", "vendor", "part_number", "is_listed", "unknown"]
    list_filter = ["vendor", "is_listed", "confidence"]
    search_fields = ["name", "vendor", "part_number", "slug"]
    ordering = ["vendor", "name"]
    prepopulated_fields = {"slug": ["vendor", "name"]}
    inlines: Sequence[type[Any]] = [FactInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Count the facts without any source in the same query, part by part: no joins to multiply each other."""
        queryset: QuerySet[Any] = super().get_queryset(request)
        sourceless = Fact.objects.filter(part=OuterRef("pk"), is_chosen=True, sources__isnull=True)
        number = sourceless.order_by().values("part").annotate(found=Count("pk")).values("found")
        counted: QuerySet[Any] = queryset.annotate(sourceless=Coalesce(Subquery(number), 0))
        return counted

    @admin.display(description=_("without source"), ordering="sourceless")
    def unknown(self, part: Any) -> int:
        """Number of values in use that nobody has given a source."""
        return int(part.sourceless)

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        """Propose a short name for new parts only: an address once given stays."""
        return {} if obj else dict(self.prepopulated_fields)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save, and keep the facts in step with the columns."""
        obj.kind = self.kind
        changed = {*form.changed_data, *changed_columns(obj)}
        super().save_model(request, obj, form, change)
        known = [field.name for field in obj._meta.local_concrete_fields if field.name in changed]
        services.record_edit(obj, known, actor=request.user)


@admin.register(Gpu)
class GpuAdmin(PartAdmin):
    """Accelerators."""

    kind = Part.Kind.GPU
    fieldsets = [
        (
            None,
            {"fields": ["slug", "vendor", "name", "part_number", "is_listed", "launch_date", "confidence", "notes"]},
        ),
        (
            _("Chip and form"),
            {"fields": ["architecture", "chip", "form_factor", "socket", "slots", "cooling", "mig_max"]},
        ),
        (
            _("Memory"),
            {
                "fields": [
                    *("memory_gb", "memory_usable_gib", "memory_torch_gib", "memory_reported_mib"),
                    *("memory_type", "memory_bandwidth_tb_s"),
                ]
            },
        ),
        (
            _("Throughput, dense"),
            {
                "fields": [
                    *("fp32_tflops", "tf32_tflops", "bf16_tflops", "fp16_tflops"),
                    *("fp8_tflops", "fp4_tflops", "int8_tops"),
                ]
            },
        ),
        (
            _("Links"),
            {
                "fields": [
                    *("nvlink_gen", "nvlink_gb_s", "nvlink_scope", "nvlink_bridge_max_gpus"),
                    *("scale_up_domain_max", "pcie_gen", "pcie_lanes"),
                ]
            },
        ),
        (_("Power"), {"fields": ["tdp_w", "tdp_min_w", "tdp_configurable"]}),
        (
            _("Software"),
            {
                "fields": [
                    *("compute_capability", "llvm_target", "min_cuda", "min_rocm"),
                    *("fp8", "flash_attention_2", "flash_attention_3"),
                ]
            },
        ),
    ]
    list_display = ["name", "vendor", "architecture", "socket", "memory_gb", "tdp_w", "is_listed", "unknown"]
    list_filter = ["socket", "architecture", *PartAdmin.list_filter]


@admin.register(Platform)
class PlatformAdmin(PartAdmin):
    """Servers."""

    kind = Part.Kind.PLATFORM
    fieldsets = [
        (None, {"fields": ["slug", "vendor", "name", "part_number", "is_listed", "confidence", "notes"]}),
        (
            _("GPUs"),
            {
                "fields": [
                    *("gpu_form_factor", "gpu_topology", "max_gpus"),
                    *("max_gpus_single_width", "max_gpus_triple_width", "max_gpus_quad_width"),
                ]
            },
        ),
        (
            _("Processors and memory"),
            {
                "fields": [
                    *("cpu_sockets", "cpu_families", "cpu_max_tdp_w", "cpu_max_tdp_liquid_w", "dimm_slots"),
                    *("memory_type", "memory_max_tb", "memory_max_1dpc_tb"),
                    *("memory_speed_mt_s", "memory_speed_2dpc_mt_s"),
                ]
            },
        ),
        (_("Drives and slots"), {"fields": ["drive_bays", "nvme_hot_swap", "pcie_slots", "nic_slots"]}),
        (
            _("Power and cooling"),
            {
                "fields": [
                    *("psu_count", "psu_w", "psu_options_w", "psu_redundancy", "psu_efficiency"),
                    *("max_system_power_w", "cooling", "operating_temp_min_c", "operating_temp_max_c"),
                ]
            },
        ),
        (
            _("Size and weight"),
            {
                "fields": [
                    *("rack_units", "form_factor", "height_mm", "width_mm", "depth_mm"),
                    *("weight_net_kg", "weight_gross_kg"),
                ]
            },
        ),
        (_("Tested configurations"), {"fields": ["tested_configurations"]}),
    ]
    list_display = ["name", "vendor", "rack_units", "max_gpus", "max_system_power_w", "cooling", "is_listed", "unknown"]
    inlines = [SupportInline, FactInline]


@admin.register(Cpu)
class CpuAdmin(PartAdmin):
    """Processors."""

    kind = Part.Kind.CPU
    list_display = ["name", "vendor", "generation", "cores", "tdp_w", "is_listed", "unknown"]


@admin.register(MemoryModule)
class MemoryModuleAdmin(PartAdmin):
    """Memory modules."""

    kind = Part.Kind.MEMORY
    list_display = ["name", "vendor", "capacity_gb", "speed_mt_s", "is_listed", "unknown"]


@admin.register(Drive)
class DriveAdmin(PartAdmin):
    """Drives."""

    kind = Part.Kind.DRIVE


@admin.register(Nic)
class NicAdmin(PartAdmin):
    """Network adapters."""

    kind = Part.Kind.NIC


@admin.register(Switch)
class SwitchAdmin(PartAdmin):
    """Switches."""

    kind = Part.Kind.SWITCH


@admin.register(Accessory)
class AccessoryAdmin(PartAdmin):
    """Bridges, rails, cables."""

    kind = Part.Kind.ACCESSORY


@admin.register(Service)
class ServiceAdmin(PartAdmin):
    """Installation, support, tests."""

    kind = Part.Kind.SERVICE


@admin.register(Part)
class AnyPartAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """All parts, to choose from in other forms; each kind is edited in its own table."""

    list_display = ["name", "vendor", "kind", "is_listed"]
    list_filter = ["kind", "vendor"]
    search_fields = ["name", "vendor", "part_number", "slug"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: a part is added as one of its kinds."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: a part is edited as one of its kinds."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: a part is deleted as one of its kinds."""
        return False
