"""Which assumptions put full tuning on one card of 48 GB: computed for the case, with the sets that `/figures/` has."""

from typing import Any

import pytest

from sizing import contract, one_card
from sizing.reference import references
from sizing.units import GB, GIB

CASE = {"task": "training", "method": "full", "model": {"name": "llama-3.1-8b"}, "sequence_length": 4096}


def by_name(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in found["sets"]}


def test_a_set_fits_where_its_upper_band_stays_below_the_card() -> None:
    found = one_card.answer(CASE)

    assert found["holding"] == [one["name"] for one in found["sets"] if one["fits"]]
    assert all(one["needed"]["high"] <= 48 * GB for one in found["sets"] if one["fits"])
    assert 0 < len(found["holding"]) < len(found["sets"])


def test_mixed_precision_of_8b_is_sixteen_bytes_a_parameter_and_fits_no_48_gb() -> None:
    # 8.03e9 parameters x 16 bytes = 119.7 GiB; gradients kept in fp32 add up to 2 bytes each.
    mixed = by_name(one_card.answer(CASE))["mixed"]

    assert 119 * GIB < mixed["needed"]["expected"] < 160 * GIB
    assert not mixed["fits"]


def test_offload_moves_states_to_the_host_instead_of_losing_them() -> None:
    # Two fp32 states and the fp32 master copy: 12 bytes a parameter.
    moved = by_name(one_card.answer(CASE))["offloaded"]

    assert moved["fits"]
    assert moved["host_bytes"] >= 12 * 8.03e9


def test_longer_examples_never_need_less() -> None:
    short, long = (by_name(one_card.answer(CASE | {"sequence_length": length})) for length in (1024, 8192))

    assert all(short[name]["needed"]["expected"] <= long[name]["needed"]["expected"] for name in short)


def test_none_holds_a_model_of_70b() -> None:
    assert one_card.answer(CASE | {"model": {"name": "llama-3.1-70b"}})["holding"] == []


def test_quoted_figure_and_customers_case_are_one_computation() -> None:
    quoted = next(one for one in references() if one.fact == "B2" and one.condition.startswith("bf16 throughout"))

    own = by_name(one_card.answer(CASE | {"model": {"name": "llama-2-7b"}, "sequence_length": 2048}))["pure_8bit"]

    assert own["assumes"] == quoted.condition
    assert own["needed"]["expected"] / GIB == pytest.approx(quoted.expected_gib)


@pytest.mark.parametrize(("method", "is_there"), [("full", True), ("qlora", False)])
def test_answer_has_it_for_full_tuning_only(method: str, is_there: bool) -> None:
    answer = contract.recommend({"workload": CASE | {"method": method, "dataset_tokens": 1e8}})

    assert (answer["one_card"] is not None) is is_there
