"""A training workload as the search sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sizing import answer, memory, plans, profile, software, speed, storage
from sizing.architecture.shape import Architecture
from sizing.assumptions import Ledger
from sizing.case import Case, MemoryEstimate, SpeedEstimate
from sizing.hardware import Gpu, System
from sizing.outcome import Outcome
from sizing.resolve import model, possible, quantity, system, training
from sizing.software import Check
from sizing.units import BITS_PER_BYTE, GIGA, ceil_div
from sizing.workload import Training

ETHERNET_GBIT_PER_NODE = 10.0
KEPT = ("sharding", "offload", "tensor", "pipeline", "context", "expert")
"""Fields of a stated plan that every machine is tried with; how many GPUs divide the data follows from its size."""


@dataclass(slots=True)
class TrainingJob:
    """A training workload with its stated fields; `experiments` runs go side by side."""

    shape: Architecture
    job: Training
    stated: dict[str, Any]
    request: Mapping[str, Any]
    ledger: Ledger
    task: str = "training"
    needs_deadline: bool = True
    may_queue: bool = False
    fixed: Mapping[str, Any] = field(default_factory=dict)
    _seen: dict[tuple[System, bool], Outcome | None] = field(default_factory=dict)
    _told: dict[tuple[str, int], tuple[Outcome, dict[str, Any]]] = field(default_factory=dict)

    @classmethod
    def read(cls, request: Mapping[str, Any], workload: Mapping[str, Any], ledger: Ledger) -> TrainingJob:
        """The workload of a request, completed."""
        shape = model.read(workload, ledger)
        job, stated = training.training(workload, shape, ledger)
        plan = system.stated_plan(request.get("plan"), ledger)
        fixed = {name: plan[name] for name in KEPT if name in plan}
        return cls(shape, job, stated, request, ledger, fixed=fixed)

    @property
    def experiments(self) -> int:
        """Runs that go side by side [–]."""
        return int(self.stated.get("parallel_experiments", 1))

    def floor_bytes(self) -> float:
        """Weights alone at the smallest format the method can hold them in [B]."""
        from sizing.architecture.quantised import weight_bytes

        return float(weight_bytes(self.shape, self.job.weights).total)

    def on(self, machines: System, *, offload: bool = True) -> Outcome | None:
        """The fastest plan that fits one run's share of the machines; else the nearest to fitting."""
        key = (machines, offload)
        free = self._seen.get((machines, True))
        if free is not None and not free.offload:
            return free
        if key not in self._seen:
            self._seen[key] = self._place(machines, offload)
        return self._seen[key]

    def allow_queueing(self) -> None:
        """Let runs wait for one another where not all of them find room at once."""
        self.may_queue = True
        self._seen.clear()

    def leave_plan_open(self) -> None:
        """Choose the whole plan: no machine runs it as it is stated."""
        self.fixed = {}
        self._seen.clear()

    def _place(self, machines: System, offload: bool) -> Outcome | None:
        outcome = self._side_by_side(machines, self.experiments, offload)
        slots = self.experiments
        while self.may_queue and slots > 1 and (outcome is None or not outcome.fits):
            slots //= 2
            outcome = self._side_by_side(machines, slots, offload)
        return outcome

    def _side_by_side(self, machines: System, slots: int, offload: bool) -> Outcome | None:
        share = one_run(machines, slots)
        if share is None:
            return None
        if share.gpus * share.memory_bytes < self.floor_bytes() and self.job.method != "full":
            return None
        fixed = self.fixed if offload else {"offload": "none", **self.fixed}
        best = plans.best(
            self.shape, self.job, self.stated, share, fixed=fixed, skip_hopeless=self.job.method == "full"
        )
        if best is None:
            return None
        case = self._with_tokens(best.case)
        ledger = Ledger()
        needed, time = best.memory, speed.estimate(case, ledger) if best.memory.fits else None
        needed, time = profile.apply(self._workload.get("profile"), case, needed, time, ledger)
        for warning in ledger.warnings:
            self.ledger.warn(warning)
        seconds = time.seconds_to_result if time else None
        if seconds is not None:
            seconds = seconds.scaled(ceil_div(self.experiments, slots))
        return Outcome(
            fits=needed.fits,
            device=needed.needed,
            live=needed.allocated,
            capacity_bytes=needed.capacity_bytes,
            seconds=seconds,
            machines=machines,
            payload=(case, needed, time),
            copies=slots,
            offload=case.plan.offload != "none",
            waiting=ceil_div(self.experiments, slots),
        )

    @property
    def _workload(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.request["workload"]
        return found

    def _with_tokens(self, case: Case) -> Case:
        return replace(case, workload=quantity.with_tokens(case.workload, self.stated, case.plan))

    def estimate(self, outcome: Outcome, *, explain: bool) -> dict[str, Any]:
        """Memory, speed and plan of one run."""
        if explain:
            return self._estimate(outcome, explain=True)
        return self._once("estimate", outcome, lambda: self._estimate(outcome, explain=False))

    def _once(self, what: str, outcome: Outcome, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """What is told of an outcome, made once for all platforms that run it alike."""
        key = (what, id(outcome))
        if key not in self._told:
            self._told[key] = (outcome, make())
        return dict(self._told[key][1])

    def _estimate(self, outcome: Outcome, *, explain: bool) -> dict[str, Any]:
        case, needed, time = outcome.payload
        ledger = Ledger()
        memory.estimate(case, ledger)
        if time is not None:
            speed.estimate(case, ledger)
        possible.warn(case, self.stated, ledger)
        result = answer.training(case, needed, time, ledger, self.stated)
        result.pop("model")
        result["id"] = self.request.get("id")
        if explain:
            steps = (*memory.explain(case), *(speed.explain(case) if time else ()))
            result["derivations"] = [answer.step(one) for one in steps]
        else:
            result.pop("assumptions")
        return result

    def answered(self, outcome: Outcome) -> dict[str, Any]:
        """One run with everything that was assumed on the way, in the form of an estimate."""
        case, needed, time = outcome.payload
        plans.restate(case.workload, self.ledger, plans.FASTEST if outcome.fits else plans.NEAREST)
        memory.estimate(case, self.ledger)
        if time is not None:
            speed.estimate(case, self.ledger)
        profile.apply(self._workload.get("profile"), case, needed, time, self.ledger)
        possible.warn(case, self.stated, self.ledger)
        return answer.training(case, needed, time, self.ledger, self.stated)

    def host_bytes(self, outcome: Outcome) -> tuple[float, float]:
        """Offloaded states a node, else a checkpoint's share on its way to the drives [B]."""
        case, needed, _ = outcome.payload
        runs_per_node = max(1, outcome.copies // outcome.machines.nodes)
        staged = 0.0 if outcome.offload else storage.checkpoint_bytes(case) / case.system.nodes
        return needed.host_bytes_per_node.high * runs_per_node, staged * runs_per_node

    def software(self, gpu: Gpu) -> list[Check]:
        """Toolkit, attention kernels and number formats."""
        return software.checks(gpu, weights=self.job.weights, compute=self.job.compute, attention=self.job.attention)

    def extras(self, outcome: Outcome) -> dict[str, Any]:
        """What the fast link between the GPUs is worth, and what plain Ethernet between nodes would cost."""
        case, _, _ = outcome.payload
        return self._over_ethernet(case) | {"scaling": {"lost_without_fast_link": speed.no_nvlink_loss(case)}}

    def _over_ethernet(self, case: Case) -> dict[str, Any]:
        """Time of the same job where the nodes share plain Ethernet instead of a fabric."""
        machines = case.system
        if machines.nodes == 1:
            return {}
        per_gpu = ETHERNET_GBIT_PER_NODE / machines.gpus_per_node
        slow = replace(machines, network_bytes_per_s=per_gpu * GIGA / BITS_PER_BYTE)
        seconds = speed.estimate(replace(case, system=slow), Ledger()).seconds_to_result
        shown = answer.interval(seconds) if seconds else None
        return {"ethernet": {"gbit_per_node": ETHERNET_GBIT_PER_NODE, "seconds": shown}}

    def levers(self, outcome: Outcome) -> None:
        """Nothing: what makes a run smaller stands with its memory."""

    def storage(self, outcome: Outcome) -> dict[str, Any]:
        """Capacity, rates and checkpoint interval, for all runs side by side."""
        return self._once("storage", outcome, lambda: self._storage(outcome))

    def _storage(self, outcome: Outcome) -> dict[str, Any]:
        case, _, time = outcome.payload
        rate = time.tokens_per_second_per_gpu.expected * case.system.gpus if time else 0.0
        step = time.step_seconds.expected if time else 0.0
        run = outcome.seconds.expected if outcome.seconds else 0.0
        need = storage.training(case, self.stated, self.ledger, tokens_per_s=rate, step_seconds=step, run_seconds=run)
        return storage.as_dict(need, runs=outcome.copies)


def one_run(machines: System, runs: int) -> System | None:
    """What each of `runs` equal parts of the machines is, None where they cannot be divided."""
    if runs == 1:
        return machines
    if machines.nodes >= runs and machines.nodes % runs == 0:
        return replace(machines, nodes=machines.nodes // runs)
    per_node = runs // machines.nodes if runs % machines.nodes == 0 else 0
    if not per_node or machines.gpus_per_node < per_node:
        return None
    gpus = machines.gpus_per_node // per_node
    return replace(machines, nodes=1, gpus_per_node=gpus, interconnect="none" if gpus == 1 else machines.interconnect)


def memory_and_speed(outcome: Outcome) -> tuple[MemoryEstimate, SpeedEstimate | None]:
    """The estimates behind an outcome of a training job."""
    _, needed, time = outcome.payload
    return needed, time
