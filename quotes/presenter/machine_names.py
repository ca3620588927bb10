"""How a machine is named on every page and in every document: all GPUs of all servers, and in how many servers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import ngettext

from quotes.presenter import quantities as q
from quotes.presenter.memory import without_size
from quotes.presenter.reading import count_of


def gpus_of(candidate: Mapping[str, Any], *, is_short: bool = False) -> str:
    """Name the GPUs in all, e.g. ``16 × H200 NVL 141GB``; short leaves the card's size out.

    What was rejected before its size was known has no count.
    """
    name = str(candidate.get("gpu_name") or candidate.get("gpu") or "")
    name = without_size(name) if is_short else name
    return f"{count_of(candidate)}{q.NO_BREAK}× {name}" if candidate.get("gpus_per_node") else name


def servers_of(candidate: Mapping[str, Any]) -> str:
    """Say in how many servers the GPUs are, e.g. ``in 32 servers``; empty for one."""
    nodes = int(candidate.get("nodes") or 1)
    if nodes == 1:
        return ""
    return ngettext("in %(nodes)s server", "in %(nodes)s servers", nodes) % {"nodes": q.number(nodes)}


def server_of(candidate: Mapping[str, Any]) -> str:
    """Name the platform, and in how many of them the GPUs are."""
    platform = str(candidate.get("platform_title") or candidate.get("platform") or "")
    return ", ".join(filter(None, (platform, servers_of(candidate))))
