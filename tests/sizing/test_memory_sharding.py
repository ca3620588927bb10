"""Dividing states and layers over GPUs, and what the division itself costs."""

import pytest

from sizing.memory.pipeline import in_flight, stages
from tests.sizing.memory_cases import answer, case, memory

EIGHT = {"gpus_per_node": 8, "interconnect": "nvswitch"}
LLAMA_8B = 8_030_261_248
PRETRAINING = {"method": "pretraining", "framework": "torchtitan", "sequence_length": 8192}


def test_zero_stages_divide_more_and_more():
    found = {
        name: memory("full", framework="deepspeed", hardware=EIGHT, plan={"sharding": name, "data": 8})["per_gpu"]
        for name in ("zero1", "zero2", "zero3")
    }

    assert found["zero1"]["optimizer"] == pytest.approx(12 * LLAMA_8B / 8, abs=8)
    assert found["zero2"]["gradients"] < found["zero1"]["gradients"]
    assert found["zero3"]["weights"] == pytest.approx(2 * LLAMA_8B / 8, abs=8)


def test_fp32_shards_are_the_master_copy():
    found = memory(hardware=EIGHT, plan={"sharding": "fsdp", "data": 8}, **PRETRAINING)["per_gpu"]

    assert found["weights"] == pytest.approx(4 * LLAMA_8B / 8, abs=8)
    assert found["optimizer"] == pytest.approx(8 * LLAMA_8B / 8, abs=8)


def test_weights_that_are_not_resharded_stay_whole():
    kept = {
        reshard: memory(
            hardware=EIGHT, plan={"sharding": "fsdp", "data": 8, "reshard_after_forward": reshard}, **PRETRAINING
        )["per_gpu"]["buffers"]
        for reshard in (True, False)
    }

    assert kept[False] - kept[True] > 0.7 * 2 * LLAMA_8B


def test_hybrid_sharding_divides_within_a_node_only():
    hardware = {"gpus_per_node": 8, "nodes": 4}
    whole = memory(hardware=hardware, plan={"sharding": "fsdp", "data": 32}, **PRETRAINING)["per_gpu"]
    hybrid = memory(hardware=hardware, plan={"sharding": "hsdp", "data": 32}, **PRETRAINING)["per_gpu"]

    assert hybrid["optimizer"] == pytest.approx(4 * whole["optimizer"], rel=0.001)


def test_ddp_copies_gradients_into_buckets():
    alone = memory("full", gpu="b200-sxm", optimizer="adamw_fused")
    copied = memory(
        "full", gpu="b200-sxm", optimizer="adamw_fused", hardware=EIGHT, plan={"sharding": "ddp", "data": 8}
    )

    assert copied["per_gpu"]["buffers"] - alone["per_gpu"]["buffers"] == pytest.approx(2 * LLAMA_8B, rel=0.01)


def test_tensor_parallelism_divides_matrices_and_sequence_parallelism_the_rest():
    def activations(**plan):
        found = memory(
            "pretraining",
            framework="megatron",
            gpu="b200-sxm",
            hardware=EIGHT,
            sequence_length=8192,
            activation_checkpointing="none",
            plan={"sharding": "zero1", **plan},
        )
        return found["per_gpu"]["activations"]

    whole = activations(data=8)
    plain = activations(data=2, tensor=4, sequence_parallel=False)
    divided = activations(data=2, tensor=4, sequence_parallel=True)

    assert whole > plain > divided
    assert divided == pytest.approx(whole / 4, rel=0.05)


