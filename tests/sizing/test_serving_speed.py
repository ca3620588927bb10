"""Speed of a service: hand-worked and published points, and what must hold for any load."""

from __future__ import annotations

import importlib

import pytest

from sizing import contract
from sizing.serving import cache, engines, speed

cases = importlib.import_module("tests.sizing.serving_cases")
TWO = {"gpus_per_node": 2}


@pytest.mark.parametrize(
    ("prompt", "answer", "batch", "published"),
    [(128, 128, 256, 5353), (128, 2048, 32, 1518), (2048, 128, 32, 547), (2048, 2048, 16, 613)],
)
def test_static_batches_that_a_plain_roofline_misses_by_half_are_met(prompt, answer, batch, published):
    """LLaMA 7B in FP16 by TensorRT-LLM on an A100, reported to a roofline tool as 44 to 91 % too slow for it."""
    one = cases.asked("llama-2-7b", "a100-sxm-80", weights="fp16", engine="trtllm", scenario="static", batch=batch,
                      input_tokens=prompt, output_tokens=answer)  # fmt: skip

    found = contract.estimate(one)["speed"]["output_tokens_per_second_per_gpu"]

    assert found == pytest.approx(published, rel=0.15)


def test_decoding_is_never_faster_than_reading_the_weights():
    one = cases.case(concurrency=1)
    # 14.96 GiB of weights less the token table of 0.98 GiB, at 3.35 TB/s
    least = (14.96 - 0.98) * 2**30 / 3.35e12

    assert speed.estimate(one).tpot_seconds > least


@pytest.mark.parametrize("engine", ["vllm", "sglang", "trtllm", "tgi", "nim", "llama.cpp", "other"])
def test_more_users_slow_each_one_and_raise_the_throughput(engine):
    found = [speed.estimate(cases.case(engine=engine, concurrency=users)) for users in (1, 4, 16, 32)]

    assert [one.tpot_seconds for one in found] == sorted(one.tpot_seconds for one in found)
    assert [one.output_tokens_per_s for one in found] == sorted(one.output_tokens_per_s for one in found)


def test_longer_prompts_delay_the_first_token():
    found = [speed.estimate(cases.case(input_tokens=tokens)).ttft_seconds for tokens in (100, 1000, 10_000, 60_000)]

    assert found == sorted(found)


def test_tensor_parallelism_shortens_a_token_but_not_in_proportion():
    one = speed.estimate(cases.case("llama-3.1-70b", "h200-sxm", weights="fp8"))
    two = speed.estimate(cases.case("llama-3.1-70b", "h200-sxm", weights="fp8", hardware=TWO, plan={"tensor": 2}))

    assert 1.0 < one.tpot_seconds / two.tpot_seconds < 2.0


def test_users_beyond_the_cache_wait_and_the_throughput_stays():
    room = cache.room(cases.case("llama-3.1-70b", "h200-sxm", weights="fp8"))
    full, over = (
        speed.estimate(cases.case("llama-3.1-70b", "h200-sxm", weights="fp8", concurrency=users))
        for users in (int(room), int(3 * room))
    )

    assert over.requests_per_s == pytest.approx(full.requests_per_s, rel=0.02)
    assert over.ttft_seconds > full.ttft_seconds + room / full.requests_per_s


def test_an_open_loop_gives_the_offered_rate_until_its_ceiling():
    calm = speed.estimate(cases.case(requests_per_second=2.0))
    flood = cases.case(requests_per_second=1000.0)

    assert calm.requests_per_s == 2.0
    assert speed.estimate(flood).requests_per_s == pytest.approx(speed.ceiling(flood))


def test_the_first_token_waits_longer_as_the_rate_rises():
    found = [speed.estimate(cases.case(requests_per_second=rate)).ttft_seconds for rate in (1.0, 5.0, 10.0, 15.0)]

    assert found == sorted(found)


def test_a_server_keeps_its_limits_for_99_of_100_requests():
    limits = {"ttft_ms": 500.0, "tpot_ms": 25.0}
    found = speed.estimate(cases.case(scenario="server", **limits))

    assert found.late_ttft_seconds * 1000 <= limits["ttft_ms"]
    assert found.late_tpot_seconds * 1000 <= limits["tpot_ms"]


def test_tighter_limits_leave_a_lower_rate_and_none_beats_the_ceiling():
    rates = [
        speed.estimate(cases.case(scenario="server", ttft_ms=2000.0, tpot_ms=each)).requests_per_s
        for each in (12.0, 25.0, 50.0, 200.0)
    ]

    assert rates == sorted(rates)
    assert rates[-1] <= speed.ceiling(cases.case(scenario="server", ttft_ms=2000.0, tpot_ms=200.0))


def test_the_ceiling_is_above_any_closed_loop():
    assert speed.estimate(cases.case(concurrency=64)).requests_per_s < speed.ceiling(cases.case())


def test_a_slower_link_costs_time():
    fast = cases.case(hardware={"gpus_per_node": 4}, plan={"tensor": 4})
    slow = cases.case(hardware={"gpus_per_node": 4, "interconnect": "pcie"}, plan={"tensor": 4})

    assert speed.estimate(slow).tpot_seconds > speed.estimate(fast).tpot_seconds


