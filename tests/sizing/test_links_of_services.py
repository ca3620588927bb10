"""What links are worth for a service that spreads a replica over several GPUs: times, throughput, GPUs for the load."""

from __future__ import annotations

from typing import Any

import pytest

from sizing import contract

SERVICE = {"task": "inference", "model": {"name": "llama-3.3-70b"}, "input_tokens": 2000, "output_tokens": 400,
           "concurrency": 50}  # fmt: skip


def answered(workload: dict[str, Any], **limits: Any) -> dict[str, Any]:
    return contract.recommend({"workload": workload, "limits": limits})


@pytest.fixture(scope="module")
def boards() -> dict[str, Any]:
    return answered(SERVICE, gpu="h200-sxm")


def test_a_service_is_compared_with_its_links_and_over_pcie(boards):
    own = boards["links"][0]
    fast, slow = own["with_link"], own["over_pcie"]

    assert own["is_recommended"]
    assert fast["tokens_per_second"] == pytest.approx(
        boards["candidates"][0]["estimate"]["speed"]["output_tokens_per_second"]
    )
    assert own["lost"] == pytest.approx(1 - slow["tokens_per_second"] / fast["tokens_per_second"])
    assert 0.1 < own["lost"] < own["lost_same_plan"] < 1
    assert slow["tpot_ms"] > fast["tpot_ms"]
    assert slow["gpus"] > fast["gpus"]


def test_over_pcie_smaller_groups_exchange_less(boards):
    own = boards["links"][0]

    # Two all-reduces in each of 80 layers: the group of eight is given up for smaller ones.
    assert own["over_pcie"]["plan"]["tensor"] < own["with_link"]["plan"]["tensor"]


def test_the_machine_over_pcie_is_what_an_estimate_says_of_it(boards):
    slow = boards["links"][0]["over_pcie"]
    plan = {name: slow["plan"][name] for name in ("tensor", "data")}
    hardware = {"gpu": "h200-sxm", "gpus_per_node": 8, "interconnect": "pcie"}

    found = contract.estimate({"workload": SERVICE, "hardware": hardware, "plan": plan})["speed"]

    assert found["tpot_ms"] == pytest.approx(slow["tpot_ms"])
    assert found["output_tokens_per_second"] == pytest.approx(slow["tokens_per_second"])


def test_replicas_on_one_gpu_each_have_nothing_to_compare():
    assert answered({"task": "inference", "model": {"name": "llama-3.1-8b"}, "concurrency": 16})["links"] is None
