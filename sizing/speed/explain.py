"""How a step's time was derived, line by line, for the plans that are shown."""

from __future__ import annotations

from typing import Final

from sizing.architecture.flops import training_per_token
from sizing.case import Case, Step
from sizing.speed import optimizer_step, pipeline
from sizing.speed.collectives import domain
from sizing.speed.job import Job, job_of
from sizing.speed.step import StepTime, time_of

_LINES: Final[dict[str, tuple[str, str, str]]] = {
    "matmul": (
        "Matrix products",
        "FLOP / (peak x share of the chip x share of the software) + operands / bandwidth + kernels",
        "roofline with the chip's achieved rates",
    ),
    "attention": (
        "Attention",
        "2 x pairs x heads x (key + value width) / rate, 2.5 times that backward",
        "flash kernels",
    ),
    "pointwise": ("Norms, activations, loss", "bytes read and written / bandwidth", "traffic of the layer's kernels"),
    "dequantisation": (
        "Unpacking quantised weights",
        "(packed + 16-bit bytes) x passes / bandwidth",
        "bitsandbytes, GPTQ",
    ),
    "weight_norms": (
        "Column norms of DoRA",
        "weights + product of the factors, written out and read in each forward pass / bandwidth",
        "Liu et al. 2024 (DoRA), as PEFT computes it",
    ),
    "launch": ("Waiting for the host", "kernels x host time for each, where it is longer than their work", "framework"),
    "tensor_parallel": (
        "Tensor parallel exchange",
        "collectives a layer x payload / bus, what is not hidden",
        "nccl-tests",
    ),
    "context_parallel": ("Context parallel exchange", "keys and values / bus, what is not hidden", "nccl-tests"),
    "expert_parallel": ("Expert exchange", "routed tokens / link, there and back, what is not hidden", "nccl-tests"),
    "sharding": ("Gathering sharded weights", "weights / bus for each pass, what is not hidden", "nccl-tests"),
    "activation_offload": (
        "Activations to the host and back",
        "saved bytes / host link, twice, what is not hidden",
        "nvbandwidth",
    ),
    "pipeline_send": ("Hand-over between stages", "activations / link for each micro-batch", "nccl-tests"),
    "pipeline_bubble": ("Pipeline bubble", "(p - 1) / v micro-batches", "Narayanan et al. 2021, section 2.2"),
    "gradients": ("Gradient exchange", "gradients and weights / bus, what is not hidden", "nccl-tests"),
    "optimizer": ("Optimizer step", "parameters x bytes each / bandwidth", "states read and written once"),
    "host": ("Data and logging", "constant for each step", "framework"),
    "stragglers": ("Stragglers", "share x log2(nodes) of the step", "runs of 1 to 1452 nodes"),
}


def explain(case: Case) -> tuple[Step, ...]:
    """The derivation of the step time: FLOPs, rates, each part, the sum and the speed."""
    job = job_of(case)
    timed = time_of(job)
    per_gpu = timed.tokens / timed.total / case.system.gpus
    lines = [_flops(job), _rate(job)]
    lines += [_part(job, name, seconds) for name, seconds in timed.parts]
    lines.append(_sum(timed))
    lines.append(
        Step(
            key="speed.tokens_per_second_per_gpu",
            label="Tokens per second per GPU",
            formula="tokens of a step / seconds of a step / GPUs",
            inputs=(
                ("tokens of a step", timed.tokens, "tokens"),
                ("seconds of a step", timed.total, "s"),
                ("GPUs", case.system.gpus, "–"),
            ),
            value=per_gpu,
            unit="tokens/s",
        )
    )
    return tuple(lines)


def _flops(job: Job) -> Step:
    frozen = job.training.is_frozen
    length = job.training.sequence_length
    model = training_per_token(job.case.architecture, length, frozen=frozen)
    again = job.recompute_products * job.profile.layer_weights * 2.0 + job.recompute_attention * model.forward.attention
    return Step(
        key="speed.flops_per_token",
        label="Computed for each token",
        formula="forward + backward + what checkpointing repeats",
        inputs=(
            ("weights in products", job.profile.matmul_weights, "–"),
            ("forward", model.forward.total, "FLOP"),
            ("backward", model.backward.total, "FLOP"),
            ("repeated", again, "FLOP"),
        ),
        value=model.model + again,
        unit="FLOP/token",
        source="exact shapes of the model; twice the weights forward, as much again for each gradient",
    )


def _rate(job: Job) -> Step:
    return Step(
        key="speed.matmul_rate",
        label="Rate of large matrix products",
        formula="achieved rate of the chip x share of the software",
        inputs=(
            ("dense peak", job.rates.peak_flops_per_s, "FLOP/s"),
            ("achieved rate of the chip", job.rates.matmul_flops_per_s, "FLOP/s"),
            ("share of the software", job.stack.matmul_share, "–"),
        ),
        value=job.rates.matmul_flops_per_s * job.stack.matmul_share,
        unit="FLOP/s",
        source=job.rates.generation.source,
    )


def _part(job: Job, name: str, seconds: float) -> Step:
    label, formula, source = _LINES[name]
    return Step(
        key=f"speed.{name}",
        label=label,
        formula=formula,
        inputs=_inputs(job, name),
        value=seconds,
        unit="s",
        source=source,
    )


def _inputs(job: Job, name: str) -> tuple[tuple[str, float | str, str], ...]:
    plan, training = job.plan, job.training
    if name in ("tensor_parallel", "context_parallel", "expert_parallel"):
        axis = name.removesuffix("_parallel")
        degree = getattr(plan, axis)
        links = job.group(degree, plan.tensor if axis == "context" else 1)
        hidden = getattr(job.stack, f"{axis}_overlap")
        return (("GPUs", degree, "–"), ("bus", links.bus_bytes_per_s, "B/s"), ("hidden", hidden, "–"))
    if name in ("sharding", "gradients"):
        links = job.group(max(plan.shard, plan.data * plan.context), plan.tensor)
        return (
            ("GPUs", links.size, "–"),
            ("bus", links.bus_bytes_per_s, "B/s"),
            ("fast domain", domain(job.system), "GPUs"),
            ("hidden", job.stack.data_overlap, "–"),
        )
    if name == "pipeline_bubble":
        return (
            ("p", plan.pipeline, "–"),
            ("v", plan.virtual_pipeline, "–"),
            ("idle micro-batches", pipeline.bubble(plan, training.gradient_accumulation), "–"),
        )
    if name == "optimizer":
        return (("bytes each", optimizer_step.bytes_per_parameter(training), "B"),)
    if name in ("matmul", "attention", "pointwise", "dequantisation"):
        return (
            ("tokens of a micro-batch", job.tokens, "tokens"),
            ("micro-batches", training.gradient_accumulation, "–"),
        )
    return ()


def _sum(timed: StepTime) -> Step:
    return Step(
        key="speed.step_seconds",
        label="Seconds of a step",
        formula=" + ".join(_LINES[name][0].lower() for name, _ in timed.parts),
        inputs=tuple((_LINES[name][0], seconds, "s") for name, seconds in timed.parts),
        value=timed.total,
        unit="s",
    )
