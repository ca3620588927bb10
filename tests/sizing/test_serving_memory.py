"""Memory of a served model: weights by format, cache by attention kind, what the load needs and what is shown."""

from __future__ import annotations

import importlib

import pytest

from sizing import contract, hardware_data
from sizing.architecture.packaged import by_name
from sizing.serving import cache, formats, memory, weights
from sizing.units import GB, GIB

cases = importlib.import_module("tests.sizing.serving_cases")
EIGHT = {"gpus_per_node": 8}


def test_a_70b_model_in_bf16_has_141_gb_of_weights():
    held = weights.stored(by_name("llama-3.1-70b"), "bf16").total_bytes

    assert round(held / GB) == 141
    assert held / GIB == pytest.approx(131.4, abs=0.05)


@pytest.mark.parametrize(("tensor", "gib"), [(1, 14.96), (2, 7.48)])
def test_weights_are_what_the_engines_log_says(tensor, gib):
    one = cases.case("llama-3-8b", hardware={"gpus_per_node": tensor}, plan={"tensor": tensor})

    assert memory.weights_per_gpu(one) / GIB == pytest.approx(gib, abs=0.01)


@pytest.mark.parametrize(("model", "each"), [("gpt-oss-120b", 73_728), ("gemma-4-31b", 983_040)])
def test_cache_counts_windowed_layers_while_their_window_is_not_full(model, each):
    one = cases.case(model, "h200-sxm", kv_cache_dtype="bf16", weights="bf16")

    assert cache.per_request(one, 16) == 16 * each


def test_cache_is_held_in_whole_blocks():
    one = cases.case()

    assert cache.per_request(one, 17) == cache.per_request(one, 32)


@pytest.mark.parametrize(("kind", "share"), [("fp8", 0.53), ("awq", 0.40), ("q4_k_m", 0.31), ("nvfp4", 0.31)])
def test_formats_take_their_share_of_the_16_bit_weights(kind, share):
    shape = by_name("llama-3.1-70b")
    half = weights.stored(shape, kind).total_bytes / weights.stored(shape, "bf16").total_bytes

    assert half <= share


def test_makers_of_mixtures_keep_all_but_the_experts_in_16_bit():
    held = weights.stored(by_name("gpt-oss-120b"), "mxfp4")

    assert held.dense_bytes == 2 * held.dense_parameters
    assert held.expert_bytes / held.expert_parameters == pytest.approx(4.25 / 8, rel=0.001)


def test_copies_of_attention_hold_all_dense_weights_and_share_the_experts():
    held = weights.stored(by_name("deepseek-r1"), "fp8")
    copies = {"tensor": 1, "data": 8, "attention_data": 8, "expert": 8}
    one = cases.case("deepseek-r1", "h200-sxm", weights="fp8", hardware=EIGHT, plan=copies)

    rest = held.dense_bytes + held.head_bytes + held.table_bytes + weights.angle_bytes(one.architecture)
    assert memory.weights_per_gpu(one) == pytest.approx(rest + held.expert_bytes / 8)


def test_a_preallocating_engine_shows_its_share_whatever_the_load_needs():
    found = memory.estimate(cases.case())

    assert found.needed.device.expected < 0.4 * found.needed.capacity_bytes
    assert found.shown.expected == pytest.approx(0.92 * found.needed.capacity_bytes, rel=0.02)


def test_a_librarys_own_loop_shows_what_it_needs():
    found = memory.estimate(cases.case("llama-2-7b", engine="other", scenario="static", batch=4))

    assert found.shown == found.needed.device


def test_what_does_not_fit_is_not_hidden_by_the_engines_share():
    answer = contract.estimate(cases.asked("llama-3.1-70b", weights="bf16"))

    assert answer["memory"]["fits"] is False
    assert answer["memory"]["device"]["expected"] <= answer["memory"]["capacity"]
    assert answer["memory"]["needed"]["expected"] > answer["memory"]["capacity"]


def test_deepseek_v3_loads_on_eight_h100_and_leaves_no_room_to_serve():
    one = cases.case("deepseek-v3", weights="fp8", hardware=EIGHT, plan={"tensor": 8})

    assert memory.weights_per_gpu(one) < one.system.memory_bytes
    assert memory.weights_per_gpu(one) > 0.98 * one.system.memory_bytes
    assert cache.most_concurrent(one) == 0
    assert not memory.estimate(one).needed.fits


def test_the_smallest_platform_that_serves_deepseek_v3_is_named():
    answer = contract.recommend({"workload": cases.asked("deepseek-v3", weights="fp8")["workload"], "limits": {}})

    smallest = next(one for one in answer["candidates"] if "smallest" in one["labels"])
    gpu = hardware_data.gpu(smallest["gpu"])
    assert gpu.memory_bytes > hardware_data.gpu("h100-sxm").memory_bytes
    assert smallest["estimate"]["memory"]["fits"] is True
    assert smallest["replicas"]["users_each"] >= 16


@pytest.mark.parametrize(
    ("gpu", "kind", "use", "compute"),
    [
        ("a100-sxm-80", "fp8", "unpacked", "bf16"),
        ("h100-sxm", "fp8", "native", "fp8"),
        ("l40s", "fp8", "native", "fp8"),
        ("mi300x", "fp8", "native", "fp8"),
        ("h100-sxm", "nvfp4", "unpacked", "bf16"),
        ("b200-sxm", "nvfp4", "native", "nvfp4"),
        ("mi300x", "nvfp4", "none", "bf16"),
        ("mi355x", "mxfp4", "native", "mxfp4"),
        ("h100-sxm", "mxfp4", "unpacked", "bf16"),
        ("rtx-4090", "awq", "unpacked", "bf16"),
        ("h100-sxm", "int8", "native", "int8"),
    ],
)
def test_formats_meet_the_generations_of_chips(gpu, kind, use, compute):
    found = formats.on(hardware_data.gpu(gpu), kind)

    assert (found.use, found.compute) == (use, compute)


def test_a_format_that_no_engine_runs_on_a_chip_is_said():
    (check,) = formats.checks(hardware_data.gpu("mi300x"), "nvfp4")

    assert check.status == "no"


@pytest.mark.parametrize(
    ("model", "published"),
    [("deepseek-v3", "fp8"), ("kimi-k2", "fp8"), ("gpt-oss-120b", "mxfp4"), ("llama-3.3-70b", "bf16")],
)
def test_a_model_is_served_in_the_format_it_is_published_in(model, published):
    workload = {"task": "inference", "model": {"name": model}, "concurrency": 16}
    answer = contract.recommend({"workload": workload})
    assumed = next(one for one in answer["assumptions"] if one["key"] == "workload.weights")

    assert (assumed["value"], assumed["why"]) == (published, "the format the model is published in")
