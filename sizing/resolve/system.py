"""The machines and the plan of a request, completed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing import fields, frameworks, hardware_data
from sizing.assumptions import Assumption, Ledger
from sizing.errors import SizingError
from sizing.hardware import Gpu, Interconnect, System
from sizing.plan import Plan, Sharding
from sizing.resolve.reader import NOT_STATED, Reader, warn_unknown
from sizing.units import BITS_PER_BYTE, GIB, ceil_div

SHARDED = ("zero1", "zero2", "zero3", "fsdp", "hsdp")
BY_SOCKET: dict[str, Interconnect] = {
    "sxm2": "nvswitch",
    "sxm4": "nvswitch",
    "sxm5": "nvswitch",
    "sxm6": "nvswitch",
    "superchip": "nvswitch",
    "oam": "infinity_fabric",
}
NETWORK_GBIT = {"sxm4": 200.0, "sxm5": 400.0, "sxm6": 400.0, "superchip": 400.0, "oam": 400.0}
PCIE_NETWORK_GBIT = 100.0
MOST_CHUNKS = 8

UNKNOWN_GPU = Gpu(
    slug="unknown",
    name="GPU not named",
    vendor="",
    generation="",
    socket=None,
    memory_bytes=0,
    marketed_memory_gb=0.0,
    bandwidth_bytes_per_s=0.0,
    dense_flops_per_s=(),
    link_bytes_per_s=0.0,
    pcie_bytes_per_s=0.0,
    power_w=0.0,
)


def system(raw: object, plan_raw: object, ledger: Ledger) -> System:
    """The machines a request names; one GPU where it names no number."""
    stated, unknown = fields.read(raw if raw is not None else {}, fields.HARDWARE, "hardware")
    warn_unknown(unknown, ledger)
    gpu = hardware_data.gpu(stated["gpu"]) if "gpu" in stated else UNKNOWN_GPU
    per_node, nodes = _numbers(stated, plan_raw)
    memory = int(stated["memory_gib"] * GIB) if "memory_gib" in stated else gpu.memory_bytes
    return System(
        gpu=gpu,
        gpus_per_node=per_node,
        nodes=nodes,
        interconnect=_interconnect(stated, gpu, per_node, ledger),
        network_bytes_per_s=_network(stated, gpu, nodes, ledger),
        memory_bytes=memory,
    )


def _numbers(stated: Mapping[str, Any], plan_raw: object) -> tuple[int, int]:
    nodes = stated.get("nodes", 1)
    if "gpus_per_node" in stated:
        return stated["gpus_per_node"], nodes
    degrees, _ = fields.read(plan_raw if plan_raw is not None else {}, fields.PLAN, "plan")
    gpus = 1
    for name in ("data", "tensor", "pipeline", "context"):
        gpus *= degrees.get(name, 1)
    if gpus % nodes:
        raise SizingError("hardware.nodes", "{field} is {value}, which does not divide the plan's GPUs", value=nodes)
    return gpus // nodes, nodes


def _interconnect(stated: Mapping[str, Any], gpu: Gpu, per_node: int, ledger: Ledger) -> Interconnect:
    given = stated.get("interconnect")
    if given:
        by_bridge: Interconnect = "nvlink_bridge" if gpu.bridge_max_gpus else "nvswitch"
        return by_bridge if given == "nvlink" else given
    if per_node == 1:
        return "none"
    usual: Interconnect = BY_SOCKET.get(gpu.socket or "", "pcie")
    why = "what servers for this form factor have"
    ledger.assume(Assumption("hardware.interconnect", usual, "", why, NOT_STATED))
    return usual


def _network(stated: Mapping[str, Any], gpu: Gpu, nodes: int, ledger: Ledger) -> float:
    gbit = stated.get("network_gbit_per_gpu")
    if gbit is None:
        gbit = NETWORK_GBIT.get(gpu.socket or "", PCIE_NETWORK_GBIT)
        if nodes > 1:
            why = "one rail a GPU, the usual build of this generation"
            low, high = gbit / 4, gbit * 2
            ledger.assume(
                Assumption("hardware.network_gbit_per_gpu", gbit, "Gbit/s", why, NOT_STATED, low=low, high=high)
            )
    return float(gbit) * 1e9 / BITS_PER_BYTE


def stated_plan(raw: object, ledger: Ledger) -> dict[str, Any]:
    """The fields that a request's plan states; a null counts as absent."""
    stated, unknown = fields.read(raw if raw is not None else {}, fields.PLAN, "plan")
    warn_unknown(unknown, ledger, known=("gpus", "shard"))
    return stated


