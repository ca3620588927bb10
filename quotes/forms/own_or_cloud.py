"""Figures of one's own for the comparison of an own server with the cloud."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from quotes.forms.fields import Choice, Date, Number
from quotes.forms.route import check_day_of_quote
from quotes.forms.sections import Section, SectionForm

CLOUD = Section(
    "cloud",
    _("Own server or cloud"),
    plain=(
        "server_price",
        ("utilisation_hours_per_day", "electricity_price"),
        ("cloud_rate", "cloud_rate_date"),
        "cloud_rate_kind",
        ("cloud_storage_price", "egress_tb", "egress_price"),
        "interest_percent",
    ),
    folded=True,
)
OWN_COSTS = Section(
    "own_costs",
    _("What owning costs"),
    plain=(),
    expert=(
        "years_of_use",
        "pue",
        "space_price",
        "support_percent",
        "staff_percent",
        "resale_percent",
        "exchange_rate",
        "exchange_rate_date",
    ),
    folded=True,
)


class OwnOrCloudForm(SectionForm):
    """What a customer knows of prices: of the server, of power, of the cloud, of money."""

    utilisation_hours_per_day = Number(
        low=0,
        high=24,
        unit=_("h a day"),
        width="w4",
        label=_("Use of the server"),
        help_text=_("Decides whether a server of your own pays off against the cloud"),
        action=_("A day has 24 hours."),
    )
    server_price = Number(
        low=100,
        high=1e12,
        width="w6",
        label=_("Price of an own server, if you hold an offer"),
        short=_("Price of an own server"),
        help_text=_("in the currency of the budget, without tax; without it we compare where every line has a price"),
        action=_("Give the whole sum in units of the currency, not in thousands."),
    )
    cloud_rate = Number(
        low=0.001,
        high=1e6,
        unit=_("per GPU-hour"),
        width="w4",
        label=_("Your own quote for the cloud"),
        short=_("Cloud, a GPU-hour"),
        help_text=_("in the currency of the budget, without tax; without it we compare with published prices"),
        action=_("Give the price of one GPU for one hour."),
    )
    cloud_rate_date = Date(label=_("Date of that quote"), short=_("Date of the rate"), validators=[check_day_of_quote])
    cloud_rate_kind = Choice(
        choices=[("on-demand", _("for the hours used")), ("reserved", _("around the clock, reserved"))],
        kind="row",
        initial="on-demand",
        label=_("That rate is paid"),
        short=_("Rate is paid"),
    )
    cloud_storage_price = Number(
        low=0,
        high=1e5,
        unit=_("per GB a month"),
        width="w4",
        label=_("Storage in the cloud"),
        action=_("Give the price of one gigabyte for one month."),
    )
    egress_tb = Number(
        low=0,
        high=1e6,
        unit=_("TB a month"),
        width="w4",
        label=_("Data read out of the cloud"),
        short=_("Traffic out"),
        action=_("Give terabytes a month."),
    )
    egress_price = Number(
        low=0,
        high=1e5,
        unit=_("per GB"),
        width="w4",
        label=_("Price of reading it out"),
        short=_("Traffic out, a GB"),
        action=_("Give the price of one gigabyte."),
    )
    interest_percent = Number(
        low=0,
        high=100,
        unit=_("% a year"),
        width="w4",
        label=_("Interest of a loan or lease"),
        short=_("Interest"),
        help_text=_("repaid in equal sums over the years of use; empty: your own money"),
        action=_("Give the rate a year in percent."),
    )
    electricity_price = Number(
        low=0,
        high=1000,
        unit=_("per kWh"),
        width="w4",
        label=_("Price of electricity"),
        short=_("Electricity"),
        help_text=_("in the currency of the budget, without tax"),
        action=_("Give the price of one kilowatt-hour."),
    )
    years_of_use = Number(
        low=0.5,
        high=15,
        unit=_("years"),
        width="w4",
        label=_("Years of use"),
        help_text=_("over which the price of the server is spread"),
        action=_("Usual are 3 to 5."),
    )
    pue = Number(
        low=1,
        high=5,
        width="w4",
        label=_("Power of the room over that of the servers (PUE)"),
        short=_("PUE"),
        help_text=_("30 % more for cooling and losses is 1.3"),
        action=_("Usual are 1.1 to 1.8."),
    )
    space_price = Number(
        low=0,
        high=1e6,
        width="w6",
        label=_("Room in the rack, a kilowatt a month"),
        help_text=_("in the currency of the budget, without tax and without electricity; 0 in a room of your own"),
        action=_("Give the price of one kilowatt for one month."),
    )
    support_percent = Number(
        low=0,
        high=100,
        unit=_("% of the price a year"),
        width="w4",
        label=_("Support and spare parts"),
        action=_("Give the share of the server’s price that is spent in a year."),
    )
    staff_percent = Number(
        low=0,
        high=100,
        unit=_("% of the price a year"),
        width="w4",
        label=_("Staff"),
        help_text=_("time of the people who run the server"),
        action=_("Give the share of the server’s price that is spent in a year."),
    )
    resale_percent = Number(
        low=0,
        high=100,
        unit=_("% of the price"),
        width="w4",
        label=_("Resale value"),
        help_text=_("what the server still brings after the years of use"),
        action=_("Give the share of the server’s price that comes back."),
    )
    exchange_rate = Number(
        low=0.000001,
        high=1e6,
        unit=_("for 1 USD"),
        width="w4",
        label=_("Your exchange rate"),
        short=_("Exchange rate"),
        help_text=_("what a US dollar costs in the currency of the budget; without it the catalog’s rate is used"),
        action=_("Give what one US dollar costs."),
    )
    exchange_rate_date = Date(
        label=_("Date of the exchange rate"), short=_("Date of the exchange rate"), validators=[check_day_of_quote]
    )
