"""PCIe lanes and NUMA domains: what hangs on the processors, counted by hand."""

import pytest

from sizing import contract, lanes
from sizing.assumptions import Ledger
from sizing.units import GB

NDR_BYTES_PER_S = 400e9 / 8


def node(**changes):
    given = {
        "gpus": 8,
        "is_switched": False,
        "fabric_ports": 0,
        "port_bytes_per_s": 0.0,
        "drives": 2,
        "processors": 2,
        "lanes_per_processor": 80,
        "needed_bytes": 512 * GB,
        "ledger": Ledger(),
    }
    return lanes.node(**(given | changes))


@pytest.mark.parametrize(
    ("gbit", "slots"),
    [(25, 4), (100, 4), (200, 8), (400, 16), (800, 16)],
)
def test_a_port_takes_the_narrowest_slot_that_carries_it(gbit, slots):
    # A lane of PCIe 5.0 carries 31.5 Gbit/s in one direction.
    assert lanes.width(gbit * 1e9 / 8) == slots


def test_eight_cards_wired_straight_leave_no_lanes_for_a_fabric():
    alone = node()
    with_fabric = node(fabric_ports=8, port_bytes_per_s=NDR_BYTES_PER_S)

    # 8 x 16 cards + x4 for the office network + 2 x 4 drives + 16 for the board.
    assert (alone.needed, alone.available, alone.is_short) == (156, 160, False)
    assert (with_fabric.needed, with_fabric.is_short) == (284, True)


def test_behind_switches_gpus_share_links_and_the_fabric_adds_none():
    switched = node(is_switched=True, fabric_ports=8, port_bytes_per_s=NDR_BYTES_PER_S)

    assert (switched.gpus, switched.needed, switched.is_short) == (64, 92, False)


def test_unknown_lanes_are_never_called_short():
    assert not node(gpus=16, lanes_per_processor=None).is_short


def test_gpus_and_memory_divide_over_the_processors():
    assert node().gpus_per_domain == (4, 4)
    assert node(gpus=3).gpus_per_domain == (2, 1)
    assert node(processors=1).gpus_per_domain == (8,)
    assert node().memory_bytes == 256 * GB


def test_a_candidate_short_of_lanes_is_conditional_and_says_so():
    workload = {
        "task": "training", "method": "qlora", "model": {"name": "llama-3.1-8b"}, "sequence_length": 2048,
        "dataset_tokens": 20_000_000_000,
    }  # fmt: skip
    limits = {"platform": "smc-sys-421ge-tnrt", "gpu": "l40s", "deadline_hours": 200}
    answer = contract.recommend({"workload": workload, "limits": limits})

    several = [one for one in answer["candidates"] if one["nodes"] > 1 and one["gpus_per_node"] == 8]
    assert several
    for one in several:
        found = one["host"]["pcie_lanes"]
        assert found["needed"] > found["available"]
        assert any(reason.startswith("PCIe lanes: ") for reason in one["conditional"])
