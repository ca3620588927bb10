"""What must hold whatever the numbers are."""

import itertools

import pytest

from sizing.memory import bands
from tests.sizing.memory_cases import memory

METHODS = ("full", "lora", "qlora", "pretraining")
FRAMEWORKS = ("hf", "trl", "torchtune", "torchtitan", "litgpt", "llm-foundry", "megatron", "deepspeed", "unsloth")


@pytest.mark.parametrize(("method", "framework"), list(itertools.product(METHODS, FRAMEWORKS)))
def test_more_tokens_never_need_less(method, framework):
    needed = [
        memory(method, framework=framework, gpu=None, sequence_length=length, micro_batch=batch)["allocated"][
            "expected"
        ]
        for length, batch in ((512, 1), (1024, 1), (1024, 2), (4096, 2), (16_384, 2))
    ]

    assert needed == sorted(needed)


@pytest.mark.parametrize("sharding", ["ddp", "zero1", "zero2", "zero3", "fsdp"])
def test_more_gpus_never_lower_the_sum_over_all(sharding):
    totals = [
        gpus
        * memory(
            "full", framework="deepspeed", hardware={"gpus_per_node": gpus}, plan={"sharding": sharding, "data": gpus}
        )["allocated"]["expected"]
        for gpus in (2, 4, 8)
    ]

    assert totals == sorted(totals)


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_more_sharding_never_needs_more_on_one_gpu(framework):
    needed = [
        memory("full", framework=framework, hardware={"gpus_per_node": gpus}, plan={"sharding": "fsdp", "data": gpus})[
            "allocated"
        ]["expected"]
        for gpus in (2, 4, 8)
    ]

    assert needed == sorted(needed, reverse=True)


@pytest.mark.parametrize(
    ("method", "model"), list(itertools.product(METHODS, ("gpt2", "qwen3-30b-a3b", "flan-t5-base")))
)
def test_bands_enclose_the_estimate_and_counters_rise(method, model):
    found = memory(method, model, "b200-sxm", sequence_length=1024)

    for counter in ("allocated", "reserved", "device"):
        assert found[counter]["low"] <= found[counter]["expected"] <= found[counter]["high"]
    assert found["allocated"]["expected"] < found["reserved"]["expected"] < found["device"]["expected"]


def test_known_bytes_carry_almost_no_band():
    states = memory("full", gpu="b200-sxm", sequence_length=256)["allocated"]
    activations = memory("lora", gpu="b200-sxm", sequence_length=32_768, micro_batch=2)["allocated"]

    assert (states["high"] - states["low"]) / states["expected"] < 0.05
    assert (activations["high"] - activations["low"]) / activations["expected"] > 0.2


def test_unmeasured_stacks_gpus_and_mechanisms_get_a_wider_band():
    known = bands.width("trl", "h100-sxm", rare=False)

    assert known == 1
    assert bands.width("unsloth", "h100-sxm", rare=False) > known
    assert bands.width("trl", "mi300x", rare=False) > known
    assert bands.width("trl", "h100-sxm", rare=True) > known


def test_an_unmeasured_gpu_widens_the_answer():
    def width(gpu):
        band = memory("lora", gpu=gpu, sequence_length=4096)["device"]
        return (band["high"] - band["low"]) / band["expected"]

    assert width("mi300x") > width("h200-sxm")


def test_cached_blocks_never_make_a_job_fail():
    # 74.8 GiB of states fit a card of 79.15 GiB although a larger one would cache more beside them
    found = memory(
        "full",
        "llama-3-8b",
        "a100-sxm-80",
        master_weights="none",
        optimizer_states="bf16",
        gradients="bf16",
        micro_batch=4,
        sequence_length=4096,
        loss="fused",
    )

    assert found["fits"]
    assert found["device"]["high"] <= found["capacity"]


def test_same_question_same_answer():
    assert memory("qlora") == memory("qlora")
