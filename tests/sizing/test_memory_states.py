"""Weights, gradients and states, worked by hand."""

import pytest

from sizing.units import GIB
from tests.sizing.memory_cases import case, gib, memory

LLAMA_8B = 8_030_261_248
MISTRAL_7B = 7_241_732_096


def parts(**more):
    return memory(**more)["per_gpu"]


def test_pure_bf16_adamw_needs_ten_bytes_a_parameter_at_its_step():
    # 2 weights + 2 gradients + 2 x 2 states + 2 for the multi-tensor step's one temporary
    found = memory(
        "full",
        "mistral-7b-v0.1",
        "a100-sxm-80",
        weights="bf16",
        master_weights="none",
        optimizer_states="bf16",
        gradients="bf16",
        optimizer="adamw_foreach",
        micro_batch=4,
        sequence_length=1024,
    )

    assert found["peak"] == "optimizer step"
    assert found["allocated"]["expected"] == pytest.approx(10 * MISTRAL_7B, rel=0.001)


def test_mixed_precision_keeps_sixteen_bytes_a_parameter():
    found = parts(
        method="full",
        gpu="b200-sxm",
        master_weights="fp32",
        optimizer_states="fp32",
        gradients="bf16",
        optimizer="adamw_fused",
    )

    states = found["weights"] + found["gradients"] + found["optimizer"]
    assert states == 16 * LLAMA_8B


@pytest.mark.parametrize(
    ("optimizer", "each"),
    [("adamw_fused", 8.0), ("lion", 4.0), ("sgd", 0.0), ("adamw_8bit", 2 * (1 + 4 / 256)), ("paged_adamw", 0.0)],
)
def test_states_follow_the_optimizer(optimizer, each):
    found = parts(method="full", gpu="b200-sxm", weights="bf16", master_weights="none", optimizer=optimizer)

    assert found["optimizer"] == pytest.approx(each * LLAMA_8B, abs=1)


def test_low_rank_optimizer_states_lie_between_none_and_adamw():
    found = parts(method="full", gpu="b200-sxm", master_weights="none", optimizer_states="fp32", optimizer="galore")

    assert 0 < found["optimizer"] < 8 * LLAMA_8B


def test_block_coordinate_optimizer_keeps_states_of_one_layer_only():
    found = parts(method="full", gpu="b200-sxm", master_weights="none", optimizer_states="fp32", optimizer="badam")

    assert found["optimizer"] == pytest.approx(8 * 218_112_000, rel=0.01)


def test_gradients_vanish_when_the_step_is_inside_the_backward_pass():
    inside = parts(method="full", gpu="b200-sxm", optimizer="adamw_fused", optimizer_in_backward=True)
    after = parts(method="full", gpu="b200-sxm", optimizer="adamw_fused")

    assert inside["gradients"] < 0.2 * after["gradients"]


def test_lora_trains_adapters_only():
    # all-linear, rank 16: 41,943,040 parameters (PEFT), fp32 weights and gradients, two fp32 states
    found = parts(model="llama-3.1-8b", lora={"rank": 16, "targets": "all-linear", "dtype": "fp32"}, micro_batch=1)

    assert found["weights"] == 2 * LLAMA_8B
    assert found["adapters"] == 4 * 41_943_040
    assert found["optimizer"] == 8 * 41_943_040


def test_dora_adds_a_magnitude_for_each_output():
    plain = parts(lora={"rank": 16, "targets": "all-linear", "dtype": "fp32"})
    dora = parts(lora={"rank": 16, "targets": "all-linear", "dtype": "fp32", "kind": "dora"})

    assert dora["adapters"] > plain["adapters"]


def test_qlora_keeps_tables_and_head_in_sixteen_bits():
    found = parts(method="qlora", model="llama-3.1-8b", weights="nf4")

    # 6,979,321,856 weights in layers at 4.5 bits, table and head 2 x 525,336,576 at 16 bits, norms
    assert gib(found["weights"]) == pytest.approx(gib(6_979_321_856 * 4.5 / 8 + 4 * 525_336_576), rel=0.002)


