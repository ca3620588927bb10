"""The rest of an article: condition, warranty, controllers and other words, and what nobody has to read."""

from __future__ import annotations

import re

from sizing.articles.alike import pattern
from sizing.articles.reading import Certainty, Line
from sizing.articles.text import CLAIMED, Canvas

_EDGE = r"(?<![a-z0-9])(?:{})(?![a-z0-9])"

_CONDITIONS: tuple[tuple[str, str], ...] = (
    ("new", r"brand\s?new|\bnew\b|новый|новая|новое|новые|factory\s?sealed|в\sзаводской\sупаковке"),
    ("refurbished", r"refurb(?:ished)?|\bref\b|восстановлен\w{2,3}|реф\b"),
    ("used", r"\bused\b|б\s?/\s?у|бу\b|бывш\w{2,3}\s{1,4}в\s{1,4}употреблении|second[\s-]hand|pre-?owned"),
    ("open box", r"open[\s-]box|витринн\w{2,3}"),
)
_WARRANTY = pattern(
    r"(?:(?:гарант\w{2,4}|warranty|support|поддержка|prosupport(?:\s?plus)?|onsite|nbd)[\s:,-]{0,4}(?:на\s)?)?"
    r"(?<![\d.])(?P<span>\d{1,2})\s?-?(?P<unit>years?|yrs?|лет|года?|months?|mo\b|мес\w{0,5}\.?|y\b|г\.)"
    r"(?:[\s:,-]{0,4}(?:гарант\w{2,4}|warranty|support|nbd|onsite|prosupport|parts))?"
)
_WARRANTY_WORD = pattern(r"гарант|warranty|support|поддержка|nbd|onsite")
_OTHERS: tuple[tuple[str, str], ...] = (
    ("rack units", r"[1-9]\d?\s?(?:u|ru|юнит\w{0,3})"),
    ("NVLink bridge", r"nvlink[\s-]{0,4}(?:bridge|мост)\w{0,2}"),
    ("NVSwitch", r"nv-?switch|nvlink"),
    ("HGX board", r"hgx(?:\s?board)?"),
    ("controller", r"(?:perc|megaraid|smart\s?array|smartraid)[\s-]{0,4}[\w-]{2,10}"
     r"|raid[\s-]{0,4}(?:\d{1,2}|контроллер)|boss-\w{2}|hba[\s-]?\w{3,6}|s3908\w*"),
    ("management", r"idrac\s?\d{0,2}(?:\s?enterprise|\s?datacenter)?|ilo\s?\d?|xcc\d?|ipmi|bmc"),
    ("TPM", r"tpm(?:\s?2\.0)?"),
    ("rails", r"rail[\s-]?kit|rails?|рельс\w{1,3}|направляющ\w{2,3}"),
    ("liquid cooling", r"liquid[\s-]?cool\w{2,3}|dlc\b|direct[\s-]to[\s-]chip"
     r"|жидкостн\w{2,3}(?:\s{1,4}охлажд\w{4,5})?|сжо"),
    ("air cooling", r"air[\s-]?cool\w{2,3}|воздушн\w{2,3}(?:\s{1,4}охлажд\w{4,5})?"),
    ("barebone", r"barebone|платформа\s{1,4}без\s{1,4}\w{2,12}"),
)  # fmt: skip
_NOISE = """
server сервер серверы gpu gpus cpu ram and и с со with w на в для из комплект конфигурация configuration
config вариант кодом код nvidia intel amd supermicro dell hpe hp lenovo gigabyte asus cisco mellanox x шт
pcs total всего the of a or или до up to by memory память drives drive ssd nvme nic psu бп qty кол-во
платформа platform system система узел node rack стойка стоечный rackmount ai hpc по состав poweredge
proliant thinksystem ultra superserver xeon epyc processors processor condition warranty состояние гарантия
cto модуль модули module modules kit планка 服务器 hdd
"""
_FOLDED_NOISE = frozenset(word.translate(str.maketrans("аеорсхукмтнві", "aeopcxykmthbi")) for word in _NOISE.split())
_WORD = re.compile(r"[^\s\x00,;|/()\[\]{}<>«»\"]+")
_LONGEST_LEFT, _MOST_LEFT = 80, 60


def read_words(canvas: Canvas, source: str) -> list[Line]:
    """Condition, warranty and other statements."""
    lines = [
        Line("other", value, None, source[m.start() : m.end()], "read", m.start(), m.end(), (("what", "condition"),))
        for value, expression in _CONDITIONS
        for m in _compiled(expression).finditer(canvas.text)
    ]
    canvas.claim([(line.start, line.end) for line in lines])
    warranties = [line for match in _WARRANTY.finditer(canvas.text) if (line := _warranty(match, source))]
    canvas.claim([(line.start, line.end) for line in warranties])
    others: list[Line] = []
    for what, expression in _OTHERS:
        new = [_other(match, what, source) for match in _compiled(expression).finditer(canvas.text)]
        canvas.claim([(line.start, line.end) for line in new])
        others += new
    return sorted(lines + warranties + others, key=lambda line: line.start)


_COMPILED: dict[str, re.Pattern[str]] = {
    expression: pattern(_EDGE.format(expression)) for _, expression in (*_CONDITIONS, *_OTHERS)
}


def _compiled(expression: str) -> re.Pattern[str]:
    return _COMPILED[expression]


def _other(match: re.Match[str], what: str, source: str) -> Line:
    value = " ".join(source[match.start() : match.end()].split()).upper()
    text = source[match.start() : match.end()]
    return Line("other", value, None, text, "likely", match.start(), match.end(), (("what", what),))


def _warranty(match: re.Match[str], source: str) -> Line | None:
    months = int(match["span"]) * (1 if match["unit"].startswith(("m", "мec", "mec")) else 12)
    if not 0 < months <= 120 or (match["unit"][0] in "yг" and not _WARRANTY_WORD.search(match[0])):
        return None
    text = source[match.start() : match.end()].strip()
    certainty: Certainty = "read" if _WARRANTY_WORD.search(match[0]) else "likely"
    return Line("other", f"{months} months", None, text, certainty, match.start(), match.end(), (("what", "warranty"),))


def unread(canvas: Canvas, source: str) -> tuple[str, ...]:
    """What no recognizer took and is not a filler word, shortened; the first ones where there are many."""
    left: list[str] = []
    for match in _WORD.finditer(canvas.text):
        for piece in re.finditer(rf"[^{CLAIMED}_]+", match[0]):
            start = match.start() + piece.start()
            word = piece[0].strip(" .:-–—_+*=#!?'`~^&%$@")
            if not any(sign.isalnum() for sign in word) or word in _FOLDED_NOISE or word in ("x", "шt"):
                continue
            shift = piece[0].index(word)
            text = source[start + shift : start + shift + len(word)]
            left.append(text if len(text) <= _LONGEST_LEFT else text[:_LONGEST_LEFT] + "…")
            if len(left) == _MOST_LEFT:
                return (*left, "…")
    return tuple(left)
