"""A day that the customer named is told with everything on the way to it, and held against the slow side too."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from quotes import documents
from quotes.presenter.by_date import by_date
from quotes.presenter.reading import Reading
from tests.quotes import papers


def named(day: str, *, strength: str = "must", name: str = papers.TRAINING) -> dict[str, Any]:
    """A quote of 30 November 2026 for a run whose result is wanted by a day."""
    frozen = papers.snapshot(name, number="SW-2026-0147")
    frozen["answers"] = {"when": "date", "deadline_date": day, "when_strength": strength}
    frozen["candidate"]["ready"]["days_from_order"] = {"expected": 67.0, "low": 31.0, "high": 197.0}
    return frozen


def text(frozen: dict[str, Any], kind: str, language: str = "en") -> str:
    made = documents.html(frozen, kind=kind, language=language)
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", " ", made)))


@pytest.mark.parametrize(
    ("day", "said"),
    [
        # 30 November and 14 + 197, 7 + 67, 3 + 31 days.
        ("2027-06-29", "Ready by 29 June 2027 even with slow steps: expected on 12 February 2027"),
        (
            "2027-06-28",
            "Expected on 12 February 2027, before 28 June 2027; with a slow delivery not before 29 June 2027",
        ),
        ("2027-02-11", "Ready by 11 February 2027 only with quick steps (3 January 2027)"),
        ("2027-01-02", "Not ready by 2 January 2027: 3 January 2027 at the earliest, expected on 12 February 2027."),
    ],
)
@pytest.mark.parametrize("kind", ["short", "full"])
def test_a_named_day_is_told_with_what_it_takes(day: str, said: str, kind: str) -> None:
    found = text(named(day), kind)

    assert said in found
    assert "must be kept" in found
    if kind == "full":
        assert "Order and contract" in found
        assert "counted back from the day: order 7 d, delivery 60 d, installation 5 d" in found
        assert "Deadline 168 h" not in found


def test_within_the_deadline_is_said_only_where_the_slow_side_keeps_it() -> None:
    within = "The work is done within the deadline, the band included."

    assert within in text(named("2027-06-29"), "short")
    assert within not in text(named("2027-06-28"), "short")
    assert "the day depends on the delivery" in text(named("2027-06-28"), "short")


def test_without_lead_times_a_day_has_no_verdict() -> None:
    frozen = named("2027-03-31", strength="prefer")
    frozen["candidate"]["ready"] = {}
    found = by_date(Reading(frozen, "short"))

    assert found is not None
    assert (found.verdict, found.is_must, found.is_sure) == ("", False, False)


@pytest.mark.parametrize("answers", [{}, {"when": "none"}, {"when": "in", "deadline_amount": 7}, {"when": "date"}])
def test_without_a_day_there_is_none(answers: dict[str, Any]) -> None:
    frozen = named("2027-03-31") | {"answers": answers}

    assert by_date(Reading(frozen, "short")) is None
    assert "Wanted by" not in text(frozen, "full")


def test_a_service_has_its_day_too() -> None:
    found = text(named("2027-06-28", name=papers.SERVICE), "full", "ru")

    assert "Нужно к дате" in found
    assert "до заказа получите от поставщика срок" in found
