"""One serving estimate: under 300 microseconds, so that a search can try hundreds of layouts."""

import importlib

from sizing import contract
from sizing.assumptions import Ledger
from sizing.rag import library
from sizing.serving import memory, speed

cases = importlib.import_module("tests.sizing.serving_cases")
EIGHT = {"gpus_per_node": 8}


def test_dense_model_by_tensor_parallelism(benchmark):
    one = cases.case("llama-3.1-70b", "h200-sxm", weights="fp8", hardware=EIGHT, plan={"tensor": 8})

    benchmark(lambda: speed.estimate(one))


def test_mixture_of_experts_with_attention_copies(benchmark):
    plan = {"tensor": 1, "data": 8, "attention_data": 8, "expert": 8}
    one = cases.case("deepseek-r1", "h200-sxm", weights="fp8", hardware=EIGHT, plan=plan)

    benchmark(lambda: speed.estimate(one))


def test_rate_of_a_server(benchmark):
    one = cases.case("llama-3.1-70b", "h200-sxm", weights="fp8", scenario="server", ttft_ms=2000.0, tpot_ms=50.0)

    benchmark(lambda: speed.estimate(one))


def test_memory(benchmark):
    one = cases.case("deepseek-r1", "h200-sxm", weights="fp8", hardware=EIGHT, plan={"tensor": 8})

    benchmark(lambda: memory.estimate(one))


def test_whole_answer(benchmark):
    request = cases.asked("llama-3.1-70b", "h200-sxm", weights="fp8", hardware=EIGHT, plan={"tensor": 8})

    benchmark(lambda: contract.estimate(request))


def test_library_of_documents(benchmark):
    benchmark(lambda: library.read({"documents": 100_000}, Ledger()))


def test_recommendation_over_the_whole_catalog(benchmark):
    request = {"workload": cases.asked("llama-3.1-70b", weights="fp8")["workload"], "limits": {}}

    benchmark.pedantic(lambda: contract.recommend(request), rounds=3, iterations=1)
