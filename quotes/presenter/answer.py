"""Page one of a document: what to buy, why, when it is ready, how sure, and what is still open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from quotes.charts.memory import used
from quotes.presenter import own_or_rent, pictures, words
from quotes.presenter import quantities as q
from quotes.presenter.blocks import Block, Item, caution, picture
from quotes.presenter.by_date import by_date
from quotes.presenter.deal import budget, open_budget
from quotes.presenter.engine_words import is_of_price, say
from quotes.presenter.key_figures import Key, keys
from quotes.presenter.open_points import open_points
from quotes.presenter.reading import Reading, band_of, dig, limit

MOST_OPEN = 3
OPEN_LENGTH = 100
REASON_LENGTH = 140
MOST_REASONS = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """Page one."""

    kicker: str
    title: str
    standfirst: str
    reasons_title: str
    notice: str
    keys: tuple[Key, ...]
    pictures: tuple[Block, ...]
    reasons: tuple[str, ...]
    open_items: tuple[Item, ...]
    open_note: str
    caution: Block | None


def answer(reading: Reading) -> Answer:
    """Say the answer of a snapshot on one page."""
    points = open_points(reading)
    notice = _notice(reading)
    most = MOST_OPEN - bool(notice)
    rest = len(points) - most
    return Answer(
        kicker=_kicker(reading),
        title=title(reading),
        standfirst=standfirst(reading),
        reasons_title=_("Why this one") if reading.does_the_job else _("What stands in the way"),
        notice=notice,
        keys=tuple(keys(reading)),
        pictures=tuple(_pictures(reading)),
        reasons=tuple(shorten(one, REASON_LENGTH) for one in _reasons(reading))[:MOST_REASONS],
        open_items=tuple(Item(shorten(one.short, OPEN_LENGTH), status=one.state) for one in points[:most]),
        open_note=ngettext("And %(count)s more point.", "And %(count)s more points.", rest) % {"count": rest}
        if rest > 0
        else "",
        caution=_caution(reading),
    )


def shorten(text: str, length: int) -> str:
    """Cut a text for page one, which must not spill; the whole of it stands in its section."""
    if len(text) <= length:
        return text
    cut = text[:length]
    head = cut.rpartition(" ")[0]
    return f"{head if len(head) > length // 2 else cut}…"


def title(reading: Reading) -> str:
    """Say what to buy, in one line."""
    if not reading.does_the_job:
        return _("No configuration in the catalog keeps every limit")
    said = {
        "platform": reading.platform,
        "gpu": reading.gpu_short.replace(" ", q.NO_BREAK),
        "per_node": int(dig(reading.candidate, "gpus_per_node") or 1),
        "nodes": reading.nodes,
    }
    if reading.is_quote:
        if reading.nodes == 1:
            return _("Buy one %(platform)s with %(per_node)s × %(gpu)s") % said
        return _("Buy %(nodes)s × %(platform)s, each with %(per_node)s × %(gpu)s") % said
    if reading.nodes == 1:
        found = _("One %(platform)s with %(per_node)s × %(gpu)s does the job") % said
    else:
        found = _("%(nodes)s × %(platform)s, each with %(per_node)s × %(gpu)s, do the job") % said
    return _("%(answer)s; whether it keeps the budget is open") % {"answer": found} if open_budget(reading) else found


def standfirst(reading: Reading) -> str:
    """Say what the machine will do and by when."""
    if not reading.does_the_job and reading.candidate:
        said = {"nodes": reading.nodes, "platform": reading.platform, "gpus": reading.gpus, "gpu": reading.gpu_short}
        return _("Nearest: %(nodes)s × %(platform)s, %(gpus)s × %(gpu)s in all. Figures below are of it.") % said
    method = words.of(words.SHORT_METHODS, reading.method)
    said = {"model": reading.model_title, "method": method[:1].upper() + method[1:]}
    if not reading.is_training:
        users = reading.workload.get("concurrency")
        if users:
            said["users"] = q.number(users)
            return _("A service on %(model)s for %(users)s requests at the same time. Weights do not change.") % said
        return _("A service on %(model)s. Weights do not change.") % said
    tokens = reading.estimate.get("tokens") or reading.workload.get("tokens")
    said["tokens"] = q.large(tokens)
    if tokens:
        return _("%(method)s of %(model)s on %(tokens)s tokens in all.") % said
    return _("%(method)s of %(model)s.") % said


def _kicker(reading: Reading) -> str:
    if reading.kind == "preliminary":
        return _("Sizing of a GPU server: calculated, not an offer")
    return _("Recommendation for a GPU server")


def _notice(reading: Reading) -> str:
    if reading.kind == "preliminary":
        return _(
            "Calculated by the program, not yet checked by a person. It is not an offer: nothing here binds you or us. "
            "What we assumed is listed with its reason."
        )
    if reading.kind == "draft":
        return _("Draft, not an offer. Open points are marked; after they are confirmed the quote gets a number.")
    return ""


def _pictures(reading: Reading) -> Iterator[Block]:
    drawn = pictures.memory_picture(reading.memory, reading.gpu_name)
    if drawn:
        lead = _("The upper edge of the band fits the card.")
        if reading.memory.get("fits") is False:
            lead = _("The upper edge of the band does not fit the card.")
        text = _("Memory of one GPU at the peak, GiB")
        yield picture("memory_paper", drawn, lead=lead, text=text)
    time = pictures.time_picture(reading.speed, reading.deadline_seconds, reading.deadline_word)
    if time:
        yield picture("amount_paper", time, lead=_time_lead(reading), text=_("Time from the start"))
    elif not reading.is_training:
        load = pictures.load_picture(reading.speed, reading.workload)
        if load:
            yield picture("amount_paper", load, lead=load["lead"], text=load["axis"])


def _time_lead(reading: Reading) -> str:
    found, deadline = band_of(reading.speed, "seconds_to_result"), reading.deadline_seconds
    if not found or deadline is None:
        return _("How long the work takes.")
    if not reading.has_own_deadline:
        return _("How long the work takes, against a limit that we assumed.")
    by = by_date(reading)
    if found[2] <= deadline and by is not None and not by.is_sure:
        return _("The work fits the time that is left for it, the band included; the day depends on the delivery.")
    if found[2] <= deadline:
        return _("The work is done within the deadline, the band included.")
    return _("The upper edge of the band is past the deadline.")


def _reasons(reading: Reading) -> Iterator[str]:
    if not reading.does_the_job:
        yield from (say(one) for one in dig(reading.candidate, "reasons_against") or [])
        return
    by, limits = by_date(reading), budget(reading)
    if by is not None and by.verdict:
        yield by.verdict
    if limits is not None and limits.is_kept:
        yield limits.verdict
    device, capacity = used(reading.memory), reading.memory.get("capacity")
    if capacity and device.get("high"):
        yield _("A GPU needs %(expected)s, at the upper edge %(high)s; the card has %(capacity)s.") % {
            "expected": q.gib(device["expected"]),
            "high": q.gib(device["high"]),
            "capacity": q.gib(capacity),
        }
    given = dig(reading.candidate, "reasons_for") or []
    kept = (one for one in given if "live data" not in one and "every wish" not in one)
    yield from (say(one) for one in kept if not (reading.is_quote and is_of_price(one)))
    feed, watts = limit(reading.dig("input", "limits"), "rack_power_watts"), dig(reading.candidate, "facility")
    high = dig(watts, "node_power_watts", "high")
    if isinstance(feed, int | float) and high and high <= feed:
        yield _("One server draws up to %(power)s, your rack gives %(limit)s.") % {
            "power": q.power(high),
            "limit": q.power(feed),
        }


def _caution(reading: Reading) -> Block | None:
    lead = _("When not to buy.")
    limits = budget(reading)
    if limits is not None and limits.is_kept is False:
        return caution(_("Over the budget."), limits.verdict)
    if open_budget(reading):
        return caution(_("Whether it keeps your budget is not known."), open_budget(reading))
    money = own_or_rent.comparison(reading)
    hours, comparable = dig(money, "hours_per_day_to_pay", "expected"), own_or_rent.is_comparable(money)
    if comparable and hours:
        said = {
            "hours": q.significant(hours, 2),
            "rent": q.money(dig(money, "rent", "median"), str(money.get("currency") or "")),
        }
        return caution(
            lead,
            _("Rented GPUs at %(rent)s an hour are cheaper while yours would work less than %(hours)s h a day.") % said,
        )
    if comparable:
        text = _("At today’s rents an own server does not pay back at any use; it is bought for other reasons.")
        return caution(lead, text)
    given = dig(reading.candidate, "reasons_against") or []
    against = [say(one) for one in given if not (reading.is_quote and is_of_price(one))]
    return caution(_("What speaks against it."), " ".join(against[:2])) if against and reading.does_the_job else None
