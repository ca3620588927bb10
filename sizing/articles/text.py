"""Text of unknown origin made fit for reading: every change keeps its length, so that places stay true."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

LONGEST = 20_000
"""Characters that are read; a specification of ten pages is shorter, an attack is not [–]."""

_FROM = "аеорсхукмтнвіѕјАЕОРСХУКМТНВІЅЈΑΒΕΗΙΚΜΝΟΡΤΧΥαοχ×✕✖⨯хХ∗﹡⁎–—−‑‐"
_TO = "aeopcxykmthbisjAEOPCXYKMTHBISJABEHIKMNOPTXYaoxxxxxxX***-----"
_TABLE: dict[int, str] = {ord(given): plain for given, plain in zip(_FROM, _TO, strict=True)}
_TABLE |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_MARKS = frozenset("™®©")
_SPACES = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp", "Co", "Cn", "Cs"})
CLAIMED = "\x00"
LEFT = r"(?:(?<![a-z0-9.])|(?<=[\d\s][x*]))"
"""Where a name can begin: after no letter or digit, or after the sign of a count ("8xH200")."""


def folded(text: str) -> str:
    """Lower case, Latin letters for those drawn alike, spaces for signs nobody sees; as long as the text.

    A "Gb" of a network is written "qb", for in lower case nothing else tells it from gigabytes.
    """
    plain = _RATE_BY_WORD.sub(r"\1\2qb", text.translate(_TABLE).replace("_", " "))
    plain = _RATE_AFTER_WORD.sub(r"\1\2qb", plain)
    lowered = "".join(_plain_sign(sign) for sign in plain)
    lowered = _DASH.sub(" ; ", lowered)
    return lowered.replace("(r)", "   ").replace("(tm)", "    ")


_DASH = re.compile(r" - (?!\d{1,3} ?шt[. ]*(?:$|[;,]))")


def pattern(expression: str) -> re.Pattern[str]:
    """A regular expression written with Cyrillic words, for use on folded text."""
    return re.compile(expression.translate(_TABLE))


_NETWORK = (
    r"(?:nics?|ports?|порт\w{0,2}|ethernet|infiniband|ib|lan|сетев\w{2,4}|адаптер\w{0,2}|[oq]sfp\w{0,6})(?![a-z])"
)
_RATE_BY_WORD = re.compile(
    rf"(?<![\d.,])(10|25|50|100|200|400|800)(\s?)gb(?=[\s-]+(?:\d[\s-]?|dual[\s-]|single[\s-]|quad[\s-])?{_NETWORK})".translate(
        _TABLE
    ),
    re.IGNORECASE,
)
_RATE_AFTER_WORD = re.compile(
    rf"((?i:(?<![a-z]){_NETWORK})[\s:-]+(?:\d{{1,2}}\s?[x*]\s?)?(?:10|25|50|100|200|400|800))(\s?)Gb(?![A-Za-z])".translate(
        _TABLE
    )
)


def _plain_sign(sign: str) -> str:
    if sign in _MARKS:
        return " "
    if sign in "\n\r\t":
        return ";"
    if sign < "\x80":
        return " " if sign < " " or sign == "\x7f" else sign.lower()
    if unicodedata.category(sign) in _SPACES:
        return " "
    lower = sign.lower()
    return lower if len(lower) == 1 else sign


_PART_NUMBER = (
    r"(?:p\d{5}-[a-z]\d{2}|[a-z]\d[a-z]\d{2}[a-z]|\d{3}-[a-z]{4}|4x\d{2}a\d{5}|[bc](?=[a-z0-9]*\d)[a-z0-9]{3}(?=\s))"
)
_SIGN_BEFORE = pattern(
    rf"(?<!\d)(?<!\d\.)(?<!\de)(?<!\de[+-])(\d{{1,3}})\s?[x*]\s*(?:{_PART_NUMBER}\s+(?:int|amd|nvidia)?\s*)?$"
)
_PIECES_BEFORE = pattern(
    r"(?<!\d)(?<!\d\.)(\d{1,3})\s?(?:шт\.?|pcs\.?|ea\.?|штук\w?|план(?:к\w{0,2}|ок)|плашк\w{0,2}|модул\w{1,2}|sticks?|modules?)(?:\s*(?:[x*]|по\b|by\b))?\s*$"
)
_LOOSE_BEFORE = re.compile(r"(?<![\da-z+-])(?<!\d[.,])(\d{1,2})\s+$")
_WORD = pattern(r"(dual|twin|quad|octa|双路|два|две|четыре|восемь|two|four|eight)[\s-]+$")
_PIECES = r"(?:шт|pcs|pieces|units|ea\b|штук)"
_AFTER = pattern(
    r"[\s)\]]*(?:[\s,(\[-]*(?:x|\*|qty:?|кол-во:?|количество:?)\s{0,2}(\d{1,3})"
    r"(?![\d.]*\s?(?:gb|g\b|tb|гб|тб|x\s?\d|\*)|\d)"
    rf"|[\s(\[]{{1,3}}(\d{{1,3}})\s?{_PIECES}\.?"
    rf"|\s?[,-]\s?(\d{{1,3}})\s?{_PIECES}\.?(?=\s*(?:[,;|/+)\x00-]|$)))[)\]]?"
)
_WORDS = {"dual": 2,
    "双路": 2, "twin": 2, "quad": 4, "octa": 8, "два": 2, "две": 2, "четыре": 4, "восемь": 8, "two": 2, "four": 4,
          "eight": 8}  # fmt: skip
_NEAR = 40
_GAP = re.compile(r"[\s:@()\[\]-]*")
_GAP_BEFORE = re.compile(r"[\s:()\[\]-]*$")


@dataclass(frozen=True, slots=True)
class Framed:
    """A found core with what belongs to it: its attributes and its count."""

    start: int
    end: int
    count: int | None
    attributes: str
    is_count_loose: bool = False


@dataclass(slots=True)
class Canvas:
    """Folded text of which each recognizer takes its part; what is taken cannot be read again."""

    text: str
    _signs: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self._signs = []

    def claim(self, spans: list[tuple[int, int]]) -> None:
        """Take spans out of the text."""
        signs = list(self.text)
        for start, end in spans:
            signs[start:end] = CLAIMED * (end - start)
        self.text = "".join(signs)

    def frame(
        self, start: int, end: int, attribute: re.Pattern[str], floor: int, before: re.Pattern[str] | None = None
    ) -> Framed:
        """Attributes and count around a core, none before `floor`: [count] [attributes] core [attributes] [count].

        A sign before ("8x H200") goes before anything behind, for what is behind can be the next one's. `before` is the
        pattern of attributes in front of the core where it differs.
        """
        end, right = self._attributes_after(end, attribute)
        start, left = self._attributes_before(start, before or attribute, floor)
        count, place, is_loose = self._sign_before(start, floor)
        if count is None:
            count, end = self._count_after(end)
            if count is not None:
                end, more = self._attributes_after(end, attribute)
                right = f"{right} {more}"
        if count is None:
            count, place, is_loose = self._count_before(start, floor)
        if count is not None and place < start:
            start, more = self._attributes_before(place, before or attribute, floor)
            left = f"{more} {left}"
        return Framed(start, end, count or None, f"{left} {right}".strip(), is_loose)

    def _attributes_after(self, end: int, attribute: re.Pattern[str]) -> tuple[int, str]:
        found: list[str] = []
        while True:
            gap = _GAP.match(self.text, end, end + 6)
            match = attribute.match(self.text, gap.end() if gap else end)
            if match is None or match.end() == end:
                return end, " ".join(found)
            found.append(match[0])
            end = match.end()

    def _attributes_before(self, start: int, attribute: re.Pattern[str], floor: int) -> tuple[int, str]:
        found: list[str] = []
        while True:
            window = max(floor, start - _NEAR)
            gap = _GAP_BEFORE.search(self.text, window, start)
            stop = gap.start() if gap else start
            match = next((m for m in attribute.finditer(self.text, window, stop) if m.end() == stop), None)
            if match is None or match.start() == match.end() or _is_inside_word(self.text, match.start()):
                return start, " ".join(found)
            found.insert(0, match[0])
            start = match.start()

    def _count_after(self, end: int) -> tuple[int | None, int]:
        match = _AFTER.match(self.text, end, end + _NEAR)
        if match is None:
            return None, end
        return int(match[1] or match[2] or match[3]), match.end()

    def _sign_before(self, start: int, floor: int) -> tuple[int | None, int, bool]:
        match = _SIGN_BEFORE.search(self.text, max(floor, start - _NEAR), start)
        return (int(match[1]), match.start(), False) if match else (None, start, False)

    def _count_before(self, start: int, floor: int) -> tuple[int | None, int, bool]:
        window = max(floor, start - _NEAR)
        if match := _PIECES_BEFORE.search(self.text, window, start):
            return int(match[1]), match.start(), False
        if match := _WORD.search(self.text, window, start):
            return _WORD_COUNTS[match[1]], match.start(), False
        if match := _LOOSE_BEFORE.search(self.text, window, start):
            return int(match[1]), match.start(), True
        return None, start, False


def _is_inside_word(text: str, place: int) -> bool:
    """Whether a word goes on to the left; the sign of a count does not count ("8xNVMe")."""
    if place and text[place - 1].isdigit() and text[place].isdigit():
        return True
    if place == 0 or not text[place - 1].isalpha() or not text[place].isalpha():
        return False
    return not (text[place - 1] == "x" and place > 1 and (text[place - 2].isdigit() or text[place - 2] == " "))


_WORD_COUNTS = {word.translate(_TABLE): count for word, count in _WORDS.items()}
