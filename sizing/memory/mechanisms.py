"""The constants of mechanisms that an estimate rests on, as assumptions with their ranges and sources."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sizing.assumptions import Assumption, Ledger
from sizing.case import Case
from sizing.memory import allocator, loss, sharding
from sizing.memory.behaviours import Behaviour, behaviour
from sizing.units import MIB

PYTORCH: Final = "PyTorch CUDA caching allocator, documentation and published allocated/reserved pairs"

ROUNDING: Final = Assumption(
    "memory.rounding_share",
    allocator.ROUNDING_SHARE,
    "-",
    "blocks are rounded up, and gaps between them stay",
    PYTORCH,
    low=0.01,
    high=0.05,
)
UNSHARED: Final = Assumption(
    "memory.unshared_share",
    allocator.UNSHARED_SHARE,
    "-",
    "blocks that one phase of a step frees are only partly reused by another phase",
    PYTORCH,
    low=0.3,
    high=1.0,
)
GATHERED: Final = Assumption(
    "memory.gathered_share",
    allocator.GATHERED_SHARE,
    "-",
    "weights are gathered on a stream of their own, whose blocks serve no other stream",
    PYTORCH,
    low=0.0,
    high=1.0,
)
PADDED: Final = Assumption(
    "memory.padded_share",
    allocator.PADDED_SHARE,
    "-",
    "batches of varying length leave cached blocks too small for the next longer one; the record lengths of random "
    "batches add up to about twice the longest",
    PYTORCH,
    low=0.3,
    high=2.0,
)
CONTEXT: Final = Assumption(
    "memory.context_bytes",
    allocator.CONTEXT_BYTES / MIB,
    "MiB",
    "CUDA context and loaded kernels, seen by nvidia-smi and by no PyTorch counter",
    "nvidia-smi of an idle PyTorch process",
    low=300,
    high=900,
)
COMMUNICATOR: Final = Assumption(
    "memory.communicator_bytes",
    allocator.COMMUNICATOR_BYTES / MIB,
    "MiB",
    "NCCL's buffers and kernels for each group of GPUs",
    "NCCL documentation (NCCL_BUFFSIZE, channels)",
    low=150,
    high=1200,
)
LIVE_PARAMETERS: Final = Assumption(
    "memory.zero3_live_parameters",
    sharding.MAX_LIVE_PARAMETERS,
    "parameters",
    "ZeRO-3 keeps up to this many parameters gathered",
    "DeepSpeed configuration: stage3_max_live_parameters",
    low=1e8,
    high=1e9,
)


def note(case: Case, ledger: Ledger) -> None:
    """List the mechanisms that this case's memory rests on."""
    job, plan = case.workload, case.plan
    for one in _of_stack(behaviour(job.framework), job.loss, job.compile):
        ledger.assume(one)
    ledger.assume(ROUNDING)
    ledger.assume(UNSHARED)
    ledger.assume(CONTEXT)
    if job.packing == "padded":
        ledger.assume(PADDED)
    if plan.gpus > 1:
        ledger.assume(COMMUNICATOR)
    if plan.sharding in sharding.FULLY_SHARDED and plan.shard > 1:
        ledger.assume(GATHERED)
    if plan.sharding == "zero3":
        ledger.assume(LIVE_PARAMETERS)


@lru_cache(maxsize=256)
def _of_stack(how: Behaviour, kind: str, compiled: bool) -> tuple[Assumption, ...]:
    """Habits of the stack."""
    found = [Assumption("memory.stack", how.name, "", "its memory habits are used", how.source)]
    if kind == "fused" or how.cuts_loss:
        return tuple(found)
    value, low, high = how.loss_bytes, 4.0, 16.0
    why = "logits, their fp32 copy, softmax and gradient alive together"
    if kind == "chunked":
        value, low, high = how.chunked_loss_bytes, 1.0, 8.0
        why = "16-bit logits stay whole, the fp32 softmax is kept for each chunk"
    elif compiled:
        value = min(value, loss.COMPILED_LOSS_BYTES)
    found.append(Assumption("memory.loss_bytes", value, "B/logit", why, how.source, low=low, high=high))
    return tuple(found)
