"""What the links between GPUs are worth: computed for the job, the same GPUs side by side."""

from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import Any

import pytest

from sizing import contract
from sizing.hardware_data import packaged
from sizing.recommend.search import joined
from sizing.speed import collectives

SHARDED = {
    "workload": {"task": "training", "method": "lora", "model": {"name": "llama-3.3-70b"}, "weights": "bf16",
                 "sequence_length": 8192, "dataset_tokens": 50_000_000, "epochs": 2},
    "limits": {"deadline_hours": 168},
}  # fmt: skip
SMALL = {"workload": {"method": "qlora", "model": {"name": "llama-3.1-8b"}, "tokens": 1e7}}
SERVICE = {"workload": {"task": "inference", "model": {"name": "llama-3.1-8b"}, "concurrency": 4}}


@cache
def answer() -> dict[str, Any]:
    return contract.recommend(SHARDED)


def timed() -> list[dict[str, Any]]:
    return [one for one in answer()["links"] if one["with_link"] and one["over_pcie"]]


def test_recommended_machine_stands_first_with_its_own_time() -> None:
    first, chosen = answer()["links"][0], answer()["candidates"][0]

    assert first["is_recommended"]
    assert (first["gpu"], first["gpus_per_node"]) == (chosen["gpu"], chosen["gpus_per_node"])
    assert first["with_link"]["seconds"]["expected"] == round(chosen["estimate"]["speed"]["seconds_to_result"])
    assert first["lost_same_plan"] == pytest.approx(chosen["scaling"]["lost_without_fast_link"])


def test_loss_is_the_speed_that_goes_with_the_link() -> None:
    for one in timed():
        ratio = one["over_pcie"]["tokens_per_second"] / one["with_link"]["tokens_per_second"]
        assert one["lost"] == pytest.approx(max(0.0, 1 - ratio))
        assert one["lost"] <= one["lost_same_plan"] + 1e-9


def test_waiting_for_the_exchange_grows_where_speed_is_lost() -> None:
    losing = [one for one in timed() if one["lost_same_plan"] > 0.01 and one["lost"] == one["lost_same_plan"]]

    assert losing
    assert all(one["over_pcie"]["exposed_share"] > one["with_link"]["exposed_share"] for one in losing)


def test_one_class_is_compared_in_equal_number_with_and_without_fast_links() -> None:
    others = [one for one in answer()["links"] if not one["is_recommended"]]

    for name, members in groupby(others, key=lambda one: one["gpu_name"].split()[0]):
        found = list(members)
        assert len({one["gpus_per_node"] * one["nodes"] for one in found}) == 1, name
        assert len({one["gpu"] for one in found}) == len(found), name
    assert {"h100-sxm", "h100-nvl", "h200-sxm", "h200-nvl"} <= {one["gpu"] for one in answer()["links"]}


def test_switched_boards_lose_and_pairs_of_cards_keep_to_pcie() -> None:
    rows = {one["gpu"]: one for one in timed() if not one["is_recommended"]}

    assert rows["h100-sxm"]["lost"] > 0.05
    assert rows["h100-nvl"]["link_reach"] == 2 < rows["h100-nvl"]["gpus_per_node"]
    assert rows["h100-nvl"]["lost"] < rows["h100-sxm"]["lost"]


def test_one_gpu_has_no_links_to_lose() -> None:
    found = contract.recommend(SMALL)

    assert found["candidates"][0]["gpus_per_node"] == 1
    assert not any(one["is_recommended"] for one in found["links"])


def test_a_service_is_not_compared_by_links_of_training() -> None:
    assert contract.recommend(SERVICE)["links"] is None


@pytest.mark.parametrize("nodes", [1, 2, 4])
@pytest.mark.parametrize("slug", ["h100-nvl", "h200-nvl"])
def test_bridges_never_make_a_ring_slower(slug: str, nodes: int) -> None:
    bridged = joined(packaged().gpu(slug), "nvlink_bridge", 8, nodes)

    with_bridges = collectives.group(bridged, 8 * nodes, 1)
    without = collectives.group(replace(bridged, interconnect="pcie"), 8 * nodes, 1)

    assert with_bridges.bus_bytes_per_s >= without.bus_bytes_per_s
