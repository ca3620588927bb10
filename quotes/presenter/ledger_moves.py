"""What the ends of an assumption's range would change, in words: only figures that differ from those of now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quotes.presenter import quantities as q
from quotes.presenter import words
from quotes.presenter.engine_words import say
from quotes.presenter.quantities import Quantity

ENDS = ("low", "high")
SAME = 0.005
"""Share of a figure below which a difference is not said."""
PLAN = {
    "micro_batch": gettext_lazy("Micro-batch"),
    "activation_checkpointing": gettext_lazy("Recomputation of activations"),
    "sharding": gettext_lazy("Sharding of states"),
    "offload": gettext_lazy("Offload to the host"),
    "data": gettext_lazy("Data parallel"),
    "tensor": gettext_lazy("Tensor parallel"),
    "pipeline": gettext_lazy("Pipeline parallel"),
    "context": gettext_lazy("Context parallel"),
}


def ends(moves: Any, unit: str) -> list[str]:
    """Say for each end that the engine recomputed what it changes."""
    if not isinstance(moves, Mapping):
        return []
    now = moves.get("now")
    found = [moves[name] for name in ENDS if isinstance(moves.get(name), Mapping)]
    return [_end(end, now if isinstance(now, Mapping) else {}, unit) for end in found]


def _end(end: Mapping[str, Any], now: Mapping[str, Any], unit: str) -> str:
    effects = [*_figures(end, now), *_plan(end.get("plan") or {})]
    said = {"value": _value(end.get("value"), unit), "effects": "; ".join(effects)}
    if end.get("does_the_job") is False:
        if not effects:
            return _("%(value)s: no longer does the job") % said
        return _("%(value)s: no longer does the job; %(effects)s") % said
    if end.get("smaller_does"):
        if not effects:
            return _("%(value)s: a smaller machine of this kind does the job") % said
        return _("%(value)s: a smaller machine of this kind does the job; %(effects)s") % said
    return _("%(value)s: %(effects)s") % said if effects else _("%(value)s: nothing changes") % said


def _value(given: Any, unit: str) -> str:
    return say(words.word(given)) if isinstance(given, str) else str(q.figure(given, unit))


def _figures(end: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    shown: tuple[tuple[str, str, Any], ...] = (
        ("device_high_bytes", _("memory of a GPU up to %(then)s"), q.gib),
        ("seconds", _("time %(then)s"), q.duration),
        ("seconds_high", _("time up to %(then)s"), q.duration),
        ("ttft_ms", _("first word after %(then)s"), _milliseconds),
        ("tpot_ms", _("each further word %(then)s"), _milliseconds),
        ("output_tokens_per_second", _("%(then)s tokens a second for all users"), q.number),
        ("max_concurrency", _("room for %(then)s requests"), q.number),
        ("storage_bytes", _("drives %(then)s"), q.gigabytes),
        ("host_bytes", _("host memory of a node %(then)s"), q.gigabytes),
        ("lost_seconds", _("%(then)s lost by a failure"), q.duration),
    )
    for name, text, write in shown:
        then, before = end.get(name), now.get(name)
        if then is None or (before is not None and abs(then - before) <= SAME * abs(before)):
            continue
        unit = (q.duration_unit(then),) if write is q.duration else ()
        found = text % {"then": write(then, *unit)}
        yield _("%(found)s (now %(before)s)") % {"found": found, "before": write(before, *unit)} if before else found


def _milliseconds(value: float) -> Quantity:
    return q.figure(round(value), "ms")


def _plan(plan: Mapping[str, Any]) -> Iterator[str]:
    for name, label in PLAN.items():
        if name in plan:
            yield _("%(name)s: %(value)s") % {"name": label, "value": words.word(plan[name])}
