"""A service does its job only where every stated load is held, and says by how much it falls short where not."""

from __future__ import annotations

import importlib
import re
from itertools import product

import pytest

from sizing import contract

cases = importlib.import_module("tests.sizing.serving_cases")
LOADS = [
    {"concurrency": users, "requests_per_second": rate, "batch": batch, "scenario": scenario}
    for users, rate, batch, scenario in product((None, 50), (None, 20), (None, 8), (None, "server", "static"))
]


def asked(model="llama-3.1-8b", **more):
    workload = cases.asked(model)["workload"]
    workload.pop("concurrency")
    return contract.recommend({"workload": workload | {name: value for name, value in more.items() if value}})


@pytest.mark.parametrize("load", LOADS)
def test_what_does_the_job_has_the_replicas_and_keeps_the_limits_at_the_upper_band(load):
    for one in asked(ttft_ms=3000.0, tpot_ms=80.0, **load)["candidates"]:
        high = one["estimate"]["speed"]["high"]
        assert one["does_the_job"]
        assert high["ttft_ms"] <= 3000.0 and high["tpot_ms"] <= 80.0
        if "replicas" in one:
            assert one["replicas"]["placed"] >= one["replicas"]["needed"]


def test_a_rate_beside_users_is_held_as_well():
    both = asked("llama-3.3-70b", concurrency=50, requests_per_second=100_000)

    assert both["candidates"] == []
    assert "requests/s for sure, 125,000 are needed" in both["nearest"]["binding"][0]["message"]


@pytest.mark.parametrize("load", [{"concurrency": 20_000, "tpot_ms": 60.0}, {"requests_per_second": 1000}])
def test_a_load_that_is_too_large_says_by_how_much_and_where_the_search_ended(load):
    near = asked("llama-3.3-70b", **load)["nearest"]
    found = {one["limit"]: one for one in near["binding"]}

    assert near["nodes"] == 32
    assert found["load"]["ratio"] >= near["replicas"]["needed"] / near["replicas"]["placed"] - 0.001
    assert "ms a token" in found["load"]["message"] and "replicas are needed" in found["load"]["message"]
    assert "32 nodes" in found["most_nodes"]["message"]


@pytest.mark.parametrize("model", ["llama-3.3-70b", "llama-3.1-8b"])
def test_a_load_far_beyond_the_largest_installation_names_what_binds_and_what_that_one_holds(model):
    near = asked(model, requests_per_second=1_000_000)["nearest"]
    found = {one["limit"]: one for one in near["binding"]}
    held = float(re.search(r"([\d,]+) requests/s for sure, 1,250,000", found["load"]["message"])[1].replace(",", ""))

    assert near["nodes"] == 32 and "most_nodes" in found
    # Capacity grows with the number of replicas, so as many more are needed at the least.
    assert near["replicas"]["needed"] >= 0.99 * near["replicas"]["placed"] * 1_250_000 / held
    assert f"{near['replicas']['needed']:,} replicas are needed" in found["load"]["message"]


@pytest.mark.parametrize("scenario", ["offline", "static"])
@pytest.mark.parametrize("load", [{"concurrency": 1000}, {"requests_per_second": 5}, {"batch": 64}, {}])
def test_batch_work_is_held_to_no_limit_on_latency_that_nobody_stated(scenario, load):
    answer = asked("llama-3.3-70b", scenario=scenario, **load)

    assert not {"workload.ttft_ms", "workload.tpot_ms"} & {one["key"] for one in answer["assumptions"]}
    labelled = [one for one in answer["candidates"] if one["labels"]]
    assert labelled
    assert all(1 <= one["replicas"]["needed"] <= one["replicas"]["placed"] for one in labelled)


@pytest.mark.parametrize("scenario", ["offline", "static"])
def test_batch_work_keeps_the_limits_on_latency_that_were_stated(scenario):
    near = asked("llama-3.3-70b", scenario=scenario, concurrency=64, ttft_ms=1.0)["nearest"]

    assert "1.0 ms allowed" in near["binding"][0]["message"]
    assert near["replicas"]["needed"] is None


def test_an_open_load_that_is_held_is_completed():
    one = asked("llama-3.3-70b", requests_per_second=20)["candidates"][0]

    assert one["replicas"]["needed"] <= one["replicas"]["placed"]
    assert one["estimate"]["speed"]["low"]["requests_per_second"] == pytest.approx(20)


def test_an_article_that_is_too_small_names_what_is_needed():
    workload = cases.asked("llama-3.3-70b", concurrency=50)["workload"]
    verdict = contract.check_article({"article": "1x NVIDIA H200 SXM 141GB", "workload": workload})["verdict"]
    memory = verdict["estimate"]["memory"]

    assert not verdict["fits"]
    assert f"{memory['needed']['high'] / 2**30:.1f} GiB" in verdict["message"]
    assert memory["needed"]["high"] > memory["capacity"]


def test_the_ledger_lists_what_the_plan_uses():
    workload = {"task": "training", "method": "lora", "model": {"name": "llama-3.3-70b"}, "sequence_length": 4096}
    answer = contract.estimate({"workload": workload, "hardware": {"gpu": "h200-sxm", "gpus_per_node": 8}})
    listed = {one["key"].removeprefix("workload."): one["value"] for one in answer["assumptions"]}

    assert answer["plan"]["gradient_accumulation"] != 8
    for name in ("micro_batch", "gradient_accumulation", "activation_checkpointing"):
        assert listed[name] == answer["plan"][name]


def rented(**given):
    return contract.recommend({"workload": cases.asked()["workload"], "economics": {"rent_per_gpu_hour": 1.0, **given}})


def test_a_rent_of_another_gpu_is_not_dropped_in_silence():
    assert any("The rent that was stated is for L4" in one for one in rented(rent_gpu="l4")["warnings"])


def test_an_unknown_rented_gpu_is_refused_by_its_own_name():
    error = rented(rent_gpu="no-such-gpu")["error"]

    assert error["field"] == "economics.rent_gpu"
    assert "hardware.gpu" not in error["message"]


@pytest.mark.parametrize("day", ["1,5", "1999-13-45", "2009-12-31", "2999-01-01", "20260301", 5])
def test_a_date_of_a_rent_that_cannot_be_is_refused(day):
    assert rented(rent_as_of=day)["error"]["field"] == "economics.rent_as_of"
