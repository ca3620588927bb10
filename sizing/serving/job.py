"""A service as the search sees it: replicas on machines, held against its load and latency limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from sizing import fields, software
from sizing.architecture import kv
from sizing.architecture.quantised import weight_bytes
from sizing.architecture.shape import Architecture
from sizing.assumptions import Assumption, Ledger
from sizing.hardware import Gpu, System
from sizing.outcome import Outcome
from sizing.plan import Plan
from sizing.resolve import model
from sizing.resolve.reader import NOT_STATED
from sizing.serving import communication, formats, layout, levers, loads, memory, reading, replicas
from sizing.serving.case import USUAL_CONCURRENCY, ServingCase
from sizing.serving.communication import Links
from sizing.serving.loads import Broken
from sizing.serving.replicas import Reserve
from sizing.software import Check
from sizing.workload import Serving

USUAL_TTFT_MS: Final = 2000.0
USUAL_TPOT_MS: Final = 100.0
BATCH_WORK: Final = ("offline", "static")
"""Scenarios in which nobody waits for a single answer: only stated limits on latency hold."""
MODEL_COPIES: Final = 2
RESERVE_SHARE: Final = 0.3
CARD_COUNTS: Final = (1, 2, 4, 8, 16)
NODE_COUNTS: Final = (2, 4, 8, 16, 32)
COMPARED_FORMATS: Final = ("bf16", "fp8", "awq")


LIMIT_OF: Final = {
    loads.ROOM: "workload.concurrency",
    loads.FIRST: "workload.ttft_ms",
    loads.TOKEN: "workload.tpot_ms",
}
"""Field of the contract that a broken limit comes from."""


@dataclass(slots=True)
class ServingJob:
    """A service with its load; its limits are held at the pessimistic side of the band."""

    shape: Architecture
    workload: Serving
    ledger: Ledger
    reserve: Reserve
    task: str = "inference"
    needs_deadline: bool = False
    experiments: int = 1
    extra_host_bytes: float = 0.0
    extra_storage_bytes: float = 0.0
    beside_bytes: float = 0.0
    _seen: dict[System, Outcome | None] = field(default_factory=dict)
    _told: dict[int, tuple[Outcome, dict[str, Any]]] = field(default_factory=dict)
    _wanted: dict[tuple[System, Links, Plan], int | None] = field(default_factory=dict)

    @classmethod
    def read(cls, raw: Mapping[str, Any], ledger: Ledger, *, known: tuple[str, ...] = ()) -> Self:
        """The service of a request's workload."""
        shape = model.read(raw, ledger)
        asked = reading.workload(raw, shape, ledger, known=known)
        job = loads.to_hold(asked, ledger)
        is_batch = job.scenario in BATCH_WORK or raw.get("scenario") in BATCH_WORK
        job = with_limits(job, ledger, is_batch=is_batch)
        stated, _ = fields.read(raw, fields.SERVING, "workload")
        return cls(shape, job, ledger, replicas.read(stated, ledger))

    def floor_bytes(self) -> float:
        """Weights in the stated format [B]."""
        return float(weight_bytes(self.shape, self.workload.weights).total)

    def on(self, machines: System, *, offload: bool = True) -> Outcome | None:
        """The division of the machines into replicas that keeps the load best."""
        if machines not in self._seen:
            self._seen[machines] = self._place(machines)
        return self._seen[machines]

    def _place(self, machines: System) -> Outcome | None:
        spread = machines.nodes > 1 and machines.gpus_per_node * machines.memory_bytes < 1.2 * self.floor_bytes()
        stated = {"pipeline": machines.nodes} if spread else {}
        best: Outcome | None = None
        for plan in layout.plain(self.shape, machines, stated):
            one = self._outcome(ServingCase(self.shape, self.workload, machines, plan, self.beside_bytes))
            if best is None or rank(one) > rank(best):
                best = one
        return self._with_replicas(best) if best is not None and best.fits and not best.load else best

    def _outcome(self, case: ServingCase) -> Outcome:
        needed = memory.estimate(case).needed
        found = replicas.broken(case, self.reserve) if needed.fits else []
        return Outcome(
            fits=needed.fits,
            device=needed.device,
            live=needed.allocated,
            capacity_bytes=needed.capacity_bytes,
            seconds=None,
            machines=case.system,
            payload=case,
            load=not found,
            copies=case.replicas,
            load_message=" ".join(self._said(one) for one in found),
            load_ratio=max((one.ratio for one in found), default=1.0),
        )

    def _said(self, one: Broken) -> str:
        """What is broken, with a word on it where nobody stated the limit."""
        key = LIMIT_OF.get(one.kind, "")
        return f"{one.message} This limit is assumed: nobody stated one." if key in self.ledger else one.message

    def _with_replicas(self, short: Outcome) -> Outcome:
        """A service that misses its limits, with how many replicas keep them where any number does."""
        wanted = self.needed(short.payload)
        if wanted is None:
            return short
        message = f"{short.load_message} Load: {wanted:,} replicas are needed, {short.copies:,} are placed."
        return replace(short, load_message=message, load_ratio=max(short.load_ratio, wanted / short.copies))

    def needed(self, case: ServingCase) -> int | None:
        """Replicas that keep the limits, looked for once where nothing but the number of nodes differs."""
        one = replace(case.plan, data=case.plan.attention_data)
        links = communication.links(case.system, one)
        alike = (replace(case.system, nodes=min(case.system.nodes, 2)), links, one)
        if alike not in self._wanted:
            self._wanted[alike] = replicas.needed(case, self.reserve)
        return self._wanted[alike]

    def estimate(self, outcome: Outcome, *, explain: bool) -> dict[str, Any]:
        """Memory and speed of the service in the contract's form; made once for all platforms that run it alike."""
        if explain:
            return self._estimate(outcome, explain=True)
        if id(outcome) not in self._told:
            self._told[id(outcome)] = (outcome, self._estimate(outcome, explain=False))
        return dict(self._told[id(outcome)][1])

    def _estimate(self, outcome: Outcome, *, explain: bool) -> dict[str, Any]:
        from sizing import serving

        result = serving.answered(outcome.payload, Ledger(), explained=explain, task=self.task)
        for name in ("warnings", "model", *(() if explain else ("assumptions",))):
            result.pop(name)
        return result

    def answered(self, outcome: Outcome) -> dict[str, Any]:
        """The service with everything that was assumed on the way, in the form of an estimate."""
        from sizing import serving

        return serving.answered(outcome.payload, self.ledger, explained=False, task=self.task)

    def host_bytes(self, outcome: Outcome) -> tuple[float, float]:
        """The model in the page cache while it loads, and what the route adds [B]."""
        return self.extra_host_bytes / outcome.machines.nodes, self.floor_bytes()

    def software(self, gpu: Gpu) -> list[Check]:
        """Toolkit and number formats."""
        compute = formats.compute_on(gpu, self.workload.weights)
        found = software.checks(gpu, weights=self.workload.weights, compute=compute)
        return [*found, *formats.checks(gpu, self.workload.weights)]

    def extras(self, outcome: Outcome) -> dict[str, Any]:
        """Replicas and their reserve, and what the model and its users need on whatever machines."""
        return {"replicas": replicas.shown(outcome.payload, self.reserve), "whole": self.whole()}

    def levers(self, outcome: Outcome) -> dict[str, Any]:
        """GPUs that carry the load as it is, and with each smaller format of weights or cache."""
        case: ServingCase = outcome.payload
        changes = [found for part in levers.COMPONENTS for found in levers.changes(case, part)]
        then = {what: replace(self, workload=job, _seen={}, _wanted={}) for what, job in changes}
        return {
            "gpus": self.fewest_gpus(case.system),
            "then": [{"what": what, "gpus": one.fewest_gpus(case.system)} for what, one in then.items()],
        }

    def fewest_gpus(self, machines: System) -> int | None:
        """The fewest GPUs of the machines, part of a node or whole nodes, that carry the load; None where none do."""
        shares = [n for n in CARD_COUNTS if n < machines.gpus_per_node]
        sizes = [(n, 1) for n in (*shares, machines.gpus_per_node)] + [
            (machines.gpus_per_node, n) for n in (*NODE_COUNTS, machines.nodes) if 1 < n <= machines.nodes
        ]
        for per_node, nodes in sizes:
            link = machines.interconnect if per_node > 1 else "none"
            outcome = self.on(replace(machines, gpus_per_node=per_node, nodes=nodes, interconnect=link))
            if outcome is not None and outcome.fits and outcome.load:
                return per_node * nodes
        return None

    def whole(self) -> dict[str, Any]:
        """Weights by format, and the cache of all users at full length: one copy of the model, no rounding [B]."""
        job = self.workload
        users = job.concurrency or 0
        tokens = job.input_tokens + job.output_tokens
        return {
            "weights": {name: float(weight_bytes(self.shape, name).total) for name in COMPARED_FORMATS},
            "users": users,
            "tokens_each": tokens,
            "cache_bytes": users * kv.bytes_at(self.shape, tokens, job.kv_cache_dtype),
        }

    def storage(self, outcome: Outcome) -> dict[str, Any]:
        """Room for two versions of the model and what the route adds [B]."""
        needed = (MODEL_COPIES * self.floor_bytes() + self.extra_storage_bytes) * (1 + RESERVE_SHARE)
        return {
            "base_model_bytes": self.floor_bytes(),
            "capacity_bytes": needed,
            "index_bytes": self.extra_storage_bytes,
        }


