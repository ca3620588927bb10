"""Assumptions: change a value and see what moves before keeping it; the customer's word on one."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from quotes import emails, engine, summaries
from quotes.actors import Actor, Role
from quotes.forms import numbers
from quotes.models import Confirmation, Estimate, LedgerEntry, Origin, Quote, RequestVersion
from quotes.refusals import ConflictError, InvalidError, NotAllowedError
from quotes.services import points, preparing
from quotes.services.editing import lock, open_for_edit, plain, reopened, write
from quotes.services.recording import record, refresh_search
from quotes.wording import name_of
from sizing.economics import CURRENCY

ROOMS = ("workload", "limits", "economics")
NO_RANGE: dict[str, Any] = {"low": None, "high": None, "moves": None}
MOST_NUMBER = 10**30
SAME_MACHINES = ("platform", "gpu", "gpus_per_node", "nodes")


@dataclass(frozen=True, slots=True)
class Change:
    """A value tried out: the answer before and after, nothing stored yet."""

    entry: LedgerEntry
    value: Any
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    answer: engine.Answer

    @property
    def error(self) -> str:
        """Give the engine's refusal of the new value; empty where it answered."""
        return str((self.answer.output.get("error") or {}).get("message") or "")


def parse_value(entry: LedgerEntry, text: str) -> Any:
    """Read a typed value in the kind of the entry's value: number with comma or point, yes or no, or text."""
    words = text.strip()
    if not words:
        raise InvalidError("value", _("Type a value"))
    if isinstance(entry.value, bool):
        return _parse_flag(words)
    if isinstance(entry.value, int | float) or (entry.value is None and entry.unit):
        return parse_number(words, whole=isinstance(entry.value, int))
    return words


def _parse_flag(words: str) -> bool:
    if words.casefold() in {"yes", "true", "1", "да"}:
        return True
    if words.casefold() in {"no", "false", "0", "нет"}:
        return False
    raise InvalidError("value", _("Type yes or no, given “%(given)s”") % {"given": words})


def parse_number(words: str, *, whole: bool = False) -> int | float:
    """Read a number as the form does: in the reader's way of writing; 1,024 is no fraction where it must be whole."""
    found = numbers.parse(words, whole=whole)
    if found is None or abs(found) > MOST_NUMBER:
        raise InvalidError("value", _("Type a number, given “%(given)s”") % {"given": words[:80]})
    number = float(found)
    return int(number) if number.is_integer() else number


def is_changeable(entry: LedgerEntry) -> bool:
    """Say whether the engine can be asked with another value: fields of the input can change, its constants can't."""
    room, _dot, path = entry.key.partition(".")
    return room in ROOMS and bool(path)


