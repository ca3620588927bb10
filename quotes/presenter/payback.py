"""When an own server of eight H100 pays: the statements of guides in words, each with the inputs that decide it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import quantities as q
from quotes.presenter.assumptions import label
from quotes.presenter.cloud_tables import label as input_label
from quotes.presenter.engine_words import say
from quotes.presenter.sources import published
from sizing.economics import BY_NAME, claims
from sizing.economics import offers as rents
from sizing.hardware_data import packaged

CURRENCY = rents.CURRENCY


def rows() -> list[Mapping[str, Any]]:
    """Give each statement under one set of inputs: what is said, under which, what comes out, whether it holds."""
    return [_row(one) for one in claims.claims()]


def _row(one: claims.Claim) -> Mapping[str, Any]:
    unit = "h/day" if one.kind == "hours" else "months"
    low, high = (q.figure(end, unit) for end in one.stated)
    use = q.figure(_round(one.hours_per_day), "h/day")
    rent = q.Quantity(q.number(one.rent_per_gpu_hour, 2), q.figure(2, f"{CURRENCY}/GPU-h").unit)
    said = {"use": use, "rent": rent, "figure": q.band(low, high)}
    return {
        "claim": (
            _("an own server pays above %(figure)s")
            if one.kind == "hours"
            else _("8 × H100 have paid after %(figure)s")
        )
        % said,
        "condition": _condition(one, said),
        "comes_out": None if one.comes_out is None else q.figure(_round(one.comes_out), unit),
        "holds": one.holds,
    }


def _condition(one: claims.Claim, said: Mapping[str, Any]) -> str:
    if one.kind == "hours":
        if one.solved:
            return _("rent from %(rent)s up") % said
        return _("rent of %(rent)s, the middle of the dated prices") % said
    if one.solved == "rent":
        return _("%(use)s, and rent from %(rent)s up") % said
    if one.solved == "hours":
        return _("from %(use)s up, at the middle rent of %(rent)s") % said
    return _("%(use)s, and the middle rent of %(rent)s") % said


def _round(value: float) -> float:
    return round(value, 1) if value < 20 else float(round(value))


def inputs() -> list[tuple[str, str, str]]:
    """Give the inputs that all statements share: name, value, where it is from."""
    return list(_inputs())


def _inputs() -> Iterator[tuple[str, str, str]]:
    case, catalog = claims.basis(), packaged()
    price = claims.bought(catalog)
    rent = rents.published(claims.GPU, catalog.cloud)
    ends = q.band(q.money(price.low, CURRENCY, 0), q.money(price.high, CURRENCY, 0))
    said = {"price": q.money(case.price, CURRENCY, 0), "ends": ends}
    yield input_label("economics.price"), _("%(price)s, middle of %(ends)s") % said, _cited(price.source, price.as_of)
    power = _("the maker's maximum for %(server)s") % {"server": catalog.platform(claims.PLATFORM).title}
    yield _("Power of a server"), str(q.power(case.power_w)), power
    if rent is not None:
        span = q.band(q.money(rent.low, CURRENCY), q.money(rent.high, CURRENCY))
        of_rents = {"rent": q.money(rent.middle, CURRENCY), "ends": span, "count": str(len(rent.rows))}
        how = _("price pages of the providers, up to %(as_of)s") % {"as_of": rent.as_of}
        yield (
            label({"key": "economics.rent_per_gpu_hour"}),
            _("%(rent)s, middle of %(count)s: %(ends)s") % of_rents,
            how,
        )
    for name, one in BY_NAME.items():
        if one.value is not None and name not in ("hours_per_day", "egress_gb_per_month"):
            yield label({"key": one.key}), str(q.figure(one.value, one.unit)), _cited(say(one.source), one.as_of)


def _cited(source: str, as_of: str | None) -> str:
    named = "; ".join(published(source, is_dated=bool(as_of))) or source
    return f"{named}, {as_of}" if as_of else named
