"""Drives and checkpoints: what is kept, how fast it must be written and read, what an interruption costs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from sizing.architecture.lora import adapter_parameters
from sizing.architecture.quantised import weight_bytes
from sizing.assumptions import Assumption, Ledger
from sizing.case import Case
from sizing.units import DTYPE_BYTES, GB, HOUR, MINUTE

TEXT_BYTES_PER_TOKEN = 4.5
TOKEN_ID_BYTES = 4
STATES_PER_PARAMETER = {"sgd": 1, "lion": 1, "adafactor": 0, "muon": 1}
CHECKPOINTS_KEPT = 3
CHECKPOINT_MINUTES = 60.0
RESERVE_SHARE = 0.3
WORKING_COPIES = 2
STALL_SHARE = 0.02
DRIVE_READ_BYTES_PER_S = 6.5e9
DRIVE_WRITE_BYTES_PER_S = 4.0e9
DRIVES_PER_NODE = 2
GPU_HOURS_BETWEEN_FAILURES = 50_676.0
FAILURES = "Llama 3 report (2024): 419 unexpected interruptions of 16,384 GPUs in 54 days"


@dataclass(frozen=True, slots=True)
class Storage:
    """Capacity [B], rates [B/s] and times [s] that the job asks of its drives."""

    dataset_bytes: float
    base_model_bytes: float
    checkpoint_bytes: float
    checkpoints_kept: int
    capacity_bytes: float
    read_bytes_per_s: float
    write_bytes_per_s: float
    checkpoint_seconds: float
    restore_seconds: float
    interval_seconds: float
    best_interval_seconds: float
    lost_seconds_per_failure: float
    failures_per_run: float


def training(
    case: Case,
    stated: dict[str, object],
    ledger: Ledger,
    *,
    tokens_per_s: float,
    step_seconds: float,
    run_seconds: float,
) -> Storage:
    """What a training run keeps and moves.

    Parameters
    ----------
    tokens_per_s, step_seconds, run_seconds : float
        Speed of the whole system [tokens/s], of one step and of the whole run [s].

    Notes
    -----
    The interval that loses least work is sqrt(2 x checkpoint time x time between failures) [1]_.

    References
    ----------
    .. [1] J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", FGCS 22, 2006.
    """
    job = case.workload
    tokens = _number(stated.get("dataset_tokens")) or job.tokens or 0.0
    dataset = tokens * (TEXT_BYTES_PER_TOKEN + TOKEN_ID_BYTES)
    ledger.assume(
        Assumption(
            "storage.text_bytes_per_token",
            TEXT_BYTES_PER_TOKEN,
            "B",
            "text beside its tokenised copy",
            "English about 4, Russian about 6 bytes a token in UTF-8",
            low=3.5,
            high=7.0,
        )
    )
    kept = int(_number(stated.get("checkpoints_kept")) or 0)
    if not kept:
        kept = CHECKPOINTS_KEPT
        ledger.assume(
            Assumption(
                "workload.checkpoints_kept", kept, "", "last, one before, best", "usual practice", low=1, high=10
            )
        )
    interval = _interval(stated, step_seconds, ledger)
    checkpoint = checkpoint_bytes(case)
    base = float(weight_bytes(case.architecture, "bf16").total)
    capacity = (dataset + WORKING_COPIES * base + (kept + 1) * checkpoint) * (1 + RESERVE_SHARE)
    write = checkpoint / (STALL_SHARE * interval)
    drives = DRIVES_PER_NODE * case.system.nodes
    fast = max(write, drives * DRIVE_WRITE_BYTES_PER_S)
    seconds = checkpoint / fast
    restore = (checkpoint + base) / (drives * DRIVE_READ_BYTES_PER_S)
    ledger.assume(
        Assumption(
            "storage.drive_write",
            DRIVE_WRITE_BYTES_PER_S / GB,
            "GB/s",
            "sequential writing of one data-center NVMe drive; two a node at least",
            "PCIe 4.0 drives of the catalog read 6.5 GB/s; writing is not published for them",
            low=2.0,
            high=7.0,
        )
    )
    between = GPU_HOURS_BETWEEN_FAILURES * HOUR / case.system.gpus
    ledger.assume(
        Assumption(
            "storage.gpu_hours_between_failures",
            GPU_HOURS_BETWEEN_FAILURES,
            "h",
            "one interruption a GPU",
            FAILURES,
            as_of="2024-07",
            low=10_000,
            high=200_000,
        )
    )
    return Storage(
        dataset_bytes=dataset,
        base_model_bytes=base,
        checkpoint_bytes=checkpoint,
        checkpoints_kept=kept,
        capacity_bytes=capacity,
        read_bytes_per_s=tokens_per_s * TOKEN_ID_BYTES,
        write_bytes_per_s=write,
        checkpoint_seconds=seconds,
        restore_seconds=restore,
        interval_seconds=interval,
        best_interval_seconds=sqrt(2 * seconds * between),
        lost_seconds_per_failure=interval / 2 + restore,
        failures_per_run=run_seconds / between,
    )


def checkpoint_bytes(case: Case) -> float:
    """One checkpoint that training can go on from: weights, master copy, optimizer states [B]."""
    job = case.workload
    states = STATES_PER_PARAMETER.get(job.optimizer, 2) * DTYPE_BYTES.get(job.optimizer_states, 4)
    if job.lora is not None:
        adapters = adapter_parameters(case.architecture, job.lora.rank, job.lora.targets)
        return float(getattr(adapters, "parameters", adapters)) * (DTYPE_BYTES[job.lora.dtype] + states)
    master = DTYPE_BYTES["fp32"] if job.master_weights == "fp32" else 0.0
    return case.architecture.parameters * (DTYPE_BYTES.get(job.weights, 2) + master + states)


def _interval(stated: dict[str, object], step_seconds: float, ledger: Ledger) -> float:
    if minutes := _number(stated.get("checkpoint_every_minutes")):
        return minutes * MINUTE
    if steps := _number(stated.get("checkpoint_every_steps")):
        return max(steps * step_seconds, 1.0)
    why = "an interruption then costs half an hour of work on average"
    ledger.assume(
        Assumption(
            "workload.checkpoint_every_minutes", CHECKPOINT_MINUTES, "min", why, "usual practice", low=15.0, high=240.0
        )
    )
    return CHECKPOINT_MINUTES * MINUTE


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def as_dict(need: Storage, *, runs: int = 1) -> dict[str, Any]:
    """The need in the contract's form; capacity and rates for `runs` runs side by side."""
    return asdict(need) | {
        "capacity_bytes": need.capacity_bytes * runs,
        "read_bytes_per_s": need.read_bytes_per_s * runs,
        "write_bytes_per_s": need.write_bytes_per_s * runs,
    }
