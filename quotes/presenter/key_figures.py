"""The four figures on page one: the price or the power, the days from the order, the memory, and how sure they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from quotes.charts.memory import used
from quotes.presenter import comparisons
from quotes.presenter import quantities as q
from quotes.presenter.by_date import by_date
from quotes.presenter.deal import deal
from quotes.presenter.quantities import Quantity
from quotes.presenter.reading import Reading, band_of, dig


@dataclass(frozen=True, slots=True)
class Key:
    """One of the four figures on page one."""

    label: str
    figure: Quantity
    note: str


def keys(reading: Reading) -> Iterator[Key]:
    """Give the figures in their order."""
    yield _price(reading) if reading.is_quote else _power(reading)
    yield _ready(reading)
    yield _used(reading)
    yield Key(
        _("How sure"),
        Quantity(_("9 in 10")),
        _("that a figure stays in its band; bands come from published measurements"),
    )


def _price(reading: Reading) -> Key:
    totals, found = reading.dig("totals") or {}, deal(reading)
    currency, label = found.currency, _("Price, net")
    if not found.firm:
        return Key(label, Quantity(_("no price")), _("no line has a price yet"))
    if not found.is_complete:
        note = _("Priced lines: %(priced)s of %(total)s") % {"priced": found.firm, "total": found.lines}
        return Key(label, Quantity(_("no total")), note)
    gross = q.money(totals.get("gross"), currency)
    is_taxed = Decimal(str(totals.get("gross") or 0)) != Decimal(str(totals.get("net") or 0))
    note = (_("%(gross)s with tax") if is_taxed else _("%(gross)s, no tax is added")) % {"gross": gross}
    return Key(label, q.money(totals.get("net"), currency, digits=0), note)


def _power(reading: Reading) -> Key:
    watts = dig(reading.candidate, "facility", "power_watts") or {}
    if not watts:
        return Key(_("Power at the wall"), q.EMPTY, "")
    band = q.power_band(watts.get("low"), watts.get("high"))
    return Key(_("Power at the wall"), q.power(watts.get("expected")), _("90%% band %(band)s") % {"band": band})


def _ready(reading: Reading) -> Key:
    """Say how long it takes from the order; the work alone stands in the note, and in the picture below."""
    label = _("From the order to the result") if reading.is_training else _("From the order to the service")
    found = dig(reading.candidate, "ready") or {}
    work = _work(reading)
    if not found.get("days_from_order"):
        missing = _("lead times are missing: ask the supplier") if reading.candidate else ""
        return Key(label, Quantity(_("not known")), "; ".join(part for part in (missing, work) if part))
    parts = {"delivery": comparisons.days(found["delivery_days"]["expected"])}
    delivery = _("delivery %(delivery)s by the supplier’s offer") % parts
    if not found.get("delivery_offer"):
        delivery = _("delivery %(delivery)s as usual, no supplier’s word yet") % parts
    installation = _("installation %(days)s") % {"days": comparisons.days(found["installation_days"]["expected"])}
    band = _("range %(band)s") % {"band": comparisons.days_band(found["days_from_order"])}
    by = by_date(reading)
    wanted = _("wanted by %(day)s") % {"day": by.shown} if by is not None else ""
    note = "; ".join(part for part in (wanted, band, delivery, installation, work) if part)
    return Key(label, comparisons.days(found["days_from_order"]["expected"]), note)


def _work(reading: Reading) -> str:
    """Say how long the work itself takes, or how soon a service answers, with the band."""
    found = band_of(reading.speed, "seconds_to_result")
    if found:
        expected, low, high = found
        unit = q.fitting_unit(expected, reading.deadline_seconds or high)
        said = {
            "time": q.duration(expected, unit),
            "band": q.band(q.duration(low, unit), q.duration(high, unit)),
            "limit": reading.deadline_word,
        }
        if reading.deadline_seconds:
            return _("the work %(time)s, %(band)s, %(limit)s") % said
        return _("the work %(time)s, %(band)s") % said
    first = band_of(reading.speed, "ttft_ms")
    if not first:
        return ""
    ends = q.band(Quantity(q.number(first[1])), Quantity(q.number(first[2])))
    return _("first word after %(time)s, %(band)s") % {"time": q.figure(first[0], "ms"), "band": ends}


def _used(reading: Reading) -> Key:
    device, capacity = used(reading.memory), reading.memory.get("capacity")
    if not capacity or not device.get("expected"):
        return Key(_("Memory used, each GPU"), q.gib(device.get("expected")), "")
    said = {"high": q.percent(device["high"] / capacity)}
    return Key(
        _("Memory used, each GPU"),
        q.percent(device["expected"] / capacity),
        _("%(high)s at the upper edge of the band") % said,
    )
