"""A reading as one flat row, in the words of the catalog's article rows."""

from __future__ import annotations

from typing import Any

from sizing.articles.reading import Line, Reading


def parsed(reading: Reading) -> dict[str, Any]:
    """The row of a reading: ``platform, gpu, gpu_count, cpu, dimm_gb, ssd_tb, network_gb_s`` and so on.

    Only what the text says is there. Of several lines of a kind the first counts.
    """
    row: dict[str, Any] = {}
    for line in reversed(reading.lines):
        row |= _of(line)
    modules = [line for line in reading.of("memory") if line.detail("total_gb") is None and line.count]
    if modules:
        row["memory_gb"] = sum(float(line.value) * (line.count or 0) for line in modules)
    return row


def _of(line: Line) -> dict[str, Any]:
    rows: dict[str, dict[str, Any]] = {
        "platform": {"platform": line.value},
        "gpu": {"gpu": line.value, "gpu_count": line.count, "gpu_memory_gb": line.detail("memory_gb"),
                "gpu_tdp_w": line.detail("power_w"), "variant": line.detail("variant")},
        "cpu": {"cpu": line.value, "cpu_count": line.count},
        "memory": {"memory_gb": line.detail("total_gb")} if line.detail("total_gb") is not None else
                  {"dimm_gb": line.value, "dimm_count": line.count},
        "drive": {"ssd_tb": line.value, "ssd_count": line.count},
        "nic": {"network_gb_s": line.value if isinstance(line.value, int) else None, "nic_count": line.count},
        "psu": {"psu_w": line.value if isinstance(line.value, int) else None, "psu_count": line.count},
        "other": {str(line.detail("what")): line.value} if line.detail("what") in ("condition", "warranty") else {},
    }  # fmt: skip
    row = rows[line.kind]
    if line.kind == "memory":
        row |= {"memory_mt_s": line.detail("mt_s"), "memory_type": line.detail("memory_type")}
    return {name: value for name, value in row.items() if value is not None}
