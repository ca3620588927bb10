"""The same job on 1, 2, 4, 8 and more of the same GPUs: time, cost, and where a further one stops paying."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from quotes.presenter import exchange, pictures
from quotes.presenter import quantities as q
from quotes.presenter.blocks import Block, note, picture, prose, tabled
from quotes.presenter.comparisons import rent_of, time_band
from quotes.presenter.reading import Reading, dig
from quotes.presenter.tables import Cell, table


def finding(reading: Reading) -> str:
    """Say in a sentence or two where more GPUs stop to pay; empty where nothing was compared."""
    points = _points(reading)
    if len(points) < 2:
        return ""
    said = {"gpu": reading.gpu_short}
    if not reading.is_training:
        return (
            _("The same service on more and on fewer %(gpu)s: how many requests at the same time each carries.") % said
        )
    worth, most = _scaling(reading).get("worth_having"), points[-1]["gpus"]
    if not worth:
        return _("The same work on more and on fewer %(gpu)s.") % said
    if worth == most:
        said |= {"count": q.number(worth)}
        return _("Up to %(count)s × %(gpu)s, the most we compared, an added GPU does half of its share or more.") % said
    text = _(
        "More GPUs of this kind are worth having up to %(count)s: beyond that an added one does less than half of its "
        "share of the work."
    )
    return text % {"count": q.number(worth)}


def blocks(reading: Reading) -> list[Block]:
    """Give the curve, its table, the rate of the rents and what the fast link is worth."""
    points = _points(reading)
    if len(points) < 2:
        return []
    found: list[Block] = []
    drawn = pictures.scaling_curve(_scaling(reading))
    if drawn is not None:
        lead = _("Speed against one GPU, by number of GPUs")
        found.append(picture("curves", drawn, lead=lead))
    found.append(_table(reading, points))
    converted = exchange.of_rents(reading, [one.get("rent") or {} for one in points])
    found += [note(converted)] if converted else []
    lost = _scaling(reading).get("lost_without_fast_link")
    if lost and not reading.output.get("links"):
        said = {"share": q.percent(lost)}
        found.append(prose(_("Without the fast link between them %(share)s of the speed would be lost.") % said))
    return found


def _scaling(reading: Reading) -> Mapping[str, Any]:
    return dig(reading.candidate, "scaling") or {}


def _points(reading: Reading) -> list[Mapping[str, Any]]:
    """Give what each number of GPUs gives; calculations of earlier versions hold the time alone."""
    return list(_scaling(reading).get("points") or [])


def _table(reading: Reading, points: list[Mapping[str, Any]]) -> Block:
    if reading.is_training:
        columns = [
            (_("More of the same GPU"), "text"),
            (_("Memory of a GPU"), "num"),
            (_("Time, 90% band"), "num"),
            (_("Added GPUs do of their share"), "num"),
            (_("Rent of the job"), "num"),
        ]
        return tabled(table("scaling", columns, [_training(reading, one) for one in points], css="long"))
    columns = [
        (_("More of the same GPU"), "text"),
        (_("Memory of a GPU"), "num"),
        (_("Requests at the same time"), "num"),
        (_("Keeps the limits"), "text"),
    ]
    return tabled(table("scaling-service", columns, [_service(reading, one) for one in points], css="long"))


def _training(reading: Reading, one: Mapping[str, Any]) -> list[Any]:
    fits = one.get("fits", True)
    time = time_band(one["seconds"]) if one.get("seconds") else q.NOTHING if fits else _("does not fit")
    gained = one.get("gained_share")
    return [
        _count(reading, one),
        _memory(one),
        time,
        q.NOTHING if gained is None else str(q.percent(gained)),
        rent_of(reading, one),
    ]


def _service(reading: Reading, one: Mapping[str, Any]) -> list[Any]:
    keeps = _("yes") if one.get("keeps_load") else _("no")
    return [
        _count(reading, one),
        _memory(one),
        q.number(one["room"]) if one.get("room") else q.NOTHING,
        keeps if one.get("fits") else _("does not fit"),
    ]


def _count(reading: Reading, one: Mapping[str, Any]) -> Cell:
    nodes = int(one.get("nodes") or 1)
    said = [ngettext("in %(nodes)s server", "in %(nodes)s servers", nodes) % {"nodes": q.number(nodes)}] * (nodes > 1)
    said += [_("with states in host memory")] * bool(one.get("is_offloaded"))
    said += [_("the one above")] * (one.get("gpus") == reading.gpus)
    return Cell(f"{one['gpus']}{q.NO_BREAK}× {reading.gpu_short}", sub=", ".join(said))


def _memory(one: Mapping[str, Any]) -> str:
    high = one.get("needed_high_bytes")
    return _("up to %(size)s") % {"size": q.gib(high)} if high else q.NOTHING
