"""Parameters and weight bytes that one pipeline stage of one tensor-parallel rank holds before data sharding."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sizing.architecture import quantised
from sizing.architecture.layers import EXPERT, ROUTER, LayerGroup
from sizing.architecture.shape import Architecture
from sizing.memory.adapters import adapter_counts
from sizing.memory.behaviours import Behaviour
from sizing.memory.pipeline import Stage
from sizing.plan import Plan
from sizing.speed import programs
from sizing.units import BITS_PER_BYTE
from sizing.workload import Lora, Training

FOUR_BIT: Final = frozenset({"nf4", "nf4_double_quant", "int4", "gptq_int4", "gptq", "awq"})
BITSANDBYTES: Final = programs.BITSANDBYTES
QUANTISED: Final = FOUR_BIT | BITSANDBYTES


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a rank holds of a stage.

    Parameters
    ----------
    dense, experts : float
        Base parameters outside and inside routed experts, after tensor and expert parallelism [–].
    dense_bytes, expert_bytes : float
        The same in the weights' storage format [byte].
    layer : float
        Parameters of the largest layer [–].
    layer_bytes : float
        That layer in 16 bit, as a sharder gathers it; for quantized weights in their own format [byte].
    root : float
        Parameters outside the layers: tables, head, last norm [–].
    head : float
        Parameters of the output matrix [–].
    adapters : float
        Adapter parameters [–].
    largest : float
        Parameters of the largest single matrix [–].
    largest_layer : float
        The same within the layers; gate and up count as one where the stack fuses them [–].
    largest_quantised : float
        Parameters of the largest quantized matrix, which dequantization unpacks at once [–].
    """

    dense: float
    experts: float
    dense_bytes: float
    expert_bytes: float
    layer: float
    layer_bytes: float
    root: float
    root_bytes: float
    head: float
    adapters: float
    layer_adapters: float
    largest: float
    largest_layer: float
    largest_quantised: float

    @property
    def base(self) -> float:
        """All base parameters of the rank [–]."""
        return self.dense + self.experts


def inventory(
    model: Architecture,
    stage: Stage,
    job: Training,
    behaviour: Behaviour,
    *,
    tensor: int,
    expert: int,
    raised: bool,
    wide_experts: bool | None = None,
) -> Inventory:
    """Parameters and bytes of a rank of a stage.

    Parameters
    ----------
    wide_experts : bool, optional
        Whether bitsandbytes leaves routed experts in 16 bit; None for what the framework is known to do.
    """
    if wide_experts is None:
        wide_experts = programs.experts(model, job.weights, job.framework) == "16-bit"
    return _inventory(model, stage, job.weights, job.lora, behaviour, tensor, expert, raised, wide_experts)


@lru_cache(maxsize=4096)
def _inventory(
    model: Architecture,
    stage: Stage,
    weights: str,
    adapter: Lora | None,
    behaviour: Behaviour,
    tensor: int,
    expert: int,
    raised: bool,
    wide_experts: bool,
) -> Inventory:
    layers = _layers(model, stage, weights, _stored(model, weights, raised, wide_experts), tensor, expert)
    root, head = _root(model, stage, behaviour, tensor)
    kept = _kept_bytes(weights, raised)
    root_bytes = root * kept
    if behaviour.quantises_head and weights in BITSANDBYTES:
        root_bytes += head * (_bits(weights) / BITS_PER_BYTE - kept)
    adapters, layer_adapters = adapter_counts(model, stage, adapter, tensor)
    return Inventory(
        dense=layers.dense + root,
        experts=layers.experts,
        dense_bytes=layers.dense_bytes + root_bytes,
        expert_bytes=layers.expert_bytes,
        layer=layers.largest,
        layer_bytes=layers.largest_bytes,
        root=root,
        root_bytes=root_bytes,
        head=head,
        adapters=adapters,
        layer_adapters=layer_adapters,
        largest=model.largest_parameters / tensor,
        largest_layer=_largest_layer(model, stage, behaviour) / tensor,
        largest_quantised=_largest_quantised(model, weights, behaviour) / tensor,
    )


@dataclass(slots=True)
class _Layers:
    """Sums over the layers of a stage, and the largest layer."""

    dense: float = 0.0
    experts: float = 0.0
    dense_bytes: float = 0.0
    expert_bytes: float = 0.0
    largest: float = 0.0
    largest_bytes: float = 0.0


