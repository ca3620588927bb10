"""The machine that a customer has in mind is answered too: it is judged like any other and leaves nothing out."""

from functools import cache
from typing import Any

import pytest

from sizing import contract

WORKLOAD = {"task": "training", "method": "lora", "model": {"name": "llama-3.3-70b"}, "sequence_length": 4096,
            "dataset_tokens": 200_000_000, "epochs": 2, "utilisation_hours_per_day": 5}  # fmt: skip
LIMITS = {"deadline_hours": 168}
EIGHT_H100 = {"gpu": "H100 SXM", "gpus": 8}


def asked(in_mind: Any, **more: Any) -> dict[str, Any]:
    return contract.recommend({"workload": WORKLOAD, "limits": LIMITS, "in_mind": in_mind, **more})


@cache
def eight() -> dict[str, Any]:
    return asked(EIGHT_H100)


def labelled(answer: dict[str, Any], label: str) -> dict[str, Any] | None:
    return next((one for one in answer["candidates"] if label in one["labels"]), None)


def test_exactly_that_gpu_and_number_become_a_candidate() -> None:
    one = labelled(eight(), "in_mind")

    assert one is not None
    assert (one["gpu"], one["gpus_per_node"] * one["nodes"]) == ("h100-sxm", 8)
    assert one["estimate"]["speed"]["seconds_to_result"] > 0
    assert one["price"]["low"] > 0
    assert (
        eight()["in_mind"] | {"gpu": "h100-sxm", "gpus": 8, "rank": one["rank"], "does_the_job": True}
        == eight()["in_mind"]
    )


def test_the_price_at_which_owning_it_pays_is_given_at_five_and_at_eight_hours() -> None:
    one = labelled(eight(), "in_mind")

    assert one is not None
    below = {row["hours_per_day"]: row["expected"] for row in one["economics"]["price_to_pay"]["by_hours"]}
    assert 0 < below[5.0] < below[8.0]


def test_it_leaves_nothing_out() -> None:
    without = contract.recommend({"workload": WORKLOAD, "limits": LIMITS})

    for label in ("recommended", "smallest", "headroom"):
        with_it, alone = labelled(eight(), label), labelled(without, label)
        assert with_it is not None and alone is not None
        assert (with_it["platform"], with_it["gpu"], with_it["nodes"]) == (
            alone["platform"],
            alone["gpu"],
            alone["nodes"],
        )


def test_it_says_why_another_is_recommended() -> None:
    chosen = labelled(eight(), "recommended")

    assert chosen is not None
    assert not eight()["in_mind"]["is_recommended"]
    assert any(chosen["gpu_name"] in text for text in eight()["in_mind"]["reasons"])


def test_what_is_recommended_anyway_takes_both_labels() -> None:
    chosen = labelled(eight(), "recommended")
    assert chosen is not None

    found = asked({"gpu": chosen["gpu"], "gpus": chosen["gpus_per_node"] * chosen["nodes"]})

    assert found["in_mind"]["is_recommended"]
    assert found["in_mind"]["reasons"] == []
    assert {"recommended", "in_mind"} <= set(found["candidates"][0]["labels"])


def test_a_number_between_the_usual_ones_is_ranked_with_the_others() -> None:
    found = asked({"gpu": "h200-nvl", "gpus": 3})
    one = labelled(found, "in_mind")

    assert one is not None
    assert (one["gpus_per_node"], one["nodes"]) == (3, 1)
    assert found["in_mind"]["does_the_job"]


def test_more_cards_than_a_chassis_takes_are_spread_evenly() -> None:
    one = labelled(asked({"gpu": "h200-nvl", "gpus": 24}), "in_mind")

    assert one is not None
    assert one["gpus_per_node"] * one["nodes"] == 24
    assert one["nodes"] > 1


@pytest.mark.parametrize(
    ("in_mind", "why"),
    [
        ({"gpu": "h100-sxm", "gpus": 6}, "comes on boards of 4 or 8"),
        ({"gpu": "h100-pcie", "gpus": 1}, "the weights alone take"),
        ({"gpu": "h100-sxm", "gpus": 1000}, "more than 32 nodes"),
    ],
)
def test_what_cannot_be_placed_says_why(in_mind: dict[str, Any], why: str) -> None:
    found = asked(in_mind)

    assert labelled(found, "in_mind") is None
    assert found["in_mind"]["rank"] is None
    assert not found["in_mind"]["does_the_job"]
    assert why in found["in_mind"]["reasons"][0]
    assert labelled(found, "recommended") is not None


def test_what_breaks_a_limit_is_shown_with_the_limit() -> None:
    found = asked(EIGHT_H100, limits=LIMITS | {"rack_power_watts": 5000})
    one = labelled(found, "in_mind")

    assert one is not None
    assert one["does_the_job"] is False
    assert not found["in_mind"]["does_the_job"]
    assert any(text.startswith("Power:") for text in found["in_mind"]["reasons"])


def test_another_gpu_than_the_must_is_judged_and_said() -> None:
    found = asked(EIGHT_H100, limits=LIMITS | {"gpu": "h200-nvl"})

    assert not found["in_mind"]["does_the_job"]
    assert any("instead of H200 NVL" in text for text in found["in_mind"]["reasons"])
    assert {one["gpu"] for one in found["candidates"] if "in_mind" not in one["labels"]} == {"h200-nvl"}


def test_a_stated_price_is_for_the_machine_in_mind() -> None:
    found = asked(EIGHT_H100, economics={"price": 300_000})
    named, chosen = labelled(found, "in_mind"), labelled(found, "recommended")

    assert named is not None and chosen is not None
    assert named["economics"]["price"] == {"low": 300_000, "high": 300_000}
    assert not chosen["economics"].get("price_is_stated")
    assert any("taken for the machine in mind" in text for text in found["warnings"])


@pytest.mark.parametrize(
    ("in_mind", "field"),
    [
        ({"gpu": "h100-sxm"}, "in_mind.gpus"),
        ({"gpus": 8}, "in_mind.gpu"),
        ({"gpu": "h900", "gpus": 8}, "in_mind.gpu"),
        ({"gpu": "h100-sxm", "gpus": 0}, "in_mind.gpus"),
        ("eight H100", "in_mind"),
    ],
)
def test_half_an_answer_is_refused_by_its_field(in_mind: Any, field: str) -> None:
    assert asked(in_mind)["error"]["field"] == field


def test_a_service_is_answered_for_it_as_well() -> None:
    workload = {"task": "inference", "model": {"name": "llama-3.3-70b"}, "concurrency": 8, "ttft_ms": 5000}

    found = contract.recommend({"workload": workload, "in_mind": EIGHT_H100})

    assert labelled(found, "in_mind") is not None