def with_value(asked: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    """Give the engine's input with another value in the field a key names, e.g. ``workload.lora.rank``."""
    changed = copy.deepcopy(asked)
    *parents, last = key.split(".")
    node = changed
    for name in parents:
        child = node.get(name)
        node[name] = child if isinstance(child, dict) else {}
        node = node[name]
    limit = node.get(last)
    strength = next((name for name in ("must", "prefer") if isinstance(limit, dict) and name in limit), None)
    node[last] = limit | {strength: value} if isinstance(limit, dict) and strength else value
    return changed


def with_value_of(quote: Quote, key: str, value: Any) -> dict[str, Any]:
    """Give a quote's input with another value, an amount of money in the currency that the answer showed it in."""
    changed = with_value(quote.estimate.input, key, value)
    shown = ((quote.candidate or {}).get("economics") or {}).get("currency")
    if key.startswith("economics.") and shown not in (None, CURRENCY):
        changed["economics"].setdefault("currency", shown)
    return changed


def stated_entry(quote: Quote, key: str) -> LedgerEntry:
    """Give a stated field of the input as an entry of the ledger, not stored until another value is kept."""
    stored = quote.ledger.filter(key=key).first()
    if stored is not None:
        stored.quote = quote
        return stored
    node: Any = quote.estimate.input
    for name in key.split("."):
        node = node.get(name) if isinstance(node, dict) else None
    if isinstance(node, dict):
        node = node.get("must", node.get("prefer"))
    if not isinstance(node, int | float | str):
        raise InvalidError("key", _("This field is not changed by typing a value"))
    return LedgerEntry(quote=quote, key=key, label=name_of(key), value=node, origin=Origin.CUSTOMER)


def try_value(entry: LedgerEntry, *, value: Any) -> Change:
    """Ask the engine with another value of one assumption and keep nothing."""
    if not is_changeable(entry):
        raise InvalidError("value", _("A constant of the engine is confirmed or waived, not typed over"))
    quote = entry.quote
    answer = engine.recommend(with_value_of(quote, entry.key, value))
    return Change(entry, value, quote.candidate, like(answer.output, quote.candidate), answer)


def like(output: dict[str, Any], former: dict[str, Any] | None) -> dict[str, Any] | None:
    """Give the candidate of a new answer that stands for the chosen one: same platform and GPUs, else one that fits."""
    candidates = list(output.get("candidates") or [])
    for candidate in candidates:
        if former and all(candidate.get(name) == former.get(name) for name in SAME_MACHINES):
            return dict(candidate)
    fit = [one for one in candidates if one.get("does_the_job") is not False]
    marked = [one for one in fit if "recommended" in (one.get("labels") or [])]
    return dict((marked or fit)[0]) if fit else None


def change_assumption(
    entry: LedgerEntry,
    *,
    value: Any,
    actor: Actor,
    origin: str = Origin.ASSUMED,
    evidence: str = "",
    version: int | None = None,
) -> Quote:
    """Keep another value: recompute, replace the ledger, and the lines where the configuration changes.

    The engine is asked before the transaction begins, so that nobody waits for it.
    """
    if origin == Origin.CUSTOMER and Role.CUSTOMER not in actor.roles:
        raise InvalidError("origin", _("Only what the customer said is the customer's: ask, or choose another origin"))
    tried = try_value(entry, value=value)
    if tried.error:
        raise InvalidError("value", tried.error)
    with transaction.atomic():
        quote = open_for_edit(entry.quote, actor=actor)
        if entry.pk is None:
            entry.save()
        return keep_value(quote, entry, tried, actor=actor, origin=origin, evidence=evidence, version=version)


def keep_value(
    quote: Quote,
    entry: LedgerEntry,
    tried: Change,
    *,
    actor: Actor,
    origin: str,
    evidence: str = "",
    version: int | None = None,
) -> Quote:
    """Store a tried value, in the caller's transaction, on a quote the caller has locked."""
    if quote.estimate_id != entry.quote.estimate_id:
        raise ConflictError(_("The quote was recomputed in the meantime. Look at the new figures first."))
    entry.quote = quote
    was = entry.value
    write(entry, version=version, value=tried.value, origin=origin)
    former = quote.request.latest_version
    answers = dict(former.answers) if former else {}
    answers["changes"] = {**answers.get("changes", {}), entry.key: plain(tried.value)}
    new_version = RequestVersion.objects.create(
        request=quote.request,
        number=(former.number if former else 0) + 1,
        answers=answers,
        why=entry.name[:240],
    )
    estimate = preparing.store_estimate(new_version, tried.answer)
    follow(quote, estimate, before=tried.before, after=tried.after)
    preparing.write_ledger(quote, estimate)
    _mark(quote, entry, tried.value, was, origin=origin, evidence=evidence, actor=actor)
    change = {"key": entry.key, "label": entry.label, "before": plain(was), "after": plain(tried.value)}
    record(quote.request, kind="assumption.changed", actor=actor, quote=quote, change=change)
    refresh_search(quote.request)
    return quote


def follow(quote: Quote, estimate: Estimate, *, before: dict[str, Any] | None, after: dict[str, Any] | None) -> None:
    """Point a quote to a new estimate; the lines stay where configuration and order list are the same."""
    rank = after.get("rank") if after else None
    if after and before and all(after.get(name) == before.get(name) for name in (*SAME_MACHINES, "lines")):
        summary = summaries.summarize(estimate, rank)
        Quote.objects.filter(pk=quote.pk).update(estimate=estimate, chosen_rank=rank, summary=summary)
        points.note_points(quote, after)
        quote.estimate, quote.chosen_rank, quote.summary = estimate, rank, summary
    else:
        preparing.choose(quote, estimate=estimate, rank=rank)


def _mark(
    quote: Quote, former: LedgerEntry, value: Any, former_value: Any, *, origin: str, evidence: str, actor: Actor
) -> None:
    """Keep a stated value in the ledger: the engine no longer lists what it was told.

    The range, the source and the reason belonged to the former value and go with it.
    """
    fields: dict[str, Any] = {"value": value, "origin": origin, "why": "", "source": "", "as_of": "", **NO_RANGE}
    if value != former_value:
        fields |= reopened() | {"customer_says": ""}
    if evidence:
        fields |= {
            "confirmation": Confirmation.CONFIRMED,
            "evidence": evidence,
            "confirmed_at": timezone.now(),
            "confirmed_by": actor.user,
            "confirmed_by_name": actor.name,
        }
    defaults = {"label": former.label, "unit": former.unit, "position": former.position, **fields}
    entry, created = LedgerEntry.objects.get_or_create(quote=quote, key=former.key, defaults=defaults)
    if not created:
        LedgerEntry.objects.filter(pk=entry.pk).update(**fields)


@transaction.atomic
def dispute_assumption(entry: LedgerEntry, *, actor: Actor, is_right: bool, words: str = "") -> LedgerEntry:
    """Note what the customer says about an assumption: right confirms it, wrong opens it and tells the engineer."""
    if Role.CUSTOMER not in actor.roles:
        raise NotAllowedError(_("Only the customer answers here"))
    quote = lock(entry.quote)
    if not quote.is_editable:
        raise ConflictError(_("The quote is being approved or was sent: write to your engineer instead"))
    said = words.strip()[:500]
    if not is_right and not said:
        raise InvalidError("words", _("Say what is right instead"))
    fields: dict[str, Any] = {"customer_says": said}
    if is_right:
        fields |= {
            "origin": Origin.CUSTOMER,
            "confirmation": Confirmation.CONFIRMED,
            "confirmed_at": timezone.now(),
            "confirmed_by_name": actor.name,
            "evidence": _("The customer said so on the private page"),
        }
    else:
        fields |= reopened()
    entry.quote = quote
    change = write(entry, version=None, **fields)
    kind = "assumption.customer_confirmed" if is_right else "assumption.disputed"
    record(quote.request, kind=kind, actor=actor, quote=quote, reason=said, change={"key": entry.key, "fields": change})
    emails.tell_engineer(quote, template="disputed", key=f"disputed:{entry.public_id}:{entry.version}")
    return entry
