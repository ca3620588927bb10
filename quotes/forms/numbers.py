"""Numbers as people type them: grouping spaces, decimal commas, k and million; and as the page says them back."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from django.utils.translation import get_language

NARROW_SPACE = "\u202f"
MAX_DIGITS = 400
# Beyond any figure of a form; such a number is neither multiplied nor spelled out.
MOST_POWER_OF_TEN = 30

_SPACES = re.compile(r"[\s\u00a0\u202f\u2009'_]+")
_ENGLISH_GROUPS = re.compile(r"^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$")
_SUFFIXES = {
    "k": 10**3,
    "к": 10**3,
    "тыс": 10**3,
    "m": 10**6,
    "mn": 10**6,
    "м": 10**6,
    "млн": 10**6,
    "b": 10**9,
    "bn": 10**9,
    "млрд": 10**9,
    "t": 10**12,
    "трлн": 10**12,
}
_SUFFIXED = re.compile(r"^([+-]?[\d.,]+)([a-zа-я]+)\.?$")


def parse(text: str, *, whole: bool = False, language: str | None = None) -> Decimal | None:
    """Read a number in the reader's way of writing, or return None where it is none.

    Parameters
    ----------
    text : str
        As typed, e.g. ``"1 234,5"``, ``"4,096"``, ``"50M"``, ``"2 млн"`` [–].
    whole : bool
        A whole number is wanted, so a comma before three digits groups thousands in either language.
    language : str or None
        ``"ru"`` reads a comma as the decimal sign; the active language when None.
    """
    compact = _SPACES.sub("", text.strip().lower()).replace("−", "-")
    if not compact or len(compact) > MAX_DIGITS:
        return None
    factor = 1
    match = _SUFFIXED.match(compact)
    if match:
        compact, suffix = match.groups()
        factor = _SUFFIXES.get(suffix, 0)
        if not factor:
            return None
    if _ENGLISH_GROUPS.match(compact) and (whole or not (language or get_language() or "en").startswith("ru")):
        compact = compact.replace(",", "")
    try:
        value = Decimal(compact.replace(",", "."))
    except InvalidOperation:
        return None
    if not value.is_finite():
        return None
    if value and abs(value.adjusted()) > MOST_POWER_OF_TEN:
        return value if value.adjusted() > 0 else Decimal(0)
    return value * factor


def say(value: float | Decimal, *, language: str | None = None) -> str:
    """Write a number the way the reader writes it: ``1,234.5`` or ``1 234,5``."""
    text = f"{Decimal(str(value)):,f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if (language or get_language() or "en").startswith("ru"):
        return text.replace(",", NARROW_SPACE).replace(".", ",")
    return text
