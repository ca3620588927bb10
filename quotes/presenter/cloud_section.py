"""Own against rented: money only; the other reasons stand beside the number, never inside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import cloud_tables, exchange, in_mind, own_or_rent, pictures, price_limit
from quotes.presenter import quantities as q
from quotes.presenter.assumptions import label
from quotes.presenter.blocks import Block, Item, Section, heading, listed, note, picture, section, tabled
from quotes.presenter.deal import deal
from quotes.presenter.engine_words import say
from quotes.presenter.reading import Reading, dig

MOST_SWINGS = 7


def cloud_section(reading: Reading) -> Section:
    """Give section 10."""
    title = _("Own or cloud")
    found = own_or_rent.comparison(reading)
    if not found:
        return section("cloud", "10", title, _("Not compared: the calculation holds no prices to compare."))
    if own_or_rent.is_comparable(found):
        return section("cloud", "10", title, _finding(found), _compared(reading, found))
    if price_limit.limits(found):
        return section("cloud", "10", title, price_limit.finding(reading, found), _limited(reading, found))
    return section("cloud", "10", title, _incomplete(reading, found), _one_side(reading, found))


def brief(reading: Reading) -> Section:
    """Give section 10 without its tables, for the short document: the finding, when not to buy, the exchange rate."""
    title = _("Own or cloud")
    found = own_or_rent.comparison(reading)
    if own_or_rent.is_comparable(found):
        reasons = listed(Item(text) for text in when_not_to_buy(found))
        return section("cloud", "10", title, _finding(found), [reasons, *_rates(reading, found)])
    if price_limit.limits(found):
        reasons = listed(Item(text) for text in price_limit.when_not_to_buy(found))
        finding = price_limit.finding(reading, found)
        return section("cloud", "10", title, finding, [reasons, *_rates(reading, found)])
    return section("cloud", "10", title, _incomplete(reading, found))


def _limited(reading: Reading, found: Mapping[str, Any]) -> list[Block | None]:
    """Say below which price owning pays, where the whole price is not known."""
    hours, moved = price_limit.by_hours(found), price_limit.swings(found, MOST_SWINGS)
    return [
        tabled(price_limit.by_time(found)),
        tabled(hours) if hours else None,
        *_unpriced(reading),
        *_not_to_buy(price_limit.when_not_to_buy(found)),
        _price_swings(found),
        tabled(moved) if moved else None,
        tabled(cloud_tables.rents(found)),
        *_rents(reading, found),
        *_basis(reading, found),
        *_beside(found),
    ]


def _unpriced(reading: Reading) -> list[Block | None]:
    named = price_limit.unpriced(reading)
    if not named:
        return []
    return [heading(_("Lines without a price")), listed(Item(text) for text in named)]


def _not_to_buy(sentences: Iterator[str]) -> list[Block]:
    return [heading(_("When not to buy")), listed(Item(text) for text in sentences)]


def _basis(reading: Reading, found: Mapping[str, Any]) -> list[Block | None]:
    return [_not_counted(found), *_rates(reading, found)]


def _rates(reading: Reading, found: Mapping[str, Any]) -> list[Block]:
    """Say at which rates amounts were converted."""
    rates = [found.get("exchange"), found.get("price_exchange")]
    known = {str(one): one for one in rates if one}
    return [note(exchange.said(one, reading)) for one in known.values()]


def _compared(reading: Reading, found: Mapping[str, Any]) -> list[Block | None]:
    parts, hours = cloud_tables.by_part(found), cloud_tables.by_hours(found)
    return [
        _curve(found),
        tabled(cloud_tables.sums(found)),
        tabled(hours) if hours else None,
        tabled(parts) if parts else None,
        *_not_to_buy(when_not_to_buy(found)),
        *_what_moves(found),
        *_in_mind(reading),
        *_rents(reading, found),
        tabled(price_limit.by_time(found)) if price_limit.limits(found) else None,
        *_basis(reading, found),
        *_beside(found),
    ]


def _one_side(reading: Reading, found: Mapping[str, Any]) -> list[Block | None]:
    if not found.get("rent"):
        ask = _("Give us the rate of your own quote for the cloud, with its date, and we compare with it.")
        return [note(ask), *_in_mind(reading), *_beside(found)]
    return [tabled(cloud_tables.rents(found)), *_in_mind(reading), *_rents(reading, found), *_beside(found)]


def _in_mind(reading: Reading) -> list[Block]:
    found = in_mind.money(reading)
    return [heading(_("What you had in mind")), *found] if found else []


def _beside(found: Mapping[str, Any]) -> list[Block]:
    reasons = listed(Item(say(text)) for text in found.get("reasons_beside_money") or [])
    return [heading(_("Reasons beside money")), reasons]


def _rents(reading: Reading, found: Mapping[str, Any]) -> list[Block | None]:
    offers = cloud_tables.offers(reading, found)
    if offers is None:
        return []
    stale = cloud_tables.stale_count(reading, found)
    said = {"count": stale, "months": cloud_tables.FRESH_MONTHS}
    warning = _("Older than %(months)s months, so perhaps no longer true: %(count)s of these prices.") % said
    return [tabled(offers), note(warning) if stale else None]


def _incomplete(reading: Reading, found: Mapping[str, Any]) -> str:
    money, price = deal(reading), dig(reading.candidate, "price") or {}
    if not found.get("known") and found.get("reason") and not (reading.is_quote and found.get("rent")):
        return _("Not compared. %(reason)s") % {"reason": say(found.get("reason"))}
    if reading.is_quote and money.is_complete:
        said = {"own": money.currency, "rent": dig(found, "rent", "currency") or found.get("currency") or ""}
        if said["own"] == said["rent"]:
            return _("Not compared. %(reason)s") % {"reason": say(found.get("reason"))}
        return _("The quote is in %(own)s, the rents are in %(rent)s: not comparable.") % said
    said = {"priced": price.get("lines_priced"), "total": price.get("lines_total")}
    if reading.is_quote:
        said = {"priced": money.firm, "total": money.lines}
    return _("Only %(priced)s of %(total)s lines have a price: not comparable.") % said


def _finding(found: Mapping[str, Any]) -> str:
    hours, months = dig(found, "hours_per_day_to_pay", "expected"), dig(found, "months_to_pay", "expected")
    said = {"hours": q.figure(hours, "h/day"), "months": q.figure(months and round(months), "months"),
            "use": own_or_rent.use_of(found)}  # fmt: skip
    if own_or_rent.pays_in_time(found):
        if hours is None or dig(found, "case", "is_reserved"):
            return _("At %(use)s the own server has paid for itself after %(months)s.") % said
        return _("At %(use)s the own server has paid for itself after %(months)s; it pays above %(hours)s.") % said
    if hours is not None:
        return _("At %(use)s renting stays cheaper; owning pays above %(hours)s.") % said
    return _("At these prices renting stays cheaper at any use.")


def when_not_to_buy(found: Mapping[str, Any]) -> Iterator[str]:
    """Say as plainly as the rest when renting is the better choice."""
    hours, months = dig(found, "hours_per_day_to_pay", "expected"), dig(found, "months_to_pay", "expected")
    said = {"hours": q.figure(hours, "h/day"), "years": q.figure(own_or_rent.input_of(found, "years"), "years"),
            "use": q.figure(own_or_rent.input_of(found, "hours_per_day"), "h/day"),
            "months": q.figure(months and round(months), "months")}  # fmt: skip
    if not own_or_rent.pays_in_time(found):
        yield _("Do not buy for the sake of money at %(use)s: renting then costs less.") % said
    if hours is not None and not dig(found, "case", "is_reserved"):
        yield _("Do not buy if the server is used less than %(hours)s: renting then costs less.") % said
    if own_or_rent.pays_in_time(found):
        yield _("Do not buy if the work ends within %(months)s: until then renting has cost less.") % said
    held = found.get("against_reserved") or {}
    if held.get("is_cheaper_than_on_demand"):
        after = held.get("months_to_pay")
        if after is None:
            yield _("Against a reservation, paid around the clock, owning does not pay.")
        else:
            said = {"months": q.figure(round(after), "months")}
            yield _("Against a reservation, paid around the clock, owning pays only after %(months)s.") % said


def _curve(found: Mapping[str, Any]) -> Block | None:
    drawn = pictures.break_even_curve(found)
    if drawn is None:
        return None
    return picture(
        "curves",
        drawn,
        lead=_("Money spent so far: own server and rented GPUs."),
        text=_("Thousand %(currency)s, by months of use; the resale value is taken off the own server")
        % {"currency": found.get("currency") or ""},
    )


def _what_moves(found: Mapping[str, Any]) -> list[Block | None]:
    """Give what moves the months to pay, or the price below which owning pays where no input makes the months fewer."""
    drawn, prices = cloud_tables.swings_picture(found, MOST_SWINGS), price_limit.swings(found, MOST_SWINGS)
    if drawn is None and prices is not None:
        return [_price_swings(found), tabled(prices)]
    axis = _("Months until the server has paid, with each input at its low and at its high end")
    return [_swings(drawn, axis), tabled(cloud_tables.swings(found, MOST_SWINGS)) if found.get("sensitivity") else None]


def _price_swings(found: Mapping[str, Any]) -> Block | None:
    axis = _("Price below which owning pays, with each input at its low and at its high end")
    return _swings(price_limit.swings_picture(found, MOST_SWINGS), axis)


def _swings(drawn: Mapping[str, Any] | None, axis: str) -> Block | None:
    return None if drawn is None else picture("swings", drawn, lead=_("What moves the answer most."), text=axis)


def _not_counted(found: Mapping[str, Any]) -> Block:
    text = _("Both sides are without tax.")
    missing = [label({"key": key}) for key in found.get("not_counted") or []]
    if missing:
        text += " " + _("Not counted, because nobody has given a figure: %(what)s.") % {"what": "; ".join(missing)}
    return note(text)
