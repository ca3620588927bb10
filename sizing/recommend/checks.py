"""Hard rules: what rules a placement out, what makes it conditional, which wishes it misses."""

from __future__ import annotations

from math import floor

from sizing.recommend import budget
from sizing.recommend.build import Build
from sizing.recommend.limits import Limits
from sizing.recommend.search import Placement, Violation
from sizing.software import Check
from sizing.units import GB, HOUR, ceil_div, digits_apart, format_apart, format_bytes, format_seconds

SOCKET_KIND = {"pcie": "pcie", "oam": "oam", "superchip": "superchip"}


def judge(
    placement: Placement, build: Build, limits: Limits, needs: list[Check], *, deadline_seconds: float | None
) -> None:
    """Fill in violations, conditions and missed wishes of a placement."""
    placement.build = build
    placement.software = needs
    placement.deadline_is_assumed = deadline(limits) is None
    placement.has_wishes = any(not limit.is_must for limit in limits.values())
    found = [
        *_fits(placement),
        *_deadline(placement, limits, deadline_seconds),
        *[(Violation("software", one.message, 3.0), True) for one in needs if one.status == "no"],
        *_words(placement, limits),
        *_host(build, limits),
        *_room(placement, build, limits),
        *budget.broken(build, limits),
        *_counts(placement, limits),
    ]
    for violation, is_must in found:
        if is_must:
            placement.violations.append(violation)
        else:
            placement.missed.append(violation.message)
    placement.budget = budget.state(build, limits)
    placement.conditions.extend(budget.conditions(build, limits))
    placement.conditions.extend(_conditions(placement, build))
    placement.conditions.extend(one.message for one in needs if one.status == "open")


Found = list[tuple[Violation, bool]]


def _fits(placement: Placement) -> Found:
    outcome = placement.outcome
    if not outcome.fits:
        needed, there = format_apart(outcome.device.high, outcome.capacity_bytes)
        short = format_bytes(outcome.device.high - outcome.capacity_bytes)
        message = f"Memory: the upper band needs {needed} a GPU, {there} are there; {short} short."
        return [(Violation("memory", message, outcome.device.high / outcome.capacity_bytes), True)]
    if not outcome.load:
        return [(Violation("load", outcome.load_message, outcome.load_ratio), True)]
    return []


def _deadline(placement: Placement, limits: Limits, deadline_seconds: float | None) -> Found:
    seconds, wished = placement.outcome.seconds, wished_deadline(limits)
    if seconds is None:
        return []
    found: Found = []
    took = f"Deadline: up to {format_seconds(seconds.high)} at the upper band,"
    if deadline_seconds is not None and seconds.high > deadline_seconds:
        stands = "are assumed as the limit" if placement.deadline_is_assumed else "allowed"
        message = f"{took} {format_seconds(deadline_seconds)} {stands}."
        found.append((Violation("deadline", message, seconds.high / deadline_seconds), True))
    if wished is not None and seconds.high > wished:
        found.append(
            (Violation("deadline", f"{took} {format_seconds(wished)} wished for.", seconds.high / wished), False)
        )
    return found


def _words(placement: Placement, limits: Limits) -> Found:
    """Cooling, form factor, maker."""
    found: Found = []
    platform, gpu = placement.platform, placement.gpu
    cooling = limits.get("cooling")
    if cooling and platform.cooling and cooling.value not in platform.cooling:
        offered = " or ".join(sorted(platform.cooling))
        message = f"Cooling: the platform is cooled by {offered} only, the site gives {cooling.value}."
        found.append((Violation("cooling", message, 2.0), cooling.is_must))
    form = limits.get("form_factor")
    kind = SOCKET_KIND.get(gpu.socket or "", "sxm")
    if form and form.value != kind:
        message = f"Form factor: {gpu.name} is {kind.upper()}, {str(form.value).upper()} is asked for."
        found.append((Violation("form_factor", message, 2.0), form.is_must))
    vendor = limits.get("vendor")
    if vendor and str(vendor.value).lower() not in (platform.vendor.lower(), gpu.vendor.lower()):
        message = (
            f"Maker: the platform is by {platform.vendor} and the GPU by {gpu.vendor}; {vendor.value} is asked for."
        )
        found.append((Violation("vendor", message, 2.0), vendor.is_must))
    for name, given in (("gpu", gpu.slug), ("platform", platform.slug)):
        wish = limits.get(name)
        if wish and not wish.is_must and str(wish.value).lower().replace(" ", "-") not in given:
            found.append((Violation(name, f"{wish.value} was preferred.", 1.5), False))
    return found


