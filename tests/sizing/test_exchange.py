"""Exchange rates: which one counts, what is converted by it, and what is refused without one."""

from dataclasses import replace
from typing import Any

import pytest

from sizing import contract, economics, exchange
from sizing.assumptions import Ledger
from sizing.economics.offers import published
from sizing.exchange import ExchangeRate
from sizing.hardware import Price
from sizing.hardware_data import HardwareCatalog, packaged

ROUBLE = ExchangeRate("USD", "RUB", 80.0, "2026-11-30", "central bank")
TENGE = ExchangeRate("KZT", "USD", 0.002, "2026-11-20", "central bank")
TRAINING = {"task": "training", "method": "lora", "model": {"name": "llama-3.1-8b"}, "tokens": 1e8}


def catalog(*rates: ExchangeRate, prices: tuple[Price, ...] | None = None) -> HardwareCatalog:
    """The packaged catalog with rates, and with other prices where some are given."""
    found = replace(packaged(), exchange_rates=rates)
    return found if prices is None else replace(found, prices=prices)


def compared(rates: tuple[ExchangeRate, ...] = (ROUBLE,), **given: Any) -> tuple[dict[str, Any], Ledger]:
    """Own against rent for eight H100 with the buyer's own figures, and what was assumed."""
    ledger = Ledger()
    asked = economics.read({"workload": {}, "economics": given}, catalog(*rates), ledger)
    found = economics.compare(
        gpu_slug="h100-sxm", gpus=8, power_w=10_000, price=None, cloud=packaged().cloud, given=asked, ledger=ledger,
        rates=rates,
    )  # fmt: skip
    return found, ledger


def recommended(found: HardwareCatalog, **request: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The answer to a training request and its recommended candidate."""
    answer = contract.recommend({"workload": TRAINING, **request}, hardware=found)
    return answer, next(one for one in answer["candidates"] if "recommended" in one["labels"])


def test_the_latest_rate_counts_and_the_buyers_own_before_it():
    older = replace(ROUBLE, rate=70.0, as_of="2026-10-01")
    own = replace(ROUBLE, rate=95.0, as_of="", is_stated=True)

    assert exchange.between((ROUBLE, older), "USD", "RUB") == ROUBLE
    assert exchange.between((ROUBLE, older, own), "USD", "RUB").rate == 95.0


def test_a_rate_counts_from_either_side():
    assert exchange.between((ROUBLE,), "RUB", "USD").rate == pytest.approx(1 / 80)


def test_two_rates_make_a_third_of_the_earlier_day():
    found = exchange.between((ROUBLE, TENGE), "KZT", "RUB")

    assert found.rate == pytest.approx(0.16)
    assert found.as_of == "2026-11-20"


def test_nothing_leads_to_a_currency_without_a_rate():
    assert exchange.between((ROUBLE,), "USD", "EUR") is None


def test_a_rouble_price_is_compared_with_converted_rents():
    found, ledger = compared(price=24_000_000, currency="RUB")
    in_dollars, _ = compared(price=300_000, currency="USD")
    rent = published("h100-sxm", packaged().cloud)

    assert found["known"]
    assert found["rent"]["median"] == pytest.approx(80 * rent.middle)
    assert found["months_to_pay"]["expected"] == pytest.approx(in_dollars["months_to_pay"]["expected"])
    noted = next(one for one in ledger if one.key == "economics.exchange_rate")
    assert (noted.value, noted.unit, noted.as_of, noted.source) == (80.0, "RUB/USD", "2026-11-30", "central bank")
    assert found["exchange"]["as_of"] == "2026-11-30"


def test_the_buyers_own_rate_is_used_and_needs_no_assumption():
    found, ledger = compared((), price=24_000_000, currency="RUB", exchange_rate=90, exchange_rate_as_of="2026-11-29")

    assert found["exchange"] | {"source": ""} == {
        "base": "USD", "quote": "RUB", "rate": 90.0, "as_of": "2026-11-29", "source": "", "is_stated": True,
    }  # fmt: skip
    assert "economics.exchange_rate" not in ledger


def test_a_rouble_price_without_a_rate_is_refused_with_both_currencies():
    found, _ledger = compared((), price=24_000_000, currency="RUB")

    assert not found["known"]
    assert found["reason"] == "Prices and rents are known in different currencies: RUB and USD."
    assert found["price_to_pay"] is None


def test_all_figures_in_one_currency_need_no_rate():
    found, ledger = compared((), price=24_000_000, currency="RUB", rent_per_gpu_hour=280, tariff=7)

    assert found["known"]
    assert found["exchange"] is None
    assert "economics.exchange_rate" not in ledger


def test_what_the_buyer_gave_is_not_moved_by_the_rate():
    found, _ledger = compared(price=24_000_000, currency="RUB", tariff=7.0)
    dearer, _ = compared((replace(ROUBLE, rate=160.0),), price=24_000_000, currency="RUB", tariff=7.0)

    assert found["inputs"]["tariff"] == dearer["inputs"]["tariff"] == 7.0
    assert found["price"] == dearer["price"]
    assert dearer["rent"]["median"] == pytest.approx(2 * found["rent"]["median"])
    assert "exchange_rate" in {one["key"].rpartition(".")[2] for one in found["sensitivity"]}


def test_a_rate_older_than_the_rents_is_warned_of():
    _found, ledger = compared((replace(ROUBLE, as_of="2024-01-15"),), price=24_000_000, currency="RUB")

    assert any("2024-01-15" in text for text in ledger.warnings)


def test_a_budget_in_roubles_is_compared_and_held_in_roubles():
    limit = {"must": 3e7, "currency": "RUB"}
    answer, one = recommended(catalog(ROUBLE), limits={"budget": limit})

    assert one["economics"]["currency"] == "RUB"
    assert {line["currency"] for line in one["lines"] if line["low"] is not None} <= {"RUB"}
    assert not any("exchange rate has to be agreed" in text for text in one["conditional"])
    assert answer["exchange_rates"][0]["rate"] == 80.0


def test_a_price_in_another_currency_is_converted_and_says_at_which_rate():
    euro = ExchangeRate("EUR", "USD", 1.1, "2026-11-30", "central bank")
    _answer, plain = recommended(catalog(), limits={"gpu": {"must": "l40s"}})
    answer, one = recommended(catalog(euro), limits={"gpu": {"must": "l40s"}})
    card = next(line for line in one["lines"] if line["kind"] == "gpu")

    assert next(line for line in plain["lines"] if line["kind"] == "gpu")["low"] is None
    assert card["low"] == pytest.approx(7873 * 1.1)
    assert card["exchange"]["as_of"] == "2026-11-30"
    assert any(noted["key"] == "prices.exchange_rate.EUR_USD" for noted in answer["assumptions"])


def test_a_price_with_tax_of_an_unknown_rate_is_not_counted_as_one_without():
    with_tax = tuple(replace(price, is_net=False) for price in packaged().prices)
    _answer, one = recommended(catalog(prices=with_tax))

    assert one["price"] is None


def test_prices_of_which_nobody_says_the_tax_are_listed_as_an_assumption():
    answer, _one = recommended(catalog())

    assert any(noted["key"] == "prices.without_tax" for noted in answer["assumptions"])
