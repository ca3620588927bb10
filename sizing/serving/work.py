"""One forward pass of a replica: what it reads, computes and sends for a number of tokens.

A pass takes `answers` tokens, one for each request that is being answered, and `prompt` tokens of prompts. Matrices
take the time of reading them and of computing with them; attention reads the cache for answers and computes for
prompts. What depends on the case alone is put together once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sizing.serving import rates
from sizing.serving.communication import Links
from sizing.serving.engines import Engine

GRAPH_TOKENS: Final = 64
"""Prompt tokens above which a pass runs without a captured graph [tokens]."""


@dataclass(frozen=True, slots=True)
class Matrices:
    """One family of matrices on one GPU: bytes read in a pass, operations of a token, rate [B, FLOP, FLOP/s]."""

    read_bytes: float
    flops_per_token: float
    flops_per_s: float

    def seconds(self, tokens: float, bytes_per_s: float, overlap: float, touched: float = 1.0) -> float:
        """Time of the products for so many tokens that read the share `touched` of the bytes [s].

        Notes
        -----
        (reading^p + computing^p)^(1/p): with p = 1 one after the other, with a large p the slower of both.
        """
        reading = self.read_bytes * touched / bytes_per_s
        computing = self.flops_per_token * tokens / self.flops_per_s
        longer, shorter = (reading, computing) if reading > computing else (computing, reading)
        if shorter <= 0.0:
            return longer
        return longer * float((1.0 + (shorter / longer) ** overlap) ** (1.0 / overlap))


@dataclass(frozen=True, slots=True)
class Experts:
    """Routed experts: their matrices, the chance that a token chooses one, and how they are divided.

    `copies` attention copies send their tokens to the same experts; `is_spread` says that whole experts stand on
    different GPUs; `least_rows` is what each expert's product is filled up with at least [tokens].
    """

    matrices: Matrices
    choice: float
    copies: int
    is_spread: bool
    least_rows: float

    def seconds(self, whole: float, bytes_per_s: float, shares: rates.Shares) -> float:
        """Time of the experts' products for the tokens of all copies [s]; each expert met is filled up with rows."""
        touched = 1.0 - (1.0 - self.choice) ** whole
        balance = shares.imbalance if self.is_spread else 1.0
        each = whole * self.choice / touched if touched else 0.0
        filled = max(self.least_rows, min(each, shares.expert_rows))
        rows = whole * balance + filled * touched / self.choice
        return self.matrices.seconds(rows, bytes_per_s, shares.overlap, touched)


@dataclass(frozen=True, slots=True)
class Work:
    """What a forward pass of one replica needs to know.

    Parameters
    ----------
    dense, head : Matrices
        What every token passes; the output matrix.
    answer_seconds : float
        Attention of one answer's token at the mean length, over all layers [s].
    prompt_seconds : float
        Attention of one prompt token, over all layers [s].
    token_seconds : float
        Norms, activations and quantization of one token [s].
    reduces, exchanges : float
        All-reduces and all-to-alls of one pass [–].
    token_bytes, exchanged_bytes : float
        What one token sends in each of them [B].
    kernel_seconds, eager_seconds : float
        Start of all kernels from a captured graph, and launched one by one [s].
    launch_seconds : float
        The least that a pass takes where the host launches every layer [s].
    stages : int
        Stages of the pipeline [–].
    """

    engine: Engine
    shares: rates.Shares
    links: Links
    dense: Matrices
    head: Matrices
    experts: Experts | None
    read_bytes_per_s: float
    answer_seconds: float
    prompt_seconds: float
    token_seconds: float
    reduces: float
    exchanges: float
    token_bytes: float
    exchanged_bytes: float
    kernel_seconds: float
    eager_seconds: float
    launch_seconds: float
    stages: int

    @property
    def copies(self) -> int:
        """Copies of the attention part that share one set of experts [–]."""
        return self.experts.copies if self.experts is not None else 1

    def step_seconds(self, answers: float, prompt: float = 0.0, *, prompts: float = 0.0, even: float = 1.0) -> float:
        """Time until every request in flight has its next token [s]: one pass, or one for each stage of a pipeline.

        Parameters
        ----------
        answers, prompt : float
            Tokens of answers and of prompts on one copy of the attention part [tokens].
        prompts : float
            Prompts that end in this step and need logits [–].
        even : float
            Mean prompt tokens of all copies over those of this one, the fullest [–].
        """
        stages = self.stages
        if stages > 1:
            return stages * self._pass_seconds(answers / stages, prompt / stages, prompts / stages, even)
        return self._pass_seconds(answers, prompt, prompts, even)

    def _pass_seconds(self, answers: float, prompt: float, prompts: float, even: float) -> float:
        tokens = answers + prompt
        if tokens <= 0.0:
            return 0.0
        shares, speed = self.shares, self.read_bytes_per_s
        seconds = self.dense.seconds(tokens + min(tokens, shares.dense_rows), speed, shares.overlap)
        rows = answers + prompts
        seconds += self.head.seconds(rows + min(rows, shares.dense_rows), speed, shares.overlap)
        if self.experts is not None:
            whole = (answers + prompt * even) * self.experts.copies
            seconds += self.experts.seconds(whole, speed, self.shares)
        seconds += answers * self.answer_seconds + prompt * self.prompt_seconds + tokens * self.token_seconds
        seconds += self._links_seconds(tokens)
        seconds += self._started_seconds(prompt)
        seconds = max(seconds, self.launch_seconds)
        return seconds + self.engine.step_seconds + self.engine.sequence_seconds * (answers + prompts)

    def _started_seconds(self, prompt: float) -> float:
        if prompt <= 0.0:
            return self.kernel_seconds
        eager = min(1.0, prompt / GRAPH_TOKENS)
        return (1.0 - eager) * self.kernel_seconds + eager * self.eager_seconds

    def _links_seconds(self, tokens: float) -> float:
        links = self.links
        seconds = self.reduces * (links.reduce_latency + tokens * self.token_bytes * links.reduce_per_byte)
        sent = tokens * self.exchanged_bytes
        seconds += self.exchanges * (links.exchange_latency + sent * links.exchange_per_byte)
        if self.stages > 1:
            seconds += links.stage_latency + tokens * self.token_bytes * links.stage_per_byte
        return seconds
