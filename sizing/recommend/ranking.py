"""Which placements to show, in which order, and under which label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from sizing.plans import COMFORTABLE_SHARE
from sizing.recommend import coverage
from sizing.recommend.search import Placement
from sizing.units import format_seconds

TIME_MARGIN = 0.7
ROOM_TO_GROW = 1.4
MOST_SHOWN = 80


def order(found: list[Placement], *, deadline_seconds: float | None) -> list[tuple[Placement, list[str]]]:
    """Every placement that does the job, smallest of each kind, with its labels, the recommended one first.

    The order goes by total cost where every line of every placement has a price, else by nodes, GPUs, board power and
    height; missed wishes come first of all.
    """
    if not found:
        return []
    measure = measure_of(found)
    smallest = min(found, key=lambda one: one.size)
    by_wish = sorted(found, key=lambda one: (len(one.missed), measure(one)))
    relaxed = [one for one in by_wish if has_margin(one, deadline_seconds)]
    recommended = relaxed[0] if relaxed else by_wish[0]
    headroom = _roomier(relaxed, recommended) or _roomier(by_wish, recommended)
    labels: dict[int, list[str]] = {}
    for one, label in ((recommended, "recommended"), (smallest, "smallest"), (headroom, "headroom")):
        if one is not None:
            labels.setdefault(id(one), []).append(label)
    chosen = {id(one): one for one in (recommended, smallest, headroom) if one is not None}
    rest = _varied([one for one in _first_sizes(by_wish) if id(one) not in chosen])
    return [(one, labels.get(id(one), [])) for one in (*chosen.values(), *rest)]


def shown(ordered: list[tuple[Placement, list[str]]]) -> list[tuple[Placement, list[str]]]:
    """The first of an order, with every GPU among them."""
    labels = {id(one): found for one, found in ordered}
    return [(one, labels[id(one)]) for one in coverage.cut([one for one, _ in ordered], MOST_SHOWN)]


def is_priced(found: list[Placement]) -> bool:
    """Whether every line of every placement has a price, so that totals can be compared."""
    return bool(found) and all(one.build is not None and one.build.cost is not None for one in found)


def measure_of(found: list[Placement]) -> Callable[[Placement], tuple[float, ...]]:
    """What placements are ordered by."""
    if not is_priced(found):
        return lambda one: one.size
    return lambda one: ((one.build.cost if one.build else None) or 0.0, *one.size)


def _first_sizes(found: list[Placement]) -> list[Placement]:
    """Of each platform with each GPU the first, which is the smallest that does the job."""
    first: dict[tuple[str, str], Placement] = {}
    for one in found:
        first.setdefault((one.platform.slug, one.gpu.slug), one)
    return list(first.values())


def _varied(found: list[Placement]) -> list[Placement]:
    """By wishes and number; among equals every GPU once on its best platform, then the second-best ones."""
    turn: Counter[tuple[str, int, int]] = Counter()
    turns = []
    for place, one in enumerate(found):
        kind = (one.gpu.slug, one.per_node, one.nodes)
        turns.append(((len(one.missed), one.nodes, one.gpus, turn[kind], place), one))
        turn[kind] += 1
    return [one for _, one in sorted(turns, key=lambda ranked: ranked[0])]


def has_margin(placement: Placement, deadline_seconds: float | None) -> bool:
    """Whether the upper bands leave some memory and some time free."""
    outcome = placement.outcome
    if outcome.share_used > COMFORTABLE_SHARE or outcome.offload:
        return False
    if deadline_seconds is None or outcome.seconds is None:
        return True
    return outcome.seconds.high <= TIME_MARGIN * deadline_seconds


def _roomier(by_wish: list[Placement], recommended: Placement) -> Placement | None:
    """The next larger one: clearly more memory in all, or clearly faster."""

    def memory(one: Placement) -> float:
        return one.gpus * float(one.gpu.memory_bytes)

    def seconds(one: Placement) -> float:
        return one.outcome.seconds.expected if one.outcome.seconds else float("inf")

    larger = [
        one
        for one in by_wish
        if one is not recommended
        and memory(one) >= ROOM_TO_GROW * memory(recommended)
        and seconds(one) <= seconds(recommended)
    ]
    return min(larger, key=lambda one: (len(one.missed), one.size), default=None)


def reasons_for(
    placement: Placement, labels: list[str], *, deadline_seconds: float | None, wishes: bool = False
) -> list[str]:
    """Why one would take it."""
    outcome = placement.outcome
    found = []
    if "smallest" in labels:
        found.append("The smallest configuration that does the job.")
    found.append(f"Even at the upper band live data takes {outcome.share_used:.0%} of each GPU.")
    if outcome.seconds is not None and deadline_seconds:
        used = outcome.seconds.high / deadline_seconds
        share = f"{used:.0%}" if used >= 0.01 else "less than 1%"
        given = f"the assumed limit of {format_seconds(deadline_seconds)}"
        whole = given if placement.deadline_is_assumed else "the time given"
        found.append(f"At the upper band it is ready after {share} of {whole}.")
    if placement.gpus > 1 and outcome.machines.interconnect in ("nvswitch", "infinity_fabric"):
        found.append("All GPUs of a node exchange at full link speed.")
    if labels and wishes and not placement.missed:
        found.append("Keeps every wish.")
    return found


def reasons_against(placement: Placement, *, task: str = "training") -> list[str]:
    """What speaks against it."""
    found = list(placement.missed)
    outcome = placement.outcome
    if outcome.share_used > COMFORTABLE_SHARE:
        found.append("The upper memory band comes close to the capacity: longer examples need another plan.")
    if outcome.waiting > 1:
        found.append(f"The runs wait for one another: {outcome.copies} at a time, {outcome.waiting} rounds.")
    if outcome.offload:
        found.append("States are kept in host memory: every step waits for PCIe, and the host needs the memory.")
    if placement.nodes > 1:
        found.append("Several nodes: the network and its set-up decide the speed.")
    if placement.gpus > 1 and outcome.machines.interconnect == "pcie":
        found.append("The GPUs exchange over PCIe only.")
    if placement.gpus == 1:
        what = (
            "a second experiment waits, a failure stops the work"
            if task == "training"
            else "a failure stops the service"
        )
        found.append(f"One GPU: {what}.")
    return found
