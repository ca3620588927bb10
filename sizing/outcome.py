"""A workload as the search sees it: put it on machines, get an outcome back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from sizing.assumptions import Ledger
from sizing.case import Interval
from sizing.hardware import Gpu, System
from sizing.software import Check


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happens when the workload runs on some machines.

    Parameters
    ----------
    device, live : Interval
        What is needed on the fullest GPU, and its live tensors alone [B]; an allocator may show more.
    seconds : Interval or None
        Until every run is through [s]; None where no amount of work was stated.
    load : bool
        Whether a service keeps its limits at the stated load; `load_message` says which it does not, `load_ratio` by
        how much [–].
    copies : int
        Runs or replicas side by side on the machines [–].
    offload : bool
        States or weights wait in host memory.
    waiting : int
        Rounds in which the runs go, 1 where all go at once [–].
    """

    fits: bool
    device: Interval
    live: Interval
    capacity_bytes: int
    seconds: Interval | None
    machines: System
    payload: Any
    load: bool = True
    copies: int = 1
    load_message: str = ""
    load_ratio: float = 1.0
    offload: bool = False
    waiting: int = 1

    @property
    def share_used(self) -> float:
        """Upper band of the live tensors over the capacity [–]."""
        return self.live.high / self.capacity_bytes if self.capacity_bytes else 1.0


class Job(Protocol):
    """What training, serving and document answers have in common for the search."""

    task: str
    ledger: Ledger
    needs_deadline: bool

    def on(self, machines: System, *, offload: bool = True) -> Outcome | None:
        """The best way to run on the machines, None where they cannot be divided for it.

        Without `offload` no plan that keeps states in host memory is tried.
        """

    def floor_bytes(self) -> float:
        """Device memory that no plan can do without, over all GPUs of one copy [B]."""

    def estimate(self, outcome: Outcome, *, explain: bool) -> dict[str, Any]:
        """The outcome in the contract's form."""

    def answered(self, outcome: Outcome) -> dict[str, Any]:
        """The outcome with everything that was assumed on the way, in the form of an estimate."""

    def host_bytes(self, outcome: Outcome) -> tuple[float, float]:
        """Host memory that a node needs for offload, and for staging checkpoints [B]."""

    def software(self, gpu: Gpu) -> list[Check]:
        """Versions and formats that the job asks of a GPU."""

    def extras(self, outcome: Outcome) -> dict[str, Any]:
        """What only this route shows of a labelled candidate: a scaling curve, say."""

    def levers(self, outcome: Outcome) -> dict[str, Any] | None:
        """GPUs that carry a service as it is and with smaller formats; None for a task other than a service."""

    def storage(self, outcome: Outcome) -> dict[str, Any]:
        """What the job asks of its drives."""
