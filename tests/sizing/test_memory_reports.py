"""What users of other tools reported as wrong: each row that training memory can express gets the right verdict."""

import csv
from pathlib import Path

import pytest

from sizing.units import GB, GIB
from tests.sizing.memory_cases import answer, memory

REPORTS = Path(__file__).parents[1] / "data" / "memory" / "reports.csv"


def outcome(ask_id):
    with REPORTS.open(encoding="utf-8", newline="") as file:
        return next(row["right_outcome"] for row in csv.DictReader(file) if row["ask_id"] == ask_id)


def test_u01_fused_experts_are_not_sized_at_half_a_byte():
    assert "does NOT fit 2x80" in outcome("U01")
    found = memory(
        "qlora",
        "qwen3-next-80b-a3b",
        "a100-sxm-80",
        framework="unsloth",
        lora={"rank": 8, "targets": "all-linear"},
        hardware={"gpus_per_node": 2},
        plan={"sharding": "device_map", "pipeline": 2},
    )

    assert not found["fits"]
    assert found["per_gpu"]["weights"] == pytest.approx(153.3 * GIB / 2, rel=0.08)


def test_u03_all_experts_count_when_loading():
    assert "no fit" in outcome("U03")

    assert not memory("qlora", "qwen3-30b-a3b", "rtx-4090", framework="unsloth")["fits"]


def test_u05_long_context_is_logits_and_activations():
    assert "14k" in outcome("U05")
    asked = {"weights": "int8", "framework": "trl", "lora": {"rank": 16, "targets": "all-linear"}}

    assert memory("lora", "gemma-3-12b", sequence_length=4096, **asked)["fits"]
    assert not memory("lora", "gemma-3-12b", sequence_length=15_000, **asked)["fits"]
    assert not memory("lora", "gemma-3-12b", sequence_length=120_000, **asked)["fits"]


def test_u05_unsloth_computes_its_scores_in_the_open():
    asked = {"weights": "int8", "framework": "unsloth", "lora": {"rank": 16, "targets": "all-linear"}}
    found = {
        length: answer("lora", "gemma-3-12b", sequence_length=length, **asked)
        for length in (4096, 14_000, 15_000, 120_000)
    }
    memories = {length: one["memory"] for length, one in found.items()}

    # 16 heads x 14,000^2 scores at 12 bytes and 12 GiB of weights: near the card's end, not beyond it
    assert memories[4096]["fits"]
    assert 45 * GIB < memories[14_000]["allocated"]["expected"] < memories[14_000]["capacity"]
    assert not memories[15_000]["fits"]
    assert memories[15_000]["device"]["high"] > memories[15_000]["capacity"]
    assert memories[120_000]["device"]["low"] > memories[120_000]["capacity"]
    assert any("eager attention" in warning for warning in found[4096]["warnings"])


def test_u13_offloaded_zero3_still_needs_its_working_set_on_every_gpu():
    assert "13 GB" in outcome("U13")

    def needed(gpus):
        plan = {"sharding": "zero3", "data": gpus, "offload": "optimizer+parameters"}
        asked = {"framework": "deepspeed", "micro_batch": 4, "hardware": {"gpus_per_node": gpus}, "plan": plan}
        return memory("full", "gpt-j-6b", "a100-sxm-40", **asked)["device"]

    two, four = needed(2), needed(4)
    assert two["low"] < 13 * GB < two["high"]
    assert four["expected"] == pytest.approx(two["expected"], rel=0.02)


def test_u15_megatron_by_four_at_long_context():
    # the run kept unsharded states: 18 bytes for each of 6.74e9 / 4 parameters
    assert "32.5" in outcome("U15")
    found = memory(
        "pretraining",
        "llama-2-7b",
        "a100-sxm-80",
        framework="megatron",
        sequence_length=32_768,
        hardware={"gpus_per_node": 8},
        plan={"sharding": "ddp", "data": 2, "tensor": 4, "sequence_parallel": True},
    )

    assert found["allocated"]["expected"] == pytest.approx(32.5 * GB, rel=0.15)


