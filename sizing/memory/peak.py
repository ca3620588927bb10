"""The moments of a training step at which memory peaks, component by component.

A step has five candidates: the loss (all activations and the logits, gradients not there yet), the output matrix's and
the first layer's backward pass (all checkpoints and one working set), the last layer's (one working set and all
gradients) and the optimizer step (gradients, states and the step's temporaries). The largest counts, not their sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from sizing.case import Case
from sizing.memory import loss, sharding
from sizing.memory.adapters import norm_workspace_bytes
from sizing.memory.behaviours import Behaviour, behaviour
from sizing.memory.holdings import (
    Held,
    cast_copies,
    doubtful_bytes,
    fixed_buffers,
    head_gradient,
    holdings,
    weight_products,
)
from sizing.memory.inventory import Inventory, inventory, raises_norms
from sizing.memory.pipeline import Stage, stages
from sizing.memory.stage import StageActivations, stage_activations, tokens_of

RECENT_GENERATIONS: Final = ("Blackwell", "Blackwell Ultra", "Rubin")


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
class Parts:
    """Everything that the moments of a stage are put together from."""

    stage: Stage
    how: Behaviour
    held: Inventory
    kept: Held
    acts: StageActivations
    head: loss.LossBytes
    gathers: sharding.Windows
    fixed: float
    casts: float
    layer_product: float
    head_product: float
    first_gradient: float
    doubtful: float
    norms: float

    @property
    def early_gradients(self) -> float:
        """Gradients that are there before the backward pass begins [byte]."""
        return self.gathers.whole_gradients or self.kept.always_gradients


def moments(case: Case) -> Iterator[Moment]:
    """Every candidate for the peak, for each stage that matters."""
    plan = case.plan
    for stage in stages(case.architecture, plan.pipeline, plan.sharding == "device_map"):
        yield from moments_of(parts(case, stage))


def parts(case: Case, stage: Stage) -> Parts:
    """The parts of a stage's memory on one rank."""
    job, plan, model = case.workload, case.plan, case.architecture
    how = behaviour(job.framework)
    raised = raises_norms(job, how, plan)
    held = inventory(model, stage, job, how, tensor=plan.tensor, expert=plan.expert, raised=raised)
    kept = holdings(model, job, plan, how, held)
    layer_product, head_product = weight_products(job, plan, how, held)
    head = loss.NOTHING
    if stage.head:
        head = loss.loss_bytes(
            model,
            job,
            how,
            tokens=tokens_of(job, plan),
            tensor=plan.tensor,
            sequence_divided=plan.sequence_parallel and plan.tensor > 1,
            recent=case.system.gpu.generation in RECENT_GENERATIONS,
            raised=raised,
        )
    return Parts(
        stage=stage,
        how=how,
        held=held,
        kept=kept,
        acts=stage_activations(model, job, plan, how, stage),
        head=head,
        gathers=sharding.windows(job, plan, how, held),
        fixed=fixed_buffers(job, held),
        casts=cast_copies(job, plan, how, held),
        layer_product=layer_product,
        head_product=head_product,
        first_gradient=head_gradient(job, held, kept),
        doubtful=doubtful_bytes(model, job, plan, how, stage, held, kept),
        norms=norm_workspace_bytes(model, job.lora, plan.tensor),
    )


def moments_of(part: Parts) -> Iterator[Moment]:
    """The candidates of one stage."""
    acts, early = part.acts, part.early_gradients
    buffers = part.fixed + part.casts + part.gathers.loss
    saved = acts.kept + acts.waiting + part.head.hidden
    yield _moment(part, "loss", early, saved, part.head.peak, buffers)
    if part.head_product:
        yield _moment(
            part,
            "output matrix's backward pass",
            max(early, part.first_gradient),
            saved,
            part.head.gradient,
            buffers + part.head_product,
            settled=part.head_product,
        )
    yield from _layer_moments(part)
    yield _moment(
        part,
        "optimizer step",
        max(part.kept.always_gradients, part.kept.gradients),
        0.0,
        0.0,
        part.fixed + part.gathers.step + part.kept.step,
        settled=0.0 if part.how.sharder == "deepspeed" else part.kept.step,
    )


def _layer_moments(part: Parts) -> Iterator[Moment]:
    """The first and the last layer of the backward pass."""
    acts, gathers, early = part.acts, part.gathers, part.early_gradients
    if part.norms:
        yield _moment(
            part,
            "column norms of DoRA",
            early,
            acts.kept + acts.waiting + acts.layer,
            0.0,
            part.fixed + part.casts + gathers.first + part.norms,
            settled=part.norms,
        )
    working = acts.layer + acts.transient
    yield _moment(
        part,
        "first layer's backward pass",
        max(early, part.first_gradient),
        acts.kept + acts.waiting + working,
        0.0,
        part.fixed + part.casts + gathers.first + part.layer_product,
        settled=part.layer_product,
    )
    inputs = acts.kept - acts.saved_layer if acts.frozen_graph else 0.0
    yield _moment(
        part,
        "last layer's backward pass",
        max(early, part.kept.gradients),
        acts.last_layer + acts.waiting + acts.frozen_graph + inputs,
        0.0,
        part.fixed + gathers.last + part.layer_product,
        settled=part.layer_product,
    )


def _moment(
    part: Parts,
    name: str,
    gradients: float,
    activations: float,
    logits: float,
    buffers: float,
    **more: Any,
) -> Moment:
    kept = part.kept
    return Moment(
        name=name,
        stage=part.stage.index,
        weights=kept.weights,
        gradients=gradients,
        optimizer=kept.optimizer,
        activations=activations,
        logits=logits,
        adapters=kept.adapters,
        buffers=buffers,
        doubtful=part.doubtful,
        **more,
    )
