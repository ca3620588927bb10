"""The machine that the customer had in mind, beside the recommended and the smallest one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import cloud_tables, own_or_rent, price_limit, words
from quotes.presenter import quantities as q
from quotes.presenter.blocks import Block, note, tabled
from quotes.presenter.engine_words import say
from quotes.presenter.memory import without_size
from quotes.presenter.reading import Reading, band_of, count_of, dig
from quotes.presenter.tables import Cell, Column, strong, table

LABEL = "in_mind"
BESIDE = (LABEL, "recommended", "smallest")
Candidate = Mapping[str, Any]


def finding(reading: Reading) -> str:
    """Say plainly whether the machine in mind does the job, in what time, and why it isn't the recommended one."""
    return said(reading.output)


def said(output: Mapping[str, Any]) -> str:
    """Say it from an answer alone; empty where nothing was in mind."""
    found = output.get("in_mind")
    if not found:
        return ""
    name = f"{found['gpus']}{q.NO_BREAK}× {without_size(str(found['gpu_name']))}"
    why = " ".join(say(text) for text in found["reasons"])
    if not found["does_the_job"]:
        return _("What you had in mind, %(name)s, does not do the job. %(why)s") % {"name": name, "why": why}
    one = of_answer(output)
    time = _time(one) if one else q.NOTHING
    if time == q.NOTHING:
        text = _("What you had in mind, %(name)s, does the job.") % {"name": name}
    else:
        text = _("What you had in mind, %(name)s, does the job: in %(time)s.") % {"name": name, "time": time}
    reason = _("It is also what is recommended.") if found["is_recommended"] else why
    return " ".join(filter(None, (text, reason, _pays(one) if one else "")))


def _pays(one: Candidate) -> str:
    """Say whether the machine in mind is worth owning at the use that was stated, or at which price it would be."""
    found = one.get("economics") or {}
    if not own_or_rent.is_comparable(found):
        return price_limit.pays_below(found) if price_limit.limits(found) else ""
    hours, months = dig(found, "hours_per_day_to_pay", "expected"), dig(found, "months_to_pay", "expected")
    use = own_or_rent.use_of(found)
    if hours is None:
        return _("At these prices renting it stays cheaper at any use.")
    if not own_or_rent.pays_in_time(found):
        return _("At %(use)s renting it stays cheaper; owning pays above %(hours)s.") % {
            "use": use, "hours": q.figure(round(hours, 1), "h/day"),
        }  # fmt: skip
    said = {"use": use, "months": q.figure(round(months), "months")}
    return _("At %(use)s owning it pays after %(months)s.") % said


def of_answer(output: Mapping[str, Any]) -> Candidate | None:
    """Give the candidate that stands for the machine in mind; None where it could not be placed."""
    return next((one for one in output.get("candidates") or [] if LABEL in (one.get("labels") or [])), None)


def side_by_side(reading: Reading) -> list[Block]:
    """Give the machine in mind beside the recommended and the smallest one; nothing where it could not be placed."""
    shown = _beside(reading)
    if not shown:
        return []
    lines: list[list[Any]] = [
        [_("Server"), *(str(one.get("platform_title") or "") for one in shown)],
        [_("Does the job"), *(words.yes(one.get("does_the_job") is not False) for one in shown)],
        [_("Time to result, 90% band"), *(_time(one) for one in shown)],
        [_("Published prices"), *(_price(one) for one in shown)],
    ]
    return [tabled(_table(shown, [*lines, *_money(reading, shown)])), *_notes(reading, shown)]


def money(reading: Reading) -> list[Block]:
    """Give own against cloud of the machine in mind beside the others, at the hours of use that are asked about."""
    shown = _beside(reading)
    rows = _money(reading, shown) if shown else []
    return [tabled(_table(shown, rows)), *_notes(reading, shown)] if rows else []


def _table(shown: list[Candidate], rows: list[list[Any]]) -> Any:
    roles = (words.labels([name for name in one["labels"] if name in BESIDE]) for one in shown)
    columns = [Column(""), *(Column(role) for role in roles)]
    names = [f"{count_of(one)}{q.NO_BREAK}× {without_size(str(one.get('gpu_name') or ''))}" for one in shown]
    rows = [[_("GPUs"), *(strong(name) for name in names)], *rows]
    return table(f"compare{len(shown)}", columns, rows, caption=_("Beside what is recommended"), css="long")


