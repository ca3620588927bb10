"""The moments of a training step at which memory peaks, component by component.

A step has four candidates: the loss (all activations and the logits, gradients not there yet), the first layer of the
backward pass (all checkpoints and one layer's working set), its last layer (one layer's working set and all gradients)
and the optimizer step (gradients, states and the step's temporaries). The largest counts, not their sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sizing.architecture.shape import Architecture
from sizing.case import Case
from sizing.memory import activations, loss, sharding, states
from sizing.memory.behaviours import Behaviour, behaviour
from sizing.memory.inventory import (
    QUANTISED,
    Inventory,
    Stage,
    adapters_of,
    inventory,
    raises_norms,
    shard_divisors,
    stages,
)
from sizing.plan import Plan
from sizing.workload import Training

HALF: Final = 2.0
SINGLE: Final = 4.0
UNPACKED_COPIES: Final = 2
RECENT_GENERATIONS: Final = ("Blackwell", "Blackwell Ultra", "Rubin")
ON_HOST_OPTIMIZER: Final = ("optimizer", "optimizer+parameters")
ON_HOST_PARAMETERS: Final = ("parameters", "optimizer+parameters")


@dataclass(frozen=True, slots=True)
class Moment:
    """Live bytes by component at one moment of a step on one rank [byte].

    `settled` are those of the buffers whose size follows exactly from the parameters; `doubtful` are bytes beside the
    total that some versions of a library hold and others do not, for the upper end of the band.
    """

    name: str
    stage: int
    weights: float
    gradients: float
    optimizer: float
    activations: float
    logits: float
    adapters: float
    buffers: float
    settled: float = 0.0
    doubtful: float = 0.0

    @property
    def total(self) -> float:
        """All live bytes [byte]."""
        return (
            self.weights
            + self.gradients
            + self.optimizer
            + self.activations
            + self.logits
            + self.adapters
            + self.buffers
        )

    def components(self) -> tuple[tuple[str, float], ...]:
        """Components in the contract's order."""
        return (
            ("weights", self.weights),
            ("gradients", self.gradients),
            ("optimizer", self.optimizer),
            ("activations", self.activations),
            ("logits", self.logits),
            ("adapters", self.adapters),
            ("kv_cache", 0.0),
            ("buffers", self.buffers),
        )


@dataclass(frozen=True, slots=True)
class Activations:
    """Activation bytes of a stage on one rank for all micro-batches in flight.

    Parameters
    ----------
    kept : float
        What all layers keep until their backward pass [byte].
    waiting : float
        Of micro-batches that wait in the pipeline besides the running one [byte].
    layer : float
        What recomputation brings back of one layer, beyond what it kept [byte].
    saved_layer : float
        What one layer keeps [byte].
    transient : float
        Temporaries of one layer's backward peak [byte].
    frozen_graph : float
        Input gradients of all layers, which FSDP1 keeps around frozen layers until the pass ends [byte].
    """

    kept: float
    waiting: float
    layer: float
    saved_layer: float
    transient: float
    frozen_graph: float


@dataclass(frozen=True, slots=True)
class Held:
    """What a stage holds at all times on one rank [byte]."""

    weights: float
    adapters: float
    gradients: float
    always_gradients: float
    optimizer: float
    step: float


def moments(case: Case) -> Iterator[Moment]:
    """Every candidate for the peak, for each stage that matters."""
    job = case.workload
    if not isinstance(job, Training):
        return
    how = behaviour(job.framework)
    plan = case.plan
    for stage in stages(case.architecture, plan.pipeline, plan.sharding == "device_map"):
        yield from _stage_moments(case, job, how, stage)


