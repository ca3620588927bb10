"""Free shapes of the platform list (maps by width, by modules a channel, lists) as single columns."""

from __future__ import annotations

from typing import Any

_MAPS = {
    "max_gpus": {
        "double_width": "max_gpus",
        "single_width": "max_gpus_single_width",
        "triple_width": "max_gpus_triple_width",
        "quad_width": "max_gpus_quad_width",
    },
    "cpu_max_tdp_w": {"air": "cpu_max_tdp_w", "liquid": "cpu_max_tdp_liquid_w"},
    "memory_max_tb": {"2dpc": "memory_max_tb", "1dpc": "memory_max_1dpc_tb"},
    "memory_speed_mt_s": {"1dpc": "memory_speed_mt_s", "2dpc": "memory_speed_2dpc_mt_s"},
    "weight_kg": {"gross": "weight_gross_kg", "net": "weight_net_kg"},
}
_NOT_COLUMNS = {"supported_gpus"}


def expand(field: str, value: Any) -> dict[str, Any]:
    """Columns that one field of the list fills, e.g. {1dpc, 2dpc} fills two speeds."""
    if field in _NOT_COLUMNS:
        return {}
    if isinstance(value, dict):
        names = _MAPS[field]
        return {names.get(kind, names[min(names)]): part for kind, part in value.items() if part is not None}
    if field == "psu_w" and isinstance(value, list):
        return {"psu_w": value[0], "psu_options_w": ", ".join(str(power) for power in value[1:])}
    if field == "cpu_families":
        return {field: "\n".join(value)}
    if field == "tested_configurations":
        return {field: "\n".join(f"{tested['config']} [{tested['src']}]" for tested in value)}
    if field == "operating_temp_c":
        return {"operating_temp_min_c": value[0], "operating_temp_max_c": value[1]}
    if field == "dimensions_mm_hwd":
        sizes = zip(("height_mm", "width_mm", "depth_mm"), value, strict=True)
        return {name: length for name, length in sizes if length is not None}
    if field == "weight_kg":
        return {"weight_net_kg": value}
    return {field: value}


def collapse(row: dict[str, Any]) -> dict[str, Any]:
    """The list's own shapes from our columns: the way back of `expand`, for the engine's reader."""
    out = dict(row)
    for field, names in _MAPS.items():
        columns = {kind: out.pop(column, None) for kind, column in names.items()}
        known = {kind: value for kind, value in columns.items() if value is not None}
        main = next(iter(names))
        out[field] = (known or None) if field == "weight_kg" or set(known) - {main} else known.get(main)
    options = [int(part) for part in str(out.pop("psu_options_w") or "").split(",") if part.strip().isdecimal()]
    if options and out["psu_w"] is not None:
        out["psu_w"] = [out["psu_w"], *options]
    out["cpu_families"] = [line.strip() for line in out["cpu_families"].splitlines() if line.strip()] or None
    out["tested_configurations"] = [_tested(line) for line in out["tested_configurations"].splitlines() if line.strip()]
    low, high = out.pop("operating_temp_min_c"), out.pop("operating_temp_max_c")
    out["operating_temp_c"] = [low, high] if low is not None and high is not None else None
    sizes = [out.pop(name) for name in ("height_mm", "width_mm", "depth_mm")]
    out["dimensions_mm_hwd"] = sizes if any(size is not None for size in sizes) else None
    return out


def _tested(line: str) -> dict[str, str]:
    config, _, source = line.strip().removesuffix("]").rpartition(" [")
    return {"config": config or line, "src": source if config else ""}


def conflict_column(field: str) -> str:
    """Column that a disagreement of the list is about, e.g. max_gpus.double_width is max_gpus."""
    head, _, kind = field.partition(".")
    return _MAPS.get(head, {}).get(kind, head) if kind else head
