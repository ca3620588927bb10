"""Owning against the cloud, from the customer's own figures to page and document."""

from __future__ import annotations

import copy
import itertools
import json
import re
from functools import cache
from html import unescape
from typing import Any

import pytest
from django.core.management import call_command
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from quotes import documents, intake, own_figures
from quotes.forms.route import ADAPTERS, DOCUMENTS, SERVICE
from quotes.forms.ways import bound
from quotes.models import Quote
from quotes.presenter import cloud_section, cloud_tables, own_or_rent, page_sections, request_section
from quotes.presenter.blocks import Section
from quotes.presenter.reading import Reading
from quotes.services import change_assumption, try_value
from quotes.services.ledger import parse_value
from sizing import contract
from tests import makers
from tests.quotes import papers
from tests.quotes.test_documents_honest import issued
from tests.quotes.test_requests import submit

LOAN = {"interest_rate": 0.09, "egress_gb_per_month": 2000, "egress_per_gb": 0.08}
OWN_RATE = {"rent_per_gpu_hour": 3.1, "rent_as_of": "2026-11-20", "currency": "USD"}


@cache
def _answer(name: str, given: str) -> str:
    return json.dumps(contract.recommend(papers.requests()[name] | {"economics": json.loads(given)}))


def with_economics(name: str = papers.RAG, *, document: bool = False, **given: Any) -> dict[str, Any]:
    """A snapshot whose answer was computed with the buyer's own figures."""
    asked = papers.requests()[name] | {"economics": given}
    output = json.loads(_answer(name, json.dumps(given)))
    chosen = next(one for one in output["candidates"] if "recommended" in one["labels"])
    frozen = issued(name) if document else papers.preliminary(name)
    frozen = copy.deepcopy(frozen) | {"input": asked, "output": output, "candidate": chosen}
    return frozen | {"assumptions": [one | {"confirmation": {"state": "confirmed"}} for one in output["assumptions"]]}


def words_of(section: Section) -> str:
    """Every word of a section, tables included."""
    made = render_to_string("quotes/_sections.html", {"sections": [section]})
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", made)).replace("\u00a0", " ").split())


def shown(frozen: dict[str, Any], kind: str = "full") -> str:
    """Section 10 in words."""
    with translation.override("en"):
        return words_of(cloud_section.cloud_section(Reading(frozen, kind)))


@pytest.mark.parametrize("way", [ADAPTERS, SERVICE, DOCUMENTS])
def test_the_form_takes_the_customers_own_figures(way: str) -> None:
    given = {"electricity_price": "0,12", "cloud_rate": "3.1", "cloud_rate_date": "2026-11-20", "egress_tb": "2",
             "egress_price": "0.08", "cloud_storage_price": "0.02", "interest_percent": "9",
             "server_price": "310 000", "currency": "EUR", "documents": "100", "users": "50"}  # fmt: skip
    form = bound(way, given)
    form.is_valid()

    asked = own_figures.economics(intake.jsonable(form.answered()))

    assert asked == {
        "price": 310_000,
        "tariff": 0.12,
        "rent_per_gpu_hour": 3.1,
        "rent_kind": "on-demand",
        "rent_as_of": "2026-11-20",
        "egress_gb_per_month": 2000,
        "egress_per_gb": 0.08,
        "cloud_storage_per_gb_month": 0.02,
        "interest_rate": pytest.approx(0.09),
        "currency": "EUR",
    }


OWNING = {"years_of_use": "4", "pue": "1,3", "space_price": "15 000", "support_percent": "5", "staff_percent": "2",
          "resale_percent": "25", "exchange_rate": "80.5", "exchange_rate_date": "2026-11-20"}  # fmt: skip
HELD = {"years": 4, "pue": 1.3, "space_per_kw_month": 15_000, "yearly_share": 0.05, "staff_share": 0.02,
        "residual_share": 0.25, "exchange_rate": 80.5, "exchange_rate_as_of": "2026-11-20"}  # fmt: skip


@pytest.mark.parametrize("way", [ADAPTERS, SERVICE, DOCUMENTS])
def test_what_owning_costs_goes_from_the_expert_form_into_the_question(way: str) -> None:
    given = OWNING | {"currency": "RUB", "model_name": "llama-3.1-8b", "documents": "100", "users": "50"}
    form = bound(way, given, depth="expert")
    form.is_valid()
    asked = intake.to_request(intake.jsonable(form.answered()), route=way)

    assert not set(OWNING) & set(form.errors)
    assert asked["economics"] == {name: pytest.approx(value) if name != "exchange_rate_as_of" else value
                                  for name, value in HELD.items()} | {"currency": "RUB"}  # fmt: skip


