"""One row of the GPU or platform list becomes one object, or is refused with its column named."""

from __future__ import annotations

from typing import Any

import pytest

from sizing import hardware_data
from sizing.errors import SizingError
from sizing.hardware_data import wording
from sizing.units import GIB

ROW: dict[str, Any] = {
    "id": "x100-sxm",
    "vendor": "NVIDIA",
    "name": "X100 SXM",
    "architecture": "Hopper",
    "socket": "sxm5",
    "memory_gb": 80,
    "memory_bandwidth_tb_s": 3.35,
    "bf16_tflops": 989,
    "nvlink_gb_s": 900,
    "pcie_gen": 5,
    "pcie_lanes": 16,
    "tdp_w": 700,
}


def test_row_becomes_a_gpu_in_base_units() -> None:
    gpu = hardware_data.from_row(ROW)

    assert gpu.bandwidth_bytes_per_s == pytest.approx(3.35e12)
    assert gpu.peak_flops_per_s("bf16") == pytest.approx(989e12)
    assert gpu.link_bytes_per_s == 450e9  # 900 GB/s counts both directions
    assert gpu.pcie_bytes_per_s == pytest.approx(63e9, rel=0.001)  # 16 x 32 GT/s x 128/130 / 8
    assert gpu.peak_flops_per_s("fp8") is None


@pytest.mark.parametrize(
    ("extra", "capacity"),
    [
        ({"memory_torch_gib": 79.1, "memory_usable_gib": 79.65}, round(79.1 * GIB)),
        ({"memory_usable_gib": 79.65}, round(79.65 * GIB)),
        ({}, 80 * 10**9),
    ],
)
def test_capacity_is_torch_then_usable_then_marketed(extra: dict[str, float], capacity: int) -> None:
    assert hardware_data.from_row(ROW | extra).memory_bytes == capacity


def test_unread_link_is_taken_as_none_and_said() -> None:
    gpu = hardware_data.from_row(ROW | {"nvlink_gb_s": None})

    assert gpu.link_bytes_per_s == 0
    assert [supplied.field for supplied in gpu.supplied] == ["nvlink_gb_s"]


@pytest.mark.parametrize(
    ("change", "column"),
    [
        ({"memory_bandwidth_tb_s": None}, "memory_bandwidth_tb_s"),
        ({"tdp_w": None}, "tdp_w"),
        ({"bf16_tflops": None}, "bf16_tflops"),
        ({"memory_gb": "eighty"}, "memory_gb"),
        ({"memory_gb": -80}, "memory_gb"),
        ({"memory_gb": True}, "memory_gb"),
        ({"tdp_w": float("nan")}, "tdp_w"),
        ({"pcie_gen": 9}, "pcie_gen"),
        ({"memory_usable_gib": 140.4}, "memory_usable_gib"),
    ],
)
def test_unusable_row_is_refused_with_its_column(change: dict[str, Any], column: str) -> None:
    with pytest.raises(SizingError) as refused:
        hardware_data.from_row(ROW | change)

    assert refused.value.field == f"gpus.x100-sxm.{column}"
    assert str(refused.value)


def test_platform_is_refused_when_a_gpu_has_another_socket() -> None:
    gpus = {gpu.slug: gpu for gpu in hardware_data.gpus()}
    row = {"id": "p", "vendor": "V", "model": "M", "gpu_form_factor": "SXM5", "supported_gpus": ["h200-nvl"]}

    with pytest.raises(SizingError, match="form factor pcie"):
        hardware_data.platform_from_row(row, gpus, {})


def test_platform_is_refused_when_a_gpu_is_unknown() -> None:
    row = {"id": "p", "vendor": "V", "model": "M", "gpu_form_factor": "SXM5", "supported_gpus": ["h900"]}

    with pytest.raises(SizingError, match="h900"):
        hardware_data.platform_from_row(row, {}, {})


def test_platform_of_nulls_stays_unknown() -> None:
    platform = hardware_data.platform_from_row({"id": "p", "vendor": "V", "model": "M"}, {}, {})

    unknown = (platform.max_power_w, platform.rack_units, platform.max_gpus, platform.psu_count, platform.mass_kg)
    assert unknown == (None,) * 5
    assert platform.sockets == ()
    assert platform.cooling == frozenset()


@pytest.mark.parametrize(
    ("text", "sockets"),
    [
        ("SXM5 or OAM", ("sxm5", "oam")),
        ("SXM6 (B200) / SXM5 (H200)", ("sxm5", "sxm6")),
        ("PCIe (4 or 8 double-width) or 4-GPU HGX", ("pcie", "sxm5")),
        (None, ()),
    ],
)
def test_sockets_are_read_from_the_makers_words(text: str | None, sockets: tuple[str, ...]) -> None:
    assert wording.sockets_of(text) == sockets


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("air, up to 10 fans; direct-to-chip option", {"air", "liquid"}),
        ("direct liquid (Neptune)", {"liquid"}),
        ("air for CPUs, liquid-assisted air for GPUs", {"air"}),
        (None, set()),
    ],
)
def test_cooling_is_read_from_the_makers_words(text: str | None, ways: set[str]) -> None:
    assert wording.cooling_of(text) == ways


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("Xeon Platinum 8558", "Xeon Scalable gen 5"),
        ("Xeon Gold 6530", "Xeon Scalable gen 5"),
        ("Xeon Platinum 8480+", "Xeon Scalable gen 4"),
        ("Xeon 6767P", "Xeon 6700P"),
        ("Xeon 6960P", "Xeon 6900P"),
        ("EPYC 9654", "EPYC 9004"),
        ("EPYC 9575F", "EPYC 9005"),
        ("EPYC 7763", "EPYC 7003"),
        ("Core i9", None),
    ],
)
def test_processor_family_follows_from_the_number(model: str, family: str | None) -> None:
    assert hardware_data.cpu_family(model) == family


@pytest.mark.parametrize(
    ("families", "model", "takes"),
    [
        (("Xeon Scalable gen 4", "Xeon Scalable gen 5"), "Xeon Platinum 8558", True),
        (("Xeon Scalable gen 4",), "Xeon Platinum 8558", False),
        (("Xeon 6",), "Xeon 6787P", True),
        (("Xeon 6",), "Xeon Gold 6530", False),
        (("Xeon Platinum 8480C",), "Xeon Platinum 8480C", True),
        (("Xeon Platinum 8480C",), "Xeon Platinum 8558", False),
        ((), "EPYC 9654", None),
        (("EPYC 9004",), "Something", None),
    ],
)
def test_platform_takes_the_processors_of_its_list(families: tuple[str, ...], model: str, takes: bool | None) -> None:
    assert hardware_data.takes_cpu(families, model) is takes
