"""Answers over documents: a generator that serves, an embedding model, an index in host memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sizing import fields, serving
from sizing.architecture import quantised
from sizing.architecture.packaged import by_name
from sizing.assumptions import Assumption, Ledger
from sizing.errors import SizingError
from sizing.resolve.reader import NOT_STATED
from sizing.serving import reading
from sizing.serving.job import ServingJob

EMBEDDING_MODEL = "bge-m3"
TOKENS_PER_PAGE = 500.0
CHUNK_TOKENS = 400.0
CHUNK_OVERLAP = 0.15
DIMENSIONS = 1024
HNSW_LINKS = 16
INDEX_FACTOR = 1.1
PAYLOAD_BYTES_PER_TOKEN = 5.0
CONTEXT_CHUNKS = 8
QUESTION_TOKENS = 200
INDEX_SOURCE = "OpenSearch k-NN documentation (Faiss HNSW, float32): 1.1 x (4 d + 8 m) bytes a vector"


@dataclass(frozen=True, slots=True)
class Index:
    """A vector index over chunks [–, B]."""

    chunks: float
    tokens: float
    index_bytes: float
    payload_bytes: float
    embedding_weights_bytes: float


def read(raw: Mapping[str, Any], ledger: Ledger) -> Index:
    """Chunks, vectors and their memory from the volume of documents.

    Raises
    ------
    SizingError
        Where the number of documents is missing.

    Notes
    -----
    Bytes of an HNSW index of float32 vectors: 1.1 x (4 d + 8 m) a vector, d dimensions, m links.
    """
    stated, _ = fields.read(raw, fields.RAG, "workload")
    documents = stated.get("documents")
    if documents is None:
        raise SizingError("workload.documents", "{field} is missing: how many documents are to be searched?")
    pages = stated.get("pages_per_document")
    if pages is None:
        pages = 5.0
        ledger.assume(Assumption("workload.pages_per_document", pages, "pages", "no length was stated", NOT_STATED,
                                 low=1.0, high=50.0))  # fmt: skip
    ledger.assume(Assumption("rag.tokens_per_page", TOKENS_PER_PAGE, "tokens", "a page of running text",
                             "about 350 English or 250 Russian words a page", low=300.0, high=900.0))  # fmt: skip
    ledger.assume(Assumption("rag.chunk_tokens", CHUNK_TOKENS, "tokens", "passages of a few paragraphs with overlap",
                             "usual setting of retrieval pipelines", low=200.0, high=1000.0))  # fmt: skip
    ledger.assume(Assumption("rag.dimensions", DIMENSIONS, "", f"vectors of {EMBEDDING_MODEL}",
                             "the embedding model's configuration", low=384, high=4096))  # fmt: skip
    tokens = documents * pages * TOKENS_PER_PAGE
    chunks = max(float(documents), tokens / (CHUNK_TOKENS * (1 - CHUNK_OVERLAP)))
    return Index(
        chunks=chunks,
        tokens=tokens,
        index_bytes=chunks * INDEX_FACTOR * (4 * DIMENSIONS + 8 * HNSW_LINKS),
        payload_bytes=tokens * PAYLOAD_BYTES_PER_TOKEN,
        embedding_weights_bytes=float(quantised.weight_bytes(by_name(EMBEDDING_MODEL), "bf16").total),
    )


def workload(raw: Mapping[str, Any], ledger: Ledger) -> dict[str, Any]:
    """The generator's load: the question with the passages found."""
    filled = {name: value for name, value in raw.items() if name not in ("documents", "pages_per_document")}
    if filled.get("input_tokens") is None:
        prompt = CONTEXT_CHUNKS * CHUNK_TOKENS + QUESTION_TOKENS
        filled["input_tokens"] = prompt
        why = "eight passages and the question"
        ledger.assume(Assumption("workload.input_tokens", prompt, "tokens", why, NOT_STATED, low=1000.0, high=16000.0))
    return filled


def estimate(request: Mapping[str, Any]) -> dict[str, Any]:
    """The generator on a system, with the index beside it."""
    ledger = Ledger()
    index = read(request["workload"], ledger)
    case = reading.read({**request, "workload": workload(request["workload"], ledger)}, ledger)
    result = serving.answered(case, ledger, explained=bool(request.get("explain")), task="rag")
    return result | {"rag": shown(index)}


def job(request: Mapping[str, Any], raw: Mapping[str, Any], ledger: Ledger) -> ServingJob:
    """The generator as a service; the index lies in host memory and on the drives."""
    index = read(raw, ledger)
    service = ServingJob.read(workload(raw, ledger), ledger)
    service.task = "rag"
    service.extra_host_bytes = index.index_bytes
    service.extra_storage_bytes = 2 * index.index_bytes + index.payload_bytes
    return service


def shown(index: Index) -> dict[str, Any]:
    """The index in the contract's form [B]."""
    return {
        "chunks": round(index.chunks),
        "tokens": round(index.tokens),
        "index_bytes": round(index.index_bytes),
        "payload_bytes": round(index.payload_bytes),
        "embedding_model": EMBEDDING_MODEL,
        "embedding_weights_bytes": round(index.embedding_weights_bytes),
        "source": INDEX_SOURCE,
    }
