"""Pilot runs as the desk shows them: predicted against measured, by figure and by stage, and where loads differ."""

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
    """One pilot run: its verdict, its differences and its figures."""

    run: PilotResult
    verdict: str
    title: str
    misses: list[tuple[str, str, str]]
    figures: list[Figure]
    stages: list[Stage]
    facts: list[tuple[str, str]]


def row(run: PilotResult) -> Row:
    """Give a run as the desk shows it."""
    misses = [(label_of(one["name"]), say(one["measured"]), say(one["quoted"])) for one in run.mismatches]
    report = run.profile.get("report") or {}
    verdict, title = _verdict(run, report)
    stages = [_stage(one, run.predicted.get("phases") or {}) for one in report.get("stages") or []]
    facts = list(_facts(report))
    if run.measured.get("is_for_this_load") is False:
        facts.insert(0, (_("Script"), _("downloaded for another load of the quote than the one it is compared with")))
    return Row(run, verdict, title, misses, list(_figures(run)), stages, facts)


def _verdict(run: PilotResult, report: dict[str, Any]) -> tuple[str, str]:
    """Say in a sentence what the run is worth."""
    if (report.get("device") or {}).get("kind") == "cpu":
        return "tight", _("Run without a GPU: it shows that the script works, no figure is used")
    ran_out = run.measured.get("outcome") == OUT_OF_MEMORY
    if ran_out and run.load_matches:
        said = {"stage": stage_of(run.measured.get("stage") or "")}
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
        value, expected = run.measured.get(name), run.predicted.get(name) or {}
        if not value:
            continue
        low, high = expected.get("low"), expected.get("high")
        known = low is not None and high is not None
        guess = expected.get("expected")
        yield Figure(
            label,
            write(guess) if guess is not None else q.EMPTY,
            q.band(write(low), write(high)) if known else None,
            write(value),
            bool(known and low <= value <= high),
        )


def _stage(stage: dict[str, Any], phases: dict[str, Any]) -> Stage:
    name = stage["stage"]
    predicted = phases.get(PHASE_OF.get(name, ""))

    def memory(key: str) -> Quantity:
        return q.gib(stage[key]) if stage.get(key) else q.EMPTY

    return Stage(
        label=stage_of(name),
        seconds=q.duration(stage["seconds"]),
        predicted=q.gib(predicted) if predicted else q.EMPTY,
        allocated=memory("allocated_peak_bytes"),
        reserved=memory("reserved_peak_bytes"),
        device=memory("device_used_bytes"),
        host=memory("host_rss_bytes"),
    )


def _facts(report: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Say what else the profile records: machine, data, steps, loss, versions."""
    if not report:
        return
    yield _("GPU, as its driver says"), str(report["device"]["name"])
    sources = {"own": _("the customer's own data"), "made up": _("made-up tokens")}
    source = (report.get("data") or {}).get("source")
    if source:
        yield _("Data"), sources.get(source, source)
    weights = report.get("weights")
    if weights:
        yield _("Weights"), {"random": _("random"), "own": _("a folder of the customer's")}.get(weights, weights)
    steps = report.get("steps") or {}
    if steps:
        counted = {"all": q.number(steps.get("measured", 0)), "warmup": q.number(steps.get("warmup", 0))}
        yield _("Steps"), _("%(all)s counted, %(warmup)s before them") % counted
    spread = report.get("step_seconds") or {}
    if "p10" in spread and "p90" in spread:
        yield _("Step, 10% to 90%"), str(q.band(q.duration(spread["p10"]), q.duration(spread["p90"])))
    if report.get("tokens_per_second"):
        yield _("Tokens a second"), str(q.figure(float(f"{report['tokens_per_second']:.3g}"), "tokens/s"))
    yield from _loss(report.get("loss") or {})
    versions = report.get("versions") or {}
    if versions:
        yield _("Versions"), ", ".join(f"{name} {value}" for name, value in sorted(versions.items()) if value)


def _loss(loss: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if not loss:
        return
    if not loss.get("finite"):
        yield _("Loss"), _("not finite: the run learned nothing")
        return
    said = {"first": q.number(loss["first"], 3), "last": q.number(loss["last"], 3)}
    fell = _("%(first)s at first, %(last)s at last: it fell") % said
    stayed = _("%(first)s at first, %(last)s at last: it did not fall") % said
    yield _("Loss"), fell if loss.get("fell") else stayed
