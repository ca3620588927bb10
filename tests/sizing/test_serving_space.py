"""Memory of an engine beside weights and cache: what it makes room for, on which device, and when it peaks."""

from __future__ import annotations

import importlib

import pytest

from sizing import contract
from sizing.serving import cache, engines, memory, space, weights
from sizing.units import GIB, MIB

cases = importlib.import_module("tests.sizing.serving_cases")


def loop(model="qwen2.5-7b", **workload):
    return cases.case(model, "a100-sxm-80", engine="other", scenario="static", batch=1, **workload)


def test_llama_cpp_makes_room_for_the_logits_of_a_step():
    """512 tokens x (151,936 + 2,048) x 4 B, as its start-up log says for Qwen2.5 3B."""
    one = cases.case("qwen2.5-3b", "rtx-4090", engine="llama.cpp", weights="q4_k_m")

    assert space.workspace_bytes(one) == 300.75 * MIB


def test_llama_cpp_leaves_the_token_table_on_the_host():
    one = cases.case("llama-3-8b", "rtx-4090", engine="llama.cpp", weights="q4_k_m")
    stored = weights.stored(one.architecture, "q4_k_m")

    assert memory.weights_per_gpu(one) == pytest.approx(stored.total_bytes - stored.table_bytes)


@pytest.mark.parametrize("tensor", [1, 2, 4])
def test_each_gpu_of_a_group_samples_alone(tensor):
    one = cases.case(hardware={"gpus_per_node": tensor}, plan={"tensor": tensor})

    assert space.workspace_bytes(one) / GIB == pytest.approx(1.89, abs=0.06)


def test_buffers_of_experts_come_on_top_of_sampling():
    dense, mixed = cases.case("qwen3-8b"), cases.case("qwen3-30b-a3b")

    assert space.experts_bytes(dense) == 0
    assert space.workspace_bytes(mixed) == space.experts_bytes(mixed) + space.sampling_bytes(mixed)


@pytest.mark.parametrize(("gpu", "rows"), [("h100-sxm", 1024), ("mi300x", 1024), ("a100-sxm-80", 256), ("l40s", 256)])
def test_vllm_makes_less_room_on_small_and_older_cards(gpu, rows):
    assert space.logit_rows(cases.case(gpu=gpu)) == rows


def test_links_take_more_on_a_switch_than_on_pcie():
    two = {"hardware": {"gpus_per_node": 2}, "plan": {"tensor": 2}}
    switched, plain = cases.case(gpu="h100-sxm", **two), cases.case(gpu="l40s", **two)

    assert space.outside_bytes(switched) > space.outside_bytes(plain) + GIB


@pytest.mark.parametrize(("gpu", "share"), [("h100-sxm", 0.828), ("mi355x", 0.911)])
def test_sglang_takes_what_its_log_says_by_the_size_of_the_card(gpu, share):
    answer = contract.estimate(cases.asked("qwen3-30b-a3b", gpu, engine="sglang"))
    assumed = next(one for one in answer["assumptions"] if one["key"] == "workload.memory_fraction")

    assert assumed["value"] == pytest.approx(share, abs=0.01)


def test_a_stated_share_is_taken_as_stated():
    one = cases.case(engine="sglang", memory_fraction=0.7)

    assert space.taken_share(one) == 0.7


@pytest.mark.parametrize(("tokens", "gib"), [(1, 14.38), (6144, 15.38), (30720, 19.97)])
def test_a_librarys_loop_peaks_where_it_reads_or_where_it_ends(tokens, gib):
    found = memory.estimate(loop(input_tokens=tokens, output_tokens=2048)).needed.allocated

    assert found.expected / GIB == pytest.approx(gib, rel=0.01)


def test_its_components_add_up_to_what_is_allocated():
    found = memory.estimate(loop(input_tokens=30720, output_tokens=2048)).needed

    assert sum(size for _, size in found.per_gpu) == pytest.approx(found.allocated.expected)


def test_the_band_of_a_librarys_loop_reaches_to_its_older_versions():
    one = loop(input_tokens=6144, output_tokens=2048)
    found = memory.estimate(one).needed.allocated

    assert found.expected < memory.most_bytes(one) <= found.high


def test_longer_answers_never_need_less():
    short, long = (memory.estimate(loop(input_tokens=512, output_tokens=n)).needed.allocated for n in (64, 8192))

    assert short.expected < long.expected


def test_mxfp4_experts_are_filled_up_to_the_kernels_multiple():
    one = cases.case("gpt-oss-120b", weights="mxfp4")
    other = cases.case("gpt-oss-120b", weights="mxfp4", engine="trtllm")

    assert memory.weights_per_gpu(one) / GIB == pytest.approx(64.38, rel=0.005)
    assert memory.weights_per_gpu(other) < memory.weights_per_gpu(one)


@pytest.mark.parametrize(("tensor", "gib"), [(1, 14.99), (2, 7.51), (4, 3.77), (8, 1.903)])
def test_every_gpu_keeps_a_table_of_angles(tensor, gib):
    one = cases.case(hardware={"gpus_per_node": tensor}, plan={"tensor": tensor})

    assert memory.weights_per_gpu(one) / GIB == pytest.approx(gib, rel=0.002)


def test_absolute_positions_need_no_angles():
    assert weights.angle_bytes(cases.case("gpt2", input_tokens=100, output_tokens=100).architecture) == 0


def test_the_cache_gets_what_the_engine_log_says():
    one = cases.case(memory_fraction=0.95, hardware={"memory_gib": 79.19})

    assert cache.pool_bytes(one) / GIB == pytest.approx(58.11, rel=0.02)


@pytest.mark.parametrize(
    ("stated", "key"),
    [("vllm", "vllm"), ("TensorRT-LLM", "trtllm"), ("Transformers", "generate"), ("ollama", "llama.cpp")],
)
def test_engines_are_known_by_their_other_names(stated, key):
    assert cases.case(engine=stated).engine.key == key


def test_an_engine_never_heard_of_works_like_the_others_and_the_answer_says_so():
    answer = contract.estimate(cases.asked(engine="quickserve"))

    assert answer["plan"]["engine"] == "other"
    assert "The engine 'quickserve' is not known: it is taken to work like the others." in answer["warnings"]
    assert answer["memory"]["device"]["expected"] > 0.85 * answer["memory"]["capacity"]


def test_memory_alone_of_a_batch_in_another_engine_is_that_of_a_librarys_loop():
    asked = cases.asked("qwen2.5-7b", engine="other", batch=1)

    assert contract.estimate(asked)["memory"]["device"]["expected"] < 20 * GIB


@pytest.mark.parametrize("engine", sorted(engines.ENGINES))
@pytest.mark.parametrize(
    "load",
    [
        {"scenario": "static", "batch": 8},
        {"scenario": "closed_loop", "concurrency": 32},
        {"scenario": "open_loop", "requests_per_second": 2.0},
        {"scenario": "offline"},
        {"scenario": "server", "ttft_ms": 450, "tpot_ms": 40},
        {},
    ],
    ids=["static", "closed loop", "open loop", "offline", "server", "memory alone"],
)
@pytest.mark.parametrize("gpu", ["h100-sxm", "mi300x", "rtx-4090"])
def test_every_kind_of_case_gets_an_ordered_band(engine, load, gpu):
    request = cases.asked("qwen2.5-7b", gpu, weights="awq", engine=engine)
    request["workload"].pop("concurrency")
    found = contract.estimate({**request, "workload": {**request["workload"], **load}})["memory"]["device"]

    assert 5 * GIB < found["low"] <= found["expected"] <= found["high"]
