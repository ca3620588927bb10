"""What the customer stated, as name and value, out of the engine's input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from quotes.services.ledger import ROOMS
from quotes.summaries import model_name
from quotes.wording import ORDER, name_of

FIXED = frozenset({"workload.model", "workload.task"})


@dataclass(frozen=True, slots=True)
class Stated:
    """One stated field, e.g. the sequence length; `can_change` where another value can be tried."""

    key: str
    name: str
    value: Any

    @property
    def can_change(self) -> bool:
        """Say whether the desk can try another value."""
        return (
            self.key.partition(".")[0] in ROOMS and self.key not in FIXED and isinstance(self.value, int | float | str)
        )


def facts(asked: Mapping[str, Any]) -> list[Stated]:
    """Give the stated fields in the order of the table, then the rest by their own names."""
    flat = dict(_flatten(asked))
    found: list[Stated] = []
    model = model_name((asked.get("workload") or {}).get("model") or {})
    if model:
        found.append(Stated("workload.model", _("Model"), model))
    found += [Stated(name, name_of(name), flat.pop(name)) for name in ORDER if name in flat]
    return found + [Stated(name, name_of(name), value) for name, value in flat.items() if "." in name]


def _flatten(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in data.items():
        path = f"{prefix}.{name}" if prefix else str(name)
        if path in ("workload.model", "workload.profile", "id"):
            continue
        if isinstance(value, Mapping) and not value.keys() & {"must", "prefer"}:
            yield from _flatten(value, path)
        elif isinstance(value, Mapping):
            yield path, _limit(value)
        elif value is not None:
            yield path, value


def _limit(limit: Mapping[str, Any]) -> Any:
    value = limit.get("must", limit.get("prefer"))
    strength = _("must") if "must" in limit else _("prefer")
    currency = f" {limit['currency']}" if limit.get("currency") else ""
    words = f"{value:,}" if isinstance(value, int | float) else str(value)
    return f"{words}{currency} ({strength})"
