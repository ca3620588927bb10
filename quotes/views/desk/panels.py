"""A panel: one form opened inside the review page, and who may use it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django import forms

from quotes import transitions
from quotes.actors import Actor, Role
from quotes.models import LedgerEntry, QuoteLine

# What any engineer may do; everything else is for who handles the request.
OF_EVERY_ENGINEER = frozenset({"copy", "revise", "unmerge"})


@dataclass(frozen=True, slots=True)
class Panel:
    """A form opened inside the page: what it does, on which row, and what it shows beside."""

    name: str
    form: forms.Form
    address: str
    row: QuoteLine | LedgerEntry | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def row_id(self) -> UUID | None:
        """Give the row the panel stands under."""
        return self.row.public_id if self.row is not None else None

    @property
    def section(self) -> str:
        """Give the section the panel belongs to."""
        if isinstance(self.row, LedgerEntry):
            return "conditions" if self.row.is_condition else "ledger" if self.row.pk else "request"
        if self.name == "pilot":
            return "pilot"
        return "lines" if isinstance(self.row, QuoteLine) or self.name in ("add", "together") else "head"

    def is_for(self, actor: Actor, *, is_mine: bool) -> bool:
        """Say whether a person may do what the panel does; who only reads is shown the page without it.

        `is_mine` says whether the person handles the request or stands in for who does.
        """
        rule = self.extra.get("rule")
        if isinstance(rule, transitions.Transition):
            move = next(move for move, known in transitions.MOVES.items() if known is rule)
            return bool(rule.by & actor.roles) and (is_mine or not transitions.needs_handler(move, actor))
        if Role.ENGINEER not in actor.roles:
            return False
        return is_mine or self.name in OF_EVERY_ENGINEER