def _layers(
    model: Architecture,
    stage: Stage,
    weights: str,
    stored: _Stored | None,
    tensor: int,
    expert: int,
) -> _Layers:
    total = _Layers()
    for index, count in stage.layers:
        group = model.layers[index]
        routed = group.parameters_of(EXPERT) / (expert * tensor)
        rest = _divided(group, tensor)
        if stored is None:
            routed_bytes, rest_bytes = routed * storage_bytes(weights), rest * storage_bytes(weights)
        else:
            routed_bytes, rest_bytes = stored.experts[index] / (expert * tensor), stored.rest[index] / tensor
        total.dense += count * rest
        total.experts += count * routed
        total.dense_bytes += count * rest_bytes
        total.expert_bytes += count * routed_bytes
        if rest + routed > total.largest:
            total.largest = rest + routed
            total.largest_bytes = routed_bytes + rest_bytes if stored is not None else 2 * (rest + routed)
    return total


def storage_bytes(weights: str) -> float:
    """Bytes of a parameter in a plain format [byte]."""
    return {"fp32": 4.0, "fp8": 1.0, "mxfp8": 1.0}.get(weights, 2.0)


def _bits(weights: str) -> float:
    return {"int8": 8.0, "nf4_double_quant": 4.127}.get(weights, 4.5)


def raises_norms(job: Training, behaviour: Behaviour, plan: Plan) -> bool:
    """Whether everything that is not quantized is kept in fp32.

    peft.prepare_model_for_kbit_training does so for bitsandbytes formats; sharded runs leave it out, because a sharder
    wants one format in each unit.
    """
    alone = plan.sharding in ("none", "ddp", "device_map")
    return behaviour.raises_norms and alone and job.lora is not None and job.weights in BITSANDBYTES


def _kept_bytes(weights: str, raised: bool) -> float:
    """Bytes of a parameter that is not quantized [byte]."""
    if weights not in QUANTISED:
        return storage_bytes(weights)
    return 4.0 if raised else 2.0


@dataclass(frozen=True, slots=True)
class _Stored:
    """Bytes of one layer of each group as stored: routed experts, everything else [byte]."""

    experts: tuple[float, ...]
    rest: tuple[float, ...]


@lru_cache(maxsize=1024)
def _stored(model: Architecture, weights: str, raised: bool, wide_experts: bool) -> _Stored | None:
    """Quantized layers; what is not quantized is fp32 after k-bit preparation, experts left out stay 16-bit."""
    if weights not in QUANTISED:
        return None
    kept = "fp32" if raised else "bf16"
    layers = quantised.weight_bytes(model, weights, quantise_experts=not wide_experts, kept=kept).layer_bytes
    experts, rest = [], []
    for group, size in zip(model.layers, layers, strict=True):
        routed = group.parameters_of(EXPERT)
        if wide_experts:
            experts.append(2.0 * routed)
            rest.append(size - (4.0 if raised else 2.0) * routed)
        else:
            share = routed / group.parameters if group.parameters else 0.0
            experts.append(size * share)
            rest.append(size * (1 - share))
    return _Stored(tuple(experts), tuple(rest))


def _divided(group: LayerGroup, tensor: int) -> float:
    """Parameters of a layer outside routed experts; norms and routers are on every tensor-parallel rank."""
    routed = group.parameters_of(EXPERT)
    routers = group.parameters_of(ROUTER)
    whole = group.norm_parameters + group.other_parameters + routers
    return whole + (group.parameters - routed - whole) / tensor


def _root(model: Architecture, stage: Stage, behaviour: Behaviour, tensor: int) -> tuple[float, float]:
    """Parameters outside the layers on a rank of a stage, and those of its head."""
    head = model.head_parameters / tensor if stage.head else 0.0
    root = 0.0
    if stage.embedding:
        root += model.embedding_parameters / tensor + model.position_parameters
    if stage.head:
        root += model.final_norm_parameters + model.head_bias / tensor + model.outer_parameters
        root += sum(linear.parameters for linear in model.outer_linears) / tensor
    shares = model.tied and stage.embedding and not behaviour.untied_head
    if stage.head and not shares:
        root += head
    return root, head


def _largest_layer(model: Architecture, stage: Stage, behaviour: Behaviour) -> float:
    """Parameters of the largest matrix inside the stage's layers [–]."""
    largest = 0.0
    for index, _ in stage.layers:
        for linear in model.layers[index].linears:
            fused = behaviour.sharder == "megatron" and linear.name.endswith("gate_proj")
            largest = max(largest, linear.elements * (2.0 if fused else 1.0))
    return largest


@lru_cache(maxsize=1024)
def _largest_quantised(model: Architecture, weights: str, behaviour: Behaviour) -> float:
    if weights not in QUANTISED:
        return 0.0
    matrices = [linear.elements for linear in model.linears()]
    if behaviour.quantises_head:
        matrices.append(model.head_parameters)
    return float(max(matrices, default=0))


def shard_divisors(plan: Plan) -> tuple[int, int]:
    """Ranks that share the states of dense parameters, and those that share an expert's."""
    dense = max(1, plan.shard)
    return dense, max(1, dense // plan.expert)
