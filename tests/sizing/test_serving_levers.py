"""What a smaller format of weights or cache changes of a service: memory, times, throughput, room and GPUs."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from sizing import contract

cases = importlib.import_module("tests.sizing.serving_cases")
GIB = 2**30


def levers(*args: Any, **kwargs: Any) -> dict[str, dict[str, Any]]:
    answer = contract.estimate(cases.asked(*args, **kwargs) | {"explain": True})
    return {one["what"]: one for step in answer["derivations"] for one in step["reduce"]}


def test_half_the_bytes_of_the_weights_are_read_in_about_half_the_time_where_nothing_else_takes_time():
    found = levers("llama-3.3-70b", "h200-sxm", hardware={"gpus_per_node": 2}, plan={"tensor": 2}, concurrency=1,
                   input_tokens=100, output_tokens=400)  # fmt: skip

    # 70.6 B parameters, 2.1 B of them in table and head that stay in 16 bit: 68.5 GB less over two GPUs
    assert found["FP8 weights"]["bytes"] == pytest.approx(68.5e9 / 2, rel=0.03)
    # read at 4.8 TB/s: 14.7 ms against 7.6 ms, beside kernels and host of some milliseconds
    assert 0.5 < found["FP8 weights"]["each_token_factor"] < 0.7
    assert found["FP8 weights"]["throughput_factor"] == pytest.approx(1 / found["FP8 weights"]["time_factor"], rel=0.02)


def test_four_bit_weights_speed_up_answers_and_slow_down_reading():
    found = levers("llama-3.1-8b", "a100-sxm-80")["4-bit weights (AWQ)"]

    assert found["each_token_factor"] < 0.9
    assert found["first_token_factor"] > 1.0


def test_freed_memory_gives_room_for_requests():
    found = levers("llama-3.3-70b", "h200-nvl", hardware={"gpus_per_node": 2}, plan={"tensor": 2})

    assert found["FP8 weights"]["room_factor"] > 1.2
    assert found["fp8 cache"]["room_factor"] == pytest.approx(2.0, rel=0.02)


def test_a_format_is_offered_only_where_the_engine_and_the_gpu_run_it():
    assert "4-bit weights (NVFP4)" in levers("llama-3.1-8b", "b200-sxm")
    assert "4-bit weights (NVFP4)" not in levers("llama-3.1-8b", "h100-sxm")
    assert set(levers("llama-3.1-8b", engine="llama.cpp")) == {"8-bit weights (Q8_0)", "4-bit weights (Q4_K_M)"}
    assert "FP8 weights" not in levers("llama-3.1-8b", weights="fp8")


def test_a_recommendation_says_how_many_gpus_each_lever_leaves():
    workload = {"task": "inference", "model": {"name": "llama-3.3-70b"}, "input_tokens": 2000, "output_tokens": 400,
                "concurrency": 50, "ttft_ms": 2000}  # fmt: skip
    answer = contract.recommend({"workload": workload, "limits": {"gpu": "h200-sxm"}})
    then = {one["what"]: one["gpus"] for one in answer["levers"]["then"]}

    asked = {"gpu": "h200-sxm", "gpus_per_node": then["FP8 weights"]}
    held = contract.estimate({"workload": {**workload, "weights": "fp8", "kv_cache_dtype": "bf16"}, "hardware": asked})
    assert then["FP8 weights"] < answer["levers"]["gpus"]
    assert held["speed"]["high"]["ttft_ms"] <= 2000
    assert contract.recommend({"workload": {"method": "lora", "model": {"name": "llama-3.1-8b"}}})["levers"] is None