def test_what_owning_costs_stands_in_answer_page_and_document() -> None:
    frozen = with_economics(document=True, price=9e6, currency="RUB", **HELD)
    found, ledger = frozen["candidate"]["economics"], {one["key"] for one in frozen["assumptions"]}
    kw = frozen["candidate"]["facility"]["power_watts"]["expected"] / 1000

    assert not {f"economics.{name}" for name in HELD} & ledger
    assert found["own_parts"]["space"] == pytest.approx(15_000 * kw, rel=1e-3)
    assert found["own_parts"]["staff"] == pytest.approx(0.02 * 9e6 / 12, rel=1e-3)
    assert found["exchange"]["rate"] == 80.5 and found["exchange"]["as_of"] == "2026-11-20"
    with translation.override("en"):
        asked = words_of(request_section.request_section(Reading(frozen, "full")))
    for said in ("Years of use 4 years", "(PUE) 1.3", "share of the price a year 5 %",
                 "Room in the rack, a kilowatt a month 15,000",
                 "80.5 RUB/USD", "Day of the exchange rate 20 November 2026"):  # fmt: skip
        assert said in asked


@pytest.mark.django_db
def test_what_owning_costs_is_asked_in_the_expert_view_alone_and_folded(client: Client) -> None:
    plain, expert = (client.get(f"/size/{ADAPTERS}/?depth={depth}").text for depth in ("plain", "expert"))

    assert 'name="pue"' not in plain and 'name="pue"' in expert
    folded = expert[expert.index('id="s-own_costs"') :]
    assert "<details" in folded[: folded.index('name="years_of_use"')]
    assert plain.count("in the currency of the budget, without tax<") == 1


def test_without_own_figures_the_question_has_none() -> None:
    assert "economics" not in intake.to_request({"model_name": "llama-3.1-8b", "currency": "RUB"}, route=ADAPTERS)


def test_financing_and_traffic_stand_in_the_comparison_of_the_quote() -> None:
    frozen = with_economics(document=True, **LOAN)
    found = own_or_rent.comparison(Reading(frozen, "full"))
    net = float(frozen["totals"]["net"])

    # 9 % a year over 36 months: annuity factor 0.0317997; interest 36 x 0.0317997 - 1 = 14.479 % of the price.
    assert found["own_parts"]["financing"] == pytest.approx(net * 0.14479 / 36, rel=1e-3)
    assert found["cloud_parts"]["egress"] == pytest.approx(160)
    text = shown(frozen)
    assert "Interest of a loan or lease" in text
    assert "160" in text
    assert "Not counted, because nobody has given a figure: Storage in the cloud, a GB a month." in text


def test_when_not_to_buy_is_said_as_plainly_as_the_rest() -> None:
    renting = shown(with_economics(price=400_000, hours_per_day=2), "preliminary")
    owning = shown(with_economics(price=90_000, hours_per_day=20), "preliminary")

    assert "When not to buy" in renting
    assert "Do not buy for the sake of money at 2 h/day: renting then costs less." in renting
    assert "Do not buy if the work ends within" in owning
    assert "Do not buy for the sake of money" not in owning
    for text in (renting, owning):
        assert "Reasons beside money" in text
        assert "The data stays on premises." in text


def test_reasons_beside_money_never_move_the_number() -> None:
    reading = Reading(with_economics(document=True), "full")
    reading.candidate["economics"]["reasons_beside_money"] = []  # type: ignore[index]

    without = own_or_rent.comparison(reading)

    reading.candidate["economics"]["reasons_beside_money"] = ["The data stays on premises."] * 9  # type: ignore[index]
    assert own_or_rent.comparison(reading)["months_to_pay"] == without["months_to_pay"]


def test_a_server_that_pays_after_its_years_of_use_is_not_called_paid() -> None:
    found = {"months_to_pay": {"expected": 40.0}, "years": 3.0}

    assert not own_or_rent.pays_in_time(found)
    assert own_or_rent.pays_in_time(found | {"years": 5.0})


