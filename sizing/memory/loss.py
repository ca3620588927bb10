"""The loss head: what logits, their softmax and its gradient hold at the moment they are all alive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sizing.architecture.shape import Architecture
from sizing.memory.behaviours import Behaviour
from sizing.units import ceil_div
from sizing.workload import Training

HALF: Final = 2
SINGLE: Final = 4
COMPILED_LOSS_BYTES: Final = 10.0
COMPILED_CHUNKS_BYTES: Final = 3.0
ONLINE_SOFTMAX_LOSS_BYTES: Final = 4.0
PARALLEL_LOSS_BYTES: Final = 16.0
HALF_PRECISION_LOSS_BYTES: Final = 8.0
HALF_PRECISION_LOSS: Final = frozenset({"gpt2", "gpt_bigcode", "gpt_neox", "opt", "bloom", "falcon", "mpt"})
CHUNKS: Final = 8


@dataclass(frozen=True, slots=True)
class LossBytes:
    """Memory of the loss head on one GPU.

    Parameters
    ----------
    peak : float
        Everything alive at the loss's peak [byte].
    gradient : float
        The logits' gradient while it passes through the output matrix [byte].
    hidden : float
        Last norm's input and output, kept until the loss's backward pass [byte].
    """

    peak: float
    gradient: float
    hidden: float


NOTHING: Final = LossBytes(0.0, 0.0, 0.0)


def loss_bytes(
    model: Architecture,
    job: Training,
    behaviour: Behaviour,
    *,
    tokens: float,
    tensor: int,
    sequence_divided: bool,
    recent: bool,
    raised: bool,
) -> LossBytes:
    """Memory of the loss head for the tokens that one rank runs.

    Parameters
    ----------
    tokens : float
        Tokens of a micro-batch on this rank [tokens].
    tensor : int
        Tensor-parallel ranks, which divide the vocabulary [–].
    raised : bool
        The output matrix is fp32, and with it the logits from the start.
    recent : bool
        The GPU's generation needs PyTorch 2.8 or later, whose compiled softmax runs in one pass over 16-bit logits.
    """
    vocabulary = model.head_parameters / model.hidden_size if model.head_parameters else 0.0
    width = model.hidden_size * (1 / tensor if sequence_divided else 1)
    trained = job.lora is None
    eager = behaviour.kernels == "eager" and not job.compile
    final = (SINGLE + (HALF if trained else 0) if eager else HALF) * width
    hidden = tokens * (final + (SINGLE if raised else HALF) * model.hidden_size)
    logits = tokens * vocabulary / tensor
    if job.loss == "fused" or behaviour.cuts_loss:
        return LossBytes(_fused(model, job, tokens, vocabulary, tensor), 0.0, hidden)
    each = _bytes_of_a_logit(model, job, behaviour, parallel=tensor > 1, recent=recent) + (HALF if raised else 0.0)
    return LossBytes(each * logits, HALF * logits / (CHUNKS if job.loss == "chunked" else 1), hidden)


def _bytes_of_a_logit(
    model: Architecture, job: Training, behaviour: Behaviour, *, parallel: bool, recent: bool
) -> float:
    """Bytes of everything that is alive for one logit at the loss's peak [byte]."""
    if job.loss == "chunked":
        each = behaviour.chunked_loss_bytes
        return min(each, COMPILED_CHUNKS_BYTES) if job.compile else each
    each = behaviour.loss_bytes
    if job.compile:
        each = min(each, ONLINE_SOFTMAX_LOSS_BYTES if recent else COMPILED_LOSS_BYTES)
    elif parallel and behaviour.sharder == "fsdp2":
        each = PARALLEL_LOSS_BYTES
    elif model.family in HALF_PRECISION_LOSS and job.weights != "fp32":
        each = min(each, HALF_PRECISION_LOSS_BYTES)
    return each + (HALF if model.logit_softcap else 0.0)


def _fused(model: Architecture, job: Training, tokens: float, vocabulary: float, tensor: int) -> float:
    """Fused linear cross entropy: chunks whose logits are about as large as the hidden states, and their gradients.

    The chunk count is the power of two next to vocabulary over width, as Liger kernels choose it.
    """
    chunks = max(1, ceil_div(round(vocabulary), model.hidden_size))
    chunk_logits = tokens / chunks * vocabulary / tensor
    gradient = HALF * tokens * model.hidden_size
    weights = SINGLE * vocabulary * model.hidden_size / tensor if job.lora is None else 0.0
    return chunk_logits * (HALF + SINGLE) + gradient + weights
