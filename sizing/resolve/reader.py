"""Stated fields of a request, and the ledger line for each one that is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing.assumptions import Assumption, Ledger

NOT_STATED = "not stated in the request"


class Reader:
    """Takes stated fields out of a request and notes what had to be assumed."""

    def __init__(self, stated: Mapping[str, Any], ledger: Ledger, prefix: str) -> None:
        self.stated = stated
        self.ledger = ledger
        self.prefix = prefix

    def get(self, name: str, default: Any, why: str, *, unit: str = "", **details: Any) -> Any:
        """The stated value, or the default, which then stands in the ledger."""
        if name in self.stated:
            return self.stated[name]
        source = details.pop("source", NOT_STATED)
        self.ledger.assume(Assumption(f"{self.prefix}.{name}", default, unit, why, source, **details))
        return default


def warn_unknown(names: list[str], ledger: Ledger, *, known: tuple[str, ...] = ()) -> None:
    """Tell which names of a request were not understood."""
    structural = {"task", "model", "lora", "profile", *known}
    for name in names:
        if name not in structural:
            ledger.warn(f"The field {name!r} is not known and was not used.")
