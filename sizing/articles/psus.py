"""Power supplies in an article: watts with a word for them or a count."""

from __future__ import annotations

import re

from sizing.articles.alike import pattern
from sizing.articles.reading import Certainty, Line
from sizing.articles.text import Canvas

_WATTS = pattern(
    r"(?:(?<![\d.a-z])|(?<=[x*]))(?P<watts>\d[.,]\d{3}(?=\s?(?:w|вт))|(?<!\d,)\d{3}(?!\d)|\d{4}|\d[.,]\d{1,2}(?=\s?k)"
    r"|\d(?=\s?k))\s?(?P<kilo>k|к)?(?:w(?![a-wyz0-9]|x(?!\d))|вт(?![^\W_x]|x(?!\d))|watts?)"
)
_PSU_WORD = pattern(
    r"(?:alimentations?|netzteile?n?|电源|psus?\b(?:\s(?:dell|hpe?|lenovo|supermicro|delta))?|бп\b|блок(?:и|а|ов)?[\s-]питания(?:\s(?:dell|hpe?|lenovo|supermicro|delta))?|power[\s-]suppl(?:y|ies)|titanium|platinum|redundant"
    r"|резерв\w{0,10}|hot[\s-]?(?:plug|swap)"
    r"|80\s?(?:plus|\+)|crps|delta|(?<![\dx*])(?<![x*]\s)\d\+\d\s?[x*]|\d\s?\+\s?\d|ac\b|pws-\w{5,6}-\w{2}|n\+[n1])(?![a-z0-9])"
)
_PSU_WITHOUT_WATTS = pattern(
    r"(?<![a-z0-9])(?P<count>\d{1,2})\s?(?:x|\*)?\s?(?:бп|psus?|блок(?:а|ов)?[\s-]питания)(?![a-z0-9])"
)
_PSU_MODEL = pattern(r"(?<![a-z0-9])pws-(?P<kilo>\d)k(?P<hundreds>\d)\d[a-z]?-\w{2}(?![a-z0-9])")
_REDUNDANCY = re.compile(r"(\d)\s?\+\s?(\d)")
_PSU_WATTS = (400, 6000)
_MOST_PSUS = 12
_THOUSANDS = re.compile(r"\d\.\d{3}")
_ALONE_BEFORE, _ALONE_AFTER = re.compile(r"[,;/|]\s*$"), re.compile(r"\s*(?:[,;/|]|$)")
_LEAST_ALONE = 1200


def read_psus(canvas: Canvas, source: str) -> list[Line]:
    """Power supplies: watts with a word for them or a count."""
    lines: list[Line] = []
    for match in _WATTS.finditer(canvas.text):
        floor = lines[-1].end if lines else 0
        printed = match["watts"].replace(",", ".")
        watts = round(float(printed) * (1000 if match["kilo"] or _THOUSANDS.fullmatch(printed) else 1))
        if match.start() < floor or not _PSU_WATTS[0] <= watts <= _PSU_WATTS[1]:
            continue
        framed = canvas.frame(match.start(), match.end(), _PSU_WORD, floor)
        redundancy = _REDUNDANCY.search(framed.attributes)
        count = framed.count or (int(redundancy[1]) + int(redundancy[2]) if redundancy else None)
        is_alone = _ALONE_BEFORE.search(canvas.text, floor, match.start()) and _ALONE_AFTER.match(
            canvas.text, match.end()
        )
        if count is None and not framed.attributes and not (is_alone and watts >= _LEAST_ALONE):
            continue
        has_word = re.search(r"[a-z]{2}|б", framed.attributes) is not None
        certainty: Certainty = "read" if has_word and not framed.is_count_loose else "likely" if count else "guess"
        details = (("redundancy", redundancy[0].replace(" ", "")),) if redundancy else ()
        text = source[framed.start : framed.end].strip()
        lines.append(Line("psu", watts, count, text, certainty, framed.start, framed.end, details))
    canvas.claim([(line.start, line.end) for line in lines])
    for match in _PSU_MODEL.finditer(canvas.text):
        framed = canvas.frame(match.start(), match.end(), _PSU_WORD, lines[-1].end if lines else 0)
        watts = int(match["kilo"]) * 1000 + int(match["hundreds"]) * 100
        text = source[framed.start : framed.end].strip()
        lines.append(Line("psu", watts, framed.count, text, "likely", framed.start, framed.end))
    canvas.claim([(line.start, line.end) for line in lines])
    bare = _PSU_WITHOUT_WATTS.search(canvas.text)
    if not lines and bare is not None and 0 < int(bare["count"]) <= _MOST_PSUS:
        text = source[bare.start() : bare.end()]
        lines.append(Line("psu", "PSU", int(bare["count"]), text, "likely", bare.start(), bare.end()))
        canvas.claim([(bare.start(), bare.end())])
    return lines
