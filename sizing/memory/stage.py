"""Activations of a pipeline stage on one rank: all micro-batches in flight, one layer's working set."""

from __future__ import annotations

from dataclasses import dataclass

from sizing.architecture.shape import Architecture
from sizing.memory import activations
from sizing.memory.adapters import adapters_of
from sizing.memory.behaviours import Behaviour
from sizing.memory.holdings import autocasts
from sizing.memory.inventory import raises_norms
from sizing.memory.pipeline import Stage, in_flight
from sizing.plan import Plan
from sizing.workload import Training


@dataclass(frozen=True, slots=True)
class StageActivations:
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
        What that layer keeps [byte].
    last_layer : float
        All of the largest layer during its backward pass, kept, brought back and temporaries [byte].
    transient : float
        Temporaries of one layer's backward peak [byte].
    frozen_graph : float
        Input gradients of all layers, which FSDP1 keeps around frozen layers until the pass ends [byte].
    flights : float
        Micro-batches in flight, in units of the whole stage [–].
    """

    kept: float
    waiting: float
    layer: float
    saved_layer: float
    last_layer: float
    transient: float
    frozen_graph: float
    flights: float


def stage_activations(model: Architecture, job: Training, plan: Plan, how: Behaviour, stage: Stage) -> StageActivations:
    """Activation bytes of a stage on one rank [byte]."""
    tokens = tokens_of(job, plan)
    found = adapters_of(model, job.lora)
    setting = activations.setting(
        job, how, plan.context, autocast=autocasts(job, plan), raised=raises_norms(job, how, plan)
    )
    kept = layer = saved_layer = last_layer = transient = checkpoint = 0.0
    for index, count in stage.layers:
        each = activations.layer_bytes(model, index, found.in_group(index), setting)
        saved, full, temporary = _on_rank(each, job, plan)
        kept += count * tokens * saved
        if full - saved + temporary > layer + transient:
            layer, saved_layer, transient = full - saved, saved, temporary
        last_layer = max(last_layer, full + temporary)
        checkpoint = each.checkpoint / (plan.tensor if plan.sequence_parallel else 1)
    if job.activation_offload:
        kept = min(kept, 2 * tokens * saved_layer)
    flights = in_flight(job, plan, stage)
    frozen = max(0, stage.layer_count - 2) * checkpoint * tokens if _keeps_frozen_graph(job, plan, how) else 0.0
    return StageActivations(
        kept=kept,
        waiting=(flights - 1) * kept,
        layer=layer * tokens,
        saved_layer=saved_layer * tokens,
        last_layer=last_layer * tokens,
        transient=transient * tokens,
        frozen_graph=frozen,
        flights=flights,
    )


def tokens_of(job: Training, plan: Plan) -> float:
    """Tokens of a micro-batch on one GPU before tensor parallelism [tokens]."""
    return job.micro_batch * job.sequence_length / plan.context


def _on_rank(each: activations.LayerBytes, job: Training, plan: Plan) -> tuple[float, float, float]:
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