def test_an_own_rate_stands_where_no_rent_was_known() -> None:
    frozen = with_economics(papers.TRAINING, price=90_000)
    unknown = copy.deepcopy(frozen)
    unknown["candidate"]["economics"] |= {"known": False, "rent": None, "reserved": None, "price_to_pay": None,
                                          "reason": "No dated rent of this GPU is known."}  # fmt: skip

    text = shown(unknown, "preliminary")
    assert "No dated rent of this GPU is known." in text
    assert "Give us the rate of your own quote for the cloud" in text
    assert "your own quote for the cloud, 2026-11-20" in shown(
        with_economics(papers.TRAINING, price=90_000, **OWN_RATE), "preliminary"
    )


def test_rents_are_listed_with_date_and_source_and_old_ones_are_marked() -> None:
    frozen = with_economics(document=True)
    rows = frozen["candidate"]["economics"]["rent"]["rows"]
    rows[0]["as_of"] = "2026-04-20"

    text = shown(frozen)

    assert all(one["provider"] in text and one["as_of"] in text for one in rows)
    assert "stale" in text
    assert "Older than 6 months, so perhaps no longer true: 1 of these prices." in text


@pytest.mark.parametrize(("as_of", "old"), [
    ("2026-05-30", True), ("2026-05-31", False), ("2026-05", True), ("2026-06", False), ("2026-H1", False),
    ("2025-H2", True), ("2025", True), ("2026", False), ("undated", False), (None, False), ("2026-13", False),
])  # fmt: skip
def test_a_printed_price_is_stale_after_half_a_year(as_of: str | None, old: bool) -> None:
    assert cloud_tables.is_stale(as_of, Reading({"frozen_at": "2026-11-30T09:30:00+00:00"}, "full")) is old


def test_the_picture_says_the_strongest_input_and_ends_in_words() -> None:
    found = own_or_rent.comparison(Reading(with_economics(document=True), "full"))
    with translation.override("en"):
        drawn = cloud_tables.swings_picture(found, 7)

    assert drawn is not None
    strongest = found["sensitivity"][0]
    assert cloud_tables.label(strongest["key"]) in drawn["title"]
    widths = [float(bar.width.rstrip("%")) for bar in drawn["drawn"].bars]
    assert widths[0] == max(widths)
    assert all(
        float(bar.start.rstrip("%")) + width <= 100.01 for bar, width in zip(drawn["drawn"].bars, widths, strict=True)
    )


def test_the_mark_of_the_expected_value_crosses_bars_and_no_words() -> None:
    found = own_or_rent.comparison(Reading(with_economics(document=True), "full"))
    drawn = (cloud_tables.swings_picture(found, 7) or {})["drawn"]

    for above, bar in itertools.pairwise((None, *drawn.bars)):
        assert bar is not None
        assert float(bar.text_y) < float(bar.mark_top) < float(bar.bar_y) < float(bar.mark_end)
        assert above is None or float(above.mark_end) < float(bar.text_y) - 8


def test_an_answer_of_before_keeps_its_figures() -> None:
    frozen = issued(papers.RAG)
    old = frozen["candidate"]["economics"]
    for name in ("inputs", "stated", "not_counted", "case", "resale", "own_parts", "cloud_parts", "years", "reserved"):
        old.pop(name, None)
    frozen["assumptions"] = [one for one in frozen["assumptions"] if not one["key"].startswith("economics.")] + [
        frozen["assumptions"][0] | {"key": "economics.yearly_share", "value": 0.12}
    ]

    found = own_or_rent.comparison(Reading(frozen, "full"))

    net = float(frozen["totals"]["net"])
    assert found["own_parts"]["support"] == pytest.approx(net * 0.01, abs=0.01)
    assert found["own_parts"]["space"] == found["own_parts"]["staff"] == found["own_parts"]["financing"] == 0


@pytest.mark.parametrize("language", ["en", "ru"])
def test_page_and_document_say_the_same(language: str) -> None:
    frozen = with_economics(document=True, **LOAN)
    with translation.override(language):
        on_page = page_sections.page_sections(frozen, is_quote=True)
        finding = next(one.finding for one in on_page if one.key == "cloud")
    made = documents.html(frozen, kind="full", language=language)

    assert {one.key for one in on_page} == {"more-gpus", "links", "memory-whole", "documents", "cloud"}
    assert finding in made


