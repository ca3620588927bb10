"""Pilot runs: what was measured on one load replaces the estimate of that load, and of no other."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from quotes import emails, engine
from quotes.actors import Actor, Role
from quotes.models import Confirmation, LedgerEntry, Origin, PilotResult, Quote, RequestVersion, Status
from quotes.pilot import profile as profiles
from quotes.pilot.loads import compared, predicted, quoted_load
from quotes.refusals import ConflictError, InvalidError, NotAllowedError
from quotes.services import preparing
from quotes.services.editing import by_its_engineer, lock, open_for_edit
from quotes.services.ledger import follow, like
from quotes.services.recording import record
from sizing.profile import LOAD

GIB = 2**30
FIGURES = ("peak_gib", "step_seconds")
MOST_WAITING = 10
OVER = (Status.CANCELLED, Status.WITHDRAWN, Status.DECLINED, Status.SUPERSEDED)
MEASURED = (
    ("memory.allocated", "peak_gib", "allocated memory", "GiB"),
    ("speed.step_seconds", "step_seconds", "time of a step", "s"),
)


def record_pilot(
    quote: Quote, *, profile: Mapping[str, Any], actor: Actor, waiting: PilotResult | None = None
) -> PilotResult:
    """Keep a profile; where it measured the quoted load, recompute with it and mark what it measured.

    Parameters
    ----------
    profile : mapping
        The load by the names of ``sizing.profile.LOAD``, of which ``gpu`` (catalog name), ``sequence_length`` [tokens]
        and ``micro_batch`` [sequences] are always compared; ``peak_gib`` (the peak of
        ``torch.cuda.max_memory_allocated``), ``step_seconds``; ``report``, the script's whole file.
    waiting : PilotResult, optional
        The customer's upload that is being used; it is moved to this quote.

    Raises
    ------
    InvalidError
        Where nothing was measured, or the engine refuses the figures.
    """
    ended = profiles.outcome_of(profile)
    ran_out = ended["status"] == profiles.OUT_OF_MEMORY
    is_empty = not any(profile.get(name) for name in FIGURES)
    if is_empty and not ran_out and not profiles.is_without_gpu(profile):
        raise InvalidError("peak_gib", _("A profile holds the peak of memory or the time of a step"))
    load = quoted_load(quote)
    mismatches = compared(load, profile)
    answer = None if mismatches or ran_out else engine.recommend(_with_profile(quote, load, profile))
    if answer is not None and answer.output.get("error"):
        raise InvalidError("profile", str(answer.output["error"].get("message")))
    with transaction.atomic():
        locked = open_for_edit(quote, actor=actor)
        if locked.estimate_id != quote.estimate_id:
            raise ConflictError(_("The quote was recomputed in the meantime. Look at the new figures first."))
        pilot = _kept(locked, profile, mismatches, actor, waiting)
        if answer is not None:
            _use(locked, profile, answer, actor)
        change = {"matches": not mismatches, "mismatches": mismatches, "measured": pilot.measured}
        record(locked.request, kind="pilot.recorded", actor=actor, quote=locked, change=change)
    return pilot


def receive_pilot(quote: Quote, *, profile: Mapping[str, Any], actor: Actor) -> PilotResult:
    """Keep a profile the customer uploads: it changes nothing until the engineer uses it, and tells the engineer."""
    if Role.CUSTOMER not in actor.roles:
        raise NotAllowedError(_("Only the customer answers here"))
    with transaction.atomic():
        locked = lock(quote)
        if locked.status in OVER:
            raise ConflictError(_("The quote is no longer open: write to your engineer instead"))
        if PilotResult.objects.waiting_for(locked.request).count() >= MOST_WAITING:
            raise ConflictError(_("The engineer has not looked at your former profiles yet: wait for the answer"))
        pilot = _kept(locked, profile, compared(quoted_load(locked), profile), actor, None, is_waiting=True)
        change = {"mismatches": pilot.mismatches, "measured": pilot.measured}
        record(locked.request, kind="pilot.received", actor=actor, quote=locked, change=change)
        emails.tell_engineer(locked, template="measured", key=f"measured:{pilot.public_id}")
    return pilot


def use_pilot(pilot: PilotResult, *, quote: Quote, actor: Actor) -> PilotResult:
    """Take a profile the customer uploaded as if the engineer had: compare it anew, and use it where it matches."""
    if not pilot.is_waiting:
        raise ConflictError(_("This profile was taken already"))
    report = pilot.profile.get("report")
    # Read anew: what counts as measured, and which GPUs the catalog knows, may have changed since the upload.
    profile = profiles.of_report(report) if report else pilot.profile
    return record_pilot(quote, profile=profile, actor=actor, waiting=pilot)


@transaction.atomic
def set_pilot_aside(pilot: PilotResult, *, quote: Quote, actor: Actor) -> PilotResult:
    """Put a profile of the customer's away unused: it is kept, changes nothing and makes room for another one.

    It is open in every state of the quote, of which it changes nothing: a sent quote takes profiles too.
    """
    locked = lock(quote)
    by_its_engineer(locked, actor=actor)
    if not PilotResult.objects.filter(pk=pilot.pk, is_waiting=True).update(is_waiting=False, is_set_aside=True):
        raise ConflictError(_("This profile was taken already"))
    pilot.refresh_from_db()
    change = {"mismatches": pilot.mismatches, "measured": pilot.measured}
    record(locked.request, kind="pilot.set_aside", actor=actor, quote=locked, change=change)
    return pilot


def _with_profile(quote: Quote, load: Mapping[str, Any], profile: Mapping[str, Any]) -> dict[str, Any]:
    asked: dict[str, Any] = copy.deepcopy(quote.estimate.input)
    used = {name: load[name] for name in LOAD if load.get(name) is not None}
    used |= {name: profile[name] for name in FIGURES if profile.get(name) is not None}
    # Without the load pinned the engine may plan another micro-batch, for which the run says nothing.
    pinned = {name: load[name] for name in ("sequence_length", "micro_batch")}
    asked["workload"] = (asked.get("workload") or {}) | pinned | {"profile": used}
    return asked


def _kept(
    quote: Quote,
    profile: Mapping[str, Any],
    mismatches: list[dict[str, Any]],
    actor: Actor,
    waiting: PilotResult | None,
    *,
    is_waiting: bool = False,
) -> PilotResult:
    peak, ended, report = profile.get("peak_gib"), profiles.outcome_of(profile), profile.get("report")
    fields: dict[str, Any] = {
        "quote": quote,
        "profile": dict(profile),
        "load_matches": not mismatches,
        "mismatches": mismatches,
        "measured": {
            "peak_bytes": round(peak * GIB) if peak else None,
            "step_seconds": profile.get("step_seconds"),
            "outcome": ended["status"],
            "stage": ended.get("stage", ""),
            "is_for_this_load": report is None or report["asked_sha256"] == profiles.identity(quoted_load(quote)),
        },
        "predicted": predicted(quote),
        "is_waiting": is_waiting,
    }
    if waiting is None:
        by_customer = Role.CUSTOMER in actor.roles
        return PilotResult.objects.create(**fields, by_customer=by_customer, uploaded_by_name=actor.name)
    won = PilotResult.objects.filter(pk=waiting.pk, is_waiting=True).update(**fields)
    if not won:
        raise ConflictError(_("This profile was taken already"))
    waiting.refresh_from_db()
    return waiting


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
