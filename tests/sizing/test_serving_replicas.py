"""Replicas for a load, with room for peaks and for losing a GPU or a node."""

from __future__ import annotations

import importlib
from dataclasses import replace

import pytest

from sizing import contract
from sizing.assumptions import Ledger
from sizing.serving import loads, replicas
from sizing.serving.job import ServingJob
from sizing.serving.replicas import Reserve

cases = importlib.import_module("tests.sizing.serving_cases")
LOAD = {"weights": "fp8", "concurrency": 64, "ttft_ms": 4000.0, "tpot_ms": 60.0}


def placed(**more):
    return cases.case("llama-3.1-8b", hardware={"gpus_per_node": 8}, plan={"tensor": 1, "data": 8}, **{**LOAD, **more})


def test_the_usual_reserve_is_listed():
    ledger = Ledger()

    assert replicas.read({}, ledger) == Reserve(1.25, "none")
    assert {one.key for one in ledger} == {"workload.peak_factor", "workload.spare"}


def test_a_stated_reserve_is_taken_as_it_is():
    assert replicas.read({"peak_factor": 2.0, "spare": "node"}, Ledger()) == Reserve(2.0, "node")


@pytest.mark.parametrize(("spare", "gone"), [("none", 0), ("gpu", 1), ("node", 8)])
def test_a_loss_takes_the_replicas_that_stand_on_it(spare, gone):
    assert replicas.lost(placed(), spare) == gone


def test_nothing_is_left_of_one_node_without_that_node():
    assert replicas.left(placed(), "node") is None
    assert replicas.left(placed(), "gpu").replicas == 7


def test_peaks_multiply_the_load():
    assert replicas.at_peak(placed(), Reserve(1.5, "none")).workload.concurrency == 96


def test_more_users_need_more_replicas():
    one = placed()
    shown = [
        replicas.shown(replace(one, workload=replace(one.workload, concurrency=users)), Reserve(1.25, "none"))["needed"]
        for users in (16, 256, 4096)
    ]

    assert shown == sorted(shown)
    assert shown[-1] > shown[0]


@pytest.mark.parametrize("load", [
    {"concurrency": 700}, {"concurrency": None, "requests_per_second": 90.0}, {"concurrency": 50, "tpot_ms": 12.0},
    {"concurrency": 300, "requests_per_second": 5.0}, {"scenario": "static", "concurrency": 900},
])  # fmt: skip
@pytest.mark.parametrize("placed_already", [1, 8, 64])
def test_one_replica_fewer_than_needed_breaks_a_limit(load, placed_already):
    stated = {name: value for name, value in {**LOAD, **load}.items() if value}
    machines = {"gpus_per_node": 8, "nodes": max(1, placed_already // 8)}
    one = cases.case("llama-3.1-8b", hardware=machines, plan={"tensor": 1, "data": 8 * machines["nodes"]}, **stated)
    one = replace(one, plan=replace(one.plan, data=placed_already))
    wanted = replicas.needed(one, Reserve(1.25, "none"))

    def broken(count):
        return loads.broken(replicas.at_peak(replace(one, plan=replace(one.plan, data=count)), Reserve(1.25, "none")))

    assert not broken(wanted)
    assert wanted == 1 or broken(wanted - 1)


def test_a_spare_adds_what_may_be_lost():
    without, with_one = (replicas.shown(placed(), Reserve(1.25, spare))["needed"] for spare in ("none", "gpu"))

    assert with_one == without + 1


def test_limits_are_held_at_the_pessimistic_side():
    one = placed(concurrency=8)
    found = contract.estimate(cases.asked("llama-3.1-8b", weights="fp8", concurrency=1))["speed"]
    between = (found["tpot_ms"] + found["high"]["tpot_ms"]) / 2
    tight = replace(one, workload=replace(one.workload, concurrency=8, tpot_limit_ms=between))

    assert [one.message for one in loads.broken(tight) if "a token" in one.message]


def test_a_service_that_must_stand_a_loss_asks_for_more_machines():
    workload = cases.asked("llama-3.1-8b", **LOAD)["workload"]
    relaxed = contract.recommend({"workload": workload, "limits": {"gpu": "h100-sxm"}})
    careful = contract.recommend({"workload": workload | {"spare": "node"}, "limits": {"gpu": "h100-sxm"}})

    def nodes(answer):
        return next(one["nodes"] for one in answer["candidates"] if "smallest" in one["labels"])

    assert nodes(careful) > nodes(relaxed)


def test_each_labelled_candidate_shows_its_replicas():
    answer = contract.recommend({"workload": cases.asked("llama-3.1-8b", **LOAD)["workload"], "limits": {}})

    labelled = [one for one in answer["candidates"] if one["labels"]]
    assert labelled
    assert all(one["replicas"]["placed"] >= one["replicas"]["needed"] for one in labelled)


def test_the_job_reads_its_reserve_from_the_workload():
    job = ServingJob.read(cases.asked(spare="gpu", peak_factor=1.0)["workload"], Ledger())

    assert job.reserve == Reserve(1.0, "gpu")


def test_the_whole_model_and_its_users_are_shown_before_any_division():
    workload = {"task": "inference", "model": {"name": "llama-3.3-70b"}, "concurrency": 50, "input_tokens": 2000,
                "output_tokens": 400}  # fmt: skip
    answer = contract.recommend({"workload": workload})
    whole = next(one for one in answer["candidates"] if "recommended" in one["labels"])["whole"]

    # 70,553,706,496 parameters in 16 bit; 2 x 80 layers x 8 heads x 128 x 2 B = 327,680 B a token x 2,400 x 50.
    assert whole["weights"]["bf16"] / 2**30 == pytest.approx(131.4, abs=0.05)
    # Embeddings and the output matrix stay in 16 bit: 4 x 128,256 x 8,192 B of the whole.
    assert whole["weights"]["fp8"] / 2**30 == pytest.approx(67.7, abs=0.05)
    assert whole["weights"]["awq"] / 2**30 == pytest.approx(37, abs=1.5)
    assert whole["cache_bytes"] == 327_680 * 2_400 * 50
