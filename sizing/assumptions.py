"""What the engine took for granted: one object for each value that nobody stated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Origin = Literal["assumed", "customer", "vendor", "measured"]
Value = float | int | str | bool | None


@dataclass(frozen=True, slots=True)
class Assumption:
    """One value the result rests on, e.g. `micro_batch` = 1 sequence because the customer gave none.

    Parameters
    ----------
    key : str
        Path of the contract field or the name of the mechanism's constant, e.g. ``workload.micro_batch``.
    value, low, high : number, text or None
        Value used and the range in which it is plausible [unit].
    why : str
        One English sentence for the customer's engineer.
    source : str
        Document the value was read from, with a date in `as_of` where there is one.
    """

    key: str
    value: Value
    unit: str
    why: str
    source: str
    low: Value = None
    high: Value = None
    as_of: str = ""
    origin: Origin = "assumed"


@dataclass(slots=True)
class Ledger:
    """Collects assumptions and warnings while a case is completed; the first statement of a key stays."""

    _items: dict[str, Assumption] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def assume(self, assumption: Assumption) -> Value:
        """Note an assumption and give its value back."""
        return self._items.setdefault(assumption.key, assumption).value

    def restate(self, assumption: Assumption) -> Value:
        """Put an assumption in the place of an earlier one that knew less, and give its value back."""
        self._items[assumption.key] = assumption
        return assumption.value

    def warn(self, message: str) -> None:
        """Note a warning once."""
        if message not in self.warnings:
            self.warnings.append(message)

    def __iter__(self) -> Iterator[Assumption]:
        return iter(self._items.values())

    def __contains__(self, key: str) -> bool:
        return key in self._items
