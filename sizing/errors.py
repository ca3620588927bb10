"""The one error that the engine raises for input it cannot use."""

from __future__ import annotations

from math import isfinite

_SHOWN_CHARACTERS = 60
_SHOWN_CHARACTERS_OF_OURS = 400
_SHOWN_BITS = 64


class SizingError(ValueError):
    """Input that cannot be sized: which field, what is wrong with it and what to change.

    Parameters
    ----------
    field : str
        Path of the field, e.g. ``model.config.num_hidden_layers``.
    message : str
        English template with named parameters in braces; ``{field}`` and ``{value}`` are always there.
    value : object
        What was given; shown shortened.
    """

    def __init__(self, field: str, message: str, *, value: object = None, **params: object) -> None:
        self.field = field
        self.message = message
        self.value = value
        self.params = {name: shown(given, _SHOWN_CHARACTERS_OF_OURS) for name, given in params.items()}
        super().__init__(field, message)

    @property
    def text(self) -> str:
        """The message in English with its parameters put in."""
        return self.message.format(**{"field": self.field, "value": shown(self.value), **self.params})

    def __str__(self) -> str:
        return self.text


def shown(value: object, most_characters: int = _SHOWN_CHARACTERS) -> str:
    """A value of unknown origin as a short text that is safe to show.

    Examples
    --------
    >>> shown(4096)
    '4096'
    >>> shown(10 ** 5000)
    'a number of 16610 bits'
    """
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "nothing"}[value]
    if isinstance(value, int):
        return str(value) if value.bit_length() <= _SHOWN_BITS else f"a number of {value.bit_length()} bits"
    if isinstance(value, float):
        return f"{value:g}" if isfinite(value) else str(value)
    if isinstance(value, str):
        return value if len(value) <= most_characters else value[:most_characters] + "…"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"an object with {len(value)} keys"
    return type(value).__name__
