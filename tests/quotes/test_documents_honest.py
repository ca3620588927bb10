"""A document never contradicts its own quote, and says no more than its lines, its total and its answer hold."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from django.utils import translation

from quotes import documents
from quotes.presenter import own_or_rent, pictures, sources
from quotes.presenter import quantities as q
from quotes.presenter.deal import budget, deal
from quotes.presenter.reading import Reading
from sizing import contract
from tests.quotes import papers

NUMBER = "SW-2026-0147"
TRAINING_WORDS = re.compile(r"gradient|optimizer|градиент|оптимизатор", re.IGNORECASE)


def text(frozen: dict[str, Any], kind: str = "full", language: str = "en") -> str:
    """The visible words of a document."""
    with translation.override(language):
        made = documents.html(frozen, kind=kind, language=language)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", made).replace("\u00a0", " "))


def section(frozen: dict[str, Any], key: str, after: str) -> str:
    """The visible words of one section."""
    made = documents.html(frozen, kind="full", language="en")
    found = re.search(rf'<section id="{key}".*?(?=<section id="{after}")', made, re.DOTALL)
    assert found
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found[0]).replace("\u00a0", " "))


def issued(name: str = papers.TRAINING, **limits: Any) -> dict[str, Any]:
    """An issued quote whose every line is firm and confirmed, on a machine without conditions."""
    frozen = copy.deepcopy(papers.snapshot(name, number=NUMBER))
    if frozen["candidate"]:
        frozen["candidate"]["conditional"] = []
    frozen["input"]["limits"] |= limits
    return frozen


def test_the_chosen_column_says_what_the_quote_says() -> None:
    frozen = issued()
    found = section(frozen, "alternatives", "host")

    assert f"{float(frozen['totals']['net']):,.2f} USD" in found
    assert "1 of 9 lines" not in found
    assert "every line, condition and decisive assumption is confirmed or waived" in found
    assert "as first calculated, not confirmed" in found


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "The maker publishes no maximum power"), ("ru", "Производитель не публикует")],
)
@pytest.mark.parametrize("kind", ["short", "full"])
def test_what_the_chosen_machine_is_conditional_on_is_never_nothing(kind: str, language: str, said: str) -> None:
    frozen = issued()
    frozen["candidate"]["conditional"] = [
        "The maker publishes no maximum power for this composition; it is derived with a band."
    ]

    words = text(frozen, kind, language)

    assert said in words
    for nothing in ("Nothing is outstanding", "othing: every line", "ничего: все строки", "Неподтверждённого нет"):
        assert nothing not in words


def test_open_lines_are_counted_in_the_chosen_column() -> None:
    frozen = issued()
    frozen["lines"][0]["confirmation"] = {"state": "unconfirmed"}

    assert "unconfirmed points: 1" in section(frozen, "alternatives", "host")


@pytest.mark.parametrize(("amount", "says"), [(60_000, "is above your budget"), (200_000, "stays within your budget")])
def test_the_budget_is_compared_with_the_total_of_the_quote(amount: int, says: str) -> None:
    frozen = issued(budget={"must": amount, "currency": "USD"})

    assert text(frozen).count(says) == 2


def test_a_budget_in_another_currency_is_not_compared() -> None:
    found = budget(Reading(issued(budget={"must": 1, "currency": "EUR"}), "full"))

    assert found is not None
    assert found.is_kept is None


def test_a_market_price_gives_no_total_and_stays_in_the_house() -> None:
    frozen = issued()
    frozen["lines"][1] |= {"price_kind": "estimate", "detail": "Market price 32,200–32,200, survey citing shop.com"}

    for kind in ("short", "full"):
        found = text(frozen, kind)
        assert "Priced lines" in found
        assert "To pay" not in found
        assert "shop.com" not in found
        assert "market price, not quoted" not in found
    assert not deal(Reading(frozen, "full")).is_complete


def test_no_site_of_a_price_survey_is_named_in_a_quote() -> None:
    found = text(issued())

    assert "viperatech" not in found
    assert "price survey" not in found


def test_the_total_of_the_quote_is_compared_with_rent() -> None:
    reading = Reading(issued(papers.RAG), "full")
    found = own_or_rent.comparison(reading)

    assert own_or_rent.is_comparable(found)
    assert found["price"]["low"] == float(reading.snapshot["totals"]["net"])
    assert "Price of the server, this quote" in section(issued(papers.RAG), "cloud", "assumptions")


def test_a_part_of_a_price_gives_no_break_even() -> None:
    frozen = issued()
    frozen["lines"][0] |= {"price_kind": "none", "unit_price": None, "net_amount": None}
    frozen["totals"]["lines_priced"] -= 1
    found = text(frozen)

    assert "an own server pays if it costs less than" in found
    least = f"{float(frozen['totals']['net']):,.0f} USD"
    assert f"The lines with a price alone come to {least} or more: at these rents it does not pay." in found
    assert "are cheaper while yours" not in found
    assert "does not pay back" not in found
    assert "pay back" not in text(papers.preliminary(), "preliminary")


@pytest.mark.parametrize("use", [6, 12, 24])
@pytest.mark.parametrize(("name", "price"), [("s03-70b-lora-bf16", 40_000), ("s05-8b-full", 150_000)])
def test_the_picture_crosses_at_the_month_that_the_text_says(name: str, price: float, use: float) -> None:
    asked = papers.requests()[name]
    output = contract.recommend(asked | {"economics": {"hours_per_day": use, "price": price}})
    found = next(one for one in output["candidates"] if "recommended" in one["labels"])["economics"]
    drawn = pictures.break_even_curve(found)

    assert drawn is not None
    if own_or_rent.pays_in_time(found):
        assert drawn["chart"].mark_value == pytest.approx(found["months_to_pay"]["expected"], rel=0.01)
    else:
        assert drawn["chart"].mark_value is None


def test_the_host_shows_what_the_lines_compose() -> None:
    found = section(issued(), "host", "storage")

    assert "16 × 32 GB = 512 GB" in found
    assert "2 × Xeon Gold 6530" in found


def test_small_checkpoints_are_said_in_words_that_mean_something() -> None:
    found = section(issued(), "storage", "facility")

    assert "less than 1 s" in found
    assert "kB/s" not in found
    assert "less than 0.01" in found


@pytest.mark.parametrize(("given", "shown"), [("12.50", "12.5 %"), ("20.00", "20 %"), ("5", "5 %"), ("0.25", "0.25 %")])
def test_a_rate_keeps_its_digits(given: str, shown: str) -> None:
    with translation.override("en"):
        assert str(q.rate(given)).replace(q.NO_BREAK, " ") == shown


def test_a_discount_is_printed_whole() -> None:
    frozen = issued()
    frozen["lines"][0]["discount_percent"] = "12.50"

    assert "discount 12.5 %" in text(frozen)


def test_a_stated_deadline_is_not_assumed_as_well() -> None:
    frozen = issued()
    entry = frozen["assumptions"][0] | {"key": "limits.deadline_hours", "value": 168, "unit": "h"}
    frozen["assumptions"].append(entry)

    assert section(frozen, "requirement", "lines").count("Deadline") == 1


def test_only_published_sources_are_listed_and_one_without_a_date_says_so() -> None:
    names = [name for name, _as_of, _marks in sources.sources_of(Reading(issued(), "full"))]
    found = section(issued(), "sources", "glossary")

    assert names
    assert not {"framework", "flash kernels", "usual practice"} & set(names)
    assert "undated" in found
    assert "named with its date" not in text(issued())


@pytest.mark.parametrize(("given", "names"), [
    ("framework", []), ("flash kernels", []), ("usual practice", []),
    ("loss standard; TRL, axolotl: documentation", ["TRL, axolotl: documentation"]),
    ("Dettmers et al. 2023", ["Dettmers et al. 2023"]),
])  # fmt: skip
def test_a_source_is_told_from_an_explanation(given: str, names: list[str]) -> None:
    assert sources.published(given) == names


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", [papers.RAG, papers.SERVICE])
def test_no_word_of_training_stands_in_a_document_of_a_service(name: str, language: str) -> None:
    for kind, frozen in (("full", issued(name)), ("preliminary", papers.preliminary(name))):
        assert not TRAINING_WORDS.findall(text(frozen, kind, language))


@pytest.mark.parametrize("name", [papers.RAG, papers.SERVICE])
def test_the_words_of_a_service_name_no_experiment(name: str) -> None:
    for language in ("en", "ru"):
        assert not re.findall(r"experiment|эксперимент", text(issued(name), "full", language), re.IGNORECASE)


def test_the_whole_arithmetic_of_a_training_from_scratch_is_said() -> None:
    name = "s06-1.4b-from-scratch"
    estimate = papers.snapshot(name)["candidate"]["estimate"]
    each = next(one["value"] for one in estimate["derivations"] if one["key"] == "speed.flops_per_token")
    with translation.override("en"):
        whole = str(q.figure(each * estimate["tokens"], "FLOP")).replace(q.NO_BREAK, " ")

    assert whole in section(issued(name), "time", "alternatives")


def test_what_the_customer_told_beside_the_input_is_printed() -> None:
    answers = {"placement": "data_center", "service_access": "remote_hands", "dataset_language": "ru"}
    frozen = issued() | {"answers": answers | {"framework_version": "0.24", "redundancy": "spare"}}
    found = section(frozen, "requirement", "lines")

    for said in ("rack in a data center", "hands of the data center on request", "Russian", "0.24", "a second one"):
        assert said in found


def test_a_moment_names_the_time_zone_of_the_issuer() -> None:
    assert "12:29 (Europe/Moscow)" in text(issued())


def test_the_words_of_the_stack_are_said_in_russian() -> None:
    found = text(issued(), "full", "ru")

    assert "k-bit preparation" not in found
    assert "and what is built on them" not in found
    assert "before adapters are added" not in found
    assert "GB/s" not in found
