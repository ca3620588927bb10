"""Standing behind a line or an assumption: confirm with evidence, waive with a reason, refute, open again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from catalog.services import check_evidence
from quotes.actors import Actor
from quotes.models import Confirmation, LedgerEntry, Party, Quote, QuoteLine
from quotes.refusals import ConflictError, InvalidError
from quotes.services.editing import open_for_edit, reopened, write
from quotes.services.recording import record

Row = QuoteLine | LedgerEntry
REASON_SHORTEST, REASON_LONGEST = 20, 240
EVIDENCE_SHORTEST = 3


def noun(row: Row) -> str:
    """Give the word that kinds of events begin with."""
    return "line" if isinstance(row, QuoteLine) else "condition" if row.is_condition else "assumption"


def subject_of(row: Row) -> dict[str, object]:
    """Name the row in an event."""
    if isinstance(row, QuoteLine):
        return {"line": row.position, "what": row.description}
    return {"key": row.key, "what": row.why if row.is_condition else row.label}


def _tell(row: Row, verb: str, actor: Actor, change: dict[str, object], reason: str = "") -> None:
    record(
        row.quote.request,
        kind=f"{noun(row)}.{verb}",
        actor=actor,
        quote=row.quote,
        reason=reason,
        change={**subject_of(row), "fields": change},
    )


@transaction.atomic
def confirm[RowT: (QuoteLine, LedgerEntry)](
    row: RowT, *, actor: Actor, evidence: str, valid_until: date | None = None, version: int | None = None
) -> RowT:
    """Confirm a line or an assumption on evidence, e.g. the supplier's letter of 27 November, valid to 4 December."""
    row.quote = quote = open_for_edit(row.quote, actor=actor)
    check_named(evidence)
    if valid_until is not None and valid_until < quote.issuer.today():
        raise InvalidError("valid_until", _("This day has passed: a confirmation ends today or later"))
    fields = reopened() | {
        "confirmation": Confirmation.CONFIRMED,
        "confirmed_by": actor.user,
        "confirmed_by_name": actor.name,
        "confirmed_at": timezone.now(),
        "evidence": evidence.strip(),
        "valid_until": valid_until,
    }
    change = write(row, version=version, **fields)
    _tell(row, "confirmed", actor, change)
    return row


@transaction.atomic
def confirm_together(
    quote: Quote,
    *,
    lines: Iterable[QuoteLine],
    actor: Actor,
    evidence: str,
    valid_until: date | None = None,
    seen: Mapping[str, int] | None = None,
) -> list[QuoteLine]:
    """Confirm several lines on one piece of evidence, e.g. a price list that names them all; all or none.

    `seen` gives the version of each line that the person saw, by its public id; a changed one is refused by name (409).
    """
    chosen = list(lines)
    if not chosen:
        raise InvalidError("lines", _("Choose at least one line"))
    if any(line.quote_id != quote.pk for line in chosen):
        raise InvalidError("lines", _("These lines are not of this quote"))
    locked = open_for_edit(quote, actor=actor)
    rows = list(locked.lines.filter(pk__in=[line.pk for line in chosen]))
    _check_unchanged(chosen, rows, seen)
    return [confirm(row, actor=actor, evidence=evidence, valid_until=valid_until) for row in rows]


def _check_unchanged(chosen: list[QuoteLine], rows: list[QuoteLine], seen: Mapping[str, int] | None) -> None:
    stored = {row.pk: row for row in rows}
    changed = [
        stored.get(line.pk, line).name
        for line in chosen
        if line.pk not in stored or (seen is not None and seen.get(str(line.public_id)) != stored[line.pk].version)
    ]
    if changed:
        raise ConflictError(
            _("Changed since you opened the page: %(lines)s. Nothing was confirmed; look at these lines first.")
            % {"lines": "; ".join(changed)}
        )


@transaction.atomic
def waive[RowT: (QuoteLine, LedgerEntry)](
    row: RowT,
    *,
    actor: Actor,
    reason: str,
    party: str = Party.US,
    until: date | None = None,
    version: int | None = None,
) -> RowT:
    """Let a row pass unconfirmed, with a reason that the document prints word for word."""
    row.quote = quote = open_for_edit(row.quote, actor=actor)
    if row.confirmation == Confirmation.REFUTED:
        raise ConflictError(_("What was refuted can't be waived: replace it"))
    words = reason.strip()
    if not REASON_SHORTEST <= len(words) <= REASON_LONGEST:
        raise InvalidError(
            "reason",
            _("The reason is printed: write %(low)s to %(high)s characters, given %(given)s")
            % {"low": REASON_SHORTEST, "high": REASON_LONGEST, "given": len(words)},
        )
    if until is not None and until < quote.issuer.today():
        raise InvalidError("until", _("This day has passed: name one to come"))
    fields = reopened() | {
        "confirmation": Confirmation.WAIVED,
        "confirmed_by": actor.user,
        "confirmed_by_name": actor.name,
        "confirmed_at": timezone.now(),
        "reason": words,
        "reason_party": party,
        "reason_until": until,
    }
    change = write(row, version=version, **fields)
    _tell(row, "waived", actor, change, reason=words)
    return row


@transaction.atomic
def refute[RowT: (QuoteLine, LedgerEntry)](
    row: RowT, *, actor: Actor, evidence: str, version: int | None = None
) -> RowT:
    """Note that a row is wrong, e.g. the supplier has withdrawn the part; it must be replaced."""
    row.quote = open_for_edit(row.quote, actor=actor)
    check_named(evidence)
    fields = reopened() | {
        "confirmation": Confirmation.REFUTED,
        "confirmed_by": actor.user,
        "confirmed_by_name": actor.name,
        "confirmed_at": timezone.now(),
        "evidence": evidence.strip(),
    }
    change = write(row, version=version, **fields)
    _tell(row, "refuted", actor, change)
    return row


@transaction.atomic
def reopen[RowT: (QuoteLine, LedgerEntry)](row: RowT, *, actor: Actor, version: int | None = None) -> RowT:
    """Take a confirmation or a waiver back."""
    row.quote = open_for_edit(row.quote, actor=actor)
    change = write(row, version=version, **reopened())
    _tell(row, "reopened", actor, change)
    return row


def check_named(evidence: str) -> None:
    """Refuse evidence that names nothing, or that is a link no browser should open, as the catalog does."""
    if len(evidence.strip()) < EVIDENCE_SHORTEST:
        raise InvalidError("evidence", _("Name the document, letter or person this rests on"))
    try:
        check_evidence(evidence)
    except ValidationError as error:
        raise InvalidError("evidence", " ".join(error.messages)) from error
