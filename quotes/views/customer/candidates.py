"""The candidates of an estimate as the private page shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from quotes.charts.memory import used
from quotes.models import Estimate
from quotes.presenter import engine_words, plans
from quotes.presenter import quantities as q
from quotes.presenter.deal import budget_condition
from quotes.presenter.machine_names import gpus_of, server_of
from quotes.presenter.quantities import Quantity
from quotes.presenter.rejections import together
from quotes.views.customer.rows import parts_of

SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SHOWN = ("smallest", "recommended", "headroom", "article", "in_mind")
ROLES = {
    "smallest": gettext_lazy("the smallest"),
    "recommended": gettext_lazy("advised"),
    "headroom": gettext_lazy("with headroom"),
    "article": gettext_lazy("your article"),
    "in_mind": gettext_lazy("what you had in mind"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One candidate in words: name, role, platform, time, power, order of price, reasons."""

    name: str
    roles: str
    platform: str
    time: str
    time_band: str
    power: str
    power_band: str
    price: str
    price_note: str
    is_advised: bool
    reasons: list[dict[str, str]] = field(default_factory=list)


def doing(estimate: Estimate) -> dict[str, Any] | None:
    """Give the candidate that is advised, or the first, among those that keep every limit."""
    able = [one for one in estimate.candidates if one.get("does_the_job", True)]
    marked = (one for one in able if "recommended" in (one.get("labels") or []))
    return next(marked, able[0] if able else None)


def nearest(estimate: Estimate) -> dict[str, Any] | None:
    """Give name, server and reasons of what comes nearest where nothing keeps every limit."""
    one = estimate.output.get("nearest")
    if not one or doing(estimate) is not None:
        return None
    return {
        "name": gpus_of(one),
        "platform": server_of(one),
        "breaks": [engine_words.say(str(binding.get("message") or "")) for binding in one.get("binding") or []],
    }


def shown(estimate: Estimate) -> list[Shown]:
    """Give the candidates that carry a label, in the engine's order."""
    labelled = [one for one in estimate.candidates if set(one.get("labels") or []) & set(SHOWN)]
    return [_shown(one) for one in labelled]


def _shown(one: Mapping[str, Any]) -> Shown:
    labels = [label for label in SHOWN if label in (one.get("labels") or [])]
    time, band = time_of(one)
    power, power_band = power_of(one)
    price, note = price_of(one.get("price"))
    note = budget_condition(one) or note
    return Shown(
        name=gpus_of(one),
        roles=", ".join(str(ROLES[label]) for label in labels),
        platform=server_of(one),
        time=str(time),
        time_band=band,
        power=str(power),
        power_band=power_band,
        price=price,
        price_note=note,
        is_advised="recommended" in labels,
        reasons=_reasons(one),
    )


def power_of(one: Mapping[str, Any]) -> tuple[Quantity, str]:
    """Give the power of the whole candidate with its band."""
    watts = (one.get("facility") or {}).get("power_watts")
    if not watts:
        return q.EMPTY, ""
    return q.power(watts["expected"]), str(q.power_band(watts["low"], watts["high"]))


def price_of(band: Mapping[str, Any] | None) -> tuple[str, str]:
    """Give the order of a price and how much of the server it covers; a missing price is said, never zero."""
    if not band or band.get("low") is None:
        return str(q.money(None)), ""
    low, high = (q.money(round(float(band[side]), -3), band["currency"], digits=0) for side in ("low", "high"))
    if band.get("lines_priced", 0) >= band.get("lines_total", 0):
        return str(q.band(low, high)), ""
    note = _("%(priced)s of %(total)s lines have a price") % {
        "priced": band["lines_priced"],
        "total": band["lines_total"],
    }
    return str(q.band(low, high)), note


def _reasons(one: Mapping[str, Any]) -> list[dict[str, str]]:
    conditions = list(one.get("conditional") or [])
    first = conditions[:1] if budget_condition(one) else []
    against = [*(one.get("reasons_against") or []), *conditions[len(first) :]]
    found = [{"verdict": "tight", "text": engine_words.say(text)} for text in first]
    found += [{"verdict": "fits", "text": engine_words.say(text)} for text in one.get("reasons_for") or []]
    return found + [{"verdict": "tight", "text": engine_words.say(text)} for text in against]


