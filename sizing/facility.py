"""What the room must give: power at the wall, heat, rack units, circuits."""

from __future__ import annotations

from dataclasses import dataclass

from sizing.assumptions import Assumption, Ledger
from sizing.case import Interval
from sizing.hardware import Gpu, Platform

CPU_W = 350.0
MODULE_W = 8.0
DRIVE_W = 14.0
NIC_W = 25.0
BOARD_W = 150.0
SWITCH_BOARD_W = 400.0
FAN_SHARE_AIR = 0.15
FAN_SHARE_LIQUID = 0.04
PSU_EFFICIENCY = 0.94
BAND = (0.80, 1.12)
BTU_PER_WH = 3.412
SWITCHED_SOCKETS = ("sxm5", "sxm6", "sxm4")


@dataclass(frozen=True, slots=True)
class Facility:
    """One node at the wall and in the rack."""

    power_w: Interval
    is_derived: bool
    rack_units: int | None
    cooling: tuple[str, ...]
    heat_btu_per_h: float


def node(
    platform: Platform,
    gpu: Gpu,
    *,
    gpus: int,
    cpus: int,
    cpu_w: float | None,
    modules: int,
    drives: int,
    nics: int,
    ledger: Ledger,
) -> Facility:
    """Power of one node at full load [W], at the wall.

    Notes
    -----
    Where the maker printed a maximum for the full chassis, that is the upper edge. Otherwise parts x board power, plus
    fans as a share, over the efficiency of the supplies; the band covers fan speed, power limits and supplies.
    """
    is_liquid = platform.cooling == frozenset({"liquid"})
    parts = gpus * gpu.power_w + cpus * (cpu_w or CPU_W) + modules * MODULE_W + drives * DRIVE_W + nics * NIC_W
    parts += SWITCH_BOARD_W if gpu.socket in SWITCHED_SOCKETS else BOARD_W
    fans = FAN_SHARE_LIQUID if is_liquid else FAN_SHARE_AIR
    wall = parts * (1 + fans) / PSU_EFFICIENCY
    derived = Interval(wall, wall * BAND[0], wall * BAND[1])
    printed = platform.max_power_w if gpus == platform.max_gpus else None
    if printed:
        power = Interval(min(wall, printed), min(wall, printed) * BAND[0], max(printed, min(derived.high, printed)))
    else:
        power = derived
        ledger.assume(
            Assumption(
                "facility.power",
                round(wall),
                "W",
                "the maker prints no maximum for this composition",
                "board powers, fans as a share, supply efficiency",
                low=round(derived.low),
                high=round(derived.high),
            )
        )
    return Facility(
        power_w=power,
        is_derived=printed is None,
        rack_units=platform.rack_units,
        cooling=tuple(sorted(platform.cooling)),
        heat_btu_per_h=power.expected * BTU_PER_WH,
    )
