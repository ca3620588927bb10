"""Pilot runs: what was measured on one load replaces the estimate of that load, and of no other."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from quotes import engine
from quotes.actors import Actor
from quotes.models import Confirmation, LedgerEntry, Origin, PilotResult, Quote, RequestVersion
from quotes.refusals import ConflictError, InvalidError
from quotes.services import preparing
from quotes.services.editing import open_for_edit
from quotes.services.ledger import follow, like
from quotes.services.recording import record

GIB = 2**30
LOAD = ("gpu", "sequence_length", "micro_batch")
FIGURES = ("peak_gib", "step_seconds")
MEASURED = (
    ("memory.allocated", "peak_gib", "allocated memory", "GiB"),
    ("speed.step_seconds", "step_seconds", "time of a step", "s"),
)


def quoted_load(quote: Quote) -> dict[str, Any]:
    """Give the load the quote stands for: GPU, sequence length, micro-batch, as the engine settled them."""
    candidate = quote.candidate or {}
    plan = (candidate.get("estimate") or {}).get("plan") or {}
    stated = quote.estimate.input.get("workload") or {}
    assumed = dict(quote.ledger.filter(key="workload.sequence_length").values_list("key", "value"))
    return {
        "gpu": candidate.get("gpu"),
        "sequence_length": stated.get("sequence_length", assumed.get("workload.sequence_length")),
        "micro_batch": plan.get("micro_batch"),
    }


def predicted(quote: Quote) -> dict[str, Any]:
    """Give what the engine predicts for that load: bytes and seconds, each with its band."""
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
    }


def record_pilot(quote: Quote, *, profile: Mapping[str, Any], actor: Actor) -> PilotResult:
    """Keep a profile; where it measured the quoted load, recompute with it and mark what it measured.

    Parameters
    ----------
    profile : mapping
        ``gpu`` (catalog name), ``sequence_length`` [tokens], ``micro_batch`` [sequences], ``peak_gib`` (the peak of
        ``torch.cuda.max_memory_allocated``), ``step_seconds``; whatever else it holds is kept and not used.
    """
    if not any(profile.get(name) for name in FIGURES):
        raise InvalidError("peak_gib", _("A profile holds the peak of memory or the time of a step"))
    load = quoted_load(quote)
    mismatches = [
        {"name": name, "measured": profile.get(name), "quoted": load[name]}
        for name in LOAD
        if profile.get(name) != load[name]
    ]
    answer = None if mismatches else engine.recommend(_with_profile(quote, profile))
    if answer is not None and answer.output.get("error"):
        raise InvalidError("profile", str(answer.output["error"].get("message")))
    with transaction.atomic():
        return _store(quote, profile, mismatches, answer, actor)


def _with_profile(quote: Quote, profile: Mapping[str, Any]) -> dict[str, Any]:
    asked: dict[str, Any] = copy.deepcopy(quote.estimate.input)
    used = {name: profile[name] for name in (*LOAD, *FIGURES) if profile.get(name) is not None}
    # Without the load pinned the engine may plan another micro-batch, for which the run says nothing.
    pinned = {name: profile[name] for name in ("sequence_length", "micro_batch")}
    asked["workload"] = (asked.get("workload") or {}) | pinned | {"profile": used}
    return asked


def _store(
    quote: Quote,
    profile: Mapping[str, Any],
    mismatches: list[dict[str, Any]],
    answer: engine.Answer | None,
    actor: Actor,
) -> PilotResult:
    locked = open_for_edit(quote, actor=actor)
    if locked.estimate_id != quote.estimate_id:
        raise ConflictError(_("The quote was recomputed in the meantime. Look at the new figures first."))
    peak = profile.get("peak_gib")
    pilot = PilotResult.objects.create(
        quote=locked,
        profile=dict(profile),
        load_matches=not mismatches,
        mismatches=mismatches,
        measured={
            "peak_bytes": round(peak * GIB) if peak else None,
            "step_seconds": profile.get("step_seconds"),
        },
        predicted=predicted(locked),
        uploaded_by_name=actor.name,
    )
    if answer is not None:
        _use(locked, profile, answer, actor)
    change = {"matches": not mismatches, "mismatches": mismatches, "measured": pilot.measured}
    record(locked.request, kind="pilot.recorded", actor=actor, quote=locked, change=change)
    return pilot


def _use(quote: Quote, profile: Mapping[str, Any], answer: engine.Answer, actor: Actor) -> None:
    former = quote.request.latest_version
    version = RequestVersion.objects.create(
        request=quote.request,
        number=(former.number if former else 0) + 1,
        answers=former.answers if former else {},
        why=_("Pilot run"),
    )
    before = quote.candidate
    estimate = preparing.store_estimate(version, answer)
    follow(quote, estimate, before=before, after=like(answer.output, before))
    preparing.write_ledger(quote, estimate)
    for key, name, label, unit in MEASURED:
        if profile.get(name):
            _mark_measured(quote, key, label, unit, profile[name], actor)


def _mark_measured(quote: Quote, key: str, label: str, unit: str, value: Any, actor: Actor) -> None:
    fields = {
        "value": value,
        "unit": unit,
        "label": label,
        "origin": Origin.MEASURED,
        "confirmation": Confirmation.CONFIRMED,
        "confirmed_by": actor.user,
        "confirmed_by_name": actor.name,
        "confirmed_at": timezone.now(),
        "evidence": _("Pilot run of this load"),
    }
    LedgerEntry.objects.update_or_create(quote=quote, key=key, defaults=fields)
