"""Derivations of the memory figures: formula, numbers put into it, source, and what would make each smaller."""

from __future__ import annotations

from typing import Final

from sizing.case import Case, Step
from sizing.memory import allocator, outside, states
from sizing.memory.adapters import adapters_of
from sizing.memory.inventory import QUANTISED, inventory, raises_norms, storage_bytes
from sizing.memory.peak import Moment, Parts, moments, moments_of, parts
from sizing.memory.pipeline import stages
from sizing.memory.reductions import reductions
from sizing.memory.stage import tokens_of
from sizing.speed import programs

BYTES: Final = "B"
ONLY_WHERE_USED: Final = ("memory.adapters", "memory.host")


def explain(case: Case) -> tuple[Step, ...]:
    """The derivation of each component at the peak, of the allocator's share and of the host's memory."""
    case = programs.as_run(case)
    found = max(moments(case), key=lambda moment: moment.total)
    stage = next(
        one
        for one in stages(case.architecture, case.plan.pipeline, case.plan.sharding == "device_map")
        if one.index == found.stage
    )
    part = parts(case, stage)
    steps = [
        _weights(case, part, found),
        _gradients(case, part, found),
        _optimizer(case, part, found),
        _activations(case, part, found),
        _logits(case, part, found),
        _adapters(case, part, found),
        _buffers(part, found),
        _sum(found, part),
        *_allocator(case, found, tuple(moments_of(part))),
        _host(case),
        _whole(case, part),
    ]
    return tuple(step for step in steps if step.value or step.key not in ONLY_WHERE_USED)


def _step(
    case: Case,
    component: str,
    label: str,
    formula: str,
    inputs: tuple[tuple[str, float | str, str], ...],
    value: float,
    source: str,
) -> Step:
    return Step(
        key=f"memory.{component}",
        label=label,
        formula=formula,
        inputs=inputs,
        value=value,
        unit=BYTES,
        source=source,
        reduce=reductions(case, component),
    )


def _weights(case: Case, part: Parts, found: Moment) -> Step:
    job, plan = case.workload, case.plan
    held = part.held
    each = (
        (held.dense_bytes + held.expert_bytes) / held.base if job.weights in QUANTISED else storage_bytes(job.weights)
    )
    return _step(
        case,
        "weights",
        "Weights",
        "parameters on the rank x bytes each / GPUs that share them",
        (
            ("parameters on the rank", held.base, "-"),
            ("bytes each", each, BYTES),
            ("GPUs that share them", float(plan.shard if plan.sharding in ("fsdp", "hsdp", "zero3") else 1), "-"),
        ),
        found.weights,
        f"exact shapes of the model; format {job.weights}",
    )


def _gradients(case: Case, part: Parts, found: Moment) -> Step:
    size = states.state_bytes(case.architecture, case.workload, part.how, part.held.largest)
    return _step(
        case,
        "gradients",
        "Gradients",
        "trained parameters x bytes each, as far as they exist at the peak",
        (
            ("trained parameters", _trained(case, part), "-"),
            ("bytes each", size.gradient, BYTES),
            ("at the end of a backward pass", part.kept.gradients, BYTES),
            ("before it begins", part.early_gradients, BYTES),
        ),
        found.gradients,
        part.how.source,
    )


def _optimizer(case: Case, part: Parts, found: Moment) -> Step:
    size = states.state_bytes(case.architecture, case.workload, part.how, part.held.largest)
    return _step(
        case,
        "optimizer",
        "Optimizer states and master weights",
        "trained parameters x (states + master copy) / GPUs that share them",
        (
            ("trained parameters", _trained(case, part), "-"),
            ("states", size.state, BYTES),
            ("master copy", size.master, BYTES),
            ("GPUs that share them", float(case.plan.shard), "-"),
        ),
        found.optimizer,
        f"definition of {case.workload.optimizer}; states kept in {case.workload.optimizer_states}",
    )


def _trained(case: Case, part: Parts) -> float:
    return part.held.adapters if case.workload.lora is not None else part.held.base


def _activations(case: Case, part: Parts, found: Moment) -> Step:
    acts = part.acts
    return _step(
        case,
        "activations",
        "Saved activations",
        "kept by all layers + waiting micro-batches + one layer's working set, as far as alive at the peak",
        (
            ("tokens", tokens_of(case.workload, case.plan), "tokens"),
            ("layers", float(part.stage.layer_count), "-"),
            ("kept by all layers", acts.kept, BYTES),
            ("micro-batches in flight", acts.flights, "-"),
            ("brought back by recomputation", acts.layer, BYTES),
            ("temporaries of a layer's backward pass", acts.transient, BYTES),
            ("inputs and gradients FSDP keeps around frozen layers", acts.frozen_graph, BYTES),
            ("around the loss", part.head.hidden, BYTES),
        ),
        found.activations,
        "what autograd saves, operation by operation, checked with saved-tensor hooks; " + part.how.name,
    )


