"""Plans that cannot run are refused by name; statements that contradict each other are told."""

import pytest

from sizing import contract

LORA_8B = {"task": "training", "method": "lora", "model": {"name": "llama-3.1-8b"}}
EIGHT = {"gpu": "h100-sxm", "gpus_per_node": 8}


def ask(workload=None, hardware=None, plan=None):
    return contract.estimate({"workload": {**LORA_8B, **(workload or {})}, "hardware": hardware or EIGHT, "plan": plan})


@pytest.mark.parametrize(
    "workload, hardware, plan, field",
    [
        ({"framework": "megatron"}, {**EIGHT, "nodes": 64}, {"pipeline": 64, "data": 8}, "plan.pipeline"),
        (
            {"framework": "megatron"},
            EIGHT,
            {"pipeline": 2, "virtual_pipeline": 100, "data": 4},
            "plan.virtual_pipeline",
        ),
        ({}, EIGHT, {"expert": 8, "sharding": "fsdp"}, "plan.expert"),
        ({"model": {"name": "mixtral-8x7b"}}, EIGHT, {"expert": 3, "sharding": "fsdp"}, "plan.expert"),
        ({"model": {"name": "qwen2.5-7b"}}, EIGHT, {"tensor": 8, "sharding": "fsdp"}, "plan.tensor"),
        ({"model": {"name": "bert-base-uncased"}, "sequence_length": 4096}, None, None, "workload.sequence_length"),
        ({}, EIGHT, {"pipeline": 4}, "plan"),
    ],
)
def test_plan_that_cannot_run_is_refused_by_name(workload, hardware, plan, field):
    assert ask(workload, hardware, plan)["error"]["field"] == field


@pytest.mark.parametrize("plan", [{}, {"offload": None}, {"offload": "none"}, {"tensor": 1}])
def test_a_stated_default_fixes_that_field_only(plan):
    assert ask(plan=plan)["plan"] == ask(plan=None)["plan"]


@pytest.mark.parametrize(
    "workload, hardware, words",
    [
        ({"global_batch": 64, "micro_batch": 4, "gradient_accumulation": 4}, EIGHT, "global batch of 64"),
        ({"tokens": 1e6, "steps": 10}, EIGHT, "only tokens is used"),
        ({}, {"gpu": "h100-sxm", "memory_gib": 1000}, "1000 GiB were stated"),
        ({}, {"gpu": "rtx-4090", "gpus_per_node": 2, "interconnect": "nvswitch"}, "cannot be joined by NVSwitch"),
        ({"lora": {"rank": 8, "targets": ["q_proj", "foo"]}}, EIGHT, "'foo' matches no matrix"),
        ({"attention": "flash"}, {"gpu": "v100-sxm2-32"}, "FlashAttention 2 needs"),
        ({"compute": "fp8"}, {"gpu": "a100-sxm-80"}, "no FP8 units"),
        ({"model": {"name": "deepseek-v3"}}, EIGHT, "published in FP8"),
    ],
)
def test_contradiction_is_told(workload, hardware, words):
    assert any(words in warning for warning in ask(workload, hardware, {"sharding": "ddp"})["warnings"])


def test_plan_without_offload_is_answered_even_where_it_cannot_fit():
    workload = {"task": "training", "method": "full", "model": {"name": "llama-3.1-70b"}}
    answer = contract.estimate(
        {"workload": workload, "hardware": {**EIGHT, "gpus_per_node": 2}, "plan": {"offload": "none"}}
    )

    assert answer["memory"]["fits"] is False
