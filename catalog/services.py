"""What people do with claims and facts. The only writer of a claim's state."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from catalog.models import Claim, Fact, Part, Price
from catalog.money import UNKNOWN_CURRENCY


def name_of(user: Any) -> str:
    """A person's name as it is kept beside what the person did."""
    return str(user.get_full_name() or user.get_username()) if user is not None else ""


_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://|\b(javascript|vbscript|data|blob|file)\s*:(?=\S)", re.IGNORECASE)
_UNSEEN = re.compile(r"[\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")


def check_evidence(text: str) -> None:
    """Take plain words and links that a browser may open as evidence.

    Raises
    ------
    ValidationError
        For a link of another kind, e.g. ``javascript:``.
    """
    plain = _UNSEEN.sub("", unicodedata.normalize("NFKC", text))
    for found in _SCHEME.finditer(plain):
        if str(found[1] or found[2]).lower() not in ("http", "https"):
            raise ValidationError(_("Give the link with http:// or https://, or name the document in words."))


@transaction.atomic
def confirm[ClaimT: Claim](
    claims: Iterable[ClaimT],
    *,
    actor: Any,
    evidence: str,
    valid_until: datetime.date | None = None,
    evidence_file: UploadedFile[Any] | None = None,
) -> list[ClaimT]:
    """Confirm claims with one piece of evidence; all of them or none.

    Raises
    ------
    ValidationError
        Without evidence, with a link that no browser should open, with a validity in the past, or for a price whose
        currency nobody knows.
    """
    chosen = list(claims)
    if not evidence.strip() and evidence_file is None:
        raise ValidationError(_("Name the evidence: a document, a letter, a link. Without it nothing is confirmed."))
    check_evidence(evidence)
    if valid_until is not None and valid_until < timezone.localdate():
        raise ValidationError(_("The confirmation would already have run out. Give a day from today on."))
    for claim in chosen:
        if isinstance(claim, Price) and claim.currency == UNKNOWN_CURRENCY:
            raise ValidationError(
                _("%(price)s: its currency is not known. Enter the currency first.") % {"price": claim}
            )
    return _judge(chosen, Claim.State.CONFIRMED, actor, evidence, valid_until, evidence_file)


@transaction.atomic
def refute[ClaimT: Claim](claims: Iterable[ClaimT], *, actor: Any, evidence: str) -> list[ClaimT]:
    """Mark claims as wrong, with what shows it."""
    if not evidence.strip():
        raise ValidationError(_("Say what refutes it: a document, a letter, a link."))
    check_evidence(evidence)
    return _judge(list(claims), Claim.State.REFUTED, actor, evidence, None, None)


def _judge[ClaimT: Claim](
    claims: list[ClaimT],
    state: str,
    actor: Any,
    evidence: str,
    valid_until: datetime.date | None,
    evidence_file: UploadedFile[Any] | None,
) -> list[ClaimT]:
    stored = None
    for claim in claims:
        claim.state = state
        claim.judged_by, claim.judged_by_name = actor, name_of(actor)
        claim.judged_at = timezone.now()
        claim.evidence, claim.valid_until = evidence.strip()[:500], valid_until
        if evidence_file is not None:
            claim.evidence_file = stored or evidence_file
        claim.save()
        if evidence_file is not None:
            stored = claim.evidence_file.name
    return claims


def reopen(claim: Claim) -> None:
    """Take a confirmation or refutation back, because the claim itself changes; the caller saves."""
    claim.state = Claim.State.UNCONFIRMED
    claim.judged_by, claim.judged_by_name, claim.judged_at = None, "", None
    claim.evidence, claim.valid_until = "", None
    claim.evidence_file = ""


@transaction.atomic
def record_edit(part: Part, fields: Iterable[str], *, actor: Any) -> None:
    """Keep facts in step with columns that a person has edited.

    The new value becomes the fact in use, unconfirmed and without a source; the value it replaces is kept beside it.
    """
    for field in fields:
        text = fact_text(getattr(part, field))
        Fact.objects.filter(part=part, field=field, is_chosen=True).exclude(value=text).update(
            is_chosen=False, changed_at=timezone.now()
        )
        if text == "":
            continue
        fact = Fact.objects.filter(part=part, field=field, value=text).first() or Fact(
            part=part, field=field, value=text
        )
        if fact.pk is None:
            fact.entered_by_name = name_of(actor)
        fact.is_chosen = True
        fact.save()


@transaction.atomic
def choose(fact: Fact, *, actor: Any, why: str) -> Fact:
    """Put another of the seen values in use, with the reason, and write it into the part's column."""
    if not why.strip():
        raise ValidationError(_("Say why this value is the one to use."))
    part = concrete(fact.part)
    column = next((f for f in part._meta.concrete_fields if f.name == fact.field), None)
    if column is None:
        raise ValidationError(_("This value stands in no column of its own and cannot be put in use here."))
    setattr(part, fact.field, column.to_python(_plain(fact.value, column)))
    part.full_clean(validate_unique=False)
    Fact.objects.filter(part=fact.part, field=fact.field, is_chosen=True).exclude(pk=fact.pk).update(is_chosen=False)
    fact.is_chosen, fact.why = True, why.strip()[:600]
    fact.save()
    part.edited_at = timezone.now()
    part._change_reason = f"{fact.field}: {fact.why}"[:100]  # type: ignore[attr-defined]
    part.save()
    return fact


def _plain(value: str, column: Any) -> Any:
    if column.get_internal_type() == "BooleanField":
        return value == "yes"
    return value


def concrete(part: Part) -> Part:
    """The row of the part's own kind: the GPU, the platform. Runs SQL unless it was fetched with the part."""
    names = {Part.Kind.MEMORY: "memorymodule"}
    own: Part = getattr(part, names.get(Part.Kind(part.kind), part.kind))
    return own


def fact_text(value: Any) -> str:
    """A column's value as its fact keeps it; empty for unknown."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 1e6 else str(int(value))
    return str(value)[:600]
