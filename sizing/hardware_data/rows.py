"""Rows of the GPU list, or of a database with the same columns, as engine objects."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sizing.errors import SizingError
from sizing.hardware import Conflict, FieldSources, Gpu, Supplied
from sizing.units import BITS_PER_BYTE, GB, GIB, GIGA, TB, TERA

Row = Mapping[str, Any]

_FORMATS = (("fp32", "fp32_tflops"), ("tf32", "tf32_tflops"), ("bf16", "bf16_tflops"), ("fp16", "fp16_tflops"),
            ("fp8", "fp8_tflops"), ("fp4", "fp4_tflops"), ("int8", "int8_tops"))  # fmt: skip
_PCIE_LANE = {3: 8.0 * 128 / 130, 4: 16.0 * 128 / 130, 5: 32.0 * 128 / 130, 6: 64.0 * 242 / 256}
"""Payload of one lane, one direction, by generation [Gbit/s]: line rate x coding (PCI-SIG base specifications)."""

_USABLE_SHARE = (0.85, 1.10)
"""Usable memory of a card as share of its marketed figure read as GiB: ECC and driver take up to 12 %; makers that
print decimal GB make it more than 1 [–]."""


def from_row(row: Row) -> Gpu:
    """One GPU from a row with the columns of ``gpus.yaml`` (the catalog's database has the same).

    Facts that an estimate cannot do without and the row lacks are errors; a link speed that nobody read is taken as
    none, which is the slow reading, and noted in `supplied`.

    Raises
    ------
    SizingError
        For a missing, malformed or contradictory value, naming the column.
    """
    slug = str(row.get("id") or row.get("slug") or "")
    where = f"gpus.{slug or '?'}"
    if not slug:
        raise SizingError(where, "A GPU needs an id.")
    marketed = _number(row, "memory_gb", where, required=True)
    supplied = tuple(row.get("supplied") or ())
    link_gb_s = _number(row, "nvlink_gb_s", where)
    if link_gb_s is None:
        why = "no source was read: taken as none, so that traffic between GPUs is counted at PCIe speed"
        supplied += (Supplied("nvlink_gb_s", 0.0, why),)
    bridge = int(_number(row, "nvlink_bridge_max_gpus", where) or 0)
    capability = row.get("compute_capability")
    return Gpu(
        slug=slug,
        name=str(row["name"]),
        vendor=str(row["vendor"]),
        generation=str(row.get("architecture") or ""),
        socket=row.get("socket") or None,
        memory_bytes=capacity_bytes(row),
        marketed_memory_gb=marketed or 0.0,
        bandwidth_bytes_per_s=(_number(row, "memory_bandwidth_tb_s", where, required=True) or 0.0) * TB,
        dense_flops_per_s=_peaks(row, where),
        link_bytes_per_s=(link_gb_s or 0.0) * GB / 2,
        pcie_bytes_per_s=_pcie(row, where),
        power_w=_number(row, "tdp_w", where, required=True) or 0.0,
        compute_capability=None if capability is None else float(capability),
        bridge_max_gpus=bridge,
        scale_up_domain=int(_number(row, "scale_up_domain_max", where) or bridge or 1),
        flash_attention=bool(row.get("flash_attention_2")),
        fp8=bool(row.get("fp8")),
        slots=None if row.get("slots") is None else int(row["slots"]),
        min_cuda=row.get("min_cuda"),
        min_rocm=row.get("min_rocm"),
        memory_type=row.get("memory_type"),
        chip=row.get("chip"),
        confidence=str(row.get("confidence") or "low"),
        supplied=supplied,
        conflicts=conflicts_of(row),
        sources=sources_of(row),
        notes=str(row.get("notes") or ""),
    )


def capacity_bytes(row: Row) -> int:
    """What a framework can use of a GPU [B].

    `memory_torch_gib` (what PyTorch prints as total capacity), else `memory_usable_gib` (what nvidia-smi or rocm-smi
    shows), else the marketed figure. Marketed GB of an accelerator are counted as 10^9 bytes, which is the smaller
    reading: parts whose maker counts in 2^30 then show a little less than they have.
    """
    where = f"gpus.{row.get('id') or row.get('slug') or '?'}"
    marketed = _number(row, "memory_gb", where, required=True) or 0.0
    for column in ("memory_torch_gib", "memory_usable_gib"):
        size = _number(row, column, where)
        if size is None:
            continue
        low, high = _USABLE_SHARE
        if not low * marketed <= size <= high * marketed:
            message = "{field} says {value} GiB for a GPU sold with {marketed} GB: one of them is wrong."
            raise SizingError(f"{where}.{column}", message, value=size, marketed=marketed)
        return round(size * GIB)
    return round(marketed * GB)


def conflicts_of(row: Row) -> tuple[Conflict, ...]:
    """Sources that disagree, as the row keeps them."""
    return tuple(
        Conflict(c["field"], tuple((v["value"], v["src"]) for v in c["values"]), c.get("chosen"), c.get("why", ""))
        for c in row.get("conflicts") or ()
    )


def sources_of(row: Row) -> FieldSources:
    """Source keys by column."""
    return tuple((column, tuple(keys)) for column, keys in (row.get("src") or {}).items())


def check_sources(row: Row, known: frozenset[str], where: str) -> None:
    """Every value has a source, every source exists; raises for the first column that breaks the rule."""
    for column, keys in sources_of(row):
        if missing := [key for key in keys if key not in known]:
            raise SizingError(f"{where}.{column}", "{field} names the source {value}, which is not listed.",
                              value=missing[0])  # fmt: skip
    for conflict in conflicts_of(row):
        if missing := [key for _, key in conflict.values if key not in known]:
            raise SizingError(f"{where}.conflicts", "{field} names the source {value}, which is not listed.",
                              value=missing[0])  # fmt: skip


def _number(row: Row, column: str, where: str, *, required: bool = False) -> float | None:
    value = row.get(column)
    if value is None:
        if required:
            raise SizingError(f"{where}.{column}", "{field} is not known: without it nothing can be sized.")
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number) or number < 0 or (required and number == 0):
        raise SizingError(
            f"{where}.{column}", "{field} cannot be {value}: it has to be a positive number.", value=value
        )
    return number


def _peaks(row: Row, where: str) -> tuple[tuple[str, float], ...]:
    """Dense peaks by number format [FLOP/s]; FP16 runs at the BF16 rate on every chip that has BF16."""
    peaks = {name: rate * TERA for name, column in _FORMATS if (rate := _number(row, column, where))}
    if "bf16" in peaks:
        peaks.setdefault("fp16", peaks["bf16"])
    if not peaks.keys() & {"bf16", "fp16"}:
        raise SizingError(f"{where}.bf16_tflops", "{field} is not known: without it nothing can be sized.")
    return tuple(sorted(peaks.items()))


def _pcie(row: Row, where: str) -> float:
    """Host link, one direction [B/s]."""
    generation = int(_number(row, "pcie_gen", where, required=True) or 0)
    lanes = _number(row, "pcie_lanes", where) or 16
    if generation not in _PCIE_LANE:
        raise SizingError(
            f"{where}.pcie_gen", "{field} cannot be {value}: generations 3 to 6 are known.", value=generation
        )
    return _PCIE_LANE[generation] * lanes * GIGA / BITS_PER_BYTE
