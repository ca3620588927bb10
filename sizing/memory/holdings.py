"""What a rank holds at all times: weights, adapters, gradients, optimizer states, and buffers of fixed size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sizing.architecture.shape import Architecture
from sizing.memory import sharding, states
from sizing.memory.behaviours import Behaviour
from sizing.memory.inventory import QUANTISED, Inventory, inventory, raises_norms, shard_divisors
from sizing.memory.pipeline import Stage
from sizing.plan import Plan
from sizing.speed import programs
from sizing.workload import Training

HALF: Final = 2.0
SINGLE: Final = 4.0
UNPACKED_COPIES: Final = 2
EIGHT_BIT: Final = ("fp8", "mxfp8")
EIGHT_BIT_COPIES: Final = 2.0
SECOND_COPY_SHARE: Final = 0.45
SUB_GROUP: Final = 1e9
"""Parameters that ZeRO-3 updates at a time, for which it makes fp32 gradients (sub_group_size) [–]."""
ON_HOST_OPTIMIZER: Final = ("optimizer", "optimizer+parameters")
ON_HOST_PARAMETERS: Final = ("parameters", "optimizer+parameters")


@dataclass(frozen=True, slots=True)
class Held:
    """What a stage holds on one rank [byte].

    Parameters
    ----------
    gradients, always_gradients : float
        Gradients at the end of a backward pass, and those that are there from its start.
    step : float
        Temporaries of the optimizer step.
    """

    weights: float
    adapters: float
    gradients: float
    always_gradients: float
    optimizer: float
    step: float


def holdings(model: Architecture, job: Training, plan: Plan, how: Behaviour, held: Inventory) -> Held:
    """Weights, adapters, gradients and optimizer states on one rank [byte]."""
    dense, experts = shard_divisors(plan)
    size = states.state_bytes(model, job, how, held.largest)
    sharded = plan.sharding in sharding.FULLY_SHARDED
    weights = held.dense_bytes / (dense if sharded else 1) + held.expert_bytes / (experts if sharded else 1)
    own = SINGLE if job.lora is not None and job.lora.dtype == "fp32" else HALF
    adapters = held.adapters * own / (dense if sharded else 1)
    gradients = _trained(job, held, plan.sharding in sharding.GRADIENTS_SHARDED, dense, experts) * size.gradient
    if job.optimizer_in_backward:
        gradients = size.gradient * held.largest / (dense if sharded else 1)
    divided = _trained(job, held, plan.sharding in sharding.STATES_SHARDED, dense, experts)
    optimizer = divided * (size.state + size.master)
    step = divided * size.step + size.step_fixed
    if size.master and how.sharder == "deepspeed":
        step += SINGLE * (min(divided, SUB_GROUP) if plan.sharding == "zero3" else divided)
    if plan.offload in ON_HOST_OPTIMIZER:
        optimizer = step = 0.0
        if how.sharder == "deepspeed" and plan.sharding in sharding.GRADIENTS_SHARDED:
            gradients = 0.0
    if plan.offload in ON_HOST_PARAMETERS:
        weights = adapters = 0.0
        gradients = 0.0 if sharded else gradients
    accumulates = job.gradient_accumulation > 1 or plan.pipeline > 1
    always = gradients if how.sharder == "megatron" or (accumulates and not job.optimizer_in_backward) else 0.0
    return Held(weights, adapters, gradients, always, optimizer, step)


def doubtful_bytes(
    model: Architecture, job: Training, plan: Plan, how: Behaviour, stage: Stage, held: Inventory, kept: Held
) -> float:
    """Bytes that some versions of a library hold and others do not, for the band's upper end [byte].

    LLM.int8() keeps a second, reordered copy of its weights in some versions and on some GPUs; no training figure is
    published. The share is an allowance: published failures lie above one copy and must not be called comfortable.
    transformers 5 keeps experts in one tensor, which bitsandbytes leaves in 16 bit; transformers 4 did not.
    """
    if plan.offload in ON_HOST_PARAMETERS:
        return 0.0
    more = SECOND_COPY_SHARE * kept.weights if job.weights == "int8" else 0.0
    if programs.experts(model, job.weights, job.framework) == "versions differ":
        raised = raises_norms(job, how, plan)
        wide = inventory(
            model, stage, job, how, tensor=plan.tensor, expert=plan.expert, raised=raised, wide_experts=True
        )
        ranks = shard_divisors(plan)[1] if plan.sharding in sharding.FULLY_SHARDED else 1
        more += max(0.0, wide.expert_bytes - held.expert_bytes) / ranks
    return more


def _trained(job: Training, held: Inventory, divided: bool, dense: int, experts: int) -> float:
    """Trained parameters on one rank, divided or whole [–]."""
    if job.lora is not None:
        return held.adapters / (dense if divided else 1)
    if not divided:
        return held.base
    return held.dense / dense + held.experts / experts


def weight_products(job: Training, plan: Plan, how: Behaviour, held: Inventory) -> tuple[float, float]:
    """A weight gradient on its way into the accumulated one: of a layer's largest matrix, of the output matrix [byte].

    Where a gradient is there already, the product of the next micro-batch is a tensor of its own until it is added;
    Megatron adds it to the fp32 buffer through an fp32 copy unless its fused kernel is on.
    """
    if job.lora is not None or plan.sharding in sharding.FULLY_SHARDED:
        return 0.0, 0.0
    if how.sharder == "megatron":
        return SINGLE * held.largest_layer, SINGLE * held.head
    if job.gradient_accumulation > 1 and not job.optimizer_in_backward:
        return HALF * held.largest_layer, HALF * held.head
    return 0.0, 0.0


def head_gradient(job: Training, held: Inventory, kept: Held) -> float:
    """Gradient of the output matrix, the first one of the pass [byte]."""
    if job.lora is not None or not held.base or job.optimizer_in_backward:
        return 0.0
    return kept.gradients * held.head / held.base


def autocasts(job: Training, plan: Plan) -> bool:
    """Whether fp32 parameters are cast by torch.autocast; a sharder gathers them in 16 bit instead."""
    if job.autocast:
        return True
    return job.weights == "fp32" and job.compute != "fp32" and plan.sharding not in sharding.FULLY_SHARDED


def cast_copies(job: Training, plan: Plan, how: Behaviour, held: Inventory) -> float:
    """Copies of the weights in the products' format, kept until the pass ends [byte].

    Autocast keeps 16-bit copies of fp32 weights. Transformer Engine keeps each weight in 8 bit twice, once transposed,
    for all micro-batches of a step.
    """
    if how.sharder == "megatron" and job.compute in EIGHT_BIT and job.lora is None:
        return EIGHT_BIT_COPIES * held.base
    if not autocasts(job, plan):
        return 0.0
    recomputed = job.lora is not None and job.activation_checkpointing == "full"
    return HALF * (held.layer if recomputed else held.base)


def fixed_buffers(job: Training, held: Inventory) -> float:
    """cuBLAS workspace and the unpacked copies of the largest quantized matrix [byte]."""
    unpacked = UNPACKED_COPIES * HALF * held.largest_quantised if job.weights in QUANTISED else 0.0
    return sharding.CUBLAS_WORKSPACE_BYTES + unpacked