def test_context_parallelism_divides_the_sequence():
    def activations(context):
        plan = {"sharding": "zero1", "data": 8 // context, "context": context}
        asked = {"framework": "megatron", "gpu": "b200-sxm", "hardware": EIGHT, "sequence_length": 32_768}
        return memory("pretraining", plan=plan, activation_checkpointing="none", **asked)["per_gpu"]["activations"]

    assert activations(4) == pytest.approx(activations(1) / 4, rel=0.01)


def test_expert_parallelism_divides_experts_and_not_the_rest():
    def weights(expert):
        plan = {"sharding": "zero1", "data": 8, "expert": expert}
        asked = {"framework": "megatron", "gpu": "b200-sxm", "hardware": EIGHT}
        return memory("pretraining", "qwen3-30b-a3b", plan=plan, **asked)["per_gpu"]["weights"]

    assert weights(8) < 0.25 * weights(1)
    assert weights(8) > weights(1) / 8


@pytest.mark.parametrize(
    ("pipeline", "virtual", "accumulation", "first", "last"),
    [(4, 1, 16, 4, 1), (4, 1, 2, 2, 1), (4, 2, 16, 5.5, 2.5), (1, 1, 16, 1, 1)],
)
def test_micro_batches_in_flight(pipeline, virtual, accumulation, first, last):
    asked = case(
        "pretraining",
        framework="megatron",
        hardware=EIGHT,
        gradient_accumulation=accumulation,
        plan={"sharding": "zero1", "data": 8 // pipeline, "pipeline": pipeline, "virtual_pipeline": virtual},
    )
    found = stages(asked.architecture, pipeline, device_map=False)

    assert in_flight(asked.workload, asked.plan, found[0]) == first
    assert in_flight(asked.workload, asked.plan, found[-1]) == last


def test_fullest_stage_is_looked_for_at_both_ends():
    asked = case("pretraining", framework="megatron", hardware=EIGHT, plan={"sharding": "zero1", "pipeline": 8})
    first, last = stages(asked.architecture, 8, device_map=False)

    assert first.embedding and not first.head
    assert last.head and not last.embedding
    assert first.layer_count == 4


def test_offload_moves_states_to_the_host():
    here = memory("full", framework="deepspeed", hardware=EIGHT, plan={"sharding": "zero3", "data": 8})
    there = memory(
        "full",
        framework="deepspeed",
        hardware=EIGHT,
        plan={"sharding": "zero3", "data": 8, "offload": "optimizer+parameters"},
    )

    assert there["per_gpu"]["optimizer"] == there["per_gpu"]["weights"] == 0
    assert there["host_per_node"]["expected"] > here["host_per_node"]["expected"] + 12 * LLAMA_8B


def test_flat_parameters_give_frozen_weights_a_gradient():
    plan = {"sharding": "fsdp", "data": 2}
    asked = {"gpu": "a100-sxm-40", "hardware": {"gpus_per_node": 2}, "gradient_accumulation": 16, "plan": plan}
    litgpt = memory("lora", "llama-2-7b", framework="litgpt", **asked)
    trainer = memory("lora", "llama-2-7b", framework="hf", **asked)

    assert litgpt["per_gpu"]["gradients"] > 2 * 6.7e9
    assert trainer["per_gpu"]["gradients"] < 1e9


def test_fsdp1_keeps_inputs_of_frozen_layers_until_the_pass_ends():
    asked = {"sequence_length": 8192, "micro_batch": 4, "loss": "fused", "gpu": "h200-sxm"}
    alone = memory("lora", **asked)["per_gpu"]["activations"]
    sharded = memory("lora", hardware=EIGHT, plan={"sharding": "fsdp", "data": 8}, **asked)["per_gpu"]["activations"]

    # 30 layers' input gradients of 2 x 4096 bytes a token
    assert sharded - alone == pytest.approx(30 * 2 * 4096 * 4 * 8192, rel=0.02)


def test_whole_gradients_while_accumulating_are_counted_and_said():
    plan = {"sharding": "fsdp", "data": 8}
    asked = {"method": "full", "gpu": "h200-sxm", "hardware": EIGHT, "plan": plan}
    once, often = (answer(gradient_accumulation=times, **asked) for times in (1, 8))

    assert often["memory"]["per_gpu"]["gradients"] >= 2 * LLAMA_8B
    assert once["memory"]["per_gpu"]["gradients"] < 0.2 * often["memory"]["per_gpu"]["gradients"]
    assert any("sync_each_batch" in warning for warning in often["warnings"])
    assert not any("sync_each_batch" in warning for warning in once["warnings"])
