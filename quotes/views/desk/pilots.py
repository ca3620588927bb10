"""Pilot runs as the desk shows them: predicted against measured, by figure and by stage, and where loads differ.

What is stored was checked by the rules of its day: a part that is missing or strange is shown as a dash or left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from quotes.models import PilotResult
from quotes.pilot.profile import OUT_OF_MEMORY
from quotes.pilot.wording import label_of, say, stage_of
from quotes.presenter import quantities as q
from quotes.presenter.quantities import Quantity
from sizing.memory.phases import LOADED, PASSES, STEP

PHASE_OF = {"load": LOADED, "forward": PASSES, "backward": PASSES, "optimizer_step": STEP}
LARGEST = 1e300


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure: predicted with its band, measured, and whether it lies within, e.g. peak 12.6, 10.9 to 14, 13.1."""

    label: str
    predicted: Quantity
    band: Quantity | None
    measured: Quantity
    is_within: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the run; what was not counted is empty."""

    label: str
    seconds: Quantity
    predicted: Quantity
    allocated: Quantity
    reserved: Quantity
    device: Quantity
    host: Quantity


@dataclass(frozen=True, slots=True)
class Row:
    """One pilot run: its verdict, its differences and its figures; of a merged request, with its reference."""

    run: PilotResult
    verdict: str
    title: str
    misses: list[tuple[str, str, str]]
    figures: list[Figure]
    stages: list[Stage]
    facts: list[tuple[str, str]]
    merged_from: str = ""


def row(run: PilotResult, *, merged_from: str = "") -> Row:
    """Give a run as the desk shows it; `merged_from` is the reference of a request that was merged into this one."""
    report = _part(_part(run.profile).get("report"))
    verdict, title = _verdict_of_merged(run) if merged_from else _verdict(run, report)
    phases = _part(_part(run.predicted).get("phases"))
    stages = [_stage(_part(one), phases) for one in _list(report.get("stages"))]
    facts = list(_facts(report))
    if _part(run.measured).get("is_for_this_load") is False:
        facts.insert(0, (_("Script"), _("downloaded for another load of the quote than the one it is compared with")))
    return Row(run, verdict, title, list(_misses(run)), list(_figures(run)), stages, facts, merged_from)


def _part(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> float | None:
    return value if q.is_number(value) and abs(value) < LARGEST else None


def _text(value: Any) -> str:
    return q.NOTHING if value in (None, "") else str(value)


def _misses(run: PilotResult) -> Iterator[tuple[str, str, str]]:
    for one in map(_part, _list(run.mismatches)):
        yield label_of(_text(one.get("name"))), say(one.get("measured")), say(one.get("quoted"))


def _verdict_of_merged(run: PilotResult) -> tuple[str, str]:
    """Say what became of the run of a request that was merged into this one."""
    if run.is_waiting:
        return "tight", _("Nobody had looked at it when the two were merged: have it uploaded again here")
    return "tight", _("Measured for the request that was merged; nothing is carried over")


def _verdict(run: PilotResult, report: dict[str, Any]) -> tuple[str, str]:
    """Say in a sentence what the run is worth."""
    if run.is_set_aside:
        return "tight", _("Set aside: nothing of it is used")
    if _part(report.get("device")).get("kind") == "cpu":
        return "tight", _("Run without a GPU: it shows that the script works, no figure is used")
    ran_out = run.outcome == OUT_OF_MEMORY
    if ran_out and run.load_matches:
        said = {"stage": stage_of(_text(_part(run.measured).get("stage")))}
        return "over", _("Measured: the quoted load does not fit. Memory ran out at: %(stage)s") % said
    if run.is_waiting and run.load_matches:
        return "tight", _("The customer measured the quoted load; nothing is used before you take it")
    if run.load_matches:
        return "fits", _("The quoted load was measured; its figures are used")
    if ran_out:
        return "tight", _("Another load ran out of memory; nothing is carried over")
    return "tight", _("Another load was measured; nothing is carried over")


def _figures(run: PilotResult) -> Iterator[Figure]:
    measures = (
        ("peak_bytes", _("Peak of allocated memory"), q.gib),
        ("step_seconds", _("Time of a step"), q.duration),
    )
    for name, label, write in measures:
        value, expected = _number(_part(run.measured).get(name)), _part(_part(run.predicted).get(name))
        if not value:
            continue
        low, high = _number(expected.get("low")), _number(expected.get("high"))
        known = low is not None and high is not None
        yield Figure(
            label,
            write(_number(expected.get("expected"))),
            q.band(write(low), write(high)) if known else None,
            write(value),
            low is not None and high is not None and low <= value <= high,
        )


def _stage(stage: dict[str, Any], phases: dict[str, Any]) -> Stage:
    name = str(stage.get("stage"))

    def memory(size_bytes: Any) -> Quantity:
        return q.gib(_number(size_bytes) or None)

    return Stage(
        label=stage_of(name),
        seconds=q.duration(_number(stage.get("seconds"))),
        predicted=memory(phases.get(PHASE_OF.get(name, ""))),
        allocated=memory(stage.get("allocated_peak_bytes")),
        reserved=memory(stage.get("reserved_peak_bytes")),
        device=memory(stage.get("device_used_bytes")),
        host=memory(stage.get("host_rss_bytes")),
    )


def _facts(report: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Say what else the profile records: machine, data, steps, loss, versions."""
    if not report:
        return
    yield _("GPU, as its driver says"), _text(_part(report.get("device")).get("name"))
    sources = {"own": _("the customer's own data"), "made up": _("made-up tokens")}
    source = _part(report.get("data")).get("source")
    if source:
        yield _("Data"), sources.get(str(source), str(source))
    weights = report.get("weights")
    if weights:
        words = {"random": _("random"), "own": _("a folder of the customer's")}
        yield _("Weights"), words.get(str(weights), str(weights))
    yield from _timing(report)
    yield from _loss(_part(report.get("loss")))
    versions = _part(report.get("versions"))
    if versions:
        yield _("Versions"), ", ".join(f"{name} {value}" for name, value in sorted(versions.items()) if value)


def _timing(report: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Say how many steps were counted, and how long they took."""
    steps = _part(report.get("steps"))
    if steps:
        names = {"all": "measured", "warmup": "warmup"}
        counted = {key: q.number(_number(steps.get(name)) or 0) for key, name in names.items()}
        yield _("Steps"), _("%(all)s counted, %(warmup)s before them") % counted
    spread = _part(report.get("step_seconds"))
    low, high = _number(spread.get("p10")), _number(spread.get("p90"))
    if low is not None and high is not None:
        yield _("Step, 10% to 90%"), str(q.band(q.duration(low), q.duration(high)))
    rate = _number(report.get("tokens_per_second"))
    if rate:
        yield _("Tokens a second"), str(q.figure(float(f"{rate:.3g}"), "tokens/s"))


def _loss(loss: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if not loss:
        return
    if not loss.get("finite"):
        yield _("Loss"), _("not finite: the run learned nothing")
        return
    said = {name: q.number(_number(loss.get(name)), 3) for name in ("first", "last")}
    fell = _("%(first)s at first, %(last)s at last: it fell") % said
    stayed = _("%(first)s at first, %(last)s at last: it did not fall") % said
    yield _("Loss"), fell if loss.get("fell") else stayed