def _logits(case: Case, part: Parts, found: Moment) -> Step:
    job, plan = case.workload, case.plan
    logits = tokens_of(job, plan) * case.architecture.vocab_size / plan.tensor
    return _step(
        case,
        "logits",
        "Logits and loss",
        "tokens x vocabulary x bytes of a logit",
        (
            ("tokens", tokens_of(job, plan), "tokens"),
            ("vocabulary", float(case.architecture.vocab_size), "-"),
            ("bytes of a logit", part.head.peak / logits if logits else 0.0, BYTES),
        ),
        found.logits,
        f"loss {job.loss}; {part.how.source}",
    )


def _adapters(case: Case, part: Parts, found: Moment) -> Step:
    own = case.workload.lora.dtype if case.workload.lora is not None else "-"
    return _step(
        case,
        "adapters",
        "Adapters",
        "adapter parameters x bytes each",
        (("adapter parameters", part.held.adapters, "-"), ("format", own, "")),
        found.adapters,
        "rank x (inputs + outputs) for each wrapped matrix",
    )


def _buffers(part: Parts, found: Moment) -> Step:
    return Step(
        key="memory.buffers",
        label="Buffers",
        formula="gathered weights + communication buckets + unpacked 4-bit matrix + temporaries of the step",
        inputs=(
            ("gathered at the loss", part.gathers.loss, BYTES),
            ("gathered in the backward pass", part.gathers.last, BYTES),
            ("fixed", part.fixed, BYTES),
            ("16-bit copies of autocast", part.casts, BYTES),
            ("weight gradient on its way", part.layer_product, BYTES),
            ("optimizer step", part.kept.step, BYTES),
        ),
        value=found.buffers,
        unit=BYTES,
        source=part.how.source,
    )


def _sum(found: Moment, part: Parts) -> Step:
    others = tuple((moment.name, moment.total, BYTES) for moment in moments_of(part))
    return Step(
        key="memory.allocated",
        label=f"Live bytes at the peak: {found.name}",
        formula="largest of the moments of a step",
        inputs=others,
        value=found.total,
        unit=BYTES,
        source="torch.cuda.max_memory_allocated counts the same",
    )


def _allocator(case: Case, found: Moment, others: tuple[Moment, ...]) -> tuple[Step, Step]:
    loads = [(moment, allocator.slack(case, moment, others)) for moment in others]
    fullest, spare = max(loads, key=lambda load: load[0].total + load[1].rounding + load[1].cached)
    beyond = fullest.total - found.total
    return (
        Step(
            key="memory.reserved",
            label="Cached by the allocator",
            formula="rounding and gaps + blocks of other phases + trail of varying lengths",
            inputs=(("rounding and gaps", spare.rounding, BYTES), ("cached blocks", spare.cached + beyond, BYTES)),
            value=spare.rounding + spare.cached + beyond,
            unit=BYTES,
            source="PyTorch CUDA caching allocator",
        ),
        Step(
            key="memory.context",
            label="Driver and communication libraries",
            formula="CUDA context + communicators",
            inputs=(("CUDA context", float(allocator.CONTEXT_BYTES), BYTES),),
            value=allocator.context_bytes(case),
            unit=BYTES,
            source="what nvidia-smi shows beyond PyTorch's own counters",
        ),
    )


def _host(case: Case) -> Step:
    need = outside.host(case)
    return Step(
        key="memory.host",
        label="Host memory of a node for the job's own data",
        formula="largest of loading, training, saving",
        inputs=(("loading", need.load, BYTES), ("training", need.step, BYTES), ("saving", need.save, BYTES)),
        value=need.peak,
        unit=BYTES,
        source="loaders and checkpoint writers of the stack",
    )


def _whole(case: Case, part: Parts) -> Step:
    """What a job holds before activations, once, whatever the GPUs: the figure that guides quote for a model."""
    job, shape = case.workload, case.architecture
    size = states.state_bytes(shape, job, part.how, part.held.largest)
    whole = stages(shape, 1, device_map=False)[0]
    raised = raises_norms(job, part.how, case.plan)
    held = inventory(shape, whole, job, part.how, tensor=1, expert=1, raised=raised)
    base = held.dense_bytes + held.expert_bytes
    adapter = adapters_of(shape, job.lora).parameters if job.lora is not None else 0
    trained = float(adapter or shape.parameters)
    own = storage_bytes(job.lora.dtype) if job.lora is not None else 0.0
    each = own + size.gradient + size.master + size.state
    inputs: tuple[tuple[str, float | str, str], ...] = (
        ("weights of the model", base, BYTES),
        ("trained parameters", trained, "-"),
        ("bytes of each beside the weights", each, BYTES),
    )
    if job.lora is None and size.gradient == states.HALF:
        inputs += (("with gradients kept in fp32", base + trained * (each + states.HALF), BYTES),)
    return Step(
        key="memory.whole",
        label="Weights, gradients and states in all, before activations",
        formula="weights + trained parameters x (gradient + master copy + states)",
        inputs=inputs,
        value=base + trained * each,
        unit=BYTES,
        source=f"exact shapes of the model; format {job.weights}",
    )
