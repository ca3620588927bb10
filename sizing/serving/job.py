"""A service as the search sees it: replicas on machines, held against its load and latency limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sizing import software
from sizing.architecture.quantised import weight_bytes
from sizing.architecture.shape import Architecture
from sizing.assumptions import Assumption, Ledger
from sizing.hardware import Gpu, System
from sizing.outcome import Outcome
from sizing.plan import Plan
from sizing.resolve import model
from sizing.resolve.reader import NOT_STATED
from sizing.serving import cache, layout, memory, reading, speed
from sizing.serving.bands import BAND_OVER
from sizing.serving.case import ServingCase
from sizing.software import Check
from sizing.workload import Serving

USUAL_TTFT_MS = 2000.0
USUAL_TPOT_MS = 100.0
USUAL_USERS = 16
MODEL_COPIES = 2
RESERVE_SHARE = 0.3


@dataclass(slots=True)
class ServingJob:
    """A service with its load; its limits are held at the pessimistic side of the band."""

    shape: Architecture
    workload: Serving
    ledger: Ledger
    task: str = "inference"
    needs_deadline: bool = False
    experiments: int = 1
    extra_host_bytes: float = 0.0
    extra_storage_bytes: float = 0.0
    _seen: dict[System, Outcome | None] = field(default_factory=dict)

    @classmethod
    def read(cls, raw: Mapping[str, Any], ledger: Ledger, *, known: tuple[str, ...] = ()) -> ServingJob:
        """The service of a request's workload."""
        shape = model.read(raw, ledger)
        return cls(shape, with_limits(reading.workload(raw, shape, ledger, known=known), ledger), ledger)

    def floor_bytes(self) -> float:
        """Weights in the stated format [B]."""
        return float(weight_bytes(self.shape, self.workload.weights).total)

    def on(self, machines: System) -> Outcome | None:
        """The division of the machines into replicas that keeps the load best."""
        if machines not in self._seen:
            self._seen[machines] = self._place(machines)
        return self._seen[machines]

    def _place(self, machines: System) -> Outcome | None:
        if machines.nodes > 1 and machines.gpus_per_node * machines.memory_bytes > 2 * self.floor_bytes():
            pipeline = 1
        else:
            pipeline = machines.nodes
        outcomes = []
        for tensor in (1, 2, 4, 8, 16):
            if machines.gpus_per_node % tensor or not layout.divides_heads(self.shape, tensor):
                continue
            data = machines.gpus // (tensor * pipeline)
            case = ServingCase(self.shape, self.workload, machines, Plan(tensor=tensor, pipeline=pipeline, data=data))
            outcomes.append(self._outcome(case))
        return max(outcomes, key=lambda one: (one.fits, one.load, -one.device.high), default=None)

    def _outcome(self, case: ServingCase) -> Outcome:
        needed = memory.estimate(case).needed
        message = self.shortfall(case) if needed.fits else ""
        return Outcome(
            fits=needed.fits,
            device=needed.device,
            live=needed.allocated,
            capacity_bytes=needed.capacity_bytes,
            seconds=None,
            machines=case.system,
            payload=case,
            load=not message,
            copies=case.replicas,
            load_message=message,
        )

    def shortfall(self, case: ServingCase) -> str:
        """Which limit the service misses at the pessimistic side, empty where it keeps all."""
        job = case.workload
        found = speed.estimate(case)
        room = cache.most_concurrent(case)
        if job.concurrency and room < job.concurrency:
            return f"Load: room for {room} requests at once, {job.concurrency} are asked for."
        first, each = found.ttft_seconds * 1000 * BAND_OVER, found.tpot_seconds * 1000 * BAND_OVER
        if job.ttft_limit_ms and first > job.ttft_limit_ms:
            return f"Load: first token after up to {first:.0f} ms, {job.ttft_limit_ms:.0f} ms allowed."
        if job.tpot_limit_ms and each > job.tpot_limit_ms:
            return f"Load: up to {each:.0f} ms a token, {job.tpot_limit_ms:.0f} ms allowed."
        low = found.requests_per_s / BAND_OVER
        if job.requests_per_second and low < job.requests_per_second * 0.999 and not job.concurrency:
            capable = speed.estimate(replace(case, workload=replace(job, requests_per_second=None)))
            if capable.requests_per_s / BAND_OVER < job.requests_per_second:
                return f"Load: {capable.requests_per_s / BAND_OVER:.2g} requests/s for sure, more are asked for."
        return ""

    def estimate(self, outcome: Outcome, *, explain: bool) -> dict[str, Any]:
        """Memory and speed of the service in the contract's form."""
        from sizing import serving

        result = serving.answered(outcome.payload, Ledger(), explained=explain, task=self.task)
        for name in ("warnings", "model", *(() if explain else ("assumptions",))):
            result.pop(name)
        return result

    def host_bytes(self, outcome: Outcome) -> tuple[float, float]:
        """The model in the page cache while it loads, and what the route adds [B]."""
        return self.extra_host_bytes / outcome.machines.nodes, self.floor_bytes()

    def software(self, gpu: Gpu) -> list[Check]:
        """Toolkit and number formats."""
        return software.checks(gpu, weights=self.workload.weights, compute=self.workload.compute)

    def extras(self, outcome: Outcome) -> dict[str, Any]:
        """Nothing beside the service's own figures."""
        return {}

    def storage(self, outcome: Outcome) -> dict[str, Any]:
        """Room for two versions of the model and what the route adds [B]."""
        needed = (MODEL_COPIES * self.floor_bytes() + self.extra_storage_bytes) * (1 + RESERVE_SHARE)
        return {
            "base_model_bytes": self.floor_bytes(),
            "capacity_bytes": needed,
            "index_bytes": self.extra_storage_bytes,
        }


def with_limits(job: Serving, ledger: Ledger) -> Serving:
    """The load with latency limits and users where none were stated."""
    first, each, users = job.ttft_limit_ms, job.tpot_limit_ms, job.concurrency
    if users is None and job.requests_per_second is None and job.batch is None:
        users = USUAL_USERS
        ledger.assume(
            Assumption("workload.concurrency", users, "requests", "no load was stated", NOT_STATED, low=4, high=64)
        )
    if first is None:
        first = USUAL_TTFT_MS
        why = "people wait about two seconds for a first word"
        ledger.assume(Assumption("workload.ttft_ms", first, "ms", why, NOT_STATED, low=500.0, high=5000.0))
    if each is None:
        each = USUAL_TPOT_MS
        why = "ten tokens a second is a fast reader's pace; is a limit on the whole answer meant instead?"
        ledger.assume(Assumption("workload.tpot_ms", each, "ms", why, NOT_STATED, low=30.0, high=200.0))
    return replace(job, ttft_limit_ms=first, tpot_limit_ms=each, concurrency=users)
