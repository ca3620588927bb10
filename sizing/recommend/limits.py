"""The customer's limits: each is a must or a preference, and each can name what breaks it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sizing import fields
from sizing.assumptions import Ledger
from sizing.errors import SizingError

NUMBERS: Mapping[str, fields.Number] = {
    "deadline_hours": fields.Number(0.01, 1e6, whole=False),
    "budget": fields.Number(1, 1e15, whole=False),
    "rack_power_watts": fields.Number(50, 1e7, whole=False),
    "racks": fields.Number(1, 10_000),
    "rack_units": fields.Number(1, 1000),
    "max_nodes": fields.Number(1, 10_000),
    "max_gpus": fields.Number(1, 100_000),
    "network_gbit_per_gpu": fields.Number(0.1, 100_000, whole=False),
    "host_memory_gb": fields.Number(1, 1e6, whole=False),
}
WORDS: Mapping[str, fields.Field] = {
    "cooling": fields.Choice(("air", "liquid")),
    "form_factor": fields.Choice(("pcie", "sxm", "oam", "superchip")),
    "region": fields.Text(80),
    "platform": fields.Text(120),
    "gpu": fields.Text(80),
    "vendor": fields.Text(80),
    "storage": fields.Text(200),
}
DETAILS = ("must", "prefer", "currency", "net", "why")
CURRENCIES = fields.CURRENCIES


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit. `is_must` false: a wish that changes the order, never the list."""

    name: str
    value: Any
    is_must: bool
    currency: str = ""
    is_net: bool = True


class Limits(dict[str, Limit]):
    """Limits by name."""

    def must(self, name: str) -> Any:
        """The value that has to be kept, None where there is none."""
        limit = self.get(name)
        return limit.value if limit and limit.is_must else None

    def any(self, name: str) -> Any:
        """The value, must or preferred."""
        limit = self.get(name)
        return limit.value if limit else None


def read(raw: object, ledger: Ledger) -> Limits:
    """The limits of a request; a bare value is a must.

    Raises
    ------
    SizingError
        Naming the limit whose value is impossible.
    """
    if raw is None:
        return Limits()
    if not isinstance(raw, Mapping):
        raise SizingError("limits", "{field} must be an object with named limits, given {value}", value=raw)
    found = Limits()
    for name, given in raw.items():
        if given is None:
            continue
        kind = NUMBERS.get(name) or WORDS.get(name)
        if kind is None:
            ledger.warn(f"The limit {str(name)[:60]!r} is not known and was not used.")
            continue
        found[name] = _limit(name, given, kind)
    return found


def _limit(name: str, given: object, kind: fields.Field) -> Limit:
    if not isinstance(given, Mapping):
        return Limit(name, kind.read(given, f"limits.{name}"), is_must=True)
    strict = "must" if given.get("must") is not None else "prefer"
    if given.get(strict) is None:
        raise SizingError(f"limits.{name}", "{field} needs a value under must or prefer", value=given)
    value = kind.read(given[strict], f"limits.{name}.{strict}")
    currency = given.get("currency") or ""
    if currency and currency not in CURRENCIES:
        raise SizingError(
            f"limits.{name}.currency",
            "{value} is no known currency; known are " + ", ".join(CURRENCIES),
            value=currency,
        )
    return Limit(name, value, strict == "must", currency=str(currency), is_net=given.get("net") is not False)
