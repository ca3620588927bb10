"""Own against the cloud without a whole price, and in another currency: on the page and in every document."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from quotes import documents
from quotes.presenter import cloud_section, deal, engine_words, exchange, own_or_rent, page_sections
from quotes.presenter.alternatives_section import alternatives_section
from quotes.presenter.answer import title
from quotes.presenter.reading import Reading
from sizing import contract
from sizing.exchange import ExchangeRate
from sizing.hardware_data import packaged
from tests.quotes import papers
from tests.quotes.test_documents_honest import issued
from tests.quotes.test_own_or_cloud import words_of

ROUBLE = ExchangeRate("USD", "RUB", 80.0, "2026-11-20", "central bank")


def computed(name: str, *, rates: tuple[ExchangeRate, ...] = (ROUBLE,), document: bool = False, **asked: Any) -> Any:
    """A snapshot whose answer knows exchange rates."""
    request = papers.requests()[name] | asked
    output = contract.recommend(request, hardware=replace(packaged(), exchange_rates=rates))
    chosen = next(one for one in output["candidates"] if "recommended" in one["labels"])
    frozen = copy.deepcopy(issued(name) if document else papers.preliminary(name))
    said = [one | {"confirmation": {"state": "confirmed"}} for one in output["assumptions"]]
    return frozen | {"input": request, "output": output, "candidate": chosen, "assumptions": said}


def text(frozen: dict[str, Any], kind: str, language: str = "en") -> str:
    """The visible words of a document."""
    made = documents.html(frozen, kind=kind, language=language)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", made).replace("\u00a0", " "))


def section(frozen: dict[str, Any], kind: str = "preliminary") -> str:
    """Section 10 in words."""
    with translation.override("en"):
        return words_of(cloud_section.cloud_section(Reading(frozen, kind)))


def test_without_a_whole_price_it_says_below_which_price_owning_pays() -> None:
    frozen = papers.preliminary(papers.TRAINING)
    pays = frozen["candidate"]["economics"]["price_to_pay"]
    found = section(frozen)

    assert 0 < pays["low"] <= pays["expected"] <= pays["high"]
    assert "At 8 h/day (assumed) over 3 years (assumed) an own server pays if it costs less than" in found
    assert "Lines without a price" in found
    for line in frozen["candidate"]["lines"]:
        assert (" ".join(engine_words.say(line["text"]).split()) in found) is (
            line["low"] is None and not line["included"]
        )
    assert "Do not buy if the whole server costs more than" in found
    assert "What moves the answer most." in found


def test_known_lines_that_cost_more_than_owning_may_settle_it() -> None:
    frozen = copy.deepcopy(papers.preliminary(papers.TRAINING))
    frozen["candidate"]["economics"]["price"] = {"low": 1e9, "high": 1e9}

    assert "at these rents it does not pay" in section(frozen)


@pytest.mark.parametrize("kind", ["short", "full"])
@pytest.mark.parametrize(("language", "said"), [
    ("en", "Converted at 1 USD = 80 RUB of 2026-11-20"),
    ("ru", "Пересчитано по курсу 1 USD = 80 RUB от 20.11.2026"),
])  # fmt: skip
def test_a_rouble_quote_is_compared_and_says_the_rate(kind: str, language: str, said: str) -> None:
    frozen = computed(papers.TRAINING, document=True, economics={"currency": "RUB"})
    frozen["totals"]["currency"] = "RUB"
    found = own_or_rent.comparison(Reading(frozen, kind))

    assert own_or_rent.is_comparable(found)
    assert found["price"]["low"] == float(frozen["totals"]["net"])
    assert said in text(frozen, kind, language)


def test_a_quote_in_another_currency_than_the_rents_is_converted_at_the_rate_of_the_answer() -> None:
    frozen = computed(papers.TRAINING, document=True)
    frozen["totals"]["currency"] = "RUB"
    found = own_or_rent.comparison(Reading(frozen, "full"))

    assert found["price"]["low"] == pytest.approx(float(frozen["totals"]["net"]) / 80)
    assert f"converted from {int(float(frozen['totals']['net'])):,} RUB" in section(frozen, "full")
    assert "Converted at 1 RUB = 0.0125 USD of 2026-11-20" in section(frozen, "full")


def test_without_a_rate_a_quote_in_another_currency_is_not_compared() -> None:
    frozen = computed(papers.TRAINING, document=True, rates=())
    frozen["totals"]["currency"] = "RUB"

    assert not own_or_rent.is_comparable(own_or_rent.comparison(Reading(frozen, "full")))


@pytest.mark.parametrize(("as_of", "old"), [("2026-10-29", True), ("2026-10-30", False), ("", False)])
def test_an_exchange_rate_is_stale_after_a_month(as_of: str, old: bool) -> None:
    reading = Reading({"frozen_at": "2026-11-30T09:30:00+00:00"}, "full")
    with translation.override("en"):
        said = exchange.said(ROUBLE.shown() | {"as_of": as_of}, reading)

    assert exchange.is_stale(as_of, reading) is old
    assert ("older than 31 days" in said) is old
    assert ("Nobody gave its day" in said) is (as_of == "")


def test_the_page_and_the_first_document_show_the_same_finding() -> None:
    frozen = papers.preliminary(papers.SERVICE)
    with translation.override("en"):
        on_page = page_sections.page_sections(frozen, is_quote=False)
    finding = next(one.finding for one in on_page if one.key == "cloud")

    assert finding.replace("\u00a0", " ") in text(frozen, "preliminary")


def test_a_budget_that_is_open_is_no_budget_kept() -> None:
    frozen = computed(papers.TRAINING, limits={"budget": {"must": 5_000_000, "currency": "USD"}})
    with translation.override("en"):
        headline = title(Reading(frozen, "preliminary"))

    assert frozen["candidate"]["budget"] == "open"
    assert headline.endswith("whether it keeps the budget is open")
    assert "Whether it keeps your budget is not known." in text(frozen, "preliminary")


@pytest.mark.parametrize(("is_net", "kept"), [(True, True), (False, False)])
def test_a_budget_with_tax_is_held_against_the_total_with_tax(is_net: bool, kept: bool) -> None:
    frozen = issued(budget={"must": 120_000, "currency": "USD", "net": is_net})
    frozen["totals"] |= {"net": "113000.00", "gross": "135600.00"}
    found = deal.budget(Reading(frozen, "full"))

    assert found is not None
    assert found.is_kept is kept


@pytest.mark.parametrize("name", [papers.TRAINING, papers.RAG])
def test_rents_beside_the_comparison_are_in_its_currency_where_a_rate_is_known(name: str) -> None:
    economics = {"currency": "RUB", "price": 24e6}
    with translation.override("en"):
        shown = words_of(alternatives_section(Reading(computed(name, economics=economics), "full")))
        own = words_of(alternatives_section(Reading(computed(name), "full")))

    assert "RUB" in shown and "Converted at 1 USD = 80 RUB of 2026-11-20" in shown
    assert re.search(r"[\d.]+–[\d.,]+ USD", shown) is None
    assert "USD" in own and "Converted" not in own


def test_a_rent_without_a_rate_keeps_its_own_currency() -> None:
    frozen = computed(papers.TRAINING, rates=(), economics={"currency": "RUB", "price": 24e6})
    with translation.override("en"):
        shown = words_of(alternatives_section(Reading(frozen, "full")))

    assert "USD" in shown and "Converted" not in shown


def test_where_owning_never_pays_the_picture_says_what_moves_the_price_at_which_it_would() -> None:
    found = section(computed(papers.TRAINING, economics={"price": 5e6, "hours_per_day": 12}))

    assert "What moves the answer most. Price below which owning pays" in found
    assert "never – never" not in found


def test_of_the_inputs_that_move_the_months_those_that_do_not_are_left_out() -> None:
    frozen = computed(papers.TRAINING, economics={"price": 5e4, "hours_per_day": 14, "rent_per_gpu_hour": 2.4})
    given = frozen["candidate"]["economics"]["sensitivity"]
    assert any(one["months_low"] is not None or one["months_high"] is not None for one in given)

    assert "never – never" not in section(frozen)


def test_an_input_that_moves_nothing_is_not_said_to_move_it() -> None:
    found = section(computed(papers.TRAINING, economics={"price": 5e6, "hours_per_day": 2}))

    assert "What moves it most" in found
    assert " 0 – 0 " not in found
