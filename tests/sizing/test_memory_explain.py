"""Derivations: every byte of the estimate has a line, and the lines say what would make it smaller."""

import pytest

from sizing import contract
from sizing import memory as room
from sizing.assumptions import Ledger
from tests.sizing.memory_cases import answer, case

CASES = {
    "lora": {"method": "lora", "sequence_length": 8192, "micro_batch": 4},
    "full": {"method": "full", "gpu": "b200-sxm", "activation_checkpointing": "none", "micro_batch": 4},
    "qlora": {"method": "qlora", "framework": "trl"},
    "pretraining": {
        "method": "pretraining",
        "framework": "torchtitan",
        "hardware": {"gpus_per_node": 8},
        "plan": {"sharding": "fsdp", "data": 8},
    },
}


@pytest.mark.parametrize("name", CASES)
def test_lines_add_up_to_the_estimate(name):
    asked = case(**CASES[name])
    found = room.estimate(asked, Ledger())
    steps = {step.key: step for step in room.explain(asked)}

    components = sum(steps[f"memory.{part}"].value for part, size in found.per_gpu if size)
    assert components == pytest.approx(found.allocated.expected)
    assert steps["memory.allocated"].value == found.allocated.expected


@pytest.mark.parametrize("name", CASES)
def test_each_line_has_formula_numbers_and_source(name):
    for step in room.explain(case(**CASES[name])):
        assert step.formula
        assert step.inputs
        assert step.source
        assert step.unit == "B"


def test_reductions_are_computed_and_not_quoted():
    steps = {step.key: step for step in room.explain(case(**CASES["full"]))}
    checkpointing = {one.what: one.saved_bytes for one in steps["memory.activations"].reduce}

    before = room.estimate(case(**CASES["full"]), Ledger()).allocated.expected
    after = room.estimate(case(**CASES["full"] | {"activation_checkpointing": "full"}), Ledger()).allocated.expected
    assert checkpointing["full activation checkpointing"] == pytest.approx(before - after)


def test_a_fused_loss_is_proposed_where_logits_decide():
    steps = {step.key: step for step in room.explain(case(**CASES["lora"]))}

    assert [one.what for one in steps["memory.logits"].reduce] == ["fused loss"]


def test_mechanisms_are_listed_as_assumptions_with_sources():
    ledger = Ledger()
    room.estimate(case(**CASES["lora"] | {"packing": "padded"}), ledger)
    listed = {one.key: one for one in ledger}

    assert {"memory.stack", "memory.loss_bytes", "memory.context_bytes", "memory.padded_share"} <= set(listed)
    assert all(one.source and one.why for one in listed.values())


def test_the_contract_carries_the_derivations():
    request = {"workload": {"task": "training", "method": "lora", "model": {"name": "llama-3.1-8b"}}, "explain": True}
    from sizing import contract

    keys = {step["key"] for step in contract.estimate(request)["derivations"]}
    assert "memory.activations" in keys
    assert answer()["memory"]["peak"]


@pytest.mark.parametrize(
    ("method", "model", "total_gib", "with_fp32_gradients_gib"),
    [
        # 70,553,706,496 parameters x 16 bytes, and x 18 where gradients stay in fp32.
        ("full", "llama-3.1-70b", 1051.33, 1182.75),
        ("full", "llama-3.1-8b", 119.66, 134.62),
    ],
)
def test_the_states_of_the_whole_model_are_shown_by_both_habits(method, model, total_gib, with_fp32_gradients_gib):
    workload = {"task": "training", "method": method, "model": {"name": model}, "master_weights": "fp32"}
    asked = {"workload": workload, "hardware": {"gpu": "h200-sxm", "gpus_per_node": 8}, "explain": True}
    step = next(one for one in contract.estimate(asked)["derivations"] if one["key"] == "memory.whole")

    assert step["value"] / 2**30 == pytest.approx(total_gib, abs=0.01)
    assert step["inputs"]["with gradients kept in fp32"][0] / 2**30 == pytest.approx(with_fp32_gradients_gib, abs=0.01)


@pytest.mark.parametrize("method", ["qlora", "lora", "full"])
@pytest.mark.parametrize("framework", ["trl", "torchtune"])
def test_on_one_gpu_the_whole_model_is_what_that_gpu_holds(method, framework):
    workload = {"task": "training", "method": method, "model": {"name": "llama-3.1-8b"}, "framework": framework}
    asked = {"workload": workload, "hardware": {"gpu": "h200-sxm"}, "explain": True}
    answer = contract.estimate(asked)
    step = next(one for one in answer["derivations"] if one["key"] == "memory.whole")

    held = sum(answer["memory"]["per_gpu"][name] for name in ("weights", "adapters", "gradients", "optimizer"))
    assert step["value"] == pytest.approx(held, rel=1e-6)
