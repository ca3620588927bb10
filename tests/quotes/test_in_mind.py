"""The machine a customer has in mind: from the form to the page and the document; links and one card beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils import translation

from quotes import intake
from quotes.forms.route import ADAPTERS, DOCUMENTS, FULL, SCRATCH, SERVICE
from quotes.forms.sections import EXPERT, PLAIN
from quotes.forms.ways import FORMS, bound
from quotes.presenter import in_mind, links, one_card, price_limit
from quotes.presenter.alternatives_section import alternatives_section
from quotes.presenter.blocks import Block
from quotes.presenter.page_sections import page_sections
from quotes.presenter.reading import Reading
from quotes.presenter.technical_sections import memory_section, time_section
from sizing import contract
from tests.catalog.conftest import catalog, loaded
from tests.quotes import papers

if TYPE_CHECKING:
    from catalog.starter import Report

__all__ = ["catalog", "loaded"]

OWN_OR_CLOUD, SHARDED, FULL_8B = "s17-own-or-cloud", "s03-70b-lora-bf16", "s05-8b-full"
TYPED = {
    "model_name": "llama-3.3-70b",
    "method": "lora",
    "dataset_amount": "50",
    "epochs": "1",
    "sequence_length": "4096",
}


def cells(blocks: tuple[Block, ...] | list[Block]) -> list[list[str]]:
    """Every row of every table, as text."""
    tables = (block.table for block in blocks if block.table is not None)
    return [
        [" ".join(filter(None, (cell.text, cell.sub))) for cell in row.cells] for table in tables for row in table.rows
    ]


def reading(name: str, kind: str = "full") -> Reading:
    return Reading(papers.snapshot(name), kind)


@pytest.mark.parametrize("way", [ADAPTERS, FULL, SCRATCH, SERVICE, DOCUMENTS])
@pytest.mark.parametrize("depth", [PLAIN, EXPERT])
def test_every_form_asks_for_it_at_both_depths(way: str, depth: str) -> None:
    assert {"in_mind_gpu", "in_mind_gpus"} <= set(FORMS[way].shown(depth))


@pytest.mark.django_db
def test_what_was_typed_becomes_the_question_and_comes_back(catalog: Report) -> None:
    form = bound(ADAPTERS, TYPED | {"in_mind_gpu": "H100 SXM", "in_mind_gpus": "8"})

    assert form.is_valid()
    question = intake.to_request(form.answered(), route="lora")
    assert question["in_mind"] == {"gpu": "h100-sxm", "gpus": 8}
    assert "gpu" not in question["limits"]
    _way, values = intake.from_request(question)
    assert (values["in_mind_gpu"], values["in_mind_gpus"]) == ("h100-sxm", 8)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"in_mind_gpu": "H100 SXM"}, "in_mind_gpus"),
        ({"in_mind_gpus": "8"}, "in_mind_gpu"),
        ({"in_mind_gpu": "H900", "in_mind_gpus": "8"}, "in_mind_gpu"),
    ],
)
def test_half_an_answer_is_asked_about(catalog: Report, typed: dict[str, str], field: str) -> None:
    assert list(bound(ADAPTERS, TYPED | typed).errors) == [field]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_page_and_document_say_the_same_of_it(language: str) -> None:
    with translation.override(language):
        text = in_mind.finding(reading(OWN_OR_CLOUD))
        page = page_sections(papers.snapshot(OWN_OR_CLOUD), is_quote=False)
        section = alternatives_section(reading(OWN_OR_CLOUD))
        money, on_paper = (
            cells(in_mind.money(reading(OWN_OR_CLOUD, "preliminary"))),
            cells(alternatives_section(reading(OWN_OR_CLOUD, "preliminary")).blocks),
        )

    assert page[0].key == "in-mind"
    assert page[0].finding == text
    assert text in [block.text for block in section.blocks]
    assert [row for row in money if row not in on_paper] == []


def test_a_partial_price_gives_the_price_at_which_owning_pays_at_five_and_eight_hours_and_no_months() -> None:
    one = in_mind.of_answer(papers.answer(OWN_OR_CLOUD))
    assert one is not None
    assert not one["price"]["is_complete"]
    below = {row["hours_per_day"]: row["expected"] for row in one["economics"]["price_to_pay"]["by_hours"]}

    shown = {row[0]: row[1] for row in cells(in_mind.money(reading(OWN_OR_CLOUD, "preliminary")))}

    for hours in (5, 8):
        found = shown[f"Pays if the server costs less than, at {hours}\u00a0h/day"]
        assert found == price_limit.about(below[hours], "USD")
    assert not any(label.startswith("Months until it has paid, at") for label in shown)


def test_a_whole_price_gives_months_and_a_partial_one_beside_it_says_why_it_has_none() -> None:
    asked = papers.requests()[OWN_OR_CLOUD] | {"economics": {"price": 300_000}}
    output = contract.recommend(asked)
    whole = Reading({"output": output, "candidate": output["candidates"][0]}, "preliminary")

    rows = [row for row in cells(in_mind.money(whole)) if row[0].startswith("Months")]

    assert rows
    assert all(row[1][0].isdigit() for row in rows)
    assert all("The price is incomplete: " in row[2] for row in rows)


@pytest.mark.parametrize(("gpus", "says"), [(6, "does not do the job. Number"), (8, "does the job: in")])
def test_it_is_said_plainly_whether_it_does_the_job(gpus: int, says: str) -> None:
    asked = papers.requests()[OWN_OR_CLOUD] | {"in_mind": {"gpu": "h100-sxm", "gpus": gpus}}

    assert says in in_mind.said(contract.recommend(asked))


def test_nothing_is_said_where_nothing_was_in_mind() -> None:
    assert in_mind.finding(reading(SHARDED)) == ""
    assert in_mind.side_by_side(reading(SHARDED)) == []
    assert "in-mind" not in [one.key for one in page_sections(papers.snapshot(SHARDED), is_quote=False)]


def test_links_stand_on_the_page_and_in_the_document_with_the_engines_loss() -> None:
    found = papers.answer(SHARDED)["links"]
    own = found[0]

    page = {one.key: one for one in page_sections(papers.snapshot(SHARDED), is_quote=False)}["links"]

    assert f"would lose {own['lost']:.0%}".replace("%", "\u00a0%") in page.finding
    assert len(cells(page.blocks)) == len(found)
    assert [row for row in cells(page.blocks) if row not in cells(time_section(reading(SHARDED)).blocks)] == []


def test_links_are_left_out_where_nothing_was_compared() -> None:
    assert links.finding(reading(papers.IMPOSSIBLE)) == ""
    assert links.blocks(reading(papers.IMPOSSIBLE)) == []


def test_links_of_a_service_stand_with_its_throughput_its_times_and_the_gpus_for_its_load() -> None:
    own = papers.answer(papers.SERVICE)["links"][0]

    shown = cells(links.blocks(reading(papers.SERVICE)))[0]
    on_paper = cells(time_section(reading(papers.SERVICE)).blocks)

    assert f"{own['over_pcie']['gpus']} GPUs for the load" in shown[2]
    assert f"{own['with_link']['tokens_per_second']:,.0f}" in shown[1]
    assert shown in on_paper


def test_sets_of_assumptions_stand_on_the_page_and_in_the_document() -> None:
    found: dict[str, Any] = papers.answer(FULL_8B)["one_card"]
    page = {one.key: one for one in page_sections(papers.snapshot(FULL_8B), is_quote=False)}["memory-whole"]

    rows = cells(one_card.blocks(reading(FULL_8B)))

    assert f"under {len(found['holding'])} of {len(found['sets'])} sets" in page.finding
    assert [row[2] for row in rows] == ["yes" if one["fits"] else "no" for one in found["sets"]]
    assert [row for row in rows if row not in cells(page.blocks)] == []
    assert [row for row in rows if row not in cells(memory_section(reading(FULL_8B)).blocks)] == []


def test_none_would_is_said_where_none_does() -> None:
    assert "under none of the usual savings" in one_card.finding(reading(papers.FULL_TUNING))
