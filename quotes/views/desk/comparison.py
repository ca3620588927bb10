"""Candidates side by side, out of the stored answer of the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from quotes.models import Estimate
from quotes.views.desk.results import Result, results_of

LABELS = {
    "smallest": _("Smallest"),
    "recommended": _("Recommended"),
    "headroom": _("With headroom"),
    "article": _("Your article"),
    "in_mind": _("In mind"),
    "nearest": _("Nearest"),
}
TOPOLOGY = {
    "nvswitch": ("topo-nvswitch", _("NVSwitch")),
    "infinity_fabric": ("topo-nvswitch", _("Infinity Fabric")),
    "nvlink_bridge": ("topo-bridge", _("NVLink bridge")),
    "pcie": ("topo-pcie", _("PCIe")),
}
MOST_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class Column:
    """One candidate as the comparison shows it; bytes, seconds and watts as the engine gave them."""

    rank: int
    roles: list[Any]
    is_chosen: bool
    data: dict[str, Any]

    @property
    def memory(self) -> dict[str, Any]:
        """Give the memory of the fullest GPU."""
        return (self.data.get("estimate") or {}).get("memory") or {}

    @property
    def results(self) -> list[Result]:
        """Give the time of a training or the speed of a service."""
        return results_of(self.data)

    @property
    def does_the_job(self) -> bool:
        """Say whether every limit that must hold is kept; older answers do not say otherwise."""
        return self.data.get("does_the_job") is not False

    @property
    def gpus(self) -> int:
        """Give the number of GPUs in all."""
        return int(self.data.get("gpus_per_node") or 1) * int(self.data.get("nodes") or 1)

    @property
    def icon(self) -> str:
        """Give the drawing of the topology."""
        if int(self.data.get("nodes") or 1) > 1:
            return "components/icons/topo-nodes.html"
        if self.gpus == 1:
            return "components/icons/topo-single.html"
        name, _label = TOPOLOGY.get(str(self.data.get("interconnect")), TOPOLOGY["pcie"])
        return f"components/icons/{name}.html"

    @property
    def topology(self) -> Any:
        """Name how the GPUs talk to each other."""
        if self.gpus == 1:
            return _("one card")
        name = str(self.data.get("interconnect"))
        return TOPOLOGY[name][1] if name in TOPOLOGY else name


def others(estimate: Estimate, shown: list[Column]) -> list[Column]:
    """Give the candidates that also do the job and stand in no column."""
    ranks = {one.rank for one in shown}
    rows = [Column(int(one.get("rank") or 0), [], False, one) for one in estimate.candidates]
    return [one for one in rows if one.rank not in ranks and one.does_the_job]


def columns(estimate: Estimate, chosen_rank: int | None) -> list[Column]:
    """Give the labelled candidates and the chosen one, in the engine's order."""
    found = []
    for one in estimate.candidates:
        chosen = one.get("rank") == chosen_rank
        if one.get("labels") or chosen:
            roles = [LABELS.get(label, label) for label in one.get("labels") or []]
            found.append(Column(int(one.get("rank") or 0), roles, chosen, one))
    if len(found) > MOST_COLUMNS:
        found = [one for one in found if one.data.get("labels") != ["headroom"] or one.is_chosen]
    kept = found[:MOST_COLUMNS]
    return kept if any(one.is_chosen for one in kept) else kept + [one for one in found if one.is_chosen]
