"""Peaks outside the training step: loading the model, saving it, evaluating it; on the GPU and in host memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sizing.assumptions import Ledger
from sizing.case import Case, Interval
from sizing.memory import holdings, peak, states
from sizing.memory.behaviours import Behaviour, behaviour
from sizing.memory.inventory import BITSANDBYTES, inventory, raises_norms
from sizing.memory.pipeline import Stage, stages
from sizing.memory.sharding import FULLY_SHARDED
from sizing.speed import programs
from sizing.units import GIB, format_bytes
from sizing.workload import Training

HALF: Final = 2.0
SINGLE: Final = 4.0
READ_SHARD_BYTES: Final = 5 * GIB
PINNED_SHARE: Final = 0.25
NF4_WORKSPACE_BYTES: Final = 2 * 16 * 4
WHOLE_GRADIENTS: Final = (
    "While FSDP accumulates micro-batches without synchronizing, each GPU holds the gradients of the whole model. "
    "Synchronizing every micro-batch (sync_each_batch in accelerate) divides them, at the price of more traffic."
)
WHOLE_LAYERS: Final = (
    "This framework recomputes whole layers only: selective checkpointing is counted as full, in memory and in time."
)
EAGER_ATTENTION: Final = (
    "Unsloth runs this model with eager attention, whose scores grow with the square of the sequence length: its log "
    "says that the model does not support SDPA."
)
LOW_SHARE: Final = 0.8
HIGH_SHARE: Final = 1.3


@dataclass(frozen=True, slots=True)
class HostBytes:
    """Host memory of one node at its three moments, without interpreters and loader workers [byte].

    Parameters
    ----------
    load : float
        Weights on their way to the GPUs.
    step : float
        Offloaded states, parameters and activations, paged optimizer states.
    save : float
        Whole weights that are gathered before they are written, beside what the step keeps.
    """

    load: float
    step: float
    save: float

    @property
    def peak(self) -> float:
        """The largest of the three [byte]."""
        return max(self.load, self.step, self.save)


def load_moment(case: Case) -> peak.Moment | None:
    """The model's load as a candidate for the peak, where it holds more on a GPU than the step's weights.

    bitsandbytes quantizes on the GPU: under FSDP or ZeRO-3 the Hugging Face loaders bring the whole quantized model to
    each GPU before it is divided.
    """
    job, plan = case.workload, case.plan
    how = behaviour(job.framework)
    whole = (
        how.loads_whole
        and job.weights in BITSANDBYTES
        and plan.sharding in FULLY_SHARDED
        and plan.shard > 1
        and plan.offload not in holdings.ON_HOST_PARAMETERS
    )
    if not whole:
        return None
    stage = stages(case.architecture, plan.pipeline, device_map=False)[0]
    held = inventory(case.architecture, stage, job, how, tensor=1, expert=1, raised=False)
    return _loading(stage, held.dense_bytes + held.expert_bytes, HALF * held.largest_quantised)


def quantizing_moment(case: Case) -> peak.Moment | None:
    """The quantization of a model while it is loaded, as some versions of a library run it: for the band's upper end.

    Early torchao compared a whole matrix with the sixteen values of NF4 at once, in two fp32 tensors.
    """
    job = case.workload
    how = behaviour(job.framework)
    if not (how.quantises_whole_matrices and job.weights in BITSANDBYTES and case.plan.shard == 1):
        return None
    stage = stages(case.architecture, 1, device_map=False)[0]
    held = inventory(case.architecture, stage, job, how, tensor=1, expert=1, raised=False)
    workspace = NF4_WORKSPACE_BYTES * held.largest_quantised
    return _loading(stage, held.dense_bytes + held.expert_bytes, workspace)


def _loading(stage: Stage, weights: float, workspace: float) -> peak.Moment:
    return peak.Moment(
        name="model load",
        stage=stage.index,
        weights=weights,
        gradients=0.0,
        optimizer=0.0,
        activations=0.0,
        logits=0.0,
        adapters=0.0,
        buffers=workspace,
        settled=workspace,
    )


def host(case: Case) -> HostBytes:
    """Host memory that the job's own data takes on one node [byte]."""
    job, plan = case.workload, case.plan
    how = behaviour(job.framework)
    ranks, nodes = case.system.gpus_per_node, case.system.nodes
    whole = case.architecture.parameters * (SINGLE if job.weights == "fp32" else HALF)
    kept = _step(case, job, how) / nodes
    return HostBytes(
        load=kept + _load(job, how, plan.sharding in FULLY_SHARDED and plan.shard > 1, whole, ranks),
        step=kept,
        save=kept + _save(job, how, plan.shard > 1, whole, ranks),
    )


