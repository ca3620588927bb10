"""Hardware facts of the packaged catalog, and the doors by which a database's rows come in."""

from __future__ import annotations

from sizing.hardware import Cpu, Gpu, Platform
from sizing.hardware_data.catalog import CloudOffer, HardwareCatalog, Sku, packaged
from sizing.hardware_data.names import squashed
from sizing.hardware_data.parts import cpu_from_row, drive_from_row, module_from_row, nic_from_row
from sizing.hardware_data.platform_rows import platform_from_row
from sizing.hardware_data.rows import capacity_bytes, from_row
from sizing.hardware_data.wording import cpu_family, takes_cpu


def gpu(name: str) -> Gpu:
    """A packaged GPU by slug or by a usual spelling: "H100 SXM5 80GB", "h200", "A100-80G".

    Raises
    ------
    SizingError
        For an unknown name, with names that are close.
    """
    return packaged().gpu(name)


def gpus() -> tuple[Gpu, ...]:
    """The packaged GPUs."""
    return packaged().gpus


def platforms() -> tuple[Platform, ...]:
    """The packaged platforms."""
    return packaged().platforms


def platform(name: str) -> Platform:
    """A packaged platform by slug, model, or maker and model."""
    return packaged().platform(name)


def cpu(model: str) -> Cpu | None:
    """A packaged processor by slug or model, None where the list has none."""
    return packaged().cpu(model)


__all__ = [
    "CloudOffer",
    "HardwareCatalog",
    "Sku",
    "capacity_bytes",
    "cpu",
    "cpu_family",
    "cpu_from_row",
    "drive_from_row",
    "from_row",
    "gpu",
    "gpus",
    "module_from_row",
    "nic_from_row",
    "packaged",
    "platform",
    "platform_from_row",
    "platforms",
    "squashed",
    "takes_cpu",
]
