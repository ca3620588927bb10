"""More of the same GPUs, on the page and in the document: one builder, the same rows, the same finding."""

from __future__ import annotations

from typing import Any

import pytest

from quotes.presenter.blocks import Section
from quotes.presenter.page_sections import page_sections
from quotes.presenter.reading import Reading
from quotes.presenter.technical_sections import time_section
from quotes.templatetags.paper import drawing
from tests.quotes import papers

COMPARES = {"answers": {"when": "compare"}}


def on_page(snapshot: dict[str, Any]) -> Section:
    return next(one for one in page_sections(snapshot, is_quote=False) if one.key == "more-gpus")


def rows(section: Section) -> list[list[str]]:
    tables = [one.table for one in section.blocks if one.table is not None and one.table.name.startswith("scaling")]
    return [[cell.text for cell in row.cells] for table in tables for row in table.rows]


@pytest.mark.parametrize("name", [papers.TRAINING, papers.FULL_TUNING, papers.SERVICE])
def test_who_asked_to_compare_sees_the_same_table_at_once_on_the_page_and_in_the_document(name: str) -> None:
    snapshot = papers.preliminary(name) | COMPARES

    section = on_page(snapshot)

    assert section.is_open
    assert [row[0].partition("\u00a0")[0] for row in rows(section)][:1] == ["1"]
    assert rows(section) == rows(time_section(Reading(snapshot, "preliminary")))


def test_who_did_not_ask_finds_it_folded() -> None:
    assert not on_page(papers.preliminary()).is_open


def test_the_picture_says_what_it_shows_in_words() -> None:
    picture = next(one for one in on_page(papers.preliminary()).blocks if one.kind == "picture")

    assert "<title>Speed against one GPU, by number of GPUs: expected and ideal</title>" in drawing(picture)


def test_a_number_of_gpus_that_is_too_small_is_said_not_left_out() -> None:
    table = rows(on_page(papers.preliminary(papers.FULL_TUNING)))

    assert table[0][2] == "does not fit"
    assert table[-1][2] != "does not fit"


def test_a_calculation_made_before_the_costs_were_kept_still_has_its_curve() -> None:
    snapshot = papers.preliminary()
    points = [{"gpus": count, "seconds": {"expected": 9000 / count, "low": 8000 / count, "high": 9900 / count}}
              for count in (1, 2, 4)]  # fmt: skip
    snapshot["candidate"] = snapshot["candidate"] | {"scaling": {"points": points, "worth_having": 2}}

    section = on_page(snapshot)

    assert "worth having up to 2" in section.finding
    assert [row[0] for row in rows(section)] == [
        f"{count}\u00a0× {Reading(snapshot, 'x').gpu_short}" for count in (1, 2, 4)
    ]
