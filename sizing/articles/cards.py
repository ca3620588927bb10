"""Network cards and power supplies in an article."""

from __future__ import annotations

import re

from sizing.articles.reading import Certainty, Line
from sizing.articles.text import LEFT, Canvas, pattern

_NIC = pattern(
    LEFT + r"(?P<model>connect-?x[\s-]{0,4}(?P<cx>[3-9])(?:[\s-]{0,4}(?P<cx_kind>dx|lx))?"
    r"|cx[\s_-]?(?P<cxs>[5-9])(?:\s?(?P<cxs_kind>dx|lx))?"
    r"|blue-?field[\s-]{0,4}(?P<bf>[23])|bf-?(?P<bfs>[23])|(?P<intel>x710|x722|e810|e830|xxv710|x550|x540|i350)(?:-\w+)?"
    r"|(?:bcm)?(?P<broadcom>57[45]\d{2}|57608)\w?|slingshot(?:[\s-]sa\d{3}\w)?)(?![a-z0-9])"
)
_SPEED_ONLY = pattern(
    r"(?<![a-z0-9.])(?P<speed>1|10|25|40|50|100|200|400|800)\s?(?:gbe|gb/s|gbps|gbit(?:/s)?|г?бит/с|гбит|gbase-?t?|g(?![a-z0-9/]))"
    r"|(?<=[x*])(?P<counted>1|10|25|40|50|100|200|400|800)\s?(?:gbe|gb/s|gbps|gbit(?:/s)?|гбит(?:/с)?|gbase-?t?|g(?![a-z0-9/]))"
    rf"|{LEFT}(?P<fabric>ndr|hdr|xdr|edr)\s?(?P<fabric_speed>100|200|400|800)?(?![a-z0-9])"
)
_NIC_WORD = pattern(
    r"(?:mellanox|nvidia|intel|broadcom|infiniband|ib\b|ethernet|vpi|roce|nics?|сетев\w{2,4}|(?:карт|адаптер|плат)\w{0,2}|адаптер|hca|dpu|supernic"
    r"|ndr(?:\s?[24]00)?|hdr(?:\s?[12]00)?|xdr|edr|osfp|qsfp(?:28|56|112|-dd)?|sfp(?:28|56|\+)?|rj-?45|base-?t|(?:single|dual|quad|\d)[\s-]?ports?|[124]p\b"
    r"|\d\s?порт\w{0,2}|(?:pcie\s?)?(?:gen\s?\d|[345]\.0)(?:\s?x\d{1,2})?|pcie\s?x\d{1,2}|ocp\s?(?:3\.0)?|b3\d{3}\w{0,2}"
    r"|(?:[124]\s?x\s?)?(?:1|10|25|40|50|100|200|400|800)\s?(?:gbe|gb/s|gbps|gbit(?:/s)?|гбит(?:/с)?|gb|g)|lan\b)(?![a-z0-9])"
)
_RATE = re.compile(r"(?<!\d)(1|10|25|40|50|100|200|400|800)\s?(?:gbe|gb|gbit|г|g)")
_RATE_BY_NAME = {"ndr": 400, "hdr": 200, "xdr": 800, "edr": 100}
_CONNECTX = {"8": 800}
_PORTS = re.compile(r"(single|dual|quad|\d)[\s-]?(?:p\b|port|пop|x\s?\d+\s?g)")
_PORT_WORDS = {"single": 1, "dual": 2, "quad": 4}

_WATTS = pattern(
    r"(?:(?<![\d.,a-z])|(?<=[x*]))(?P<watts>\d{3,4}|\d[.,]\d{1,2}(?=\s?k)|\d(?=\s?k))\s?(?P<kilo>k|к)?(?:w\b|вт\b|watts?)"
)
_PSU_WORD = pattern(
    r"(?:psus?\b|бп\b|блок(?:и|а|ов)?[\s-]питания|power[\s-]suppl(?:y|ies)|titanium|platinum|redundant|резерв\w{0,10}|hot[\s-]?(?:plug|swap)"
    r"|80\s?plus|crps|delta|\d\s?\+\s?\d|ac\b|pws-\w{5,6}-\w{2}|n\+[n1])(?![a-z0-9])"
)
_PSU_WITHOUT_WATTS = pattern(
    r"(?<![a-z0-9])(?P<count>\d{1,2})\s?(?:x|\*)?\s?(?:бп|psus?|блок(?:а|ов)?[\s-]питания)(?![a-z0-9])"
)
_PSU_MODEL = pattern(r"(?<![a-z0-9])pws-(?P<kilo>\d)k(?P<hundreds>\d)\d[a-z]?-\w{2}(?![a-z0-9])")
_REDUNDANCY = re.compile(r"(\d)\s?\+\s?(\d)")
_PSU_WATTS = (400, 6000)
_MOST_PSUS = 12


