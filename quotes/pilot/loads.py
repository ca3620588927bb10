"""The load a quote stands for, what is predicted for it, and how a profile's load differs from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quotes import engine
from quotes.models import Quote
from quotes.pilot import offering
from quotes.pilot.profile import OUT_OF_MEMORY
from sizing.errors import SizingError
from sizing.profile import LOAD

STATED = ("gpu", "sequence_length", "micro_batch")


def quoted_load(quote: Quote) -> dict[str, Any]:
    """Give the load the quote stands for, as the engine settled it; GPU, length and micro-batch alone for a service."""
    candidate = quote.candidate or {}
    plan = (candidate.get("estimate") or {}).get("plan") or {}
    if plan:
        try:
            return dict(engine.load_of(engine.placed(quote.estimate.input, candidate)))
        except SizingError:
            pass
    stated = quote.estimate.input.get("workload") or {}
    assumed = dict(quote.ledger.filter(key="workload.sequence_length").values_list("key", "value"))
    return {
        "gpu": candidate.get("gpu"),
        "sequence_length": stated.get("sequence_length", assumed.get("workload.sequence_length")),
        "micro_batch": plan.get("micro_batch"),
    }


def script_offer(quote: Quote, *, for_customer: bool = False) -> offering.Offer:
    """Give the load for the pilot script, or why there is none.

    What is in preparation is ours alone, so the customer gets the load of the calculation until a quote was sent.
    """
    prepared = for_customer and not quote.is_with_customer
    candidate = quote.estimate.recommended if prepared else quote.candidate
    name = quote.request.reference if prepared or not quote.number else quote.full_number
    return offering.offer(quote.estimate, candidate, name=name)


def predicted(quote: Quote) -> dict[str, Any]:
    """Give what the engine predicts for that load: bytes and seconds, each with its band, and bytes by phase."""
    answer = (quote.candidate or {}).get("estimate") or {}
    memory, speed = (answer.get("memory") or {}).get("allocated") or {}, answer.get("speed") or {}
    low, high = speed.get("low") or {}, speed.get("high") or {}
    return {
        "peak_bytes": {name: memory.get(name) for name in ("expected", "low", "high")},
        "step_seconds": {
            "expected": speed.get("step_seconds"),
            "low": low.get("step_seconds"),
            "high": high.get("step_seconds"),
        },
        "phases": _phases(quote),
    }


def _phases(quote: Quote) -> dict[str, int]:
    if not quote.candidate:
        return {}
    try:
        found = engine.memory_by_phase(engine.placed(quote.estimate.input, quote.candidate))
    except SizingError:
        return {}
    return {name: round(value) for name, value in found.items()}


def compared(load: Mapping[str, Any], profile: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give where a profile's load differs from the quoted one.

    A profile of the script states its whole load; one typed by hand states what has a field, the rest is taken as
    quoted by whoever types it.
    """
    whole = "report" in profile
    names = [name for name in LOAD if name in STATED or (name in load if whole else False) or name in profile]
    return [
        {"name": name, "measured": profile.get(name), "quoted": load.get(name)}
        for name in names
        if profile.get(name) != load.get(name)
    ]


def ran_out_of_memory(quote: Quote) -> bool:
    """Say whether the last pilot run of the load the quote stands for now ran out of memory. Runs SQL."""
    runs = [one for one in quote.pilots.all() if one.is_taken and one.load_matches]
    if not any(one.outcome == OUT_OF_MEMORY for one in runs):
        return False
    load = quoted_load(quote)
    same = [one for one in runs if isinstance(one.profile, dict) and not compared(load, one.profile)]
    return bool(same) and same[-1].outcome == OUT_OF_MEMORY
