"""Accelerators."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from catalog.models.parts import Part, positive


class Socket(models.TextChoices):
    """Normalised form factor: what must match between a GPU and a platform."""

    SXM2 = "sxm2", "SXM2"
    SXM4 = "sxm4", "SXM4"
    SXM5 = "sxm5", "SXM5"
    SXM6 = "sxm6", "SXM6"
    OAM = "oam", "OAM"
    PCIE = "pcie", "PCIe"
    SUPERCHIP = "superchip", _("superchip")


SOCKETS = [*Socket.values, ""]


class Gpu(Part):
    """One accelerator as its maker sells it, e.g. H200 SXM 141GB. Empty means not read, never zero."""

    architecture = models.CharField(_("architecture"), max_length=60, blank=True)
    chip = models.CharField(_("chip"), max_length=60, blank=True)
    compute_capability = models.CharField(_("compute capability"), max_length=8, blank=True)
    llvm_target = models.CharField(_("ROCm target"), max_length=20, blank=True)
    form_factor = models.CharField(_("form factor"), max_length=80, blank=True, help_text=_("The maker’s wording."))
    socket = models.CharField(_("socket"), max_length=10, choices=Socket, blank=True)
    slots = models.FloatField(_("slots taken"), null=True, blank=True)
    memory_gb = models.FloatField(_("memory as sold"))
    memory_reported_mib = models.PositiveIntegerField(_("memory that tools report"), null=True, blank=True)
    memory_usable_gib = models.FloatField(_("usable memory"), null=True, blank=True)
    memory_torch_gib = models.FloatField(_("memory that PyTorch reports"), null=True, blank=True)
    memory_type = models.CharField(_("memory type"), max_length=40, blank=True)
    memory_bandwidth_tb_s = models.FloatField(_("memory bandwidth"), null=True, blank=True)
    fp32_tflops = models.FloatField(_("FP32, dense"), null=True, blank=True)
    tf32_tflops = models.FloatField(_("TF32, dense"), null=True, blank=True)
    bf16_tflops = models.FloatField(_("BF16, dense"), null=True, blank=True)
    fp16_tflops = models.FloatField(_("FP16, dense"), null=True, blank=True, help_text=_("Empty: as BF16."))
    fp8_tflops = models.FloatField(_("FP8, dense"), null=True, blank=True)
    fp4_tflops = models.FloatField(_("FP4, dense"), null=True, blank=True)
    int8_tops = models.FloatField(_("INT8, dense"), null=True, blank=True)
    nvlink_gen = models.PositiveSmallIntegerField(_("NVLink generation"), null=True, blank=True)
    nvlink_gb_s = models.FloatField(
        _("NVLink, both directions"), null=True, blank=True, help_text=_("0: the card has none. Empty: not read.")
    )
    nvlink_scope = models.CharField(_("links"), max_length=200, blank=True)
    nvlink_bridge_max_gpus = models.PositiveSmallIntegerField(_("cards in one bridge"), null=True, blank=True)
    scale_up_domain_max = models.PositiveSmallIntegerField(_("GPUs in one link domain"), null=True, blank=True)
    pcie_gen = models.PositiveSmallIntegerField(_("PCIe generation"), null=True, blank=True)
    pcie_lanes = models.PositiveSmallIntegerField(_("PCIe lanes"), null=True, blank=True)
    tdp_w = models.FloatField(_("power"), null=True, blank=True)
    tdp_min_w = models.FloatField(_("lowest power cap"), null=True, blank=True)
    tdp_configurable = models.BooleanField(_("power can be set"), null=True, blank=True)
    cooling = models.CharField(_("cooling"), max_length=200, blank=True)
    mig_max = models.PositiveSmallIntegerField(_("MIG instances"), null=True, blank=True)
    launch_date = models.DateField(_("on sale since"), null=True, blank=True)
    min_cuda = models.CharField(_("earliest CUDA"), max_length=10, blank=True)
    min_rocm = models.CharField(_("earliest ROCm"), max_length=10, blank=True)
    fp8 = models.BooleanField(_("FP8 supported"), null=True, blank=True)
    flash_attention_2 = models.BooleanField(_("FlashAttention 2"), null=True, blank=True)
    flash_attention_3 = models.BooleanField(_("FlashAttention 3"), null=True, blank=True)

    history = HistoricalRecords()

    class Meta:
        verbose_name = _("GPU")
        verbose_name_plural = _("GPUs")
        constraints = [
            models.CheckConstraint(condition=models.Q(socket__in=SOCKETS), name="gpu_socket_is_known"),
            positive(
                "gpu_memory_and_speed_positive",
                *("memory_gb", "memory_reported_mib", "memory_usable_gib", "memory_torch_gib", "memory_bandwidth_tb_s"),
                *("fp32_tflops", "tf32_tflops", "bf16_tflops", "fp16_tflops", "fp8_tflops", "fp4_tflops", "int8_tops"),
            ),
            positive("gpu_power_positive", "tdp_w", "tdp_min_w"),
            models.CheckConstraint(condition=models.Q(nvlink_gb_s__gte=0), name="gpu_link_speed_not_negative"),
            models.CheckConstraint(
                condition=models.Q(tdp_min_w__lte=models.F("tdp_w")),
                name="gpu_lowest_power_cap_within_power",
                violation_error_message=_("The lowest power cap is not above the power."),
            ),
        ]