def _flops_per_token(one: Mapping[str, Any]) -> float:
    steps = (one.get("estimate") or {}).get("derivations") or []
    return float(next((step["value"] for step in steps if step.get("key") == "speed.flops_per_token"), 0.0))


def total_compute(one: Mapping[str, Any]) -> str:
    """Write the floating-point operations of the whole run: its tokens by the operations each takes [FLOP]."""
    total = float((one.get("estimate") or {}).get("tokens") or 0.0) * _flops_per_token(one)
    if not total:
        return ""
    power = int(f"{total:e}".split("e")[1])
    return f"{q.significant(total / 10**power)} × 10{str(power).translate(SUPERSCRIPT)}\u00a0FLOP"


def compute_band(one: Mapping[str, Any]) -> str:
    """Say from what the total of operations was multiplied."""
    return _("%(tokens)s tokens, %(flops)s FLOP each") % {
        "tokens": q.large((one.get("estimate") or {}).get("tokens")),
        "flops": q.large(_flops_per_token(one)),
    }


def time_of(candidate: Mapping[str, Any]) -> tuple[Quantity, str]:
    """Give the time to the result with its band, or for a service the answers at the same time."""
    speed = (candidate.get("estimate") or {}).get("speed") or {}
    if speed.get("seconds_to_result"):
        low, high = sorted(speed[side]["seconds_to_result"] for side in ("low", "high"))
        unit = q.duration_unit(high)
        band = q.band(q.duration(low, unit), q.duration(high, unit))
        return q.duration(speed["seconds_to_result"], unit), str(band)
    if speed.get("max_concurrency"):
        count = int(speed["max_concurrency"])
        return Quantity(q.number(count), ngettext("answer", "answers", count)), ""
    return q.EMPTY, ""


def rejected(estimate: Estimate) -> list[dict[str, str]]:
    """Give what was rejected, platforms with the same GPUs and the same reason together."""
    return [
        {
            "what": ", ".join(filter(None, (one.gpus, one.servers))),
            "platforms": ", ".join(one.platforms),
            "why": one.reason,
        }
        for one in together(estimate.rejected)
    ]


def _run_label(estimate: Estimate) -> str:
    """Say how many runs the time is for: those that were asked for side by side are placed side by side."""
    together = (estimate.input.get("workload") or {}).get("parallel_experiments") or 1
    if together > 1:
        return _("One experiment, %(count)s side by side") % {"count": q.number(together)}
    return _("One experiment")


def advised(estimate: Estimate) -> dict[str, Any]:
    """Give figures, memory parts and verdict of the advised candidate, else of the nearest one."""
    one = doing(estimate) or estimate.output.get("nearest") or estimate.recommended
    if one is None or not one.get("estimate"):
        return {}
    memory = one["estimate"]["memory"]
    device = used(memory)
    time, band = time_of(one)
    power, power_band = power_of(one)
    figures = [
        {
            "label": _("Memory on one GPU"),
            "value": q.gib(device["expected"]).markup(),
            "band": q.band(q.gib(device["low"]), q.gib(device["high"])),
        },
        {"label": _run_label(estimate) if band else _("At the same time"), "value": time.markup(), "band": band},
        {
            "label": _("Power, all servers") if (one.get("nodes") or 1) > 1 else _("Power, the whole server"),
            "value": power.markup(),
            "band": power_band,
        },
    ]
    compute = total_compute(one)
    if compute:
        figures.append({"label": _("Compute, the whole run"), "value": compute, "band": compute_band(one)})
    ends = {"high": q.gib(device["high"]), "capacity": q.gib(memory["capacity"])}
    fits = _("Fits: upper band %(high)s of %(capacity)s") % ends
    return {
        "fits": bool(memory["fits"]),
        "plan": plans.in_few_words(one["estimate"]),
        "figures": figures,
        "gpu": one.get("gpu_name") or one.get("gpu"),
        "memory": memory,
        "verdict": fits if memory["fits"] else _("Does not fit: upper band %(high)s of %(capacity)s") % ends,
        "parts": parts_of(memory),
    }
