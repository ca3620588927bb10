"""The table of moves: which status follows which, who may move, and what must hold.

The table is the documentation, the buttons and the tests; `services.move` is the only place that writes a status.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quotes import guards
from quotes.actors import Actor, Role
from quotes.models import Quote, Status
from quotes.presenter import dates
from quotes.refusals import BlockedError, ConflictError, InvalidError, NotAllowedError


class Move(StrEnum):
    """What can be done to a revision as a whole; the value is the kind of its event."""

    REVIEW = "quote.review"
    ASK = "quote.ask"
    ANSWER = "quote.answer"
    SUBMIT = "quote.submit"
    RETURN = "quote.return"
    APPROVE = "quote.approve"
    SEND = "quote.send"
    WITHDRAW = "quote.withdraw"
    ACCEPT = "quote.accept"
    RECORD = "quote.record_acceptance"
    DECLINE = "quote.decline"
    CANCEL = "quote.cancel"
    SUPERSEDE = "quote.supersede"
    RETRACT = "quote.retract"
    RESTORE = "quote.restore"


@dataclass(frozen=True, slots=True)
class Transition:
    """One rule: from these states to that one, by these roles."""

    sources: frozenset[Status]
    target: Status
    by: frozenset[Role]
    label: Promise
    needs_reason: bool = False
    unless: Callable[[Quote], str] | None = None
    guarded: bool = False
    back_to: frozenset[Status] = frozenset()

    def target_of(self, asked: Status | None) -> Status:
        """Give where the move leads: to the state that is asked for where the rule allows it, else to its target."""
        return asked if asked in self.back_to and asked is not None else self.target

    def check_state(self, quote: Quote) -> None:
        """Refuse a move from the state that the quote is in (409)."""
        if quote.status not in self.sources:
            raise ConflictError(
                _("The quote is “%(status)s” now, so this is no longer possible: %(move)s")
                % {"status": quote.get_shown_status_display(), "move": self.label}
            )

    def check(self, quote: Quote, *, actor: Actor, reason: str) -> None:
        """Refuse a move of the wrong person (403), in the wrong state (409), or without its reason (422)."""
        if not self.by & actor.roles:
            raise NotAllowedError(_("Your role does not allow this: %(move)s") % {"move": self.label})
        self.check_state(quote)
        if self.needs_reason and not reason.strip():
            raise InvalidError("reason", _("Say why in a sentence: it stays with the quote"))
        if self.unless and (why := self.unless(quote)):
            raise ConflictError(why)
        if self.guarded:
            blocking = guards.blocking(quote, actor=actor, approving=self.target == Status.APPROVED)
            if blocking:
                raise BlockedError(list(blocking))


def expired(quote: Quote) -> str:
    """Say that the validity is over, where it is."""
    if not quote.is_expired():
        return ""
    return _("The quote was valid until %(day)s. Ask us for a new revision.") % {"day": dates.day(quote.valid_until)}


def not_rendered(quote: Quote) -> str:
    """Say that the document is still being made, where it is."""
    if quote.documents.filter(kind="short", language=quote.request.language).exists():
        return ""
    return _("The document is still being rendered. Try again in a few seconds.")


def _rule(
    sources: set[Status], target: Status, by: set[Role], label: Promise, *, needs_reason: bool = False
) -> Transition:
    return Transition(frozenset(sources), target, frozenset(by), label, needs_reason=needs_reason)


S, R = Status, Role
MOVES: dict[Move, Transition] = {
    Move.REVIEW: _rule({S.DRAFT}, S.IN_REVIEW, {R.ENGINEER}, gettext_lazy("Start the review")),
    Move.ASK: _rule({S.IN_REVIEW}, S.AWAITING_CUSTOMER, {R.ENGINEER}, gettext_lazy("Ask the customer")),
    Move.ANSWER: _rule(
        {S.AWAITING_CUSTOMER}, S.IN_REVIEW, {R.CUSTOMER, R.ENGINEER}, gettext_lazy("Back to the review")
    ),
    Move.SUBMIT: Transition(
        frozenset({S.IN_REVIEW}),
        S.READY,
        frozenset({R.ENGINEER}),
        gettext_lazy("Submit for approval"),
        guarded=True,
    ),
    Move.RETURN: _rule(
        {S.READY}, S.IN_REVIEW, {R.APPROVER, R.ENGINEER}, gettext_lazy("Return to the engineer"), needs_reason=True
    ),
    Move.APPROVE: Transition(
        frozenset({S.READY}), S.APPROVED, frozenset({R.APPROVER}), gettext_lazy("Approve"), guarded=True
    ),
    Move.SEND: Transition(
        frozenset({S.APPROVED}), S.SENT, frozenset({R.ENGINEER}), gettext_lazy("Send"), unless=not_rendered
    ),
    Move.WITHDRAW: _rule({S.APPROVED}, S.WITHDRAWN, {R.APPROVER}, gettext_lazy("Withdraw"), needs_reason=True),
    Move.ACCEPT: Transition(
        frozenset({S.SENT}), S.ACCEPTED, frozenset({R.CUSTOMER}), gettext_lazy("Accept"), unless=expired
    ),
    Move.RECORD: _rule({S.SENT}, S.ACCEPTED, {R.ENGINEER}, gettext_lazy("Record an acceptance")),
    Move.DECLINE: _rule({S.SENT}, S.DECLINED, {R.CUSTOMER}, gettext_lazy("Decline")),
    Move.CANCEL: _rule(
        {S.DRAFT, S.IN_REVIEW, S.AWAITING_CUSTOMER},
        S.CANCELLED,
        {R.ENGINEER},
        gettext_lazy("Cancel"),
        needs_reason=True,
    ),
    Move.SUPERSEDE: _rule({S.SENT, S.DECLINED}, S.SUPERSEDED, {R.ENGINEER}, gettext_lazy("Supersede")),
    Move.RETRACT: _rule(
        {S.ACCEPTED}, S.SENT, {R.ENGINEER}, gettext_lazy("Take the acceptance back"), needs_reason=True
    ),
    Move.RESTORE: Transition(
        frozenset({S.CANCELLED}),
        S.IN_REVIEW,
        frozenset({R.ENGINEER}),
        gettext_lazy("Take up again"),
        needs_reason=True,
        back_to=frozenset({S.DRAFT, S.IN_REVIEW, S.AWAITING_CUSTOMER}),
    ),
}
# What follows from something else and is no move of its own: a later revision is sent, a merge is undone.
FOLLOWING = frozenset({Move.SUPERSEDE, Move.RESTORE})


def needs_handler(move: Move, actor: Actor) -> bool:
    """Say whether a move is for who handles the request, as every edit is; approvers return whatever waits for them."""
    if actor.user is None:
        return False
    if move is Move.RETURN:
        return Role.APPROVER not in actor.roles
    return move in (Move.REVIEW, Move.ASK, Move.SUBMIT, Move.SEND, Move.CANCEL, Move.RECORD, Move.RETRACT, Move.RESTORE)


def possible(quote: Quote, actor: Actor) -> list[tuple[Move, Transition]]:
    """Give the moves whose state and role fit, for the buttons; guards and reasons are asked when moving."""
    return [
        (move, rule)
        for move, rule in MOVES.items()
        if quote.status in rule.sources and rule.by & actor.roles and move not in FOLLOWING
    ]