def test_prompts_of_one_attention_copy_hold_up_its_sisters():
    plan = {"tensor": 1, "data": 8, "attention_data": 8, "expert": 8}
    load = {"weights": "fp8", "hardware": {"gpus_per_node": 8}, "plan": plan, "output_tokens": 1000, "concurrency": 64}
    short, long = (
        speed.estimate(cases.case("deepseek-r1", "h200-sxm", input_tokens=tokens, **load)).tpot_seconds
        for tokens in (100, 8000)
    )

    assert long > 1.3 * short


def test_speculation_is_not_promised():
    assert "speculat" not in str(contract.estimate(cases.asked())["plan"])


def test_serving_figures_are_never_a_training_specification():
    answer = contract.estimate(cases.asked())

    assert answer["task"] == "inference"
    assert answer["method"] is None
    for name in ("tokens_per_second_per_gpu", "step_seconds", "mfu", "seconds_to_result"):
        assert answer["speed"][name] is None
    for name in ("gradients", "optimizer", "activations", "adapters"):
        assert answer["memory"]["per_gpu"][name] == 0


def test_a_training_request_gives_no_serving_figures():
    answer = contract.estimate({"workload": {"method": "lora", "model": {"name": "llama-3.1-8b"}, "task": "training"},
                                "hardware": {"gpu": "h100-sxm"}})  # fmt: skip

    assert answer["task"] == "training"
    assert answer["speed"]["tpot_ms"] is None
    assert answer["memory"]["per_gpu"]["kv_cache"] == 0


def test_bands_hold_the_figure_and_widen_where_less_is_known():
    known = contract.estimate(cases.asked())["speed"]
    unknown = contract.estimate(cases.asked(engine="tgi"))["speed"]

    def width(one):
        return one["high"]["tpot_ms"] / one["low"]["tpot_ms"]

    assert known["low"]["ttft_ms"] < known["ttft_ms"] < known["high"]["ttft_ms"]
    assert width(unknown) > width(known)


def test_a_benchmark_scenario_without_a_prompt_length_says_what_it_took():
    answer = contract.estimate(
        {"workload": {"task": "inference", "model": {"name": "llama-3.1-8b"}, "weights": "fp8", "output_tokens": 128,
                      "scenario": "offline"}, "hardware": {"gpu": "h200-sxm"}}
    )  # fmt: skip

    (taken,) = (one for one in answer["assumptions"] if one["key"] == "workload.input_tokens")
    assert taken["value"] == 778
    assert "MLPerf" in taken["source"]


def test_a_plan_that_does_not_fill_the_machines_is_refused_by_its_field():
    answer = contract.estimate(cases.asked(hardware={"gpus_per_node": 3}, plan={"data": 4}))

    assert answer["error"]["field"] == "plan.data"


def test_a_layout_nobody_stated_is_chosen_listed_and_widens_the_bands():
    request = cases.asked("llama-3.1-70b", weights="fp8", hardware={"gpus_per_node": 8})
    chosen = contract.estimate(request)
    stated = contract.estimate({**request, "plan": {"tensor": chosen["plan"]["tensor"]}})

    assert any(one["key"] == "plan.tensor" for one in chosen["assumptions"])
    assert chosen["speed"]["tpot_ms"] == stated["speed"]["tpot_ms"]
    assert chosen["speed"]["high"]["tpot_ms"] > stated["speed"]["high"]["tpot_ms"]


@pytest.mark.parametrize(("engine", "gpu"), [("tgi", "h100-sxm"), ("vllm", "a10")])
def test_what_no_published_run_speaks_of_is_said(engine, gpu):
    answer = contract.estimate(cases.asked(gpu=gpu, engine=engine))

    assert any("No published serving run" in one for one in answer["warnings"])


@pytest.mark.parametrize(("prompt", "answer"), [(3400, 300), (3400, 75), (3400, 20), (16_000, 300), (16_000, 1)])
def test_users_are_the_rate_times_the_time_of_a_request_also_where_prompts_fill_the_engine(prompt, answer):
    one = cases.case("qwen2.5-32b", "h100-nvl", hardware=TWO, plan={"tensor": 2}, concurrency=8,
                     input_tokens=prompt, output_tokens=answer)  # fmt: skip

    found = speed.estimate(one)

    in_flight = found.requests_per_s * (found.ttft_seconds + (answer - 1) * found.tpot_seconds)
    assert in_flight == pytest.approx(8, rel=0.15)


def test_a_user_alone_never_waits_for_prompts_of_others():
    alone = speed.estimate(cases.case(concurrency=1, input_tokens=8000, output_tokens=10))

    # the engine's own time and half a step come on top of reading the prompt, nothing else
    ready = engines.engine("vllm", "closed_loop").first_seconds + alone.tpot_seconds / 2
    assert alone.ttft_seconds == pytest.approx(alone.prefill_seconds + ready, rel=0.01)
    assert alone.late_ttft_seconds < 1.5 * alone.ttft_seconds
