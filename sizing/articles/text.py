"""Text of unknown origin made fit for reading: every change keeps its length, so that places stay true."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sizing.articles.alike import TABLE, pattern, plain_sign
from sizing.articles.counts import NEAR, PIECES, counted, without_doubles

LONGEST = 20_000
"""Characters that are read; a specification of ten pages is shorter, an attack is not [–]."""

CLAIMED = "\x00"
LEFT = r"(?:(?<![a-z0-9.])|(?<=[\d\s][x*]))"
"""Where a name can begin: after no letter or digit, or after the sign of a count ("8xH200")."""


def folded(text: str) -> str:
    """Lower case, Latin letters for those drawn alike, spaces for signs nobody sees; as long as the text.

    A "Gb" of a network is written "qb", for in lower case nothing else tells it from gigabytes.
    """
    plain = _RATE_BY_WORD.sub(r"\1\2qb", text.translate(TABLE).replace("_", " "))
    plain = _RATE_AFTER_WORD.sub(r"\1\2qb", plain)
    lowered = "".join(plain_sign(sign) for sign in plain)
    lowered = without_doubles(lowered.replace("(r)", "   ").replace("(tm)", "    "))
    return _NEXT.sub(";", _DASH.sub(" ; ", lowered))


_DASH = pattern(rf" - (?!\d{{1,3}} {{0,24}}(?:{PIECES}[. )]*)?(?:$|[,;|]|(?:в|для|in|for|für|with|each) ))")
_NEXT = re.compile(r"(?<=[a-z])\+(?=\d{1,3}\s?[x*])")


_NETWORK = (
    r"(?:nics?|ports?|порт\w{0,2}|ethernet|infiniband|ib|lan|сетев\w{2,4}|адаптер\w{0,2}|[oq]sfp\w{0,6})(?![a-z])"
)
_RATE_BY_WORD = re.compile(
    rf"(?<![\d.,])(10|25|50|100|200|400|800)(\s?)gb(?=[\s-]+(?:\d[\s-]?|dual[\s-]|single[\s-]|quad[\s-])?{_NETWORK})".translate(
        TABLE
    ),
    re.IGNORECASE,
)
_RATE_AFTER_WORD = re.compile(
    rf"((?i:(?<![a-z]){_NETWORK})[\s:-]+(?:\d{{1,2}}\s?[x*]\s?)?(?:10|25|50|100|200|400|800))(\s?)Gb(?![A-Za-z])".translate(
        TABLE
    )
)


_SPACE = re.compile(r"\s*")
_GAP = re.compile(r"[\s:=@()\[\]-]*")
_GAP_BEFORE = re.compile(r"[\s:=()\[\]-]*$")


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

    def claim(self, spans: list[tuple[int, int]]) -> None:
        """Take spans out of the text."""
        signs = list(self.text)
        for start, end in spans:
            signs[start:end] = CLAIMED * (end - start)
        self.text = "".join(signs)

    def put_back(self, start: int, text: str) -> None:
        """Give back a stretch that was taken for nothing."""
        self.text = self.text[:start] + text + self.text[start + len(text) :]

    def frame(
        self,
        start: int,
        end: int,
        attribute: re.Pattern[str],
        floor: int,
        *,
        before: re.Pattern[str] | None = None,
        lead: re.Pattern[str] | None = None,
    ) -> Framed:
        """Attributes and count around a core, none before `floor`: lead, count, attributes, core, both again.

        `before` is the pattern of attributes in front of the core where it differs, `lead` that of those in front of
        the count.
        """
        end, right = self._attributes_after(end, attribute)
        start, left = self._attributes_before(start, before or attribute, floor)
        count = counted(self.text, start, end, floor)
        if count is not None and count.end > end:
            end, more = self._attributes_after(count.end, attribute)
            right = f"{right} {more}"
        if count is not None and count.start < start:
            start, more = self._attributes_before(count.start, lead or before or attribute, floor)
            left = f"{more} {left}"
        number = count.number if count is not None else None
        return Framed(start, end, number or None, f"{left} {right}".strip(), count is not None and count.is_loose)

    def _attributes_after(self, end: int, attribute: re.Pattern[str]) -> tuple[int, str]:
        found: list[str] = []
        while True:
            places = (gap.end() for width in (_SPACE, _GAP) if (gap := width.match(self.text, end, end + 6)))
            match = next(
                (
                    m
                    for place in places
                    if (m := attribute.match(self.text, place)) and m[0] and not self.text.startswith("=", m.end())
                ),
                None,
            )
            if match is None:
                return end, " ".join(found)
            found.append(match[0])
            end = match.end()

    def _attributes_before(self, start: int, attribute: re.Pattern[str], floor: int) -> tuple[int, str]:
        found: list[str] = []
        while True:
            window = max(floor, start - NEAR)
            gap = _GAP_BEFORE.search(self.text, window, start)
            stop = gap.start() if gap else start
            match = next((m for m in attribute.finditer(self.text, window, stop) if m.end() == stop), None)
            if match is None or match.start() == match.end() or _is_inside_word(self.text, match.start()):
                return start, " ".join(found)
            found.insert(0, match[0])
            start = match.start()


def _is_inside_word(text: str, place: int) -> bool:
    """Whether a word goes on to the left; the sign of a count does not count ("8xNVMe")."""
    if place and text[place - 1].isdigit() and text[place].isdigit():
        return True
    if place == 0 or not text[place - 1].isalpha() or not text[place].isalpha():
        return False
    return not (text[place - 1] == "x" and place > 1 and (text[place - 2].isdigit() or text[place - 2] == " "))
