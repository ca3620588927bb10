"""A full recommendation over the packaged catalog (aim: under 300 ms on two cores)."""

import pytest

from sizing import contract

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