@pytest.mark.parametrize(("gpus", "published_gb"), [(4, 160), (8, 178)])
def test_u17_host_memory_of_offloaded_zero3(gpus, published_gb):
    assert f"{published_gb} GB" in outcome("U17")
    host = memory(
        "full",
        "llama-2-7b",
        "a100-sxm-40",
        framework="deepspeed",
        hardware={"gpus_per_node": gpus},
        plan={"sharding": "zero3", "data": gpus, "offload": "optimizer+parameters"},
    )["host_per_node"]

    assert host["low"] < published_gb * GB < host["high"]


def test_u17_ninety_four_gigabytes_are_too_few_for_one_gpu():
    host = memory(
        "full",
        "llama-2-7b",
        "a100-sxm-40",
        framework="deepspeed",
        plan={"sharding": "zero3", "data": 1, "offload": "optimizer+parameters"},
    )["host_per_node"]

    assert host["low"] > 94 * GB


@pytest.mark.parametrize(("gpus", "fits_a_terabyte"), [(4, True), (8, False)])
def test_u19_every_rank_gathers_the_whole_model_to_save_it(gpus, fits_a_terabyte):
    assert "8xA100+1TB fails" in outcome("U19")
    asked = {"framework": "torchtune", "hardware": {"gpus_per_node": gpus}, "plan": {"sharding": "fsdp", "data": gpus}}
    host = memory("full", "llama-3-70b", "a100-sxm-80", **asked)["host_per_node"]

    assert (host["expected"] < 1000 * GB) is fits_a_terabyte
    assert host["high"] < 2000 * GB


def test_u21_seventy_billion_on_eight_cards_needs_offload():
    assert "slow CPU offload" in outcome("U21")
    asked = {"framework": "torchtune", "hardware": {"gpus_per_node": 4, "nodes": 2}}

    assert not memory("full", "llama-3-70b", "a100-sxm-80", plan={"sharding": "fsdp", "data": 8}, **asked)["fits"]
    offloaded = {"sharding": "fsdp", "data": 8, "offload": "optimizer+parameters"}
    assert memory("full", "llama-3-70b", "a100-sxm-80", plan=offloaded, **asked)["fits"]


@pytest.mark.parametrize(
    ("method", "framework", "nodes", "sharding"),
    [("qlora", "llama-factory", 1, "fsdp"), ("lora", "deepspeed", 2, "zero3")],
)
def test_u23_thirty_two_thousand_tokens_overflow(method, framework, nodes, sharding):
    assert outcome("U23").startswith("OOM")
    found = memory(
        method,
        "llama-3.1-70b",
        "a100-sxm-80",
        framework=framework,
        sequence_length=32_768,
        hardware={"gpus_per_node": 8, "nodes": nodes},
        plan={"sharding": sharding, "data": 8 * nodes},
    )

    assert not found["fits"]


@pytest.mark.parametrize(("method", "sharding"), [("qlora", "fsdp"), ("lora", "zero3")])
def test_u31_four_small_cards_fail_while_loading(method, sharding):
    assert outcome("U31") == "OOM during load"
    asked = {"framework": "axolotl", "sequence_length": 512, "hardware": {"gpus_per_node": 4}}
    found = memory(method, "llama-3.1-70b", "rtx-3090", plan={"sharding": sharding, "data": 4}, **asked)

    assert not found["fits"]
    if method == "qlora":
        assert found["peak"] == "model load"


def test_u49_a_run_that_trains_is_warned_about_saving():
    assert "Save-time" in outcome("U49")
    found = answer(
        "lora",
        "llama-2-70b",
        None,
        hardware={"memory_gib": 48, "gpus_per_node": 8},
        plan={"sharding": "fsdp", "data": 8},
    )

    assert found["memory"]["fits"]
    assert any("Saving" in warning for warning in found["warnings"])


def test_u53_the_largest_models_need_more_than_two_nodes():
    assert outcome("U53")
    asked = {"framework": "trl", "sequence_length": 256, "micro_batch": 24}
    hardware = {"gpus_per_node": 8, "nodes": 2}

    assert not memory("lora", "deepseek-v3", hardware=hardware, plan={"sharding": "fsdp", "data": 16}, **asked)["fits"]
