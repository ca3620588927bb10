"""JSON that people upload: read so that whatever is taken can also be stored, by every database."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

from django.utils.translation import gettext as _


class UnstorableError(ValueError):
    """JSON as Python reads it that no database takes; the message names the reason in the reader's language."""


def load(content: str | bytes) -> Any:
    """Read JSON strictly.

    Raises
    ------
    UnstorableError
        For NaN, Infinity and numbers beyond a double, which Python reads and databases refuse, and for texts with
        U+0000 or half of a character.
    ValueError
        For what is no JSON.
    RecursionError
        For JSON nested deeper than Python follows.
    """
    found = json.loads(content, parse_constant=_no_number, parse_float=_finite, parse_int=_whole)
    waiting = [found]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, str) and any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in one):
            raise UnstorableError(_("a text holds a sign that cannot be stored"))
    return found


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


def _whole(text: str) -> int:
    number = int(text)
    return number if abs(number) <= sys.float_info.max else int(_no_number(text))


def _no_number(text: str) -> Any:
    raise UnstorableError(_("“%(text)s” is not a number") % {"text": text[:40]})
