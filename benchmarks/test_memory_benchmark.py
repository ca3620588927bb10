"""One memory estimate: under 200 microseconds in process, 5,000 plans under a second."""

import importlib
from dataclasses import replace

from sizing import memory
from sizing.assumptions import Ledger

cases = importlib.import_module("tests.sizing.memory_cases")
NODE = {"gpus_per_node": 8}
FSDP = {"sharding": "fsdp", "data": 8}


def test_full_training_by_fsdp(benchmark):
    asked = cases.case("full", hardware=NODE, plan=FSDP)

    benchmark(lambda: memory.estimate(asked, Ledger()))


def test_quantised_adapters_on_one_gpu(benchmark):
    asked = cases.case("qlora", framework="trl")

    benchmark(lambda: memory.estimate(asked, Ledger()))


def test_mixture_of_experts_by_every_axis(benchmark):
    plan = {"sharding": "zero1", "data": 16, "tensor": 2, "pipeline": 8, "expert": 16, "virtual_pipeline": 2}
    hardware = {"gpus_per_node": 8, "nodes": 32}
    asked = cases.case("pretraining", "qwen3-235b-a22b", framework="megatron", hardware=hardware, plan=plan)

    benchmark(lambda: memory.estimate(asked, Ledger()))


def test_five_thousand_plans(benchmark):
    asked = cases.case("full", hardware=NODE, plan=FSDP)
    jobs = [
        replace(asked, workload=replace(asked.workload, micro_batch=batch, sequence_length=length))
        for batch in range(1, 51)
        for length in range(1024, 1024 + 100 * 64, 64)
    ]

    def all_of_them():
        for one in jobs:
            memory.estimate(one, Ledger())

    benchmark.pedantic(all_of_them, rounds=3, iterations=1)


def test_explanation_of_one_plan(benchmark):
    asked = cases.case("lora")

    benchmark(lambda: memory.explain(asked))
