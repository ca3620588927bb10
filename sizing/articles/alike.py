"""Letters and signs that are drawn alike: every change keeps the length of a text, so that places stay true."""

from __future__ import annotations

import re
import unicodedata

_FROM = "аеорсхукмтнвіѕјАЕОРСХУКМТНВІЅЈΑΒΕΗΙΚΜΝΟΡΤΧΥαοχ×✕✖⨯хХ∗﹡⁎–—−‑‐、"
_TO = "aeopcxykmthbisjAEOPCXYKMTHBISJABEHIKMNOPTXYaoxxxxxxX***-----,"
TABLE: dict[int, str] = {ord(given): plain for given, plain in zip(_FROM, _TO, strict=True)}
TABLE |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_MARKS = frozenset("™®©")
_SPACES = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp", "Co", "Cn", "Cs"})


def visible(text: str) -> tuple[str, list[int] | None]:
    """A text without signs that nobody sees inside words, and the place of each that is left; None for a whole text."""
    places = [place for place, sign in enumerate(text) if sign < "\x80" or unicodedata.category(sign) != "Cf"]
    if len(places) == len(text):
        return text, None
    return "".join(text[place] for place in places), [*places, len(text)]


def pattern(expression: str) -> re.Pattern[str]:
    """A regular expression written with Cyrillic words, for use on folded text."""
    return re.compile(expression.translate(TABLE))


def plain_sign(sign: str) -> str:
    """A sign as it is compared: lower case, digits of any script as ASCII, a space for what nobody sees."""
    if sign in _MARKS:
        return " "
    if sign in "\n\r\t":
        return ";"
    if sign < "\x80":
        return " " if sign < " " or sign == "\x7f" else sign.lower()
    category = unicodedata.category(sign)
    if category in _SPACES:
        return " "
    if category == "Nd":
        return str(unicodedata.decimal(sign))
    lower = sign.lower()
    return lower if len(lower) == 1 else sign
