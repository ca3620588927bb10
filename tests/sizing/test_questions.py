"""What the ends of an assumption move: against the figures of now, with what the plan does otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from sizing import contract

FULL_8B = {"task": "training", "method": "full", "model": {"name": "llama-3.1-8b"}, "tokens": 3e7}
DOCUMENTS = {"task": "rag", "documents": 200_000, "pages_per_document": 8, "model": {"name": "qwen2.5-32b"},
             "concurrency": 40}  # fmt: skip


def ledger(workload: dict[str, Any], **limits: Any) -> dict[str, dict[str, Any]]:
    answer = contract.recommend({"workload": workload, "limits": limits})
    return {one["key"]: one for one in answer["assumptions"]}


@pytest.fixture(scope="module")
def full() -> dict[str, dict[str, Any]]:
    return ledger(FULL_8B, gpu="h200-nvl")


def test_examples_of_512_tokens_cost_little_time_of_their_own(full):
    moves = full["workload.sequence_length"]["moves"]

    # the same tokens: attention is shorter, optimizer steps are four times as many, 59 ms in 0.98 s of work
    assert moves["low"]["value"] == 512
    assert 1.0 < moves["low"]["seconds"] / moves["now"]["seconds"] < 1.2
    assert moves["low"]["seconds_high"] / moves["low"]["seconds"] == pytest.approx(
        moves["now"]["seconds_high"] / moves["now"]["seconds"], rel=0.01
    )


def test_an_end_says_what_else_changes_of_the_plan(full):
    moves = full["workload.sequence_length"]["moves"]

    # 8,192 tokens are held with recomputation alone, which costs a third more arithmetic and takes less memory
    assert moves["high"]["plan"]["activation_checkpointing"] == "full"
    assert moves["high"]["seconds"] > 1.3 * moves["now"]["seconds"]
    assert full["workload.checkpoints_kept"]["moves"]["high"]["plan"] == {}


def test_checkpoints_kept_move_the_drives_and_nothing_else(full):
    moves = full["workload.checkpoints_kept"]["moves"]

    # 8.03 B parameters x 14 B (weights, master copy, two states) and 30 % of reserve: 146 GB a checkpoint
    assert moves["high"]["storage_bytes"] - moves["now"]["storage_bytes"] == pytest.approx(7 * 146e9, rel=0.01)
    assert moves["high"]["seconds"] == moves["now"]["seconds"]
    assert moves["high"]["device_high_bytes"] == moves["now"]["device_high_bytes"]


def test_time_between_checkpoints_moves_what_a_failure_costs(full):
    moves = full["workload.checkpoint_every_minutes"]["moves"]

    assert moves["high"]["lost_seconds"] - moves["low"]["lost_seconds"] == pytest.approx((240 - 15) * 60 / 2)


def test_every_assumption_of_the_workload_with_a_range_is_tried_however_many_there_are():
    found = ledger(DOCUMENTS)
    ranged = [one for key, one in found.items() if key.startswith("workload.") and one["low"] is not None]

    assert len(ranged) > 12
    assert all(one["moves"] for one in ranged)
    assert found["workload.peak_factor"]["decisive"]


def test_a_services_assumptions_move_its_times_and_its_room():
    found = ledger({"task": "inference", "model": {"name": "llama-3.1-8b"}, "concurrency": 16}, gpu="h100-sxm")
    weights, share = found["workload.weights"]["moves"], found["workload.memory_fraction"]["moves"]

    assert weights["low"]["tpot_ms"] < weights["now"]["tpot_ms"]
    assert share["low"]["max_concurrency"] < share["now"]["max_concurrency"] < share["high"]["max_concurrency"]


@pytest.mark.parametrize(
    ("tokens", "decides"),
    [
        # Hours on one card against minutes; weeks of it leave smaller machines behind that need up to thirty days.
        (10_000_000, False),
        (2_000_000_000, True),
    ],
)
def test_an_assumed_deadline_says_whether_it_decides(tokens, decides):
    workload = {
        "method": "qlora",
        "model": {"name": "llama-3.3-70b"},
        "dataset_tokens": tokens,
        "sequence_length": 2048,
    }
    found = next(
        one
        for one in contract.recommend({"workload": workload})["assumptions"]
        if one["key"] == "limits.deadline_hours"
    )

    assert found["decisive"]
    assert found["decides"] is decides