def read_nics(canvas: Canvas, source: str) -> list[Line]:
    """Network lines: cards by model first, then bare speeds."""
    lines: list[Line] = []
    for match in _NIC.finditer(canvas.text):
        floor = lines[-1].end if lines else 0
        if match.start() < floor:
            continue
        framed = canvas.frame(match.start(), match.end(), _NIC_WORD, floor)
        model = _model(match)
        speed = _speed(framed.attributes) or _CONNECTX.get(match["cx"] or match["cxs"] or "")
        certainty: Certainty = "likely" if framed.is_count_loose or match["bfs"] else "read"
        count = None if framed.is_count_loose and (framed.count or 0) > 16 else framed.count
        details = (("model", model), *_ports(framed.attributes))
        text = source[framed.start : framed.end].strip()
        lines.append(Line("nic", speed or model, count, text, certainty, framed.start, framed.end, details))
    canvas.claim([(line.start, line.end) for line in lines])
    bare = _bare_speeds(canvas, source)
    canvas.claim([(line.start, line.end) for line in bare])
    return sorted(lines + bare, key=lambda line: line.start)


def _bare_speeds(canvas: Canvas, source: str) -> list[Line]:
    lines: list[Line] = []
    for match in _SPEED_ONLY.finditer(canvas.text):
        floor = lines[-1].end if lines else 0
        if match.start() < floor:
            continue
        framed = canvas.frame(match.start(), match.end(), _NIC_WORD, floor)
        printed = match["speed"] or match["counted"] or match["fabric_speed"]
        speed = int(printed) if printed else _speed(framed.attributes) or _RATE_BY_NAME[match["fabric"]]
        text = source[framed.start : framed.end].strip()
        count = None if framed.is_count_loose else framed.count
        lines.append(Line("nic", speed, count, text, "likely", framed.start, framed.end, _ports(framed.attributes)))
    return lines


def _model(match: re.Match[str]) -> str:
    if match["cx"] or match["cxs"]:
        kind = match["cx_kind"] or match["cxs_kind"]
        return f"ConnectX-{match['cx'] or match['cxs']}" + (f" {kind.title()}" if kind else "")
    if match["bf"] or match["bfs"]:
        return f"BlueField-{match['bf'] or match['bfs']}"
    if match["intel"]:
        return f"Intel {match['intel'].upper()}"
    return f"Broadcom {match['broadcom']}" if match["broadcom"] else "Slingshot"


def _speed(attributes: str) -> int | None:
    rates = [int(rate) for rate in _RATE.findall(attributes)]
    if rates:
        return max(rates)
    return next((rate for name, rate in _RATE_BY_NAME.items() if name in attributes), None)


def _ports(attributes: str) -> tuple[tuple[str, int], ...]:
    match = _PORTS.search(attributes)
    if match is None:
        return ()
    return (("ports", _PORT_WORDS.get(match[1]) or int(match[1])),)


def read_psus(canvas: Canvas, source: str) -> list[Line]:
    """Power supplies: watts with a word for them or a count."""
    lines: list[Line] = []
    for match in _WATTS.finditer(canvas.text):
        floor = lines[-1].end if lines else 0
        watts = round(float(match["watts"].replace(",", ".")) * (1000 if match["kilo"] else 1))
        if match.start() < floor or not _PSU_WATTS[0] <= watts <= _PSU_WATTS[1]:
            continue
        framed = canvas.frame(match.start(), match.end(), _PSU_WORD, floor)
        redundancy = _REDUNDANCY.search(framed.attributes)
        count = framed.count or (int(redundancy[1]) + int(redundancy[2]) if redundancy else None)
        if count is None and not framed.attributes:
            continue
        has_word = re.search(r"[a-z]{2}|б", framed.attributes) is not None
        certainty: Certainty = "read" if has_word and not framed.is_count_loose else "likely"
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