def _stage_moments(case: Case, job: Training, how: Behaviour, stage: Stage) -> Iterator[Moment]:
    model, plan = case.architecture, case.plan
    raised = raises_norms(job, how, plan)
    held = inventory(model, stage, job, how, tensor=plan.tensor, expert=plan.expert, raised=raised)
    kept = holdings(model, job, plan, how, held)
    tokens = job.micro_batch * job.sequence_length / plan.context
    acts = stage_activations(model, job, plan, how, stage, tokens)
    casts = autocast_copies(job, plan, held)
    divided = plan.sequence_parallel and plan.tensor > 1
    head = loss.LossBytes(0.0, 0.0, 0.0)
    if stage.head:
        recent = case.system.gpu.generation in RECENT_GENERATIONS
        head = loss.loss_bytes(
            model,
            job,
            how,
            tokens=tokens,
            tensor=plan.tensor,
            sequence_divided=divided,
            recent=recent,
            raised=raised,
        )
    gathers = sharding.windows(job, plan, how, held)
    fixed = fixed_buffers(job, how, held)
    early = kept.always_gradients + gathers.whole_gradients
    layer_product, head_product = weight_products(job, plan, how, held)
    base = {"stage": stage.index, "weights": kept.weights, "adapters": kept.adapters, "optimizer": kept.optimizer}
    yield Moment(
        name="loss",
        gradients=early,
        activations=acts.kept + acts.waiting + head.hidden,
        logits=head.peak,
        buffers=fixed + gathers.loss + casts,
        **base,
    )
    yield Moment(
        name="first layer's backward pass",
        gradients=max(early, _head_gradient(job, held, kept)),
        activations=acts.kept + acts.waiting + acts.layer + acts.transient,
        logits=0.0,
        buffers=fixed + gathers.first + casts + layer_product,
        settled=layer_product,
        **base,
    )
    if head_product:
        yield Moment(
            name="output matrix's backward pass",
            gradients=max(early, _head_gradient(job, held, kept)),
            activations=acts.kept + acts.waiting + head.hidden,
            logits=head.gradient,
            buffers=fixed + gathers.loss + casts + head_product,
            settled=head_product,
            **base,
        )
    last = acts.saved_layer + acts.layer + acts.transient + acts.frozen_graph + acts.waiting
    yield Moment(
        name="last layer's backward pass",
        gradients=max(early, kept.gradients),
        activations=last + (acts.kept - acts.saved_layer if acts.frozen_graph else 0.0),
        logits=0.0,
        buffers=fixed + gathers.last + layer_product,
        settled=layer_product,
        **base,
    )
    yield Moment(
        name="optimizer step",
        gradients=max(kept.always_gradients, kept.gradients),
        activations=0.0,
        logits=0.0,
        buffers=fixed + gathers.step + kept.step,
        settled=kept.step,
        **base,
    )


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


def _head_gradient(job: Training, held: Inventory, kept: Held) -> float:
    """Gradient of the output matrix, the first one of the pass [byte]."""
    if job.lora is not None or not held.base:
        return 0.0
    return kept.gradients * held.head / held.base


def holdings(model: Architecture, job: Training, plan: Plan, how: Behaviour, held: Inventory) -> Held:
    """Weights, adapters, gradients and optimizer states on one rank [byte]."""
    dense, experts = shard_divisors(plan)
    size = states.state_bytes(model, job, how, held.largest)
    sharded = plan.sharding in sharding.FULLY_SHARDED
    weights = held.dense_bytes / (dense if sharded else 1) + held.expert_bytes / (experts if sharded else 1)
    own = 4.0 if job.lora is not None and job.lora.dtype == "fp32" else HALF
    adapters = held.adapters * own / (dense if sharded else 1)
    by_gradient = _trained(job, held, plan.sharding in sharding.GRADIENTS_SHARDED, dense, experts)
    by_state = _trained(job, held, plan.sharding in sharding.STATES_SHARDED, dense, experts)
    gradients = by_gradient * size.gradient
    if job.optimizer_in_backward:
        gradients = size.gradient * held.largest / (dense if sharded else 1)
    optimizer = by_state * (size.state + size.master)
    step = by_state * size.step + size.step_fixed
    if plan.offload in ON_HOST_OPTIMIZER:
        optimizer = step = 0.0
    if plan.offload in ON_HOST_PARAMETERS:
        weights = adapters = 0.0
        if sharded:
            gradients = 0.0
    accumulates = job.gradient_accumulation > 1 or plan.pipeline > 1
    always = gradients if how.sharder == "megatron" or (accumulates and not job.optimizer_in_backward) else 0.0
    return Held(weights, adapters, gradients, always, optimizer, step)


def _trained(job: Training, held: Inventory, divided: bool, dense: int, experts: int) -> float:
    """Trained parameters on one rank, divided or whole [–]."""
    if job.lora is not None:
        return held.adapters / (dense if divided else 1)
    if not divided:
        return held.base
    return held.dense / dense + held.experts / experts


