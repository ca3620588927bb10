"""Page one says when the result is there, counted from the order; and one figure has one name in every section."""

from __future__ import annotations

from typing import Any

import pytest

from quotes.presenter import memory as memory_words
from quotes.presenter import quantities as q
from quotes.presenter.answer import answer
from quotes.presenter.checklist_sections import pilot_section
from quotes.presenter.reading import Reading
from quotes.presenter.technical_sections import memory_section
from tests.quotes import papers


def key_of(frozen: dict[str, Any], kind: str = "short") -> Any:
    """The figure of page one that counts from the order."""
    return next(one for one in answer(Reading(frozen, kind)).keys if one.label.startswith("From the order"))


@pytest.mark.parametrize(
    ("name", "label"),
    [(papers.TRAINING, "From the order to the result"), (papers.SERVICE, "From the order to the service")],
)
def test_page_one_counts_from_the_order_with_the_range_and_its_parts(name: str, label: str) -> None:
    frozen = papers.snapshot(name)
    ready = frozen["candidate"]["ready"]

    key = key_of(frozen)

    assert (key.label, key.figure.text) == (label, str(round(ready["days_from_order"]["expected"])))
    ends = (round(ready["days_from_order"][side]) for side in ("low", "high"))
    assert "–".join(str(end) for end in ends) in key.note
    assert "no supplier’s word yet" in key.note
    assert ("the work" if name == papers.TRAINING else "first word after") in key.note


def test_a_suppliers_offer_is_named_as_what_the_delivery_rests_on() -> None:
    frozen = papers.snapshot()
    candidate = dict(frozen["candidate"])
    offer = {"supplier": "the supplier", "days": 40, "confirmation": "confirmed"}
    frozen["candidate"] = candidate | {"ready": candidate["ready"] | {"delivery_offer": offer}}

    assert "by the supplier’s offer" in key_of(frozen).note


def test_without_lead_times_page_one_says_what_is_missing_and_keeps_the_work() -> None:
    frozen = papers.snapshot()
    frozen["candidate"] = {name: value for name, value in frozen["candidate"].items() if name != "ready"}

    key = key_of(frozen)

    assert key.figure.text == "not known"
    assert "lead times are missing: ask the supplier" in key.note
    assert "the work" in key.note


def rows_of(section: Any) -> dict[str, str]:
    """Label and whole row of every table of a section."""
    tables = [block.table for block in section.blocks if block is not None and block.table is not None]
    return {str(one.cells[0].text): str(one) for table in tables for one in table.rows}


def test_memory_needed_and_memory_on_the_device_have_one_name_and_one_band_in_every_section() -> None:
    reading = Reading(papers.snapshot(), "full")
    found = memory_words.counters(reading.memory)
    sections = [rows_of(memory_section(reading)), rows_of(pilot_section(reading))]

    assert len(found) == 2
    for label, band in found:
        for rows in sections:
            assert q.gib(band["low"]).text in rows[label]
            assert q.gib(band["high"]).text in rows[label]
    assert reading.memory["needed"]["high"] != reading.memory["device"]["high"], "else the test proves nothing"