def test_kbit_preparation_raises_what_is_not_quantised():
    plain = parts(method="qlora", framework="hf")
    prepared = parts(method="qlora", framework="trl")

    assert prepared["weights"] - plain["weights"] == pytest.approx(2 * 2 * 525_336_576, rel=0.01)


def test_fused_experts_stay_sixteen_bit_under_bitsandbytes():
    listed = parts(method="qlora", model="qwen3-30b-a3b", framework="litgpt", gpu="h200-sxm")
    fused = parts(method="qlora", model="qwen3-30b-a3b", framework="unsloth", gpu="h200-sxm")

    assert fused["weights"] > 2.5 * listed["weights"]


@pytest.mark.parametrize("framework", ["hf", "trl", "axolotl", "torchtune", "unsloth", "deepspeed"])
@pytest.mark.parametrize(("model", "sixteen_bit_gib"), [("gpt-oss-120b", 216), ("gpt-oss-20b", 38)])
def test_gpt_oss_keeps_its_experts_in_sixteen_bit_in_every_framework(framework, model, sixteen_bit_gib):
    found = memory("qlora", model, framework=framework, sequence_length=4096)

    # 114.7e9 and 19.1e9 expert weights at 2 bytes, attention in 4 bit, table and head in 16 or 32
    assert gib(found["per_gpu"]["weights"]) == pytest.approx(sixteen_bit_gib, rel=0.06)
    assert found["fits"] is (model == "gpt-oss-20b")


@pytest.mark.parametrize("framework", ["hf", "trl", "axolotl"])
@pytest.mark.parametrize("model", ["mixtral-8x7b", "qwen3-30b-a3b", "deepseek-v3"])
def test_upper_edge_holds_experts_in_sixteen_bit(framework, model):
    found = memory("qlora", model, "b300-sxm", framework=framework, sequence_length=512)
    experts = {"mixtral-8x7b": 45.1e9, "qwen3-30b-a3b": 29.0e9, "deepseek-v3": 653e9}[model]

    assert found["allocated"]["high"] > 2 * experts


def test_published_few_bit_experts_stay_the_expected_case():
    found = memory("qlora", "mixtral-8x7b", framework="hf", sequence_length=512)

    assert found["allocated"]["expected"] < 30 * GIB
    assert not found["fits"]


def test_seven_billion_reference_figures_hold_under_their_conditions():
    # "14 GB in BF16", "112-140 GB for full tuning": 16-20 bytes a parameter; 40-48 GB only with saving optimizers
    full = {"method": "full", "model": "llama-2-7b", "gpu": "b200-sxm", "sequence_length": 512}
    mixed = memory(**full, master_weights="fp32", optimizer_states="fp32", gradients="bf16")["allocated"]["expected"]
    saving = memory(
        **full,
        master_weights="none",
        gradients="bf16",
        optimizer="adamw_8bit",
        optimizer_states="int8",
    )["allocated"]["expected"]

    assert 112e9 < mixed < 140e9
    assert 40e9 < saving < 48e9


def test_seventy_billion_qlora_needs_about_an_eighty_gigabyte_card():
    found = memory("qlora", "llama-3.1-70b", "h100-sxm", framework="trl", weights="nf4")

    assert 48 * GIB < found["device"]["expected"] < 80 * GIB
    assert found["fits"]


def test_components_add_up_to_the_live_bytes():
    for more in ({}, {"method": "full", "gpu": "b200-sxm"}, {"method": "qlora", "loss": "fused"}):
        found = memory(**more)
        assert sum(found["per_gpu"].values()) == pytest.approx(found["allocated"]["expected"], abs=10)


def test_case_builder_completes_the_workload():
    assert case("full").workload.gradients == "bf16"