def rank(one: Outcome) -> tuple[bool, bool, float, float]:
    """Order of outcomes on the same machines: it fits, it keeps the load or comes nearer to it, more room is left."""
    return (one.fits, one.load, -one.load_ratio, -one.device.high)


def with_limits(job: Serving, ledger: Ledger, *, is_batch: bool) -> Serving:
    """The load with users where none were stated, and with the latency limits of a service whose users wait."""
    first, each, users = job.ttft_limit_ms, job.tpot_limit_ms, job.concurrency
    if users is None and job.requests_per_second is None:
        users = USUAL_CONCURRENCY
        ledger.assume(
            Assumption("workload.concurrency", users, "requests", "no load was stated", NOT_STATED, low=4, high=64)
        )
    if is_batch:
        return replace(job, concurrency=users)
    if first is None:
        first = USUAL_TTFT_MS
        why = "people wait about two seconds for a first word"
        ledger.assume(Assumption("workload.ttft_ms", first, "ms", why, NOT_STATED, low=500.0, high=5000.0))
    if each is None:
        each = USUAL_TPOT_MS
        why = "ten tokens a second is a fast reader's pace; is a limit on the whole answer meant instead?"
        ledger.assume(Assumption("workload.tpot_ms", each, "ms", why, NOT_STATED, low=30.0, high=200.0))
    return replace(job, ttft_limit_ms=first, tpot_limit_ms=each, concurrency=users)
