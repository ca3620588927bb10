"""What was rejected, told once for all platforms that fail with the same GPUs for the same reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from quotes.presenter import words
from quotes.presenter.engine_words import say
from quotes.presenter.machine_names import gpus_of, servers_of


@dataclass(frozen=True)
class Rejection:
    """Machines with the same GPUs and the same reason: how they are named, the limit they break, and why."""

    gpus: str
    servers: str
    limit: str
    reason: str
    platforms: list[str] = field(default_factory=list)
    count: int = 1


def together(rejected: Iterable[Mapping[str, Any]], *, is_short: bool = False) -> list[Rejection]:
    """Join those that differ in the platform alone, in the order of their first; short leaves sizes of cards out."""
    found: dict[tuple[str, str, str, str], list[str]] = {}
    for one in rejected:
        limit = words.of(words.CAUSES, one.get("limit"), str(one.get("cause") or ""))
        key = (gpus_of(one, is_short=is_short), servers_of(one), limit, say(str(one.get("message") or "")))
        found.setdefault(key, []).append(str(one.get("platform_title") or one.get("platform") or ""))
    return [
        Rejection(gpus, servers, limit, reason, list(dict.fromkeys(filter(None, names))), len(names))
        for (gpus, servers, limit, reason), names in found.items()
    ]
