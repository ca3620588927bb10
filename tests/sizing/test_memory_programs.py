"""What a training program makes of a request: offloading, attention and checkpointing as it really runs them."""

import pytest

from sizing import memory as room
from sizing import speed
from sizing.assumptions import Ledger
from tests.sizing.memory_cases import answer, case, memory

UNSLOTH = {"framework": "unsloth", "sequence_length": 32_768}
EIGHT = {"hardware": {"gpus_per_node": 8}, "plan": {"sharding": "fsdp", "data": 8}}
LLAMA_INPUT = 2 * 4096  # bytes of a layer's input for each token of llama-3.1-8b, which has 32 layers


def activations(**asked):
    return memory("lora", **asked)["per_gpu"]["activations"]


def test_unsloth_without_checkpointing_keeps_every_layer():
    kept = activations(**UNSLOTH, activation_checkpointing="none")

    # fused kernels: 16-bit inputs of norms, queries, keys, values, outputs, gate, up: over 32 x 80 KiB a token
    assert kept > 32 * 80 * 1024 * 32_768
    assert kept < activations(framework="trl", sequence_length=32_768, activation_checkpointing="none")


def test_unsloth_offloads_its_checkpoints_where_asked():
    here, there = (activations(**UNSLOTH, activation_offload=asked) for asked in (False, True))

    assert here - there == pytest.approx(30 * LLAMA_INPUT * 32_768, rel=0.01)


def test_unsloth_offloads_nothing_but_checkpoints():
    here, there = (
        answer("lora", **UNSLOTH, activation_checkpointing="none", activation_offload=asked) for asked in (False, True)
    )

    assert there["memory"]["allocated"] == here["memory"]["allocated"]
    assert there["speed"] == here["speed"]


@pytest.mark.parametrize("length", [8192, 32_768])
def test_unsloth_scales_with_the_sequence(length):
    once, twice = (activations(**UNSLOTH | {"sequence_length": tokens}) for tokens in (length, 2 * length))

    assert twice == pytest.approx(2 * once, rel=0.02)


@pytest.mark.parametrize("framework", ["unsloth", "trl", "litgpt"])
def test_recomputing_never_takes_more_than_keeping_under_fsdp(framework):
    asked = {"framework": framework, "sequence_length": 8192, **EIGHT}
    full, none = (memory("lora", activation_checkpointing=how, **asked) for how in ("full", "none"))

    for edge in ("expected", "high"):
        assert full["allocated"][edge] <= none["allocated"][edge]


@pytest.mark.parametrize("framework", ["hf", "trl", "axolotl", "unsloth", "deepspeed", "llm-foundry"])
def test_selective_is_full_where_a_program_knows_nothing_else(framework):
    selective, full = (
        answer("lora", framework=framework, activation_checkpointing=how) for how in ("selective", "full")
    )

    assert selective["memory"] == full["memory"]
    assert selective["speed"] == full["speed"]
    assert any("whole layers only" in warning for warning in selective["warnings"])
    assert not any("whole layers only" in warning for warning in full["warnings"])


@pytest.mark.parametrize("framework", ["torchtitan", "torchtune"])
def test_selective_saves_memory_and_costs_less_than_full_where_operators_are_chosen(framework):
    found = [
        answer("full", "llama-3.1-8b", "b200-sxm", framework=framework, activation_checkpointing=how, micro_batch=8)
        for how in ("none", "selective", "full")
    ]
    kept = [one["memory"]["per_gpu"]["activations"] for one in found]
    speeds = [one["speed"]["tokens_per_second_per_gpu"] for one in found]

    assert kept == sorted(kept, reverse=True)
    assert kept[1] < 0.8 * kept[0]
    assert speeds == sorted(speeds, reverse=True)


@pytest.mark.parametrize("sharding", ["zero2", "zero3"])
@pytest.mark.parametrize("framework", ["hf", "trl"])
def test_deepspeed_shards_gradients_while_accumulating(framework, sharding):
    asked = {"framework": framework, "gradient_accumulation": 8, "hardware": {"gpus_per_node": 8}}
    found = answer("full", "llama-3.1-8b", "h200-sxm", plan={"sharding": sharding, "data": 8}, **asked)

    assert not any("sync_each_batch" in warning for warning in found["warnings"])
    assert found["memory"]["per_gpu"]["gradients"] < 2 * 8.03e9


def test_adapters_outside_the_layers_count():
    found = memory("lora", "bge-m3", lora={"rank": 8, "targets": "all-linear", "dtype": "bf16"}, sequence_length=512)

    # PEFT 0.21.2 counts 3,555,328 parameters, 16,384 of them on the pooler
    assert found["per_gpu"]["adapters"] == pytest.approx(2 * 3_555_328, abs=2)


def test_dora_computes_the_norms_of_its_largest_matrix():
    asked = {"sequence_length": 256, "loss": "fused", "optimizer": "sgd"}
    plain, dora = (
        memory("lora", lora={"rank": 16, "targets": "all-linear", "dtype": "fp32", "kind": kind}, **asked)
        for kind in ("lora", "dora")
    )

    # down_proj: four fp32 tensors of 14,336 x 4096, and the unit matrix the factors are multiplied from
    workspace = 4 * (4 * 14_336 * 4096 + 14_336**2)
    assert dora["peak"] == "column norms of DoRA"
    assert dora["per_gpu"]["buffers"] == pytest.approx(workspace, rel=0.05)
    assert dora["allocated"]["expected"] - plain["allocated"]["expected"] > 0.8 * workspace


def test_derivation_speaks_of_what_runs():
    asked = case("lora", activation_checkpointing="selective")
    steps = {one.key: one for one in room.explain(asked)}
    found = room.estimate(asked, Ledger())

    assert steps["memory.allocated"].value == found.allocated.expected
    assert steps["memory.reserved"].value == pytest.approx(found.reserved.expected - found.allocated.expected)
    assert speed.estimate(asked) == speed.estimate(case("lora", activation_checkpointing="full"))
