"""What the site, the calendar and the purse allow; every limit must hold or is preferred."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from catalog import specs
from quotes.forms import choices
from quotes.forms.fields import Choice, Date, Number, Text
from quotes.forms.own_or_cloud import CLOUD, OWN_COSTS, OwnOrCloudForm
from quotes.forms.route import check_date
from quotes.forms.sections import Section
from sizing.errors import SizingError

MOST_IN_MIND = 1024
LIMITS = (
    Section(
        "deadline",
        _("Deadline"),
        plain=("when", ("deadline_amount", "deadline_unit"), "deadline_date"),
    ),
    Section(
        "site",
        _("Site"),
        plain=(
            "placement",
            ("rack_power_kw", "rack_units"),
            "racks",
            "cooling",
            "region",
            "service_access",
        ),
        expert=("form_factor", "gpu", "vendor", "network_gbit_per_gpu", "storage_tb"),
    ),
    Section(
        "money",
        _("Budget"),
        plain=(("budget", "currency"), "tax"),
    ),
    CLOUD,
    OWN_COSTS,
    Section(
        "in_mind",
        _("What you have in mind"),
        plain=(("in_mind_gpu", "in_mind_gpus"),),
        folded=True,
    ),
    Section(
        "article",
        _("An offer you already hold"),
        plain=("article",),
    ),
)


class LimitsForm(OwnOrCloudForm):
    """The questions every way has in common."""

    when = Choice(
        choices=[
            ("in", _("within a time")),
            ("date", _("by a date")),
            ("none", _("no deadline")),
            ("compare", _("compare")),
        ],
        kind="segmented",
        initial="none",
        strength=True,
        label=_("The result is needed"),
        help_text=_("With a date we count back: order, delivery, installation, then the run"),
    )
    deadline_amount = Number(
        low=1,
        high=10_000,
        whole=True,
        width="w4",
        label=_("No later than in"),
        help_text=_("after the run has started"),
        action=_("Choose a larger unit or “no deadline”."),
    )
    deadline_unit = Choice(
        choices=[("hours", _("hours")), ("days", _("days")), ("weeks", _("weeks"))],
        initial="days",
        label=_("Unit of the deadline"),
        short=_("Unit"),
    )
    deadline_date = Date(label=_("Date"))

    placement = Choice(
        choices=choices.PLACEMENT, kind="row", label=_("Where the server will stand"), short=_("Placement")
    )
    rack_power_kw = Number(
        low=0.5,
        high=250,
        unit=_("kW"),
        width="w4",
        strength=True,
        label=_("Power per rack"),
        action=_("Give the power of one rack in kilowatts, as the data center states it."),
    )
    rack_units = Number(
        low=1,
        high=60,
        whole=True,
        unit="U",
        width="w4",
        strength=True,
        label=_("Free in the rack"),
        short=_("Free rack units"),
        action=_("One rack has 42 to 52 units; several racks are asked separately."),
    )
    racks = Number(
        low=1,
        high=1000,
        whole=True,
        width="w4",
        strength=True,
        label=_("Racks"),
        action=_("Give the number of racks you may use."),
    )
    cooling = Choice(choices=choices.COOLING, kind="row", strength=True, label=_("Cooling"))
    region = Choice(
        choices=choices.REGION,
        kind="row",
        strength=True,
        label=_("Where the data must stay"),
        short=_("Data must stay"),
    )
    service_access = Choice(
        choices=choices.ACCESS,
        kind="list",
        label=_("Who may reach the rack, and when"),
        short=_("Service access"),
        help_text=_("Decides spare parts, warranty level and how long a failure lasts"),
    )
    form_factor = Choice(
        choices=choices.FORM_FACTOR,
        empty=choices.WE_CHOOSE,
        strength=True,
        label=_("Kind of accelerator"),
        short=_("Form factor"),
    )
    gpu = Text(
        max_length=80,
        width="w10",
        strength=True,
        label=_("Accelerator, by name"),
        short=_("Accelerator"),
        help_text=_("Only where it is given: otherwise every one is compared"),
    )
    vendor = Text(
        max_length=80,
        width="w10",
        strength=True,
        label=_("Maker of the server"),
        short=_("Maker"),
        help_text=_("Only where it is given: otherwise servers of every maker are compared"),
    )
    network_gbit_per_gpu = Number(
        low=0.1,
        high=10_000,
        unit=_("Gbit/s"),
        width="w4",
        label=_("Network between servers, for each accelerator"),
        short=_("Network a GPU"),
        help_text=_(
            "Where it is there already: 8 cards of 400 Gbit/s for 8 accelerators are 400, one port of 10 is 1.25"
        ),
        action=_("Give the rate of one server divided by its accelerators."),
    )
    storage_tb = Number(
        low=0,
        high=100_000,
        unit=_("TB"),
        width="w4",
        label=_("Storage you have"),
        action=_("Give the capacity that is free for this project."),
    )
    budget = Number(
        low=100,
        high=1e12,
        width="w6",
        strength=True,
        label=_("No more than"),
        short=_("Budget"),
        action=_("Give the whole sum in units of the currency, not in thousands."),
    )
    currency = Choice(choices=choices.CURRENCIES, initial="USD", label=_("Currency"))
    tax = Choice(choices=choices.TAX, kind="row", initial="net", label=_("Tax"))
    in_mind_gpu = Text(
        max_length=80,
        width="w10",
        label=_("A machine you think of: its GPU"),
        short=_("GPU in mind"),
        help_text=_("Answered beside our recommendation; it leaves nothing out"),
    )
    in_mind_gpus = Number(
        low=1,
        high=MOST_IN_MIND,
        whole=True,
        width="w4",
        label=_("How many of them"),
        short=_("Number of GPUs in mind"),
        action=_("Give the GPUs of all servers together."),
    )
    article = Text(
        kind="article",
        max_length=300,
        width="sku",
        label=_("Article or a line of a specification"),
        short=_("Article"),
        help_text=_("Read as typed; it stays unconfirmed until the maker’s document says so"),
    )

    def clean_gpu(self) -> str:
        """Refuse an accelerator that the catalog does not know."""
        return self._known_gpu("gpu")

    def clean_in_mind_gpu(self) -> str:
        """Refuse an accelerator that the catalog does not know."""
        return self._known_gpu("in_mind_gpu")

    def _known_gpu(self, name: str) -> str:
        typed = str(self.cleaned_data.get(name) or "").strip()
        if not typed:
            return ""
        try:
            return specs.hardware_catalog().gpu(typed).slug
        except SizingError as refused:
            raise ValidationError(
                _("We do not know the accelerator “%(value)s”. Choose one of the catalog, or leave it empty."),
                code="unknown_gpu",
                params={"value": typed},
            ) from refused

    def clean_vendor(self) -> str:
        """Write a maker of servers as the catalog does; refuse one it has no server of, and name those it has."""
        typed = str(self.cleaned_data.get("vendor") or "").strip()
        if not typed:
            return ""
        makers = {platform.vendor.casefold(): platform.vendor for platform in specs.hardware_catalog().platforms}
        if typed.casefold() not in makers:
            raise ValidationError(
                _("The catalog has no server by “%(value)s”. It has those by %(makers)s."),
                code="unknown_vendor",
                params={"value": typed, "makers": ", ".join(sorted(makers.values()))},
            )
        return makers[typed.casefold()]

    def clean(self) -> dict[str, Any]:
        """Ask for the number or the date the deadline speaks of."""
        cleaned = super().clean() or {}
        self._check_in_mind(cleaned)
        if cleaned.get("when") == "date" and "deadline_date" not in self.errors:
            check_date(self, cleaned.get("deadline_date"))
        if (
            cleaned.get("when") == "in"
            and cleaned.get("deadline_amount") is None
            and "deadline_amount" not in self.errors
        ):
            self.add_error("deadline_amount", _("Say in how many hours, days or weeks, or choose “no deadline”."))
        return cleaned

    def _check_in_mind(self, cleaned: dict[str, Any]) -> None:
        """Ask for the other half where only a GPU or only a number is given."""
        names = ("in_mind_gpu", "in_mind_gpus")
        if any(name in self.errors for name in names):
            return
        if cleaned.get("in_mind_gpu") and not cleaned.get("in_mind_gpus"):
            self.add_error("in_mind_gpus", _("Say how many of these GPUs you have in mind."))
        elif cleaned.get("in_mind_gpus") and not cleaned.get("in_mind_gpu"):
            self.add_error("in_mind_gpu", _("Say which GPU you have in mind, or leave the number empty."))
