"""Answers over documents: passages, index memory, encoders, and the comparison with fine-tuning."""

from __future__ import annotations

from typing import Any

import pytest

from sizing import contract, hardware_data
from sizing.assumptions import Ledger
from sizing.errors import SizingError
from sizing.evidence import serving as evidence
from sizing.rag import library
from sizing.rag.index import MEASURED_GRAPH_BYTES, index, options
from sizing.rag.models import ACHIEVED_LOW, EMBEDDINGS

MILLION = 1e6


def asked(**more: Any) -> dict[str, Any]:
    workload = {"task": "rag", "model": {"name": "qwen2.5-32b"}, "documents": 200_000, "concurrency": 20}
    return {"workload": workload | more, "hardware": {"gpu": "h100-sxm", "gpus_per_node": 4}}


def test_the_index_of_a_million_vectors_is_as_its_makers_print_it():
    """OpenSearch: one million vectors of 256 dimensions with 16 links take 1.267 GB."""
    found = index("hnsw", "float32", vectors=MILLION, dimensions=256)

    assert found.memory_bytes / 1e9 == pytest.approx(1.267, abs=0.001)


@pytest.mark.parametrize(("dtype", "gigabytes"), [("float32", 352), ("float16", 183)])
def test_hundred_million_vectors_in_both_formats(dtype, gigabytes):
    """1.1 x (4 x 768 + 128) x 1e8 = 352 GB; 1.1 x (2 x 768 + 128) x 1e8 = 183 GB."""
    assert index("hnsw", dtype, vectors=1e8, dimensions=768).memory_bytes / 1e9 == pytest.approx(gigabytes, rel=0.01)


def test_an_8_bit_vector_takes_its_dimensions_and_a_scale():
    """Qdrant measured 388 bytes for 384 dimensions; its graph takes 80 bytes, ours allows 128."""
    each = index("hnsw", "int8", vectors=1.0, dimensions=384).memory_bytes / 1.1

    assert each - 128 == 388
    assert MEASURED_GRAPH_BYTES < 128


def test_product_codes_are_the_smallest_index():
    found = {(one.kind, one.dtype): one.memory_bytes for one in options(MILLION, 1024)}

    assert min(found, key=lambda key: found[key]) == ("ivf_pq", "float32")
    assert found["ivf_pq", "float32"] / MILLION == pytest.approx(72 + 16 + 1, rel=0.1)


def test_originals_of_a_smaller_index_lie_on_the_drives():
    small = index("hnsw", "int8", vectors=MILLION, dimensions=1024)

    assert small.drive_bytes > small.originals_bytes == 4096 * MILLION


def test_more_documents_never_need_less():
    found = [library.read({"documents": number}, Ledger()) for number in (100, 10_000, 1_000_000)]

    for name in ("chunks", "host_bytes", "drive_bytes", "payload_bytes"):
        assert [getattr(one, name) for one in found] == sorted(getattr(one, name) for one in found)


def test_embedding_meets_the_published_rates():
    """BGE large on an L4: 62,192 tokens/s by TEI, 19,456 by sentence-transformers."""
    rates = {fact.key: fact.low for fact in evidence.facts() if fact.topic == "embedding_throughput"}
    bge, gpu = EMBEDDINGS["bge-large-v1.5"], hardware_data.gpu("l4")

    assert bge.tokens_per_s(gpu) == pytest.approx(rates["rag-163"], rel=0.02)
    assert bge.tokens_per_s(gpu, ACHIEVED_LOW) == pytest.approx(rates["rag-167"], rel=0.05)


def test_every_embedding_model_has_the_published_size():
    sizes = {fact.subject.split("/")[-1]: fact.low for fact in evidence.facts() if fact.topic == "embedding_model_size"}

    assert EMBEDDINGS["bge-m3"].parameters / 1e6 == sizes["bge-m3"]
    assert EMBEDDINGS["nv-embedqa-1b-v2"].parameters / 1e6 == sizes["llama-3.2-nv-embedqa-1b-v2"]
    assert EMBEDDINGS["nv-embedqa-mistral-7b-v2"].weights_bytes / 1e9 == pytest.approx(14.22)


def test_the_answer_splits_memory_over_gpu_host_and_drives():
    found = contract.estimate(asked())["rag"]

    assert found["split"]["gpu_bytes"] > found["embedding_weights_bytes"] + found["reranker_weights_bytes"]
    assert found["split"]["host_bytes"] >= found["index_bytes"]
    assert found["split"]["drive_bytes"] >= 2 * (found["index_bytes"] + found["payload_bytes"])
    assert found["ingestion_seconds"]["low"] < found["ingestion_seconds"]["expected"]


def test_encoders_take_their_place_beside_the_generator():
    both = contract.estimate(asked())["memory"]["needed"]["expected"]
    lean = contract.estimate(asked(rerank=False))["memory"]["needed"]["expected"]

    assert both - lean == pytest.approx(2 * 568e6, rel=0.001)


def test_passages_lengthen_the_prompt():
    few, many = (contract.estimate(asked(passages=number))["speed"]["ttft_ms"] for number in (2, 20))

    assert many > few


def test_search_and_fine_tuning_stand_side_by_side():
    found = contract.estimate(asked())["rag"]["compare"]

    assert found["fine_tune"]["fits"] is True
    assert found["fine_tune"]["gpu_bytes_each"] > found["rag"]["gpu_bytes_each"]
    assert found["rag"]["first_use_seconds"]["expected"] < found["fine_tune"]["first_use_seconds"]["expected"]
    assert found["rag"]["update_gpu_hours"] < found["fine_tune"]["update_gpu_hours"]
    assert found["rent_per_gpu_hour"]["as_of"]
    assert found["advice"].startswith("Search first")


def test_fine_tuning_that_does_not_fit_is_said():
    request = asked(model={"name": "llama-3.1-70b"}, weights="awq")
    found = contract.estimate({**request, "hardware": {"gpu": "h100-sxm"}})["rag"]["compare"]

    assert found["fine_tune"]["fits"] is False
    assert "does not fit" in found["advice"]


def test_candidates_carry_the_retrieval_side():
    answer = contract.recommend({"workload": asked()["workload"], "limits": {}})

    labelled = [one for one in answer["candidates"] if one["labels"]]
    assert labelled
    assert all(one["rag"]["compare"]["advice"] for one in labelled)


def test_documents_are_asked_for():
    with pytest.raises(SizingError, match="how many documents"):
        library.read({}, Ledger())


def test_passages_longer_than_the_model_reads_are_refused():
    answer = contract.estimate(asked(embedding_model="bge-large-v1.5", chunk_tokens=1000))

    assert answer["error"]["field"] == "workload.chunk_tokens"
