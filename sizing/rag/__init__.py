"""Answers over documents: a generator that serves, an embedding model, a reranker, an index in host memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sizing import serving
from sizing.assumptions import Assumption, Ledger
from sizing.hardware import System
from sizing.outcome import Outcome
from sizing.rag import compare, library, models
from sizing.rag.index import options
from sizing.rag.library import Library
from sizing.resolve.reader import NOT_STATED
from sizing.serving import memory, reading
from sizing.serving.case import ServingCase
from sizing.serving.job import ServingJob

RETRIEVAL_FIELDS = (
    "documents", "pages_per_document", "embedding_model", "index", "vector_dtype", "chunk_tokens", "passages", "rerank",
)  # fmt: skip

__all__ = ["RagJob", "estimate", "job"]


class RagJob(ServingJob):
    """The generator as a service, with the retrieval side beside it."""

    __slots__ = ("library", "model")

    library: Library
    model: Mapping[str, Any]

    def answered(self, outcome: Outcome) -> dict[str, Any]:
        """The generator, with the retrieval side on these machines."""
        return super().answered(outcome) | {"rag": placed(self.library, self.model, outcome.payload)}

    def extras(self, outcome: Outcome) -> dict[str, Any]:
        """Replicas, and the retrieval side on these machines."""
        return super().extras(outcome) | {"rag": placed(self.library, self.model, outcome.payload)}


def workload(raw: Mapping[str, Any], found: Library, ledger: Ledger) -> dict[str, Any]:
    """The generator's load: the question with the passages found."""
    filled = {name: value for name, value in raw.items() if name not in RETRIEVAL_FIELDS}
    if filled.get("input_tokens") is None:
        prompt = found.prompt_tokens
        filled["input_tokens"] = prompt
        why = f"{found.passages} passages and the question"
        ledger.assume(Assumption("workload.input_tokens", prompt, "tokens", why, NOT_STATED, low=1000.0, high=16000.0))
    return filled


def estimate(request: Mapping[str, Any]) -> dict[str, Any]:
    """The generator on a system, with the retrieval side beside it."""
    ledger = Ledger()
    raw = request["workload"]
    found = library.read(raw, ledger)
    case = reading.read({**request, "workload": workload(raw, found, ledger)}, ledger)
    case = replace(case, beside_bytes=found.gpu_bytes)
    result = serving.answered(case, ledger, explained=bool(request.get("explain")), task="rag")
    return result | {"rag": placed(found, _model(raw), case)}


def job(request: Mapping[str, Any], raw: Mapping[str, Any], ledger: Ledger) -> ServingJob:
    """The generator as a service; the index lies in host memory and on the drives."""
    found = library.read(raw, ledger)
    service: RagJob = RagJob.read(workload(raw, found, ledger), ledger)
    service.task = "rag"
    service.library, service.model = found, _model(raw)
    service.beside_bytes = found.gpu_bytes
    service.extra_host_bytes = found.host_bytes
    service.extra_storage_bytes = found.drive_bytes
    return service


def placed(found: Library, model: Mapping[str, Any], case: ServingCase) -> dict[str, Any]:
    """The retrieval side on the machines of a service, in the contract's form."""
    machines, needed = case.system, memory.estimate(case).needed.device.expected
    if not machines.gpu.dense_flops_per_s:
        return shown(found)
    return shown(found) | on(found, machines, needed) | {"compare": compare.shown(found, model, machines, needed)}


def shown(found: Library) -> dict[str, Any]:
    """The retrieval side wherever it stands [B]."""
    held = found.index
    return {
        "chunks": round(found.chunks),
        "tokens": round(found.tokens),
        "index": held.kind,
        "vector_dtype": held.dtype,
        "dimensions": held.dimensions,
        "index_bytes": round(held.memory_bytes),
        "index_high_bytes": round(held.memory_high_bytes),
        "originals_bytes": round(held.originals_bytes),
        "payload_bytes": round(found.payload_bytes),
        "embedding_model": found.embedding.key,
        "embedding_weights_bytes": round(found.embedding.weights_bytes),
        "reranker_model": found.reranker.key if found.reranker else None,
        "reranker_weights_bytes": round(found.reranker.weights_bytes) if found.reranker else 0,
        "split": {
            "gpu_bytes": round(found.gpu_bytes),
            "host_bytes": round(found.host_bytes),
            "drive_bytes": round(found.drive_bytes),
        },
        "options": [
            {"index": one.kind, "vector_dtype": one.dtype, "memory_bytes": round(one.memory_bytes),
             "drive_bytes": round(one.drive_bytes), "source": one.source}
            for one in options(found.chunks, held.dimensions)
        ],
        "source": held.source,
    }  # fmt: skip


def on(found: Library, machines: System, needed_bytes: float) -> dict[str, Any]:
    """Times of the retrieval side on some machines [s]."""
    expected, least, most = found.embedding_seconds(machines.gpu, machines.gpus)
    build_low, build_high = found.index.build_seconds()
    return {
        "gpu_bytes_each": round(needed_bytes),
        "ingestion_seconds": {"expected": expected, "low": least, "high": most},
        "build_seconds": {"low": build_low, "high": build_high},
        "rerank_ms": 1000 * found.rerank_seconds(machines.gpu),
        "rate_source": models.RATE_SOURCE,
    }


def _model(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    model = raw.get("model")
    return model if isinstance(model, Mapping) else {"name": str(model)}
