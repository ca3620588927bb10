"""Ready selections by model and by maker and GPU; each opens a form that is filled in already (docs/facts A22)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import NoReverseMatch, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from catalog.models import Claim, GpuSupport, LanguageModel, Platform


@dataclass(frozen=True, slots=True)
class Way:
    """One form to open, with what it is filled in with."""

    label: Any
    route: str
    fields: tuple[tuple[str, str], ...] = ()

    @property
    def address(self) -> str:
        """Address of the filled-in form; of the first page where the form is not served."""
        try:
            return f"{reverse('quotes:prefill')}?{urlencode([('route', self.route), *self.fields])}"
        except NoReverseMatch:
            return "/"


@dataclass(frozen=True, slots=True)
class Selection:
    """A ready selection, e.g. servers for Llama, or Dell servers with H100."""

    slug: str
    title: Any
    lead: Any
    vendor: str = ""
    gpus: tuple[str, ...] = ()
    model_prefix: str = ""
    ways: tuple[Way, ...] = ()

    def forms(self) -> list[Way]:
        """The forms to open: for a selection by maker one for each GPU that its platforms take. Runs one query."""
        if not self.gpus:
            return list(self.ways)
        support = GpuSupport.objects.exclude(state=Claim.State.REFUTED).filter(gpu__slug__in=self.gpus)
        if self.vendor:
            support = support.filter(platform__vendor=self.vendor)
        # Told apart here and not by nested queries, which PostgreSQL answers in minutes before it knows its tables.
        taken = {claim.gpu.slug: claim.gpu for claim in support.select_related("gpu")}
        ordered = sorted(taken.values(), key=lambda gpu: self.gpus.index(gpu.slug))
        maker = (("vendor", self.vendor),) if self.vendor else ()
        return [Way(_("Size a job for %s") % gpu.name, "adapters", (("gpu", gpu.slug), *maker)) for gpu in ordered]

    def platforms(self) -> QuerySet[Platform]:
        """The maker's platforms that take one of the GPUs; empty for a selection by model."""
        if not self.gpus:
            return Platform.objects.none()
        support = GpuSupport.objects.exclude(state=Claim.State.REFUTED).filter(gpu__slug__in=self.gpus)
        rows = Platform.objects.filter(pk__in=support.values("platform"))
        return rows.filter(vendor=self.vendor) if self.vendor else rows

    def models(self) -> QuerySet[LanguageModel]:
        """The language models of the selection; empty for one by maker."""
        if not self.model_prefix:
            return LanguageModel.objects.none()
        starts = Q()
        for prefix in self.model_prefix.split("|"):
            starts |= Q(slug__startswith=prefix)
        return LanguageModel.objects.listed().filter(starts).order_by("parameters")


def ways(model: str) -> tuple[Way, ...]:
    named = (("model_name", model),)
    return (
        Way(_("Tune adapters"), "adapters", named),
        Way(_("Tune all parameters"), "full", named),
        Way(_("Serve it"), "service", named),
    )


SXM_H100, SXM_H200, SXM_B200 = ("h100-sxm",), ("h200-sxm",), ("b200-sxm",)
H100, H200 = ("h100-sxm", "h100-nvl", "h100-pcie"), ("h200-sxm", "h200-nvl")

SELECTIONS = (
    Selection(
        "llama",
        _("Servers for Llama"),
        _("From 1 to 405 billion parameters: what each of them needs to be tuned or served."),
        model_prefix="llama-|codellama|saiga-llama|deepseek-r1-distill-llama",
        ways=ways("llama-3.3-70b"),
    ),
    Selection(
        "deepseek",
        _("Servers for DeepSeek"),
        _(
            "671 billion parameters in FP8 are about 625 GiB of weights: "
            "they load into eight H100 and leave no room to serve."
        ),
        model_prefix="deepseek-",
        ways=ways("deepseek-r1"),
    ),
    Selection(
        "qwen",
        _("Servers for Qwen"),
        _("Dense and mixture-of-experts models of one family."),
        model_prefix="qwen|qwq",
        ways=ways("qwen3-32b"),
    ),
    Selection(
        "russian",
        _("Servers for Russian-language models"),
        _("GigaChat, YandexGPT, T-Pro, Vikhr and Saiga."),
        model_prefix="gigachat|yandexgpt|t-pro|t-lite|vikhr|saiga",
        ways=ways("t-pro-it-2.0"),
    ),
    Selection("dell-h100", _("Dell with H100"), _("PowerEdge servers that take an H100."), "Dell", H100),
    Selection("dell-h200", _("Dell with H200"), _("PowerEdge servers that take an H200."), "Dell", H200),
    Selection(
        "supermicro-h200",
        _("Supermicro with H200"),
        _("Module and card versions: an H200 NVL card does not replace an SXM module."),
        "Supermicro",
        H200,
    ),
    Selection("supermicro-h100", _("Supermicro with H100"), _("Module and card versions."), "Supermicro", H100),
    Selection(
        "supermicro-b200",
        _("Supermicro with B200"),
        _("Air-cooled in 10U, liquid in 4U: both exist."),
        "Supermicro",
        SXM_B200,
    ),
    Selection("hpe-h200", _("HPE with H200"), _("Cray and ProLiant servers that take an H200."), "HPE", H200),
    Selection("lenovo-h200", _("Lenovo with H200"), _("ThinkSystem servers that take an H200."), "Lenovo", H200),
    Selection(
        "amd",
        _("Servers with AMD Instinct"),
        _("MI300X and MI325X on OAM boards."),
        "",
        ("mi300x", "mi325x"),
    ),
    Selection("b200", _("Servers with B200"), _("Every maker’s, air and liquid."), "", SXM_B200),
)


def by_slug(slug: str) -> Selection | None:
    """The selection of an address."""
    return next((selection for selection in SELECTIONS if selection.slug == slug), None)
