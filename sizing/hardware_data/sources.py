"""Documents that hardware facts were read from."""

from __future__ import annotations

from dataclasses import dataclass

_FIRST_HAND = frozenset({"maker", "maker_code", "submission", "measured"})


@dataclass(frozen=True, slots=True)
class Source:
    """A document that facts were read from; `read` says how: direct, quoted or not opened."""

    key: str
    title: str
    address: str
    kind: str
    read: str
    date: str = ""
    via: str = ""

    @property
    def is_dated_original(self) -> bool:
        """Whether the document itself was read, has a date and is of the maker, a benchmark or a measurement."""
        return self.read == "direct" and bool(self.date) and self.kind in _FIRST_HAND
