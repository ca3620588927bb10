"""One case as the rooms of the speed model read it: profile, stack, rates and the shares of the work."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sizing.case import Case
from sizing.hardware import System
from sizing.plan import Plan
from sizing.speed import collectives, flops, programs, roofline, stacks
from sizing.workload import Training

SHARDED_WEIGHTS: Final = ("zero3", "fsdp", "hsdp")
LOW_PRECISION: Final = ("fp8", "mxfp8", "nvfp4")


@dataclass(frozen=True, slots=True)
class Job:
    """Everything that the parts of a step's time are computed from."""

    case: Case
    training: Training
    plan: Plan
    system: System
    profile: flops.Profile
    adapters: flops.AdapterWork | None
    stack: stacks.Stack
    rates: roofline.Rates
    tokens: float
    recompute_products: float
    recompute_pointwise: float
    recompute_attention: float
    fusion: float
    efficiency: float
    wide_experts: bool

    def group(self, size: int, stride: int) -> collectives.Group:
        """Links of a group of GPUs in the order of ranks."""
        return _groups(self.system)[(size, stride)]


class _Groups(dict[tuple[int, int], collectives.Group]):
    """Groups of one system, worked out when first asked for."""

    def __init__(self, system: System) -> None:
        super().__init__()
        self.system = system

    def __missing__(self, key: tuple[int, int]) -> collectives.Group:
        value = self[key] = collectives.group(self.system, *key)
        return value


@lru_cache(maxsize=1024)
def _groups(system: System) -> _Groups:
    return _Groups(system)


def job_of(case: Case) -> Job:
    """Read a training case as its framework runs it."""
    case = programs.as_run(case)
    training, plan = case.workload, case.plan
    stack = stacks.stack_of(training.framework, method=training.method, compute=training.compute)
    checkpointing = training.activation_checkpointing
    products = {"none": 0.0, "selective": stack.selective_matmul, "full": 1.0}[checkpointing]
    pointwise = {"none": 0.0, "selective": stack.selective_pointwise, "full": 1.0}[checkpointing]
    fusion = max(stack.fusion, stacks.COMPILED_FUSION) if training.compile else stack.fusion
    return Job(
        case=case,
        training=training,
        plan=plan,
        system=case.system,
        profile=flops.profile(case.architecture),
        adapters=flops.adapter_work(case.architecture, training.lora) if training.lora else None,
        stack=stack,
        rates=roofline.rates(case.system.gpu, training.compute),
        tokens=training.micro_batch * training.sequence_length / plan.context,
        recompute_products=products,
        recompute_pointwise=pointwise,
        recompute_attention=products,
        fusion=fusion,
        efficiency=training.stack_efficiency or 1.0,
        wide_experts=programs.experts(case.architecture, training.weights, training.framework) == "16-bit",
    )
