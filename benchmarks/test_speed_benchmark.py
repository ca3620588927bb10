"""One speed estimate: under 200 microseconds, so that a search can try thousands of plans."""

import importlib

from sizing import speed
from sizing.assumptions import Ledger
from sizing.plan import Plan

cases = importlib.import_module("tests.sizing.speed_cases")


def test_dense_model_by_fsdp(benchmark):
    asked = cases.case()

    benchmark(lambda: speed.estimate(asked, Ledger()))


def test_mixture_of_experts_by_every_axis(benchmark):
    plan = Plan("zero1", data=16, tensor=2, pipeline=8, expert=32, shard=16, virtual_pipeline=4, sequence_parallel=True)
    system = cases.machines(nodes=32)
    asked = cases.case("qwen3-235b-a22b", system=system, plan=plan, framework="nemo", compute="fp8")

    benchmark(lambda: speed.estimate(asked, Ledger()))


def test_explanation_of_one_plan(benchmark):
    asked = cases.case()

    benchmark(lambda: speed.explain(asked))
