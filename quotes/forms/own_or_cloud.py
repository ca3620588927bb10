"""Figures of one's own for the comparison of an own server with the cloud."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from quotes.forms.fields import Choice, Date, Number
from quotes.forms.route import check_day_of_quote
from quotes.forms.sections import SectionForm


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
        help_text=_("in the currency of the budget"),
        action=_("Give the price of one kilowatt-hour."),
    )