def stage_activations(
    model: Architecture, job: Training, plan: Plan, how: Behaviour, stage: Stage, tokens: float
) -> Activations:
    """Activation bytes of a stage on one rank [byte]."""
    found = adapters_of(model, job, how)
    setting = activations.setting(job, how, plan.context, autocasts(job, plan), raises_norms(job, how, plan))
    kept = layer = saved_layer = transient = checkpoint = 0.0
    for index, count in stage.layers:
        each = activations.layer_bytes(model, index, found.in_group(index), setting)
        saved, full, temporary = _on_rank(each, job, plan, how)
        kept += count * tokens * saved
        if full - saved + temporary > layer + transient:
            layer, saved_layer, transient = full - saved, saved, temporary
        checkpoint = each.checkpoint / (plan.tensor if plan.sequence_parallel else 1)
    if job.activation_offload or how.offloads_checkpoints:
        kept = min(kept, 2 * tokens * saved_layer)
    flights = in_flight(job, plan, stage)
    frozen = 0.0
    if _keeps_frozen_graph(job, plan, how):
        frozen = max(0, stage.layer_count - 2) * checkpoint * tokens
    return Activations(
        kept=kept,
        waiting=(flights - 1) * kept,
        layer=layer * tokens,
        saved_layer=saved_layer * tokens,
        transient=transient * tokens,
        frozen_graph=frozen,
    )


def autocasts(job: Training, plan: Plan) -> bool:
    """Whether fp32 parameters are cast by torch.autocast; a sharder gathers them in 16 bit instead."""
    if job.autocast:
        return True
    return job.weights == "fp32" and job.compute != "fp32" and plan.sharding not in sharding.FULLY_SHARDED


def autocast_copies(job: Training, plan: Plan, held: Inventory) -> float:
    """16-bit copies of fp32 weights: autocast keeps them until the pass ends [byte]."""
    if not autocasts(job, plan):
        return 0.0
    recomputed = job.lora is not None and job.activation_checkpointing == "full"
    return HALF * (held.layer if recomputed else held.base)


def _on_rank(each: activations.LayerBytes, job: Training, plan: Plan, how: Behaviour) -> tuple[float, float, float]:
    """A layer on one rank: kept bytes, the full set, temporaries [byte/token]."""
    tensor = plan.tensor
    over = tensor if plan.sequence_parallel else 1
    full = each.residual / over + each.parallel / tensor
    temporary = each.transient_residual / over + each.transient_parallel / tensor
    if job.activation_checkpointing == "full":
        return each.checkpoint / over, full, temporary
    if job.activation_checkpointing == "selective":
        return each.selected_residual / over + each.selected_parallel / tensor, full, temporary
    return full, full, temporary


def in_flight(job: Training, plan: Plan, stage: Stage) -> float:
    """Micro-batches whose activations a stage holds at once under 1F1B, in units of the whole stage [–]."""
    if plan.pipeline == 1 or plan.sharding == "device_map":
        return 1.0
    behind = plan.pipeline - stage.index
    waves = float(behind)
    if plan.virtual_pipeline > 1:
        chunks = 2 * (behind - 1) + (plan.virtual_pipeline - 1) * plan.pipeline + 1
        waves = chunks / plan.virtual_pipeline
    return max(1.0, min(float(job.gradient_accumulation), waves))


def _keeps_frozen_graph(job: Training, plan: Plan, how: Behaviour) -> bool:
    """FSDP1's hook on a frozen unit holds its input and the input's gradient until the pass ends.

    torch.distributed.fsdp registers the hook that frees a frozen unit's parameters on the gradients of the unit's
    inputs; with nested (re-entrant) recomputation these inputs are leaves, so that the hook keeps them alive.
    """
    return (
        job.lora is not None
        and job.activation_checkpointing == "full"
        and plan.sharding in ("fsdp", "hsdp")
        and plan.shard > 1
        and how.sharder == "fsdp1"
        and how.reentrant
    )


def fixed_buffers(job: Training, how: Behaviour, held: Inventory) -> float:
    """cuBLAS workspace and the unpacked copy of the largest quantized matrix [byte]."""
    unpacked = UNPACKED_COPIES * HALF * held.largest_quantised if job.weights in QUANTISED else 0.0
    return sharding.CUBLAS_WORKSPACE_BYTES + unpacked
