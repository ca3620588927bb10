"""Cases that several tests of the speed room start from."""

from dataclasses import replace

from sizing import architecture, hardware_data
from sizing.case import Case
from sizing.hardware import System
from sizing.plan import Plan
from sizing.workload import Lora, Training

JOB = Training(
    method="full",
    weights="bf16",
    compute="bf16",
    master_weights="fp32",
    gradients="bf16",
    optimizer="adamw",
    optimizer_states="fp32",
    optimizer_in_backward=False,
    sequence_length=4096,
    micro_batch=1,
    gradient_accumulation=8,
    activation_checkpointing="full",
    activation_offload=False,
    attention="flash",
    compile=False,
    loss="standard",
    packing="packed",
    framework="trl",
)
ADAPTERS = Lora(rank=16, targets="all-linear")


def machines(gpu="h100-sxm", *, per_node=8, nodes=1, interconnect="nvswitch", network_gbit=400):
    chip = hardware_data.gpu(gpu)
    return System(chip, per_node, nodes, interconnect, network_gbit * 1e9 / 8, chip.memory_bytes)


def case(model="llama-3.1-8b", *, system=None, plan=None, **job):
    system = system or machines()
    plan = plan or Plan(sharding="fsdp", data=system.gpus, shard=system.gpus)
    return Case(architecture.read({"name": model}), replace(JOB, **job), system, plan)


def alone(model="llama-3.1-8b", gpu="h100-sxm", **job):
    return case(model, system=machines(gpu, per_node=1, interconnect="none"), plan=Plan(), **job)
