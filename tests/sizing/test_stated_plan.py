"""A plan that the request states holds for every machine that is tried."""

import pytest

from sizing import contract

FULL_8B = {"method": "full", "model": {"name": "llama-3.1-8b"}, "tokens": 50_000_000, "sequence_length": 4096}
LORA_8B = FULL_8B | {"method": "lora"}


def recommend(workload, **plan):
    return contract.recommend({"id": "p", "workload": workload, "plan": plan})


@pytest.mark.parametrize(
    ("workload", "plan"),
    [
        (FULL_8B, {"offload": "optimizer"}),
        (FULL_8B, {"sharding": "fsdp"}),
        (LORA_8B, {"sharding": "ddp"}),
        (FULL_8B | {"framework": "megatron-bridge"}, {"tensor": 2, "pipeline": 2}),
    ],
)
def test_every_candidate_runs_the_stated_plan(workload, plan):
    answer = recommend(workload, **plan)

    assert answer["candidates"]
    for one in answer["candidates"]:
        assert {name: one["estimate"]["plan"][name] for name in plan} == plan
    assert not [text for text in answer["warnings"] if "plan" in text]


def test_a_stated_plan_leaves_out_machines_that_cannot_be_divided_so():
    free, stated = recommend(LORA_8B), recommend(LORA_8B, sharding="ddp")

    assert min(one["gpus_per_node"] * one["nodes"] for one in free["candidates"]) == 1
    assert min(one["gpus_per_node"] * one["nodes"] for one in stated["candidates"]) == 2


@pytest.mark.parametrize("plan", [{"tensor": 8}, {"pipeline": 3}, {"sharding": "zero3", "tensor": 1024}])
def test_a_plan_that_no_machine_runs_is_left_open_and_said(plan):
    answer = recommend(FULL_8B, **plan)

    assert answer["candidates"]
    assert "No machine of the catalog runs the plan as stated with trl; it was left open." in answer["warnings"]


def test_fields_of_a_plan_that_follow_from_the_machine_are_said_to_be_unused():
    answer = recommend(LORA_8B, data=3)

    assert answer["candidates"]
    assert any("'plan' is chosen by a recommendation" in text for text in answer["warnings"])


@pytest.mark.parametrize("plan", ["tensor", 3, ["tensor"], {"tensor": "many"}, {"sharding": "nonsense"}])
def test_a_plan_of_a_wrong_kind_is_named(plan):
    error = contract.recommend({"id": "p", "workload": LORA_8B, "plan": plan})["error"]

    assert error["field"].startswith("plan")


def test_on_the_machines_of_a_request_the_plan_is_the_recommended_one():
    answer = recommend(FULL_8B, offload="optimizer")
    best = answer["candidates"][0]
    machines = {"gpu": best["gpu"], "gpus_per_node": best["gpus_per_node"], "nodes": best["nodes"]}

    same = contract.on_machines(
        {"id": "p", "workload": FULL_8B, "plan": {"offload": "optimizer"}, "hardware": machines}
    )

    assert same["plan"]["offload"] == "optimizer"
    assert same["memory"]["device"]["expected"] == pytest.approx(best["estimate"]["memory"]["device"]["expected"])
