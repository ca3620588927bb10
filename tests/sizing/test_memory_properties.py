"""What must hold whatever the numbers are."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


JOBS = st.fixed_dictionaries(
    {
        "method": st.sampled_from(METHODS),
        "model": st.sampled_from(("llama-3.1-8b", "qwen3-30b-a3b", "glm-4.5", "gemma-3-12b", "gpt-oss-20b", "bge-m3")),
        "gpu": st.sampled_from(("h100-sxm", "b200-sxm", "a100-sxm-80", "rtx-4090", "mi300x")),
        "framework": st.sampled_from((*FRAMEWORKS, "axolotl", "nemo")),
        "sequence_length": st.sampled_from((256, 1024, 4096)),
        "micro_batch": st.integers(1, 6),
        "gradient_accumulation": st.sampled_from((1, 4)),
        "activation_checkpointing": st.sampled_from(("none", "selective", "full")),
        "attention": st.sampled_from(("flash", "sdpa", "eager")),
        "loss": st.sampled_from(("standard", "chunked", "fused")),
        "packing": st.sampled_from(("packed", "padded", "exact")),
        "optimizer": st.sampled_from(("adamw", "adamw_8bit", "sgd", "adafactor", "lion")),
    }
)
PLANS = st.sampled_from(
    [
        (1, "none", 1),
        *((gpus, how, 1) for gpus in (2, 8) for how in ("ddp", "zero1", "zero2", "zero3", "fsdp")),
        (4, "zero1", 2),
        (4, "fsdp", 2),
    ]
)
ADAPTERS = st.fixed_dictionaries(
    {"rank": st.sampled_from((8, 16, 64)), "targets": st.just("attention"), "kind": st.sampled_from(("lora", "dora"))}
)
GROWTH = ("sequence_length", "micro_batch", "rank", "targets")


def with_plan(job, plan, adapter):
    gpus, sharding, tensor = plan
    asked = job | {"hardware": {"gpus_per_node": gpus}}
    asked["plan"] = {"sharding": sharding, "data": gpus // tensor, "tensor": tensor}
    return asked | ({"lora": adapter} if job["method"] in ("lora", "qlora") else {})


def grown(asked, what):
    if what in ("sequence_length", "micro_batch"):
        return asked | {what: 2 * asked[what]}
    if "lora" not in asked:
        return asked
    larger = {"rank": 2 * asked["lora"]["rank"]} if what == "rank" else {"targets": "all-linear"}
    return asked | {"lora": asked["lora"] | larger}


@settings(deadline=None, max_examples=150)
@given(JOBS, PLANS, ADAPTERS, st.sampled_from(GROWTH))
def test_nothing_falls_as_a_job_grows_and_counters_keep_their_order(job, plan, adapter, what):
    asked = with_plan(job, plan, adapter)
    small, large = memory(**asked), memory(**grown(asked, what))

    for edge in ("low", "expected", "high"):
        assert 0 < small["allocated"][edge] <= small["reserved"][edge] <= small["device"][edge]
    for counter in ("allocated", "reserved", "device"):
        assert small[counter]["low"] <= small[counter]["expected"] <= small[counter]["high"]
        for edge in ("expected", "high"):
            assert large[counter][edge] >= small[counter][edge] * (1 - 1e-9)


def test_upper_edge_does_not_fall_where_another_moment_takes_over():
    plan = {"sharding": "zero1", "data": 4, "tensor": 2}
    asked = {"framework": "deepspeed", "optimizer": "sgd", "hardware": {"gpus_per_node": 8}, "plan": plan}
    edges = [memory("full", "glm-4.5", micro_batch=size, **asked)["allocated"]["high"] for size in range(1, 8)]

    assert edges == sorted(edges)


@pytest.mark.parametrize(("rank", "length"), [(8, 512), (64, 4096)])
def test_recomputing_never_raises_the_upper_edge_of_early_quantization(rank, length):
    asked = {"framework": "torchtune", "lora": {"rank": rank, "targets": "all-linear"}, "sequence_length": length}
    full, none = (
        memory("qlora", activation_checkpointing=how, **asked)["allocated"]["high"] for how in ("full", "none")
    )

    assert full <= none


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