def _step(case: Case, job: Training, how: Behaviour) -> float:
    """Bytes that live in host memory during training, over all nodes [byte]."""
    model, plan = case.architecture, case.plan
    raised = raises_norms(job, how, plan)
    stage = stages(model, 1, device_map=False)[0]
    held = inventory(model, stage, job, how, tensor=1, expert=1, raised=raised)
    trained = held.adapters if job.lora is not None else held.base
    size = states.state_bytes(model, job, how, held.largest)
    copies = 1.0 if plan.shard > 1 else float(plan.data)
    kept = 0.0
    if job.optimizer.startswith("paged"):
        each = states.STATE_BYTES["int8" if "8bit" in job.optimizer else job.optimizer_states]
        kept += 2 * each * trained * copies
    if plan.offload in holdings.ON_HOST_OPTIMIZER:
        kept += (size.state + size.master + size.gradient) * trained * copies * (1 + PINNED_SHARE)
    if plan.offload in holdings.ON_HOST_PARAMETERS:
        kept += (held.dense_bytes + held.expert_bytes) * copies * (1 + PINNED_SHARE)
    if job.activation_offload:
        tokens = job.micro_batch * job.sequence_length
        kept += HALF * model.hidden_size * model.layer_count * tokens * plan.data
    return kept


def _load(job: Training, how: Behaviour, sharded: bool, whole: float, ranks: int) -> float:
    """Weights in host memory while the model is loaded [byte]."""
    if sharded and how.sharder == "fsdp1":
        return whole
    if sharded and how.sharder == "deepspeed":
        return min(whole, READ_SHARD_BYTES) * ranks
    return min(whole, READ_SHARD_BYTES) * (ranks if how.sharder == "fsdp1" else 1)


def _save(job: Training, how: Behaviour, sharded: bool, whole: float, ranks: int) -> float:
    """Weights gathered in host memory while a checkpoint is written [byte]."""
    if job.lora is not None:
        return 0.0
    if not sharded:
        return 0.0 if how.sharder == "megatron" else whole
    if how.gathers_on_every_rank:
        return whole * ranks
    return 0.0 if how.saves_sharded else whole


def host_interval(case: Case) -> Interval:
    """Host memory of one node with its band [byte]."""
    needed = host(case).peak
    return Interval(needed, LOW_SHARE * needed, HIGH_SHARE * needed)


@lru_cache(maxsize=256)
def _saving(parameters: int) -> str:
    return (
        f"Saving one whole checkpoint gathers {format_bytes(HALF * parameters)} through one GPU and its host memory; "
        "runs that train have stopped there. Save sharded checkpoints, or adapters only."
    )


def warn(case: Case, ledger: Ledger) -> None:
    """Say what a step's figure does not show: peaks while saving, and what makes gradients or experts whole."""
    job, plan = case.workload, case.plan
    how = behaviour(job.framework)
    sharded = plan.sharding in FULLY_SHARDED and plan.shard > 1
    accumulates = how.unsharded_accumulation and job.gradient_accumulation > 1
    if sharded and plan.sharding != "zero3" and how.sharder == "fsdp1" and accumulates and job.lora is None:
        ledger.warn(WHOLE_GRADIENTS)
    if sharded and not how.saves_sharded and how.sharder in ("fsdp1", "deepspeed"):
        ledger.warn(_saving(case.architecture.parameters))
    if programs.only_whole_layers(job):
        ledger.warn(WHOLE_LAYERS)
    if programs.forces_eager(case):
        ledger.warn(EAGER_ATTENTION)
    if job.weights in BITSANDBYTES and case.architecture.is_moe:
        ledger.warn(
            "bitsandbytes quantizes linear modules only: where the library keeps all experts of a layer in one tensor "
            "(transformers 5, Unsloth), the experts stay 16-bit and the model does not shrink to a quarter."
        )