def test_search_over_documents_says_where_its_memory_lies() -> None:
    frozen = papers.preliminary(papers.RAG)
    with translation.override("en"):
        shown = page_sections.page_sections(frozen, is_quote=False)
        text = words_of(next(one for one in shown if one.key == "documents"))

    for said in ("On each GPU: models that embed and sort", "In host memory: the index", "On NVMe", "HNSW, int8",
                 "IVF, float16", "IVF-PQ", "Until it is in use", "Rent of an update", "Memory of a GPU"):  # fmt: skip
        assert said in text


def test_own_figures_are_said_by_the_customer() -> None:
    frozen = with_economics(papers.TRAINING, **OWN_RATE)
    with translation.override("en"):
        text = words_of(request_section.request_section(Reading(frozen, "preliminary")))

    assert "Rent of one GPU, an hour 3.1 USD/GPU-h stated by the customer" in text


@pytest.mark.parametrize("changed", [False, True])
def test_what_was_derived_is_not_said_by_the_customer(changed: bool) -> None:
    frozen = papers.preliminary(papers.SERVICE) | {"route": SERVICE, "answers": {"users": 200}}
    asked = copy.deepcopy(frozen["input"])
    asked["workload"]["concurrency"] = 17 if not changed else 30
    cell = request_section.who_said(
        Reading(frozen | {"input": asked}, "preliminary"), "workload.concurrency", asked["workload"]["concurrency"]
    )

    assert cell.status == ("customer" if changed else "assumed")
    assert bool(cell.sub) is not changed


def test_tokens_counted_from_pages_are_marked_as_derived() -> None:
    answers = {"dataset_amount": 1000, "dataset_unit": "documents", "dataset_language": "ru"}
    asked = intake.to_request(answers, route="qlora")
    reading = Reading({"route": "qlora", "answers": answers, "input": asked}, "preliminary")
    tokens = asked["workload"]["dataset_tokens"]

    assert request_section.who_said(reading, "workload.dataset_tokens", tokens).status == "assumed"
    assert request_section.who_said(reading, "workload.method", "qlora").status == "customer"


def test_a_value_changed_later_says_who_changed_it() -> None:
    entry = {"key": "workload.concurrency", "origin": "measured"}
    reading = Reading({"assumptions": [entry], "answers": {"users": 200}, "route": SERVICE}, "full")

    assert request_section.who_said(reading, "workload.concurrency", 17).status == "measured"


@pytest.mark.django_db
def test_the_engineer_gives_a_cloud_rate_in_the_ledger() -> None:
    call_command("load_catalog", verbosity=0)
    request, _token = submit()
    quote = request.quotes.get()
    for key, typed in (("economics.rent_per_gpu_hour", "2,75"), ("economics.egress_per_gb", "0.08")):
        entry = Quote.objects.get(pk=quote.pk).ledger.select_related("quote__estimate").get(key=key)
        change_assumption(entry, value=parse_value(entry, typed), actor=makers.engineer(), evidence="their quote")

    quote = Quote.objects.get(pk=quote.pk)
    assert quote.estimate.input["economics"] == {"rent_per_gpu_hour": 2.75, "egress_per_gb": 0.08}
    assert quote.candidate is not None
    assert quote.candidate["economics"]["rent"]["is_stated"]
    kept = quote.ledger.get(key="economics.rent_per_gpu_hour")
    assert (kept.value, kept.confirmation) == (2.75, "confirmed")


@pytest.mark.django_db
def test_an_impossible_rate_is_refused_with_its_field() -> None:
    call_command("load_catalog", verbosity=0)
    request, _token = submit()
    entry = request.quotes.get().ledger.select_related("quote__estimate").get(key="economics.interest_rate")

    assert "economics.interest_rate" in try_value(entry, value=9).error


@pytest.mark.django_db
def test_a_submitted_request_keeps_the_customers_rate() -> None:
    request, _token = submit(asked=makers.ASKED | {"economics": OWN_RATE})

    estimate = request.estimates.get()
    assert estimate.input["economics"] == OWN_RATE


def test_with_the_customers_own_price_the_calculation_compares_without_ours() -> None:
    given = {"server_price": "310000", "cloud_rate": "3.1", "currency": "USD", "utilisation_hours_per_day": "12"}
    form = bound(ADAPTERS, given | {"model_name": "llama-3.3-70b", "dataset_amount": "50", "dataset_unit": "mtokens"})
    form.is_valid()
    asked = own_figures.economics(intake.jsonable(form.answered()))
    frozen = with_economics(papers.TRAINING, **asked)

    text = shown(frozen, "preliminary")

    assert "not comparable" not in text
    assert "Price of the server, as you gave it 310,000 USD" in text
