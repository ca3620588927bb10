"""What dividing the states costs: gathered parameters, whole gradients and communication buffers at each moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sizing.memory.behaviours import Behaviour
from sizing.memory.inventory import Inventory
from sizing.plan import Plan
from sizing.units import MIB
from sizing.workload import Training

HALF: Final = 2.0
SINGLE: Final = 4.0
MAX_LIVE_PARAMETERS: Final = 1e9
MAX_REUSE_DISTANCE: Final = 1e9
PREFETCH_BUCKET: Final = 5e8
REDUCE_BUCKET: Final = 5e8
CUBLAS_WORKSPACE_BYTES: Final = 32 * MIB
FSDP_LAYERS: Final = 2
FSDP2_COPIES: Final = 1

FULLY_SHARDED: Final = ("zero3", "fsdp", "hsdp")
GRADIENTS_SHARDED: Final = ("zero2", *FULLY_SHARDED)
STATES_SHARDED: Final = ("zero1", *GRADIENTS_SHARDED)


@dataclass(frozen=True, slots=True)
class Windows:
    """Bytes that sharding adds at the loss, at the first and the last layer's backward pass, and at the step.

    `whole_gradients` are gradients that wait unsharded for the last accumulated micro-batch [byte].
    """

    loss: float
    first: float
    last: float
    step: float
    whole_gradients: float = 0.0


def windows(job: Training, plan: Plan, behaviour: Behaviour, held: Inventory) -> Windows:
    """Communication windows of one rank [byte]."""
    if plan.sharding in FULLY_SHARDED and (plan.shard > 1 or behaviour.sharder == "deepspeed"):
        if plan.sharding == "zero3" or behaviour.sharder == "deepspeed":
            return _zero3(job, plan, held)
        if behaviour.sharder == "fsdp2":
            return _fsdp2(job, plan, held)
        return _fsdp1(job, plan, behaviour, held)
    return _replicated(job, plan, behaviour, held)


def _trained(job: Training, held: Inventory) -> float:
    return held.adapters if job.lora is not None else held.base


def _replicated(job: Training, plan: Plan, behaviour: Behaviour, held: Inventory) -> Windows:
    """DDP copies gradients into buckets; ZeRO-2 reduces through two buckets."""
    if plan.data * plan.context == 1 or behaviour.sharder == "megatron":
        return Windows(0.0, 0.0, 0.0, 0.0)
    trained = _trained(job, held)
    size = SINGLE if job.gradients == "fp32" else HALF
    if plan.sharding == "zero2":
        buckets = 2 * HALF * min(REDUCE_BUCKET, trained)
        return Windows(0.0, 0.0, buckets, HALF * min(REDUCE_BUCKET, trained))
    buckets = size * trained
    return Windows(buckets, buckets, buckets, buckets)


def _zero3(job: Training, plan: Plan, held: Inventory) -> Windows:
    """ZeRO-3 keeps parameters gathered by three rules, and reduces gradients through a bucket.

    Up to stage3_max_live_parameters are live, those that are used again within stage3_max_reuse_distance are not let
    go, and stage3_prefetch_bucket_size are on their way; a matrix larger than that is gathered all the same.
    """
    per_parameter = HALF if job.weights == "fp32" else held.dense_bytes / max(1.0, held.dense)
    window = MAX_LIVE_PARAMETERS + MAX_REUSE_DISTANCE + PREFETCH_BUCKET
    live = per_parameter * min(window + held.head, held.base)
    bucket = HALF * min(REDUCE_BUCKET, _trained(job, held))
    return Windows(live, live, live + 2 * bucket, bucket)


def _fsdp1(job: Training, plan: Plan, behaviour: Behaviour, held: Inventory) -> Windows:
    """FSDP1: the root unit stays gathered through the pass, one layer is prefetched during the backward pass."""
    root = HALF * held.root if job.weights == "fp32" else held.root_bytes
    layer = held.layer_bytes + HALF * held.layer_adapters
    gathered = root + (_rest(held) if not plan.reshard_after_forward else 0.0)
    covers_frozen = behaviour.flat_gradients and job.lora is not None
    trained = held.base + held.adapters if covers_frozen else _trained(job, held)
    waiting = 0.0
    if job.gradient_accumulation > 1 and behaviour.unsharded_accumulation and (covers_frozen or job.lora is None):
        waiting = HALF * trained
    unit = 0.0 if job.lora is not None and not covers_frozen else HALF * held.layer
    head = HALF * held.head if job.lora is None else 0.0
    grads = 0.0 if waiting else unit + head
    window = gathered + FSDP_LAYERS * layer
    return Windows(gathered + layer, window + (0.0 if waiting else unit), window + grads, 0.0, waiting)


def _rest(held: Inventory) -> float:
    return held.dense_bytes + held.expert_bytes - held.root_bytes


def _fsdp2(job: Training, plan: Plan, held: Inventory) -> Windows:
    """FSDP2: the head stays gathered, one layer is prefetched through a buffer of its own, reduction is in fp32."""
    ratio = HALF / SINGLE if job.weights == "fp32" else 1.0
    layer = held.layer_bytes + HALF * held.layer_adapters
    head = HALF * held.head
    everything = _rest(held) * ratio if not plan.reshard_after_forward else 0.0
    waiting = 0.0
    if plan.pipeline > 1 and job.lora is None:
        waiting = SINGLE * held.base
    per_gradient = 0.0
    if job.lora is None:
        per_gradient = HALF + (SINGLE if job.gradients == "fp32" else 0.0)
    reduce, table = per_gradient * held.layer, per_gradient * (held.root - held.head)
    window = (0.0 if everything else (FSDP_LAYERS + FSDP2_COPIES) * layer) + everything
    head_gradient = per_gradient * held.head
    if waiting:
        reduce, table, head_gradient = HALF * held.layer, HALF * (held.root - held.head), HALF * held.head
    return Windows(
        head + everything + (0.0 if everything else layer),
        window + head + max(reduce, head_gradient),
        window + max(reduce + HALF * (held.root - held.head), table),
        0.0,
        waiting,
    )