def _host(build: Build, limits: Limits) -> Found:
    """Host memory that the customer, the platform or the article gives against what the plan needs."""
    needed = build.host.needed_bytes
    found: Found = []
    limit = limits.get("host_memory_gb")
    if limit and needed > limit.value * GB:
        asked, given = format_apart(needed, limit.value * GB, binary=False)
        message = f"Host memory: the plan needs {asked} a node, {given} are given."
        found.append((Violation("host_memory_gb", message, needed / (limit.value * GB)), limit.is_must))
    if needed > build.module_bytes:
        asked, given = format_apart(needed, build.module_bytes)
        whose = "the article has" if build.is_offered else "the platform takes"
        message = f"Host memory: the plan needs {asked} a node, {whose} {given}."
        found.append((Violation("host_memory", message, needed / build.module_bytes), True))
    return found


def _room(placement: Placement, build: Build, limits: Limits) -> Found:
    """Power, units and number of racks."""
    found: Found = []
    per_rack = placement.nodes
    power = limits.get("rack_power_watts")
    if power:
        high = build.facility.power_w.high
        per_rack = min(per_rack, floor(power.value / high))
        if per_rack < 1:
            digits = digits_apart(high / 1000, power.value / 1000)
            message = (
                f"Power: one node draws up to {high / 1000:.{digits}f} kW, "
                f"the rack gives {power.value / 1000:.{digits}f} kW."
            )
            found.append((Violation("rack_power_watts", message, high / power.value), power.is_must))
    units = limits.get("rack_units")
    height = placement.platform.rack_units
    if units and height:
        per_rack = min(per_rack, floor(units.value / height))
        if units.value < height:
            message = f"Rack units: the platform takes {height}U, {units.value}U are free."
            found.append((Violation("rack_units", message, height / units.value), units.is_must))
    return [*found, *_racks(placement, max(per_rack, 1), limits)]


def _racks(placement: Placement, per_rack: int, limits: Limits) -> Found:
    bound = limits.get("rack_power_watts") or limits.get("rack_units")
    racks = limits.get("racks")
    if not racks and not bound:
        return []
    allowed = racks.value if racks else 1
    is_must = racks.is_must if racks else bool(bound and bound.is_must)
    needed = ceil_div(placement.nodes, per_rack)
    if needed <= allowed:
        return []
    cause = "rack_power_watts" if limits.get("rack_power_watts") else "racks"
    what = "of this power and height" if bound else "of this height"
    message = f"Racks: {placement.nodes} nodes need {needed} racks {what}, {allowed} given."
    if cause == "rack_power_watts":
        message = f"Power and racks: {placement.nodes} nodes need {needed} racks {what}, {allowed} given."
    return [(Violation(cause if not racks else "racks", message, needed / allowed), is_must)]


def _counts(placement: Placement, limits: Limits) -> Found:
    found: Found = []
    for name, has, what in (("max_nodes", placement.nodes, "nodes"), ("max_gpus", placement.gpus, "GPUs")):
        limit = limits.get(name)
        if limit and has > limit.value:
            message = f"Number: {has} {what}, {limit.value} allowed."
            found.append((Violation(name, message, has / limit.value), limit.is_must))
    return found


def _conditions(placement: Placement, build: Build) -> list[str]:
    """What has to be confirmed before this can be offered without a reserve."""
    reasons = []
    support, platform = placement.support, placement.platform
    if support.confirmation != "confirmed":
        basis = "a dated document shows it" if support.is_documented else "no dated document of the maker was read"
        reasons.append(f"Support of {placement.gpu.name} in {platform.title} is not confirmed: {basis}.")
    if support.max_count is None:
        reasons.append("The number of these GPUs that the platform takes is not published.")
    if build.lanes.is_short:
        reasons.append(
            f"PCIe lanes: {build.lanes.needed} are needed and the processors give {build.lanes.available}; "
            "the platform's block diagram has to show what shares a link."
        )
    if build.facility.is_derived:
        reasons.append("The maker publishes no maximum power for this composition; it is derived with a band.")
    if not platform.cooling:
        reasons.append("The way of cooling is not published.")
    if platform.rack_units is None:
        reasons.append("The height in rack units is not published.")
    if platform.dimm_slots is None:
        reasons.append("The number of memory slots is not published.")
    return reasons


def deadline(limits: Limits) -> float | None:
    """The deadline that must be kept [s], None where there is none."""
    hours = limits.must("deadline_hours")
    return None if hours is None else hours * HOUR


def wished_deadline(limits: Limits) -> float | None:
    """The deadline that is preferred [s], None where there is none or it must be kept."""
    hours = None if limits.must("deadline_hours") is not None else limits.any("deadline_hours")
    return None if hours is None else hours * HOUR
