"""The customer's documents as passages, and the retrieval side that searches them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sizing import fields
from sizing.assumptions import Assumption, Ledger
from sizing.economics.inputs import OUR_ASSUMPTION
from sizing.errors import SizingError
from sizing.hardware import Gpu
from sizing.rag import models
from sizing.rag.index import Index, index
from sizing.rag.models import EMBEDDINGS, RERANKER, Encoder
from sizing.resolve.reader import NOT_STATED
from sizing.units import GIB

TOKENS_PER_PAGE: Final = 500.0
CHUNK_TOKENS: Final = 400.0
CHUNK_OVERLAP: Final = 0.15
CANDIDATES_PER_PASSAGE: Final = 5
QUESTION_TOKENS: Final = 200.0
PAYLOAD_BYTES_PER_TOKEN: Final = 5.0
WORKSPACE_BYTES: Final = 1.0 * GIB
"""Activations and libraries of the encoders on the GPU [B]."""

EPOCHS: Final = 3
UPDATED_SHARE: Final = 0.01
"""Share of the documents that one update changes [–]."""

CONSTANTS: Final[dict[str, tuple[float, str, str, float, float]]] = {
    "chunk_overlap": (CHUNK_OVERLAP, "", "passages share a part of their text, so that none is torn apart", 0.0, 0.3),
    "updated_share": (UPDATED_SHARE, "", "share of the documents that one update changes", 0.001, 0.1),
    "tuning_epochs": (EPOCHS, "epochs", "how often fine-tuning goes through the text of the documents", 1, 5),
}  # fmt: skip
GUIDES: Final = "usual setting of retrieval pipelines"


@dataclass(frozen=True, slots=True)
class Library:
    """Documents, their passages, and how they are searched [–, tokens, B]."""

    documents: float
    tokens: float
    chunks: float
    chunk_tokens: float
    passages: int
    embedding: Encoder
    reranker: Encoder | None
    index: Index
    updated_share: float

    @property
    def payload_bytes(self) -> float:
        """Text of the passages with what belongs to them [B]."""
        return self.chunks * self.chunk_tokens * PAYLOAD_BYTES_PER_TOKEN

    @property
    def gpu_bytes(self) -> float:
        """Encoders beside the generator on one GPU [B]."""
        reranker = self.reranker.weights_bytes if self.reranker else 0.0
        return self.embedding.weights_bytes + reranker + WORKSPACE_BYTES

    @property
    def host_bytes(self) -> float:
        """What a search keeps in host memory, the upper end [B]."""
        return self.index.memory_high_bytes

    @property
    def drive_bytes(self) -> float:
        """Index, originals and texts, twice: a second copy is written when the index is rebuilt or moved [B]."""
        return 2 * (self.index.drive_bytes + self.payload_bytes)

    @property
    def prompt_tokens(self) -> float:
        """Question and passages that the generator reads [tokens]."""
        return QUESTION_TOKENS + self.passages * self.chunk_tokens

    def embedding_seconds(self, gpu: Gpu, gpus: int, share: float = 1.0) -> tuple[float, float, float]:
        """Time to embed a share of the documents: expected, shortest, longest [s]."""
        read = self.chunks * self.chunk_tokens * share

        def at(achieved: float) -> float:
            rate = self.embedding.tokens_per_s(gpu, achieved) * gpus
            return read / rate if rate else 0.0

        return at(models.ACHIEVED), at(models.ACHIEVED_HIGH), at(models.ACHIEVED_LOW)

    def rerank_seconds(self, gpu: Gpu) -> float:
        """Time to rerank the candidates of one question [s]: each is read with the question."""
        rate = self.reranker.tokens_per_s(gpu) if self.reranker else 0.0
        read = self.passages * CANDIDATES_PER_PASSAGE * (self.chunk_tokens + QUESTION_TOKENS)
        return read / rate if rate else 0.0


@dataclass(frozen=True, slots=True)
class _Usual:
    """A usual value of one field: why, on whose word, and the range in which it is plausible."""

    value: Any
    why: str
    low: Any
    high: Any
    unit: str = ""
    source: str = GUIDES


USUAL: Final[dict[str, _Usual]] = {
    "pages_per_document": _Usual(10.0, "no length was stated", 1.0, 50.0, "pages", NOT_STATED),
    "chunk_tokens": _Usual(CHUNK_TOKENS, "passages of a few paragraphs with overlap", 200.0, 1000.0, "tokens"),
    "embedding_model": _Usual("bge-m3", "reads many languages, Russian too, and long passages", "bge-m3",
                              "nv-embedqa-mistral-7b-v2", "", EMBEDDINGS["bge-m3"].source),
    "index": _Usual("hnsw", "the usual index of vector databases; fast at a high recall", "ivf_pq", "hnsw"),
    "vector_dtype": _Usual("float32", "what databases keep unless told otherwise", "int8", "float32"),
    "passages": _Usual(8, "passages given to the generator with a question", 4, 20),
    "rerank": _Usual(True, "a second look sorts the candidates before the generator reads them", False, True),
}  # fmt: skip


def read(raw: Mapping[str, Any], ledger: Ledger) -> Library:
    """The library of a request, completed.

    Raises
    ------
    SizingError
        Where the number of documents is missing, or passages are longer than the embedding model reads.
    """
    stated, _ = fields.read(raw, fields.RAG, "workload")
    documents = stated.get("documents")
    if documents is None:
        raise SizingError("workload.documents", "{field} is missing: how many documents are to be searched?")
    taken = {name: _taken(name, usual, stated, ledger) for name, usual in USUAL.items()}
    page = stated.get("tokens_per_page", TOKENS_PER_PAGE)
    if "tokens_per_page" not in stated:
        ledger.assume(Assumption("rag.tokens_per_page", page, "tokens", "a page of running text",
                                 "about 350 English or 250 Russian words a page", low=300.0, high=900.0))  # fmt: skip
    for name, (value, unit, why, low, high) in CONSTANTS.items():
        if name in stated:
            continue
        ledger.assume(Assumption(f"rag.{name}", value, unit, why, OUR_ASSUMPTION, low=low, high=high))
    encoder, chunk = EMBEDDINGS[taken["embedding_model"]], taken["chunk_tokens"]
    if chunk > encoder.longest:
        message = "{field} is {value}, the embedding model reads {limit} tokens"
        raise SizingError("workload.chunk_tokens", message, value=chunk, limit=encoder.longest)
    tokens = documents * taken["pages_per_document"] * page
    chunks = max(float(documents), tokens / (chunk * (1 - CHUNK_OVERLAP)))
    return Library(
        documents=float(documents),
        tokens=tokens,
        chunks=chunks,
        chunk_tokens=min(chunk, tokens / chunks / (1 - CHUNK_OVERLAP)),
        passages=int(taken["passages"]),
        embedding=encoder,
        reranker=RERANKER if taken["rerank"] else None,
        index=index(taken["index"], taken["vector_dtype"], vectors=chunks, dimensions=encoder.dimensions),
        updated_share=stated.get("updated_share", UPDATED_SHARE),
    )


def _taken(name: str, usual: _Usual, stated: Mapping[str, Any], ledger: Ledger) -> Any:
    value = stated.get(name)
    if value is not None:
        return value
    ledger.assume(
        Assumption(f"workload.{name}", usual.value, usual.unit, usual.why, usual.source, low=usual.low, high=usual.high)
    )
    return usual.value
