"""Memory of a vector index: graph, inverted lists or product codes, at 32, 16 or 8 bit a dimension."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from typing import Final

KINDS: Final = ("hnsw", "ivf", "ivf_pq")
DTYPES: Final = ("float32", "float16", "int8")
BYTES: Final = {"float32": 4.0, "float16": 2.0, "int8": 1.0}

LINKS: Final = 16
OVERHEAD: Final = 1.1
LINK_BYTES: Final = 8.0
SCALE_BYTES: Final = 4.0
ID_BYTES: Final = 8.0
LISTS_PER_ROOT: Final = 4.0
DIMENSIONS_OF_A_CODE: Final = 16
CODE_BYTES: Final = 1.0
CODES: Final = 256
RESIDENT_HIGH: Final = 1.5
"""Whole process over raw float32 vectors, planning rule of Qdrant; 1.38 was measured without a quantized copy [–]."""

MEASURED_GRAPH_BYTES: Final = 80.35
"""Links of one vector at m = 16 as Qdrant packs them [B]."""

SOURCES: Final = {
    "hnsw": "OpenSearch k-NN documentation: 1.1 x (b d + 8 m) bytes a vector; int8 with a scale (Qdrant)",
    "ivf": "OpenSearch k-NN documentation: 1.1 x (b d N + 4 nlist d) bytes",
    "ivf_pq": "FAISS wiki and cuVS documentation: codes and an 8-byte id a vector, centroids and codebooks beside",
}

BUILD_VECTORS_PER_S: Final = {"hnsw": (900.0, 9079.0), "ivf": (2200.0, 13480.0), "ivf_pq": (1000.0, 9859.0)}
"""Slowest and fastest published build of an index on one machine [vectors/s]: pgvector and Weaviate with 1,024
dimensions on a small node, Qdrant with 384 on 15 cores."""


@dataclass(frozen=True, slots=True)
class Index:
    """An index of `vectors` vectors [B].

    Parameters
    ----------
    memory_bytes : float
        What a search keeps in memory, expected; `memory_high_bytes` with what processes were seen to hold.
    originals_bytes : float
        Full vectors, kept for rescoring and rebuilding; on drives unless the index itself holds them.
    """

    kind: str
    dtype: str
    vectors: float
    dimensions: int
    memory_bytes: float
    memory_high_bytes: float
    originals_bytes: float

    @property
    def source(self) -> str:
        """Where the formula comes from."""
        return SOURCES[self.kind]

    @property
    def drive_bytes(self) -> float:
        """The index as a file and the originals where it does not hold them itself [B]."""
        beside = 0.0 if self.kind != "ivf_pq" and self.dtype == "float32" else self.originals_bytes
        return self.memory_bytes + beside

    def build_seconds(self) -> tuple[float, float]:
        """Shortest and longest time to build it on one machine [s]."""
        slow, fast = BUILD_VECTORS_PER_S[self.kind]
        return self.vectors / fast, self.vectors / slow


def index(kind: str, dtype: str, *, vectors: float, dimensions: int) -> Index:
    """An index of a kind.

    Notes
    -----
    hnsw    1.1 x (b d + 8 m) a vector, m = 16 links
    ivf     1.1 x (b d N + 4 nlist d), nlist = 4 sqrt(N)
    ivf_pq  (d / 16 + 8) a vector + 4 nlist d + 256 x 4 d of codebooks
    """
    each = BYTES[dtype] * dimensions + (SCALE_BYTES if dtype == "int8" else 0.0)
    lists = ceil(LISTS_PER_ROOT * sqrt(vectors))
    raw = 4.0 * dimensions * vectors
    if kind == "hnsw":
        memory = OVERHEAD * (each + LINK_BYTES * LINKS) * vectors
    elif kind == "ivf":
        memory = OVERHEAD * (each * vectors + 4.0 * lists * dimensions)
    else:
        code = ceil(dimensions / DIMENSIONS_OF_A_CODE) * CODE_BYTES
        memory = (code + ID_BYTES) * vectors + 4.0 * lists * dimensions + 4.0 * CODES * dimensions
    share = each * vectors / raw if kind != "ivf_pq" else 0.0
    high = max(memory * OVERHEAD, RESIDENT_HIGH * raw * share)
    return Index(kind, dtype, vectors, dimensions, memory, high, raw)


def options(vectors: float, dimensions: int) -> list[Index]:
    """Every kind and format of index for the same vectors."""
    found = [index(kind, dtype, vectors=vectors, dimensions=dimensions) for kind in KINDS[:2] for dtype in DTYPES]
    return [*found, index("ivf_pq", "float32", vectors=vectors, dimensions=dimensions)]
