"""From a request as it was sent to a complete training case: whatever is missing becomes a listed assumption."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sizing import fields, frameworks
from sizing.architecture.shape import Architecture
from sizing.assumptions import Assumption, Ledger
from sizing.errors import SizingError
from sizing.resolve.reader import Reader, warn_unknown
from sizing.workload import Lora, Training

UNSIZED_METHODS = {
    "dpo": "preference tuning keeps a second model or its log-probabilities",
    "orpo": "preference tuning runs chosen and rejected answers together",
    "kto": "preference tuning keeps a second model or its log-probabilities",
    "ppo": "reinforcement learning runs rollouts and several models beside the trained one",
    "grpo": "reinforcement learning runs rollouts beside the trained model",
    "rlhf": "reinforcement learning runs rollouts and several models beside the trained one",
    "reward": "reward modelling trains on pairs of answers",
    "distillation": "a teacher model runs beside the trained one",
}
LORA_MODULES_MAX = 64
FOUR_BIT = ("nf4", "nf4_double_quant", "int4", "gptq_int4", "gptq", "awq")


class States(NamedTuple):
    """Formats of what training keeps beside the weights."""

    master_weights: str
    gradients: str
    optimizer_states: str


def training(raw: Mapping[str, Any], architecture: Architecture, ledger: Ledger) -> tuple[Training, dict[str, Any]]:
    """The complete training job, and the stated fields that other rooms read (deadline, experiments, …).

    Raises
    ------
    SizingError
        Naming the field, the reason and what is allowed.
    """
    refuse_unsized(raw)
    stated, unknown = fields.read(raw, fields.TRAINING, "workload")
    warn_unknown(unknown, ledger)
    take = Reader(stated, ledger, "workload")
    method = stated.get("method")
    if method is None:
        raise SizingError(
            "workload.method",
            "{field} is missing: do adapters (lora, qlora), all weights (full) or a new model (pretraining) change?",
        )
    usual = frameworks.usual(method, stated.get("compute", "bf16"))
    framework = take.get("framework", usual, "the stack a buyer would run first for this method", low=None, high=None)
    habits = frameworks.defaults(framework)
    sequence = _sequence(take, architecture)
    compute = take.get("compute", "bf16", "16-bit matrix products are the norm since Ampere")
    weights = _weights(take, method, habits)
    frozen = method in ("lora", "qlora")
    lora = adapter(raw.get("lora"), habits, ledger) if frozen else None
    states = _states(take, habits, lora, weights)
    micro, accumulation = _batch(take)
    job = Training(
        method=method,
        weights=weights,
        compute=compute,
        master_weights=states.master_weights,
        gradients=states.gradients,
        optimizer_states=states.optimizer_states,
        optimizer=take.get("optimizer", "adamw", "AdamW is the usual optimizer for language models"),
        optimizer_in_backward=stated.get("optimizer_in_backward", False),
        sequence_length=sequence,
        micro_batch=micro,
        gradient_accumulation=accumulation,
        activation_checkpointing=take.get(
            "activation_checkpointing", habits.checkpointing, f"recipes of {framework}", low="none", high="full"
        ),
        activation_offload=stated.get("activation_offload", False),
        attention=take.get("attention", habits.attention, f"default of {framework}", source=habits.source),
        compile=_compiled(take, framework),
        loss=take.get("loss", "standard", "logits are kept whole unless a fused or chunked loss is asked for"),
        packing=take.get("packing", habits.packing, f"default of {framework}", source=habits.source),
        framework=framework,
        lora=lora,
        autocast=weights == "fp32" and compute != "fp32" and habits.autocast,
        stack_efficiency=stated.get("stack_efficiency"),
    )
    return job, stated


def _compiled(take: Reader, framework: str) -> bool:
    """Whether kernels are compiled: as stated; a torchtitan run that is ours to choose compiles, as its recipes do."""
    if "framework" in take.stated or framework != "torchtitan":
        return bool(take.stated.get("compile", False))
    return bool(take.get("compile", True, "torchtitan's recipes compile their kernels", low=False, high=True))


def refuse_unsized(raw: Mapping[str, Any]) -> None:
    """Say no, with the reason, to jobs whose memory the engine has no model of."""
    method = raw.get("method")
    if isinstance(method, str) and method.lower() in UNSIZED_METHODS:
        reason = UNSIZED_METHODS[method.lower()]
        raise SizingError("workload.method", "{value} is not sized yet: " + reason, value=method)
    for name in ("images", "image_tokens", "rollouts", "vision"):
        if raw.get(name):
            raise SizingError(f"workload.{name}", "{field} is not sized yet: only text tokens are")


def _sequence(take: Reader, architecture: Architecture) -> int:
    limit = architecture.max_positions
    default = min(2048, limit or 2048)
    why = "a usual example length; measure the longest examples of the dataset"
    sequence: int = take.get("sequence_length", default, why, unit="tokens", low=512, high=8192)
    if limit and sequence > limit:
        take.ledger.warn(
            f"The model was built for {limit} tokens, the job uses {sequence}: quality beyond it must be checked."
        )
    return sequence


def _weights(take: Reader, method: str, habits: frameworks.Defaults) -> str:
    if method == "qlora":
        weights: str = take.get("weights", "nf4_double_quant", "QLoRA's own format", source="Dettmers et al. 2023")
        return weights
    if method == "lora":
        return str(take.get("weights", "bf16", "frozen weights are loaded in 16 bit"))
    weights = take.get("weights", habits.weights, "default of the framework", source=habits.source)
    if weights in FOUR_BIT or weights == "int8":
        raise SizingError(
            "workload.weights",
            "{value} weights cannot be trained themselves; choose method lora or qlora",
            value=weights,
        )
    return weights


def _states(take: Reader, habits: frameworks.Defaults, lora: Lora | None, weights: str) -> States:
    """Formats of gradients, states and master copy of what is trained."""
    stated = take.stated
    if lora is not None:
        own = lora.dtype
        return States(
            stated.get("master_weights", "none"), stated.get("gradients", own), stated.get("optimizer_states", own)
        )
    fp32 = weights == "fp32"
    master = "none" if fp32 else habits.master_weights
    if "optimizer_states" in stated and stated["optimizer_states"] == "bf16":
        master = "none"
    why = "mixed precision keeps an fp32 copy of the weights"
    master = take.get("master_weights", master, why, source=habits.source, low="none", high="fp32")
    gradients = take.get(
        "gradients", "fp32" if fp32 else habits.gradients, "as the framework keeps them", source=habits.source
    )
    states = "int8" if "8bit" in str(stated.get("optimizer", "")) else habits.optimizer_states
    kept = take.get("optimizer_states", states, "as the framework keeps them", source=habits.source)
    return States(master, gradients, kept)


def _batch(take: Reader) -> tuple[int, int]:
    micro = take.get(
        "micro_batch", 1, "the smallest that runs; larger ones need more memory", unit="sequences", low=1, high=8
    )
    accumulation = take.stated.get("gradient_accumulation")
    if accumulation is None:
        accumulation = (
            1
            if "global_batch" in take.stated
            else take.get(
                "gradient_accumulation", 8, "keeps the optimizer step rare and the batch useful", low=1, high=64
            )
        )
    return micro, accumulation


def adapter(raw: object, habits: frameworks.Defaults, ledger: Ledger) -> Lora:
    """The adapter block, with its assumptions."""
    stated, unknown = fields.read(raw if raw is not None else {}, fields.LORA, "workload.lora")
    warn_unknown(unknown, ledger, known=("targets", "alpha", "dropout"))
    take = Reader(stated, ledger, "workload.lora")
    targets = _targets(raw.get("targets") if isinstance(raw, Mapping) else None)
    if targets is None:
        targets = "all-linear"
        why = "QLoRA's finding: adapters on all linear layers match full tuning best"
        ledger.assume(
            Assumption(
                "workload.lora.targets", targets, "", why, "Dettmers et al. 2023", low="attention", high="all-linear"
            )
        )
    return Lora(
        rank=take.get("rank", 16, "a usual rank; memory moves little with it", low=8, high=64),
        targets=targets,
        dtype=take.get("dtype", habits.adapter_dtype, "as the framework keeps adapters", source=habits.source),
        kind=stated.get("kind", "lora"),
    )


def _targets(raw: object) -> str | tuple[str, ...] | None:
    if raw is None or raw in ("all-linear", "attention"):
        return raw if isinstance(raw, str) else None
    names = raw.split(",") if isinstance(raw, str) else raw
    if not isinstance(names, list | tuple) or not 0 < len(names) <= LORA_MODULES_MAX:
        raise SizingError(
            "workload.lora.targets", "{field} must be all-linear, attention or a list of module names", value=raw
        )
    if not all(isinstance(name, str) and 0 < len(name.strip()) <= 80 for name in names):
        raise SizingError("workload.lora.targets", "{field} holds something that is no module name", value=raw)
    return tuple(name.strip() for name in names)
