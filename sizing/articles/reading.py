"""What was read from an article: lines with their place in the text and how sure the reading is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from sizing.articles.sentences import TEMPLATES
from sizing.errors import shown

Kind = Literal["platform", "gpu", "cpu", "memory", "drive", "nic", "psu", "other"]
Certainty = Literal["read", "likely", "guess"]
Value = str | int | float
_LONGEST_SAID = 240


@dataclass(frozen=True, slots=True)
class Line:
    """One component.

    Parameters
    ----------
    value : text or number
        GPU and platform by catalog slug (as printed where the catalog has none), processor by model, memory module
        [GB], drive [TB], network port [Gbit/s], power supply [W].
    count : int or None
        Pieces; None where the text does not say.
    certainty : "read", "likely" or "guess"
        Printed and unambiguous; inferred from the rest of the text; a form that looks like one.
    start, end : int
        Place in the text that was given.
    details : pairs
        What else the text says of it: ``mt_s``, ``memory_gb``, ``power_w``, ``model``, ``total_gb`` …
    """

    kind: Kind
    value: Value
    count: int | None
    text: str
    certainty: Certainty
    start: int
    end: int
    details: tuple[tuple[str, Any], ...] = ()

    def detail(self, name: str) -> Any:
        """A further statement about the component, None where there is none."""
        return dict(self.details).get(name)


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence as a template with named parameters, so that it can be translated."""

    code: str
    template: str
    params: tuple[tuple[str, object], ...] = ()

    @property
    def text(self) -> str:
        """The sentence in English."""
        return self.template.format(**{name: _said(value) for name, value in self.params})


def _said(value: object) -> str:
    """A parameter as text: whole numbers without exponent, our own lists whole, anything longer shortened."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) and len(value) <= _LONGEST_SAID else shown(value)


def message(code: str, /, **params: object) -> Message:
    """The sentence of a code with its parameters."""
    return Message(code, TEMPLATES[code], tuple(params.items()))


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything read from one text, in the order of the text."""

    lines: tuple[Line, ...]
    unread: tuple[str, ...]
    not_stated: tuple[str, ...]
    conflicts: tuple[Message, ...] = ()
    notes: tuple[Message, ...] = ()
    to_confirm: tuple[Message, ...] = ()
    is_cut: bool = field(default=False)

    def of(self, kind: Kind) -> Iterator[Line]:
        """The lines of a kind."""
        return (line for line in self.lines if line.kind == kind)

    def first(self, kind: Kind) -> Line | None:
        """The first line of a kind, None where the text has none."""
        return next(self.of(kind), None)
