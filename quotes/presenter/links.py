"""What the links between GPUs are worth for the customer's own job: time with them, over PCIe, and what is lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import quantities as q
from quotes.presenter import words
from quotes.presenter.blocks import Block, note, tabled
from quotes.presenter.machine_names import gpus_of, servers_of
from quotes.presenter.reading import Reading, dig
from quotes.presenter.tables import Cell, Row, row, table

PLAN_MATTERS = 0.005
"""Difference of two losses from which both are said [–]."""


def blocks(reading: Reading) -> list[Block]:
    """Give the table of machines with their links and over PCIe, and how to read it; nothing where there are none."""
    found = _rows(reading)
    if not found:
        return []
    has_times = any(dig(one, side, "seconds") for one in found for side in ("with_link", "over_pcie"))
    measure = _("Time") if has_times else _("Tokens a second")
    columns = [
        (_("The same job by link"), "text"),
        (_("%(measure)s with its links") % {"measure": measure}, "num"),
        (_("%(measure)s over PCIe") % {"measure": measure}, "num"),
        (_("Lost over PCIe"), "num"),
    ]
    made = table("links", columns, [_row(one) for one in found], css="long")
    explained = _(
        "Lost is a share of the speed on the same GPUs, with the plan that suits PCIe best. “Exchange” is the share of "
        "a step that waits for other GPUs. GPUs of one class stand in equal number; their own speed and memory differ."
    )
    return [tabled(made), note(explained)]


def finding(reading: Reading) -> str:
    """Say in a sentence what PCIe instead of fast links would cost; empty where nothing was compared."""
    found = _rows(reading)
    if not found:
        return ""
    parts = []
    own = next((one for one in found if one.get("is_recommended") and one.get("lost") is not None), None)
    if own is not None:
        said = {"name": _name(own), "share": q.percent(own["lost"])}
        parts.append(_("Without its fast links %(name)s would lose %(share)s of the speed on this job.") % said)
    else:
        parts.append(_("What is recommended has no fast links to lose."))
    lost = [one["lost"] for one in found if one.get("lost") is not None]
    if len(lost) > 1:
        said = {"low": q.percent(min(lost)), "high": q.percent(max(lost))}
        text = _("Over the machines compared it is %(low)s to %(high)s; guides say “up to 40 %%” whatever the job.")
        if said["low"] == said["high"]:
            text = _("Over the machines compared it is %(high)s; guides say “up to 40 %%” whatever the job.")
        parts.append(text % said)
    return " ".join(parts)


def _rows(reading: Reading) -> list[Mapping[str, Any]]:
    return list(reading.output.get("links") or [])


def _name(one: Mapping[str, Any]) -> str:
    return ", ".join(filter(None, (gpus_of(one, is_short=True), servers_of(one))))


def _row(one: Mapping[str, Any]) -> Row:
    link = words.word(str(one.get("link") or ""))
    if int(one.get("link_reach") or 0) < int(one["gpus_per_node"]):
        link = _("%(link)s in groups of %(count)s") % {"link": link, "count": one["link_reach"]}
    sold = (
        _("%(link)s; also sold with PCIe alone") if one.get("is_sold_without") else _("%(link)s; PCIe for comparison")
    )
    sub = _("PCIe alone") if one.get("link") == "pcie" else sold % {"link": link}
    if one.get("is_recommended"):
        sub = _("recommended") + "; " + sub
    has_link = one.get("link") != "pcie"
    return row(
        Cell(_name(one), sub=sub),
        _side(one.get("with_link")) if has_link else q.NOTHING,
        _side(one.get("over_pcie")),
        _lost(one),
        kind="total" if one.get("is_recommended") else "",
    )


def _side(found: Mapping[str, Any] | None) -> Cell:
    if not found:
        return Cell(_("does not fit"))
    waits = _("exchange %(share)s") % {"share": q.percent(found["exposed_share"])}
    seconds = found.get("seconds")
    if found.get("tpot_ms") is not None:
        return _service(found, waits)
    if not seconds:
        return Cell(q.number(round(found["tokens_per_second"])), sub=waits)
    late = "" if found["does_the_job"] else "; " + _("too late")
    unit = q.duration_unit(seconds["high"])
    band = q.band(q.duration(seconds["low"], unit), q.duration(seconds["high"], unit))
    return Cell(str(q.duration(seconds["expected"], unit)), sub=f"{band}; {waits}{late}")


def _service(found: Mapping[str, Any], waits: str) -> Cell:
    """Throughput of a service, with its times, the GPUs for its load, and whether it keeps its limits here."""
    said = {"first": q.figure(found["ttft_ms"], "ms"), "each": q.figure(found["tpot_ms"], "ms")}
    parts = [_("first word %(first)s, each further %(each)s") % said, waits]
    parts.append(
        _("%(count)s GPUs for the load") % {"count": q.number(found["gpus"])}
        if found.get("gpus")
        else _("no number of GPUs keeps the limits")
    )
    if not found["does_the_job"]:
        parts.append(_("the limits are not kept"))
    return Cell(q.number(round(found["tokens_per_second"])), sub="; ".join(parts))


def _lost(one: Mapping[str, Any]) -> Cell:
    lost, same = one.get("lost"), one.get("lost_same_plan")
    if lost is None:
        return Cell(q.NOTHING)
    apart = same is not None and same - lost > PLAN_MATTERS
    sub = _("%(share)s with the same plan") % {"share": q.percent(same)} if apart else ""
    return Cell(str(q.percent(lost)), sub=sub)
