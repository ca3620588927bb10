"""A serving job, complete: the model, its load, the machines and how they are divided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sizing.architecture.shape import Architecture
from sizing.hardware import System
from sizing.plan import Plan
from sizing.serving.engines import Engine, engine
from sizing.workload import Serving

USUAL_CONCURRENCY: Final = 16


@dataclass(frozen=True, slots=True)
class ServingCase:
    """A model served by a plan on a system; `beside_bytes` are other models' on the same GPU
    [B], `is_chosen` says that nobody stated the layout.
    """

    architecture: Architecture
    workload: Serving
    system: System
    plan: Plan
    beside_bytes: float = 0.0
    is_chosen: bool = False

    @property
    def engine(self) -> Engine:
        """How the engine of the case works."""
        return engine(self.workload.engine, self.workload.scenario)

    @property
    def replicas(self) -> int:
        """Whole copies of the model [–]."""
        return max(1, self.plan.data // self.plan.attention_data)

    @property
    def copies(self) -> int:
        """Copies of the attention part, over all replicas [–]."""
        return max(1, self.plan.data)

    @property
    def in_flight(self) -> float:
        """Requests that all replicas work on at once [–]."""
        job = self.workload
        usual = 1 if job.scenario == "static" else USUAL_CONCURRENCY
        return float(job.batch or job.concurrency or usual)
