"""No sequence of actions reaches a sent quote with an open line, assumption or condition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quotes import services
from quotes.models import ISSUED, Document, Quote, Status
from quotes.models.ledger import CONDITION
from quotes.refusals import Refusal
from quotes.services import points
from quotes.transitions import Move
from tests import makers

REASON = "the supplier names the article in the invoice"
CONDITIONAL = makers.make_output(
    candidates=[
        makers.make_candidate(rank) | {"conditional": ["The way of cooling is not published."]} for rank in (1, 2)
    ]
)
Action = Callable[[Quote], Any]
ACTIONS: dict[str, Action] = {
    "confirm": lambda quote: services.confirm(quote.lines.all()[0], actor=makers.engineer(), evidence="a letter"),
    "waive": lambda quote: services.waive(quote.lines.all()[1], actor=makers.engineer(), reason=REASON),
    "reopen": lambda quote: services.reopen(quote.lines.all()[0], actor=makers.engineer()),
    "refute": lambda quote: services.refute(quote.lines.all()[1], actor=makers.engineer(), evidence="withdrawn"),
    "assume": lambda quote: services.confirm(quote.ledger.all()[0], actor=makers.engineer(), evidence="the customer"),
    "condition": lambda quote: services.confirm(
        quote.ledger.filter(key__startswith=CONDITION)[0], actor=makers.engineer(), evidence="the maker"
    ),
    "let pass": lambda quote: services.waive(
        quote.ledger.filter(key__startswith=CONDITION)[0], actor=makers.engineer(), reason=REASON
    ),
    "price": lambda quote: services.edit_line(
        quote.lines.all()[1], actor=makers.engineer(), version=None, price_kind="firm", unit_price=quote.version
    ),
    "add": lambda quote: services.add_line(quote, actor=makers.engineer(), description="x", kind="other", quantity=1),
    "choose": lambda quote: services.choose_candidate(quote, rank=1, actor=makers.engineer(), drop=True),
    "submit": lambda quote: services.move(quote, to=Move.SUBMIT, actor=makers.engineer()),
    "return": lambda quote: services.move(quote, to=Move.RETURN, actor=makers.approver(), reason=REASON),
    "approve": lambda quote: services.approve(quote, actor=makers.approver()),
    "render": lambda quote: makers.make_document(quote) if quote.number else None,
    "send": lambda quote: services.send(quote, actor=makers.engineer()),
    "accept": lambda quote: services.accept(
        quote, actor=makers.customer(quote), sha256=quote.documents.all()[0].sha256
    ),
    "retract": lambda quote: services.retract(quote, actor=makers.engineer(), reason=REASON, evidence="a letter"),
    "withdraw": lambda quote: services.move(quote, to=Move.WITHDRAW, actor=makers.approver(), reason=REASON),
    "revise": lambda quote: services.revise(quote, actor=makers.engineer(), reason="new price list"),
}


@pytest.mark.django_db
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(sorted(ACTIONS)), max_size=14))
def test_no_sequence_sends_an_open_line(actions: list[str]) -> None:
    quote = makers.make_quote(settled=len(actions) % 2 == 0, output=CONDITIONAL)
    points.note_points(quote, quote.candidate)

    for name in actions:
        quote = Quote.objects.get(pk=quote.pk)
        try:
            result = ACTIONS[name](quote)
        except (Refusal, IndexError):
            continue
        if name == "revise":
            quote = result

    for one in Quote.objects.filter(request=quote.request, status__in=[*ISSUED, Status.WITHDRAWN]):
        states = {line["confirmation"]["state"] for line in one.snapshot["lines"]}
        decisive = {entry["confirmation"]["state"] for entry in one.snapshot["assumptions"] if entry["decisive"]}
        conditions = {point["confirmation"]["state"] for point in one.snapshot["conditions"]}
        assert states | decisive | conditions <= {"confirmed", "waived"}
        assert len(one.snapshot["conditions"]) == 1
        assert one.number
    assert Document.objects.filter(quote__number=None).count() == 0
