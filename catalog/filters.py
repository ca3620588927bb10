"""What people may narrow the lists by; a wrong value is ignored and said so by the form."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from catalog.models import Gpu, LanguageModel, Platform, Socket

_ANY = ("", _("Any"))


class ListFilter(forms.Form):
    """Narrow and sort a list by the query of its address."""

    sorts: dict[str, str] = {}
    default_sort = ""
    q = forms.CharField(label=_("Find"), required=False, max_length=100)

    @property
    def sort(self) -> str:
        """The column that the list is sorted by, with a minus when downwards."""
        asked = str(self.data.get("sort", ""))
        return asked if asked.lstrip("-") in self.sorts else self.default_sort

    def given(self) -> dict[str, Any]:
        """The values that could be read."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value not in ("", None, False)}

    def ordered[RowT: Any](self, rows: QuerySet[RowT]) -> QuerySet[RowT]:
        """Sort rows as asked, unknown values last."""
        column = F(self.sorts[self.sort.lstrip("-")])
        order = column.desc(nulls_last=True) if self.sort.startswith("-") else column.asc(nulls_last=True)
        return rows.order_by(order, "pk")


class GpuFilter(ListFilter):
    """GPUs by name, form factor, memory and formats."""

    sorts = {
        "name": "name",
        "usable": "memory_usable_gib",
        "memory": "memory_gb",
        "bandwidth": "memory_bandwidth_tb_s",
        "bf16": "bf16_tflops",
        "power": "tdp_w",
    }
    default_sort = "-usable"
    family = forms.ChoiceField(
        label=_("Form factor"),
        required=False,
        choices=[_ANY, ("sxm", "SXM"), ("pcie", "PCIe"), ("oam", "OAM"), ("superchip", _("superchip"))],
    )
    at_least = forms.FloatField(label=_("At least"), required=False, min_value=0, max_value=10_000)
    fp8 = forms.BooleanField(label="FP8", required=False)
    listed = forms.BooleanField(label=_("On sale"), required=False)

    def apply(self, rows: QuerySet[Gpu]) -> QuerySet[Gpu]:
        """Give the GPUs asked for, sorted."""
        given = self.given()
        if text := given.get("q"):
            rows = rows.filter(
                Q(name__icontains=text)
                | Q(vendor__icontains=text)
                | Q(chip__icontains=text)
                | Q(architecture__icontains=text)
            )
        if family := given.get("family"):
            rows = rows.filter(socket__startswith=family)
        if least := given.get("at_least"):
            rows = rows.filter(
                Q(memory_usable_gib__gte=least) | Q(memory_usable_gib__isnull=True, memory_gb__gte=least)
            )
        if given.get("fp8"):
            rows = rows.filter(fp8=True)
        if given.get("listed"):
            rows = rows.filter(is_listed=True)
        return self.ordered(rows)


class PlatformOrder(ListFilter):
    """Platforms in the order of a column."""

    sorts = {
        "name": "name",
        "units": "rack_units",
        "gpus": "max_gpus",
        "power": "max_system_power_w",
        "dimm": "dimm_slots",
    }
    default_sort = "name"


class PlatformFilter(PlatformOrder):
    """Platforms by name, maker, socket, cooling and GPU."""

    vendor = forms.ChoiceField(label=_("Maker"), required=False)
    socket = forms.ChoiceField(label=_("Socket"), required=False, choices=[_ANY, *Socket.choices])
    gpu = forms.ChoiceField(label=_("Takes"), required=False)
    cooling = forms.ChoiceField(
        label=_("Cooling"), required=False, choices=[_ANY, ("air", _("air")), ("liquid", _("liquid"))]
    )

    def __init__(self, data: Any, *, vendors: list[str], gpus: list[tuple[str, str]]) -> None:
        super().__init__(data)
        self.fields["vendor"].choices = [_ANY, *((vendor, vendor) for vendor in vendors)]  # type: ignore[attr-defined]
        self.fields["gpu"].choices = [_ANY, *gpus]  # type: ignore[attr-defined]

    def apply(self, rows: QuerySet[Platform]) -> QuerySet[Platform]:
        """Give the platforms asked for, sorted."""
        given = self.given()
        if text := given.get("q"):
            rows = rows.filter(Q(name__icontains=text) | Q(vendor__icontains=text))
        if vendor := given.get("vendor"):
            rows = rows.filter(vendor=vendor)
        if socket := given.get("socket"):
            rows = rows.filter(support__platform_socket=socket)
        if gpu := given.get("gpu"):
            rows = rows.filter(support__gpu__slug=gpu)
        if cooling := given.get("cooling"):
            words = Q(cooling__icontains=cooling)
            rows = rows.filter(words | Q(cooling__icontains="direct-to-chip") if cooling == "liquid" else words)
        return self.ordered(rows.distinct())


class LanguageModelFilter(ListFilter):
    """Language models by name, maker and size."""

    sorts = {
        "name": "name",
        "maker": "maker",
        "parameters": "parameters",
        "active": "active_parameters",
        "context": "context_length",
    }
    default_sort = "maker"
    maker = forms.ChoiceField(label=_("Published by"), required=False)

    def __init__(self, data: Any, *, makers: list[str]) -> None:
        super().__init__(data)
        self.fields["maker"].choices = [_ANY, *((maker, maker) for maker in makers)]  # type: ignore[attr-defined]

    def apply(self, rows: QuerySet[LanguageModel]) -> QuerySet[LanguageModel]:
        """Give the models asked for, sorted."""
        given = self.given()
        if text := given.get("q"):
            rows = rows.filter(Q(name__icontains=text) | Q(hf_id__icontains=text) | Q(maker__icontains=text))
        if maker := given.get("maker"):
            rows = rows.filter(maker=maker)
        return self.ordered(rows)
