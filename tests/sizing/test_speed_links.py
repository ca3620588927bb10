"""Collectives against measured link rates, what the links cost a job, and more GPUs."""

import importlib

import pytest

from sizing import speed
from sizing.case import Interval
from sizing.errors import SizingError
from sizing.plan import Plan
from sizing.speed import collectives
from sizing.speed.scaling import gains, knee, no_nvlink_loss

cases = importlib.import_module("tests.sizing.speed_cases")

MEASURED = [
    # gpu, GPUs, nodes, interconnect, payload [B], bus bandwidth [GB/s], tolerance: identifiers of the link table
    ("a100-sxm-80", 8, 1, "nvswitch", 17_179_869_184, 234.9, 0.1),
    ("h200-sxm", 8, 1, "nvswitch", 8_589_934_592, 473.1, 0.1),
    ("h200-sxm", 4, 1, "nvswitch", 8_589_934_592, 363.3, 0.1),
    ("h200-sxm", 8, 1, "nvswitch", 1_048_576, 39.9, 0.35),
    ("b200-sxm", 8, 1, "nvswitch", 17_179_869_184, 845.7, 0.1),
    ("b200-sxm", 32, 4, "nvswitch", 17_179_869_184, 381.8, 0.2),
    ("mi300x", 8, 1, "infinity_fabric", 4_294_967_296, 312.9, 0.1),
    ("mi300x", 2, 1, "infinity_fabric", 4_294_967_296, 47.7, 0.1),
    ("a100-pcie-80", 4, 1, "pcie", 4_000_000_000, 20.8, 0.1),
    ("rtx-5090", 4, 1, "pcie", 4_000_000_000, 35.0, 0.1),
    ("rtx-5090", 8, 1, "pcie", 4_000_000_000, 28.0, 0.2),
]


@pytest.mark.parametrize(("gpu", "gpus", "nodes", "interconnect", "payload", "measured", "tolerance"), MEASURED)
def test_all_reduce_reaches_the_measured_rate(gpu, gpus, nodes, interconnect, payload, measured, tolerance):
    system = cases.machines(gpu, per_node=gpus // nodes, nodes=nodes, interconnect=interconnect)
    links = collectives.group(system, gpus, 1)

    rate = 2 * payload * (gpus - 1) / gpus / links.reduce_seconds(payload) / 1e9
    assert rate == pytest.approx(measured, rel=tolerance)


def test_a_group_of_one_moves_nothing():
    links = collectives.group(cases.machines(), 1, 1)

    assert links.gather_seconds(1e9) == links.reduce_seconds(1e9) == links.exchange_seconds(1e9) == 0


def test_small_messages_are_bound_by_latency():
    links = collectives.group(cases.machines(), 8, 1)

    assert links.reduce_seconds(1024) == pytest.approx(links.latency_seconds, rel=0.01)


def test_groups_that_leave_the_node_use_the_network():
    system = cases.machines(nodes=4)

    inside, across = collectives.group(system, 8, 1), collectives.group(system, 32, 1)
    one_rail = collectives.group(system, 4, 8)
    assert inside.nodes == 1 and across.nodes == one_rail.nodes == 4
    assert inside.bus_bytes_per_s > 300e9
    assert one_rail.bus_bytes_per_s < 50e9 < across.bus_bytes_per_s


def test_a_rack_of_an_nvl72_is_one_domain():
    system = cases.machines("gb200", per_node=4, nodes=18)

    assert collectives.domain(system) == 72
    assert collectives.group(system, 72, 1).nodes == 1


def test_bridged_groups_talk_to_each_other_over_pcie():
    system = cases.machines("h100-nvl", per_node=8, interconnect="nvlink_bridge")

    pair, all_eight = collectives.group(system, 2, 1), collectives.group(system, 8, 1)
    assert pair.bus_bytes_per_s > 5 * all_eight.bus_bytes_per_s


def test_slower_links_never_make_a_job_faster():
    for plan in (
        Plan(sharding="fsdp", data=8, shard=8),
        Plan(sharding="ddp", data=8),
        Plan(sharding="zero3", data=8, shard=8),
        Plan(sharding="zero1", data=2, tensor=4, shard=2, sequence_parallel=True),
    ):
        fast = speed.estimate(cases.case(plan=plan))
        slow = speed.estimate(cases.case(plan=plan, system=cases.machines(interconnect="pcie")))
        assert slow.tokens_per_second_per_gpu.expected <= fast.tokens_per_second_per_gpu.expected


def test_losing_nvlink_costs_little_for_adapters_and_most_for_tensor_parallelism():
    frozen = {"method": "lora", "lora": cases.ADAPTERS, "micro_batch": 8}
    replicas = cases.case(plan=Plan(sharding="ddp", data=8), **frozen)
    tensor = cases.case(
        "llama-3.1-70b",
        plan=Plan(sharding="none", tensor=8, sequence_parallel=True),
        framework="nemo",
        activation_checkpointing="selective",
        **frozen,
    )

    assert 0 <= no_nvlink_loss(replicas) < 0.1
    assert no_nvlink_loss(tensor) > 0.4


def test_nothing_is_lost_where_there_was_no_fast_link():
    assert no_nvlink_loss(cases.alone()) == 0
    assert no_nvlink_loss(cases.case(system=cases.machines("l40s", interconnect="pcie"))) == 0


def test_the_knee_is_where_added_gpus_stop_to_pay():
    curve = [(gpus, Interval(seconds, seconds, seconds)) for gpus, seconds in ((1, 80), (2, 42), (4, 24), (8, 20))]

    # From 4 to 8 the speed grows by 24/20 - 1 = 0.2 where the GPUs grow by 1.
    assert gains(curve) == [None, pytest.approx(80 / 42 - 1), pytest.approx(0.75), pytest.approx(0.2)]
    assert knee(curve) == 4
    assert knee([]) is None
    assert gains([]) == []


def test_nodes_without_a_network_are_refused():
    apart = cases.machines(nodes=2, network_gbit=0)

    with pytest.raises(SizingError, match="network"):
        speed.estimate(cases.case(system=apart))
