"""A full recommendation over the packaged catalog (aim: under 300 ms on two cores)."""

from dataclasses import replace
from itertools import cycle, islice

import pytest

from sizing import contract
from sizing.hardware_data import packaged

REQUESTS = {
    "qlora-70b": {
        "workload": {"method": "qlora", "model": {"name": "llama-3.3-70b"}, "sequence_length": 4096, "tokens": 1e8},
        "limits": {"deadline_hours": 168},
    },
    "full-70b": {
        "workload": {"method": "full", "model": {"name": "llama-3.1-70b"}, "sequence_length": 4096, "tokens": 1e9},
        "limits": {"deadline_hours": 720},
    },
    "service-70b": {"workload": {"task": "inference", "model": {"name": "llama-3.3-70b"}, "concurrency": 50}},
}


@pytest.mark.parametrize("name", REQUESTS)
def test_recommend(benchmark, name):
    answer = benchmark(contract.recommend, REQUESTS[name])

    assert answer["candidates"]


@pytest.mark.parametrize("model", ["llama-3.1-8b", "llama-3.3-70b"])
def test_a_rate_that_nothing_carries(benchmark, model):
    """Two seconds before the search for replicas was bounded."""
    workload = {"task": "inference", "model": {"name": model}, "requests_per_second": 1e6}

    answer = benchmark(contract.recommend, {"workload": workload})

    assert not answer["candidates"]


@pytest.mark.parametrize("articles", [100, 1_000, 10_000])
def test_recommend_over_a_growing_catalog(benchmark, articles):
    known = packaged()
    grown = replace(known, skus=tuple(islice(cycle(known.skus), articles)))

    answer = benchmark(contract.recommend, REQUESTS["qlora-70b"], hardware=grown)

    assert answer["candidates"]
