"""Makers' free wording turned into the engine's few words; what a wording does not say stays unsaid."""

from __future__ import annotations

import re

from sizing.hardware import Interconnect, Topology

_SOCKETS = (("sxm2", r"sxm2"), ("sxm4", r"sxm4"), ("sxm5", r"sxm5"), ("sxm6", r"sxm6"), ("oam", r"\boam\b"),
            ("pcie", r"\bpcie\b"), ("superchip", r"superchip"))  # fmt: skip
_FOUR_GPU_HGX = re.compile(r"4-gpu hgx", re.IGNORECASE)
_ONE_MODEL = re.compile(r"(?:Platinum|Gold|Silver) \d{4}|(?:Xeon|EPYC) \d{2}(?:[1-9]\d|\d[1-9])[A-Z]")
_SLOT_WIDTHS = {"single_width": 1, "double_width": 2, "triple_width": 3, "quad_width": 4}

INTERCONNECT: dict[Topology, Interconnect] = {
    "nvswitch": "nvswitch",
    "nvlink_bridge": "nvlink_bridge",
    "infinity_fabric": "infinity_fabric",
    "pcie_switch": "pcie",
    "pcie_dual_root": "pcie",
    "none": "none",
}


def sockets_of(wording: str | None) -> tuple[str, ...]:
    """Every socket a form-factor text names: ``SXM5 or OAM`` gives sxm5 and oam.

    A "4-GPU HGX" variant beside PCIe slots takes Hopper modules (sxm5): all such boards on sale do.
    """
    if not wording:
        return ()
    found = [socket for socket, pattern in _SOCKETS if re.search(pattern, wording, re.IGNORECASE)]
    if _FOUR_GPU_HGX.search(wording) and "sxm5" not in found:
        found.append("sxm5")
    return tuple(found)


def topologies_of(wording: str | None) -> tuple[Topology, ...]:
    """Every way of joining GPUs that a text names.

    The point-to-point NVLink of a 4-GPU board counts as nvswitch: three peers use all links of a GPU, so a ring moves
    what a switch would let it move. Cards wired straight to two processors count as dual root.
    """
    if not wording:
        return ()
    text = wording.lower()
    found: list[Topology] = []
    if "nvswitch" in text or "nvlink switch" in text or "point to point" in text or "4-gpu hgx" in text:
        found.append("nvswitch")
    if "infinity fabric" in text:
        found.append("infinity_fabric")
    if "dual root" in text or "direct" in text:
        found.append("pcie_dual_root")
    elif "pcie" in text and "switch" in text:
        found.append("pcie_switch")
    if "bridge" in text:
        found.append("nvlink_bridge")
    return tuple(found)


def topology_for(socket: str, vendor: str, stated: tuple[Topology, ...]) -> Topology | None:
    """How GPUs of a socket are joined on a platform, from its wording or else from the board the socket implies."""
    if socket == "pcie":
        return next((t for t in stated if t.startswith("pcie_")), None)
    if socket == "oam":
        return "infinity_fabric"
    if socket.startswith("sxm") or socket == "superchip":
        return "nvswitch" if vendor == "NVIDIA" else None
    return None


def cooling_of(wording: str | None) -> frozenset[str]:
    """``air``, ``liquid`` or both, as orderable. Liquid that stays inside an air-cooled chassis is air."""
    if not wording:
        return frozenset()
    text = wording.lower()
    ways = set()
    if re.search(r"\bair\b", text):
        ways.add("air")
    if "direct liquid" in text or "direct-to-chip" in text or text.startswith("liquid"):
        ways.add("liquid")
    return frozenset(ways)


def counts_by_slots(max_gpus: object) -> tuple[int | None, tuple[tuple[int, int], ...]]:
    """The most GPUs of any width, and the most by slot width (slots, count)."""
    if isinstance(max_gpus, dict):
        by_slots = tuple(sorted((_SLOT_WIDTHS[width], int(count)) for width, count in max_gpus.items()))
        return max(count for _, count in by_slots), by_slots
    return (int(max_gpus), ()) if isinstance(max_gpus, int) else (None, ())


def cpu_families(wordings: list[str] | None) -> tuple[str, ...]:
    """``Xeon 6700P/6500P`` is two families; the rest is kept as written."""
    families = []
    for wording in wordings or ():
        head, *rest = wording.split("/")
        families += [head, *(f"{head.split()[0]} {part}" for part in rest)]
    return tuple(families)


def cpu_family(model: str) -> str | None:
    """Family of a processor by its makers' numbering, e.g. ``EPYC 9575F`` is EPYC 9005.

    Notes
    -----
    Intel Scalable: the second digit is the generation (8558 is gen 5); Xeon 6 has a P or E after 4 digits that start
    with 65, 67 or 69. AMD: the last digit is the generation (9654 is 9004, 9655 is 9005).

    Examples
    --------
    >>> cpu_family("Xeon Platinum 8558P"), cpu_family("Xeon 6767P"), cpu_family("EPYC 9575F")
    ('Xeon Scalable gen 5', 'Xeon 6700P', 'EPYC 9005')
    """
    match = re.search(r"(\d)(\d)(\d)(\d)([A-Z]?)", model.upper())
    if match is None:
        return None
    first, second, _, last, suffix = match.groups()
    if "EPYC" in model.upper():
        generation = {"7": {"1": "1", "2": "2", "3": "3"}, "9": {"4": "4", "5": "5"}}.get(first, {}).get(last)
        return f"EPYC {first}00{generation}" if generation else None
    graded = any(grade in model.upper() for grade in ("PLATINUM", "GOLD", "SILVER", "BRONZE"))
    if not graded and first == "6" and second in "579" and suffix in ("P", "E"):
        return f"Xeon 6{second}00{suffix}"
    return f"Xeon Scalable gen {second}" if first in "34568" and second in "12345" else None


def takes_cpu(families: tuple[str, ...], model: str) -> bool | None:
    """Whether a platform's list of processor families takes a model; None where either is unknown."""
    family = cpu_family(model)
    if not families or family is None:
        return None
    for listed in families:
        if _ONE_MODEL.search(listed):
            if listed.upper() == model.upper():
                return True
        elif listed == family or (listed == "Xeon 6" and family.startswith("Xeon 6")):
            return True
    return False
