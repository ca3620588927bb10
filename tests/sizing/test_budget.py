"""A budget against what is known of prices: never shown as kept while a price is missing."""

from dataclasses import replace
from typing import Any

from sizing import contract
from sizing.hardware_data import packaged

QLORA = {"task": "training", "method": "qlora", "model": {"name": "llama-3.1-8b"}, "tokens": 1e8}


def answered(amount: float, *, net: bool = True, hardware: Any = None, **limits: Any) -> dict[str, Any]:
    """The answer to a request with a budget that must hold."""
    budget = {"must": amount, "currency": "USD", "net": net}
    return contract.recommend({"workload": QLORA, "limits": {"budget": budget, **limits}}, hardware=hardware)


def test_a_budget_below_every_known_price_is_said_and_promises_nothing():
    answer = answered(1)

    assert any("is below every dated price" in text for text in answer["warnings"])
    assert answer["candidates"]
    for one in answer["candidates"]:
        assert one["budget"] == "open"
        assert one["conditional"][0] == "Budget: no line of it has a known price; nothing shows that it keeps 1 USD."


def test_known_lines_that_cost_more_than_the_budget_are_a_rejection():
    answer = answered(20_000, gpu={"must": "h200-nvl"})

    assert answer["candidates"] == []
    assert {one["limit"] for one in answer["rejected"] if one["gpu"] == "h200-nvl"} == {"budget"}


def test_the_open_budget_stands_before_every_other_condition():
    answer = answered(1e9)

    assert answer["candidates"]
    for one in answer["candidates"]:
        assert one["budget"] == "open"
        assert one["conditional"][0].startswith("Budget: ")


def test_a_budget_with_tax_is_not_held_against_prices_without():
    net, gross = answered(30_000), answered(30_000, net=False)
    said = "Budget: it is with tax, prices are without; the tax has to be added to them first."

    assert gross["candidates"]
    assert all(said in one["conditional"] for one in gross["candidates"])
    assert not any(said in one["conditional"] for one in net["candidates"])
    rejected = [one["message"] for one in gross["rejected"] if one["limit"] == "budget"]
    assert rejected
    assert all("without tax" in text and "with tax are allowed" in text for text in rejected)


def test_without_any_price_there_is_nothing_to_say_of_reach():
    answer = answered(1, hardware=replace(packaged(), prices=()))

    assert not any("below every dated price" in text for text in answer["warnings"])


def test_the_nearest_is_not_one_whose_price_nobody_knows():
    answer = answered(1_000, deadline_hours={"must": 0.01})
    nearest = answer["nearest"]

    assert answer["candidates"] == []
    assert nearest["price"]["low"] > 1_000
    assert {"budget", "deadline"} <= {one["limit"] for one in nearest["binding"]}


def test_a_nearest_without_a_price_says_so_after_what_it_breaks():
    answer = answered(1_000, deadline_hours={"must": 0.01}, gpu={"must": "a10"})
    binding = answer["nearest"]["binding"]

    assert binding[0]["limit"] == "deadline"
    assert any("no line of it has a known price" in one["message"] for one in binding[1:])