def plan(raw: object, machines: System, framework: str, ledger: Ledger, *, layers: int = 0) -> Plan:
    """The plan a request names, its missing degrees filled in so that it occupies every GPU.

    Raises
    ------
    SizingError
        Where the degrees do not multiply to the number of GPUs.
    """
    stated = stated_plan(raw, ledger)
    habits = frameworks.defaults(framework)
    gpus = machines.gpus
    take = Reader(stated, ledger, "plan")
    tensor, pipeline, context = (stated.get(name, 1) for name in ("tensor", "pipeline", "context"))
    sharding: Sharding | None = stated.get("sharding")
    if sharding is None:
        why = "default of the framework on several GPUs"
        sharding = "none" if gpus == 1 else take.get("sharding", habits.sharding, why, source=habits.source)
    data = stated.get("data") or _data(gpus, tensor * pipeline * context, sharding)
    if sharding != "device_map" and data * tensor * pipeline * context != gpus:
        raise SizingError(
            "plan.data",
            "{field}: data x tensor x pipeline x context is {product}, the system has {gpus} GPUs",
            value=data,
            product=data * tensor * pipeline * context,
            gpus=gpus,
        )
    return Plan(
        sharding=sharding,
        data=data,
        tensor=tensor,
        pipeline=pipeline,
        context=context,
        expert=stated.get("expert", 1),
        sequence_parallel=stated.get("sequence_parallel", habits.sequence_parallel and tensor > 1),
        reshard_after_forward=stated.get("reshard_after_forward", True),
        virtual_pipeline=stated.get("virtual_pipeline") or _chunks(layers, pipeline, habits, ledger),
        offload=stated.get("offload", "none"),
        shard=shard_size(sharding, data=data, context=context, per_node=machines.gpus_per_node, tensor=tensor),
        attention_data=stated.get("attention_data", 1),
    )


def _chunks(layers: int, pipeline: int, habits: frameworks.Defaults, ledger: Ledger) -> int:
    """Chunks of layers on each stage of an interleaved pipeline [–]: the most, up to eight, that divide a stage."""
    if pipeline < 2 or not habits.interleaves or layers < pipeline:
        return 1
    per_stage = ceil_div(layers, pipeline)
    chunks = max(count for count in range(1, MOST_CHUNKS + 1) if per_stage % count == 0)
    why = "recipes of this framework interleave their stages to shorten the bubble"
    ledger.assume(Assumption("plan.virtual_pipeline", chunks, "", why, habits.source, low=1, high=chunks))
    return chunks


def _data(gpus: int, model_parallel: int, sharding: str) -> int:
    if sharding == "device_map":
        return 1
    if gpus % model_parallel:
        raise SizingError(
            "plan.tensor",
            "tensor x pipeline x context is {product}, which does not divide {gpus} GPUs",
            product=model_parallel,
            gpus=gpus,
        )
    return gpus // model_parallel


def shard_size(sharding: str, *, data: int, context: int, per_node: int, tensor: int = 1) -> int:
    """How many GPUs share one copy of the sharded states [–]."""
    if sharding not in SHARDED:
        return 1
    if sharding == "hsdp":
        return max(1, min(data * context, per_node // max(tensor, 1)))
    return data * context
