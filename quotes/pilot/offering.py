"""Which quoted loads the pilot script runs, and the load it is given; where it runs none, the reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from quotes import engine
from quotes.models import Estimate
from quotes.pilot.steps import steps_of
from quotes.pilot.wording import label_of, say
from sizing import contract
from sizing.case import Case
from sizing.errors import SizingError

SCHEMA = "sizewright.pilot.workload/1"
FRAMEWORKS = ("hf", "trl", "axolotl", "llama-factory")
PREPARES = ("trl", "axolotl", "llama-factory")
VENDORS = ("NVIDIA", "AMD")
WEIGHTS = {"full": ("bf16", "fp32"), "lora": ("bf16", "fp32"), "qlora": ("nf4", "nf4_double_quant")}
OPTIMIZERS = (
    "adamw",
    "adamw_foreach",
    "adamw_fused",
    "adamw_8bit",
    "paged_adamw",
    "paged_adamw_8bit",
    "adafactor",
    "sgd",
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A load for the script, or why there is none; `gpus` are those of the quoted plan, the script uses one."""

    workload: dict[str, Any] | None = None
    reason: str = ""
    gpus: int = 1

    @property
    def is_open(self) -> bool:
        """Say whether the script can be downloaded."""
        return self.workload is not None


def offer(estimate: Estimate, candidate: dict[str, Any] | None, *, name: str) -> Offer:
    """Give the script's load for a candidate of an estimate; `name` is a quote's number or a request's. Runs SQL."""
    if not candidate or not (candidate.get("estimate") or {}).get("plan"):
        return Offer(reason=_("Without a calculated configuration there is no load to run."))
    workload = estimate.input.get("workload") or {}
    if candidate["estimate"].get("task") != "training":
        return Offer(reason=_("The load is a service. The script runs training; replay your own requests instead."))
    try:
        case = engine.placed(estimate.input, candidate)
    except SizingError:
        return Offer(reason=_("The catalog no longer holds what this was calculated with: recompute it first."))
    reason = next(_obstacles(case), "")
    if reason:
        return Offer(reason=reason, gpus=case.plan.gpus)
    model = {
        "title": case.architecture.title or case.architecture.name,
        "hf_id": case.architecture.hf_id,
        "config": contract.config_of(workload),
    }
    step_seconds = (candidate["estimate"].get("speed") or {}).get("step_seconds")
    found = {
        "schema": SCHEMA,
        "quote": name,
        "load": engine.load_of(case),
        "model": model,
        "settings": _settings(case, step_seconds),
    }
    return Offer(workload=found, gpus=case.plan.gpus)


def _settings(case: Case, step_seconds: float | None) -> dict[str, Any]:
    """Give what the script needs beside the load; nothing here tells two loads apart."""
    job = case.workload
    halves = job.compute == "bf16"
    trains_fp32 = job.weights == "fp32" or (job.lora is not None and job.lora.dtype == "fp32")
    warmup, measured = steps_of(step_seconds)
    return {
        "autocast": halves and (trains_fp32 or job.autocast),
        "prepare_kbit": job.method == "qlora" and job.framework.lower() in PREPARES,
        "lora_alpha": 2 * job.lora.rank if job.lora else None,
        "learning_rate": 2e-4 if job.lora else 1e-5,
        "warmup_steps": warmup,
        "measured_steps": measured,
    }


def _obstacles(case: Case) -> Iterator[str]:
    """Say what keeps plain Transformers and PEFT in one process from running the case."""
    job, plan, model = case.workload, case.plan, case.architecture
    if job.method == "pretraining":
        yield _("Training from scratch runs on software of its own: agree on a pilot with your engineer.")
    if job.framework.lower() not in FRAMEWORKS:
        yield _("The plan runs on %(name)s; the script runs Transformers and PEFT alone.") % {
            "name": say(job.framework)
        }
    if case.system.gpu.vendor not in VENDORS:
        yield _("The script needs a GPU that PyTorch runs as CUDA or ROCm.")
    if max(plan.tensor, plan.pipeline, plan.context, plan.expert) > 1:
        yield _("The plan divides the model itself over several GPUs; one process cannot run that.")
    if model.is_moe:
        yield _("The model is a mixture of experts, which the script does not run.")
    if model.encoder_decoder or all(group.stack == "encoder" for group in model.layers):
        yield _("The model does not continue text, which is what the script trains.")
    if not model.exact:
        yield _("Only the size of the model is known: name the model, or give its config.json.")
    for name, value in _foreign(case):
        yield _("The script does not run this part of the plan: %(name)s: %(value)s.") % {
            "name": label_of(name),
            "value": say(value),
        }


def _foreign(case: Case) -> Iterator[tuple[str, str]]:
    """Give the settings of a case that the script has no code for."""
    job = case.workload
    if case.plan.offload != "none":
        yield "offload", case.plan.offload
    allowed = (
        ("weights", job.weights, WEIGHTS.get(job.method, ())),
        ("compute", job.compute, ("bf16", "fp32", "tf32")),
        ("optimizer", job.optimizer, OPTIMIZERS),
        ("activation_checkpointing", job.activation_checkpointing, ("none", "full")),
        ("loss", job.loss, ("standard",)),
    )
    yield from ((name, value) for name, value, values in allowed if value not in values)
    flags = (
        ("activation_offload", job.activation_offload),
        ("compile", job.compile),
        ("optimizer_in_backward", job.optimizer_in_backward),
    )
    yield from ((name, "True") for name, is_on in flags if is_on)
    yield from _foreign_states(case)


def _foreign_states(case: Case) -> Iterator[tuple[str, str]]:
    """Give formats of adapters, gradients and states that plain PyTorch would not keep."""
    job = case.workload
    if job.lora is not None:
        if job.lora.kind not in ("lora", "dora"):
            yield "lora_kind", job.lora.kind
        if job.lora.dtype not in ("fp32", "bf16"):
            yield "lora_dtype", job.lora.dtype
        own = job.lora.dtype
        states = (own, "int8")
    else:
        own = job.weights
        states = ("fp32" if job.master_weights == "fp32" else own, "int8")
    if job.gradients != own:
        yield "gradients", job.gradients
    if job.optimizer_states not in states:
        yield "optimizer_states", job.optimizer_states
