"""One complete question to the engine, and the answers the rooms give to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from sizing.architecture.shape import Architecture
from sizing.hardware import System
from sizing.plan import Plan
from sizing.workload import Training


@dataclass(frozen=True, slots=True)
class Case:
    """A training job on a system by a plan, everything filled in."""

    architecture: Architecture
    workload: Training
    system: System
    plan: Plan


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 90 % band; unit by context."""

    expected: float
    low: float
    high: float

    def scaled(self, factor: float) -> Interval:
        """The same interval in another unit or for several at once."""
        return Interval(self.expected * factor, self.low * factor, self.high * factor)


@dataclass(frozen=True, slots=True)
class Lever:
    """What would make a component smaller: bytes saved on a GPU [B], and times against those of now [–].

    `time` is that of the same work: of training, or of a whole answer. The others are a service's: time to the first
    token, time of each further one, throughput, requests that fit at once. None where the GPU's speed is not known.
    """

    what: str
    saved_bytes: float
    time: float | None
    first_token: float | None = None
    each_token: float | None = None
    throughput: float | None = None
    room: float | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a derivation: what was computed, from what, by which formula, on whose word.

    `inputs` maps the formula's names to (value, unit); `reduce` lists what would make the value smaller.
    """

    key: str
    label: str
    formula: str
    inputs: tuple[tuple[str, float | str, str], ...]
    value: float
    unit: str
    source: str = ""
    reduce: tuple[Lever, ...] = ()


COMPONENTS = ("weights", "gradients", "optimizer", "activations", "logits", "adapters", "kv_cache", "buffers")


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """Bytes on the fullest GPU. The components sum to `allocated.expected`."""

    per_gpu: tuple[tuple[str, float], ...]
    allocated: Interval
    reserved: Interval
    device: Interval
    capacity_bytes: int
    host_bytes_per_node: Interval = Interval(0.0, 0.0, 0.0)
    peak: str = ""

    @property
    def needed(self) -> Interval:
        """Live tensors and the driver's share: what no allocator can give back [B]."""
        context = self.device.expected - self.reserved.expected
        live = self.allocated
        return Interval(live.expected + context, live.low + context, live.high + context)

    @property
    def fits(self) -> bool:
        """Whether the upper band ends below the capacity."""
        return self.device.high <= self.capacity_bytes


@dataclass(frozen=True, slots=True)
class SpeedEstimate:
    """Time of a training job; serving figures have their own room."""

    tokens_per_second_per_gpu: Interval
    step_seconds: Interval
    mfu: Interval
    seconds_to_result: Interval | None
    parts_seconds: tuple[tuple[str, float], ...] = field(default=())