def _beside(reading: Reading) -> list[Candidate]:
    if of_answer(reading.output) is None:
        return []
    every = reading.output.get("candidates") or []
    found = (next((one for one in every if label in (one.get("labels") or [])), None) for label in BESIDE)
    shown: dict[Any, Candidate] = {one["rank"]: one for one in found if one is not None}
    return list(shown.values())


def _money(reading: Reading, shown: list[Candidate]) -> list[list[Any]]:
    """Rows of money: rent; months and hours to pay of whole prices; the price below which owning pays, at each use."""
    found = [_economics(reading, one) for one in shown]
    rows: list[list[Any]] = [[_("Rent of one GPU, an hour"), *(_rent(one) for one in found)]]
    for use in _uses(found):
        label = _("Months until it has paid, at %(use)s") % {"use": q.figure(use, "h/day")}
        rows.append([label, *(_cell(one, _at(one, use, "months_to_pay")) for one in found)])
    if any(own_or_rent.is_comparable(one) for one in found):
        label = _("Hours of use a day from which it pays")
        rows.append([label, *(_cell(one, one.get("hours_per_day_to_pay")) for one in found)])
    below = [price_limit.limits(one) for one in found]
    for use in _uses(below):
        label = _("Pays if the server costs less than, at %(use)s") % {"use": q.figure(use, "h/day")}
        rows.append([label, *(_below(*pair, use) for pair in zip(found, below, strict=True))])
    return rows if any(one.get("rent") for one in found) else []


def _uses(found: list[Mapping[str, Any]]) -> list[float]:
    return sorted({row["hours_per_day"] for one in found for row in one.get("by_hours") or []})


def _economics(reading: Reading, one: Candidate) -> Mapping[str, Any]:
    """Own against rented of a candidate; the chosen one of a quote with the quote's own total."""
    if one.get("rank") == dig(reading.candidate, "rank") and reading.is_quote:
        return own_or_rent.comparison(reading)
    return one.get("economics") or {}


def _at(found: Mapping[str, Any], use: float, name: str) -> Any:
    return next((row[name] for row in found.get("by_hours") or [] if row["hours_per_day"] == use), None)


def _cell(found: Mapping[str, Any], ends: Any) -> Cell | str:
    """Months or hours; why there are none where the price is not whole."""
    if not own_or_rent.is_comparable(found):
        return Cell(q.NOTHING, sub=say(str(found.get("reason") or "")))
    return q.NOTHING if ends is None else cloud_tables.ends(ends)


def _below(found: Mapping[str, Any], limits: Mapping[str, Any], use: float) -> str:
    return price_limit.about(_at(limits, use, "expected"), str(found.get("currency") or "")) if limits else q.NOTHING


def _rent(found: Mapping[str, Any]) -> str:
    rent = found.get("rent") or {}
    currency = str(rent.get("currency") or "")
    if not rent:
        return q.NOTHING
    band = q.band(q.money(rent["low"], currency), q.money(rent["high"], currency))
    return f"{q.money(rent['median'], currency)} ({band})" if rent["low"] != rent["high"] else str(band)


def _notes(reading: Reading, shown: list[Candidate]) -> Iterator[Block]:
    found = [_economics(reading, one) for one in shown]
    if any(own_or_rent.is_comparable(one) for one in found):
        yield note(_("In brackets: dearest rent and lowest price, to the opposite."))


def _price(one: Candidate) -> Cell:
    price = one.get("price") or {}
    if price.get("low") is None:
        return Cell(str(q.money(None)))
    currency = str(price.get("currency") or "")
    band = q.band(q.money(price["low"], currency, digits=0), q.money(price["high"], currency, digits=0))
    if price.get("is_complete"):
        return Cell(str(band))
    counted = {"priced": price["lines_priced"], "total": price["lines_total"]}
    return Cell(str(band), sub=_("%(priced)s of %(total)s lines have a price") % counted)


def _time(one: Candidate) -> str:
    found = band_of(dig(one, "estimate", "speed") or {}, "seconds_to_result")
    if not found:
        return q.NOTHING
    unit = q.duration_unit(found[2])
    return f"{q.duration(found[0], unit)} ({q.band(q.duration(found[1], unit), q.duration(found[2], unit))})"
