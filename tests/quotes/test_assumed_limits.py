"""What nobody stated is not narrated as the customer's word: deadline, use of the server."""

from __future__ import annotations

from typing import Any

import pytest

from quotes.presenter import answer, own_or_rent
from quotes.presenter.reading import Reading
from quotes.presenter.request_section import request_section
from quotes.services import preparing
from tests import makers
from tests.quotes import papers

KINDS = {"assumed": None, "stated": {"must": 168}, "wished": {"prefer": 168}}


def read(deadline: Any) -> Reading:
    snapshot = papers.preliminary()
    limits = {name: one for name, one in snapshot["input"]["limits"].items() if name != "deadline_hours"}
    if deadline is not None:
        limits["deadline_hours"] = deadline
    assumed = {"key": "limits.deadline_hours", "value": 336, "unit": "h", "origin": "assumed"}
    others = [one for one in snapshot["assumptions"] if one["key"] != assumed["key"]]
    entries = others if deadline else [*others, assumed]
    return Reading(snapshot | {"input": snapshot["input"] | {"limits": limits}, "assumptions": entries}, "preliminary")


@pytest.mark.parametrize(
    ("kind", "word"),
    [("assumed", "assumed limit 14\u00a0d"), ("stated", "deadline 168\u00a0h"), ("wished", "wished for: 168\u00a0h")],
)
def test_page_one_says_whose_limit_it_is(kind: str, word: str) -> None:
    page = answer.answer(read(KINDS[kind]))

    ready = next(one for one in page.keys if one.label == "From the order to the result")
    time = next(one for one in page.pictures if one.text == "Time from the start")
    assert word in ready.note
    assert time.picture["limit_text"] == word
    assert word in time.picture["title"]
    assert ("within the deadline" in time.lead) == (kind != "assumed")


def test_the_request_lists_an_assumed_limit_as_ours() -> None:
    rows = [row for block in request_section(read(None)).blocks if block.table for row in block.table.rows]

    own = next(row for row in rows if "limit on the time" in row.cells[0].text)
    assert own.cells[-1].status == "assumed"


def test_hours_of_use_are_marked_until_somebody_states_them() -> None:
    found = {"hours_per_day": 8.0, "years": 3.0, "stated": []}

    assert own_or_rent.use_of(found).endswith("(assumed)")
    assert "assumed" not in own_or_rent.use_of(found | {"stated": ["hours_per_day"]})
    assert own_or_rent.years_of(found | {"stated": ["hours_per_day"]}).endswith("(assumed)")


@pytest.mark.django_db
@pytest.mark.parametrize(("when", "is_asked"), [("none", False), ("compare", False), ("in", True), (None, True)])
def test_who_said_that_nothing_waits_is_not_held_up_by_a_deadline_that_decides_nothing(
    when: str | None, is_asked: bool
) -> None:
    assumed = {"key": "limits.deadline_hours", "value": 336, "unit": "h", "decisive": True, "decides": False}
    quote = makers.make_quote(output=makers.make_output() | {"assumptions": [assumed], "questions": [assumed]})
    quote.estimate.request_version.answers = {"when": when}

    found = {one["key"]: one for one in preparing.assumptions_of(quote.estimate)}
    assert found["limits.deadline_hours"]["decisive"] is is_asked


@pytest.mark.parametrize(("method", "who"), [("auto", "assumed"), ("qlora", "customer"), (None, "customer")])
def test_a_method_that_was_left_to_us_is_not_the_customers_word(method: str | None, who: str) -> None:
    frozen = papers.preliminary() | {"answers": {"method": method}}
    rows = [
        row.cells
        for block in request_section(Reading(frozen, "full")).blocks
        if block.table
        for row in block.table.rows
    ]

    assert next(cells[2].status for cells in rows if cells[0].text == "Method") == who
