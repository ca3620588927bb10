"""Candidates side by side, out of the stored answer of the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from quotes.models import Estimate
from quotes.views.desk.figures import Gauge, gauge

LABELS = {
    "smallest": _("Smallest"),
    "recommended": _("Recommended"),
    "headroom": _("With headroom"),
    "article": _("Your article"),
    "nearest": _("Nearest"),
}
TOPOLOGY = {
    "nvswitch": "topo-nvswitch",
    "nvlink-bridge": "topo-bridge",
    "pcie": "topo-pcie",
    "none": "topo-single",
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
    def gauge(self) -> Gauge | None:
        """Give the bar of that memory."""
        return gauge(self.memory)

    @property
    def speed(self) -> dict[str, Any]:
        """Give speed and time to result."""
        return (self.data.get("estimate") or {}).get("speed") or {}

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
        name = TOPOLOGY.get(str(self.data.get("interconnect")), "topo-pcie")
        return f"components/icons/{name}.html"


def columns(estimate: Estimate, chosen_rank: int | None) -> list[Column]:
    """Give the labelled candidates and the chosen one, in the engine's order."""
    found = []
    for one in estimate.candidates:
        chosen = one.get("rank") == chosen_rank
        if one.get("labels") or chosen:
            roles = [LABELS.get(label, label) for label in one.get("labels") or []]
            found.append(Column(int(one.get("rank") or 0), roles, chosen, one))
    return found[:MOST_COLUMNS]
