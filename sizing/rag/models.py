"""Models of the retrieval side: embedding and reranking, their size and speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sizing.hardware import Gpu

FP16_BYTES: Final = 2.0
ACHIEVED: Final = 0.31
"""Share of the dense 16-bit peak that embedding reaches [–]: 62,192 tokens/s of a 303M model on an L4 by TEI, end to
end over REST (infinity embedding server benchmark; 10 requests of 256 sentences)."""

ACHIEVED_LOW: Final = 0.10
"""The same model through sentence-transformers: 19,456 tokens/s [–]."""

ACHIEVED_HIGH: Final = 0.45
RATE_SOURCE: Final = "infinity embedding server benchmark (2024): TEI, TensorRT and sentence-transformers on L4"


@dataclass(frozen=True, slots=True)
class Encoder:
    """An embedding or reranking model.

    Parameters
    ----------
    parameters, working : float
        All parameters; those that every token passes, without the token table [–].
    dimensions : int
        Length of its vectors [–].
    longest : int
        Longest text it reads [tokens].
    """

    key: str
    title: str
    parameters: float
    working: float
    dimensions: int
    longest: int
    source: str

    @property
    def weights_bytes(self) -> float:
        """Weights in 16 bit [B]."""
        return FP16_BYTES * self.parameters

    def tokens_per_s(self, gpu: Gpu, share: float = ACHIEVED) -> float:
        """Tokens that one GPU reads [tokens/s].

        Notes
        -----
        dense 16-bit peak x share / (2 x working parameters).
        """
        peak = gpu.peak_flops_per_s("bf16") or gpu.peak_flops_per_s("fp16") or 0.0
        return peak * share / (2 * self.working)


_NVIDIA: Final = "NVIDIA NeMo Retriever embedding NIM, support matrix"
_BAAI: Final = "model card of BAAI, and NVIDIA NeMo Retriever support matrix"

EMBEDDINGS: Final[dict[str, Encoder]] = {
    one.key: one
    for one in (
        Encoder("bge-m3", "BGE-M3", 568e6, 303e6, 1024, 8192, _BAAI),
        Encoder("bge-large-v1.5", "BGE large v1.5", 325e6, 303e6, 1024, 512, _BAAI),
        Encoder("nv-embedqa-e5-v5", "NV-EmbedQA E5 v5", 335e6, 303e6, 1024, 512, _NVIDIA),
        Encoder("nemoretriever-300m-v2", "Llama 3.2 NeMo Retriever 300M v2", 569e6, 307e6, 2048, 8192, _NVIDIA),
        Encoder("nv-embedqa-1b-v2", "Llama 3.2 NV-EmbedQA 1B v2", 1236e6, 973e6, 2048, 8192, _NVIDIA),
        Encoder("nv-embedqa-mistral-7b-v2", "NV-EmbedQA Mistral 7B v2", 7110e6, 6980e6, 4096, 512, _NVIDIA),
    )
}

RERANKER: Final = Encoder(
    "bge-reranker-v2-m3", "BGE reranker v2 M3", 568e6, 303e6, 1, 8192, "model card of BAAI: an XLM-RoBERTa large"
)
