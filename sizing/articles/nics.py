"""Network cards in an article: by model, by part number, and bare speeds."""

from __future__ import annotations

import re
from dataclasses import replace

from sizing.articles.alike import pattern
from sizing.articles.codes import framed_codes
from sizing.articles.counts import behind
from sizing.articles.reading import Certainty, Line
from sizing.articles.text import LEFT, Canvas

_UNIT_END = r"(?![a-wyz0-9]|x(?!\d{1,2}(?!\d)))"
"""Behind a unit: no further letter but the sign of a count ("400Gx8")."""

_NIC = pattern(
    r"(?:" + LEFT + r"|(?<=[\s/;,-]\d)(?=cx|bf))"
    r"(?P<model>connect-?x[\s-]{0,4}(?P<cx>[3-9])(?:[\s-]{0,4}(?P<cx_kind>dx|lx))?"
    r"|cx[\s_-]?(?P<cxs>[5-9])(?:[\s-]?(?P<cxs_kind>dx|lx))?"
    r"|blue-?field[\s-]{0,4}(?P<bf>[23])|bf-?(?P<bfs>[23])|(?P<intel>x710|x722|e810|e830|xxv710|x550|x540"
    r"|i350)(?:-\w+)?"
    r"|(?P<amd>pollara(?:[\s-]?400)?)|(?:bcm)?(?P<broadcom>57[45]\d{2}|57608)\w?|(?:broadcom\s)?(?P<thor>thor[\s-]?2)|(?<=broadcom\s)(?P<bcm>[pnm][12]\d{2,3}[pg]d?)|slingshot(?:[\s-]sa\d{3}\w)?)(?![a-wyz0-9]|x(?!\d{1,2}\b))"
)
_SPEED_ONLY = pattern(
    r"(?<![a-z0-9.])(?P<speed>1|10|25|40|50|100|200|400|800)\s?(?:gb?e|qb|gb/s|gbps|gbit(?:/s)?|г?бит/с|гбит"
    r"|gbase-?t?|g(?!/(?:s|\d{1,3}\s?g))" + _UNIT_END + ")"
    r"|(?<=[x*])(?P<counted>1|10|25|40|50|100|200|400|800)\s?(?:gb?e|qb|gb/s|gbps|gbit(?:/s)?|гбит(?:/с)?|gbase-?t?"
    r"|g(?![a-z0-9/]))"
    r"|(?<=[x*])(?P<ethernet>10|25)\s?gb(?![a-z0-9])|(?<![\w.])(?P<named>10|25)\s?gb(?=\s?[x*]\s?\d{1,2}(?!\d))"
    rf"|{LEFT}(?P<fabric>ndr|hdr|xdr|edr)\s?(?P<fabric_speed>100|200|400|800)?(?![a-wyz0-9]|x(?!\d{{1,2}}\b))"
)
_GIGABITS = r"(?:1|10|25|40|50|100|200|400|800)\s?(?:gb?e|qb|gb/s|gbps|gbit(?:/s)?|гбит(?:/с)?|gb|g)"
_WORDS = (
    r"mellanox|nvidia|intel|broadcom|infiniband|ib\b|ethernet|vpi|roce|nics?|сетев\w{2,4}|(?:карт|адаптер|плат)\w{0,2}"
    r"|адаптер|hca|dpu|supernic|ndr(?:\s?[24]00)?|hdr(?:\s?[12]00)?|xdr|edr|[124]\s?x\s?(?:[oq]sfp|sfp)\w{0,4}|osfp"
    r"|qsfp(?:28|56|112|-dd)?|sfp(?:28|56|\+)?|rj-?45|base-?t|(?:single|dual|quad|\d)[\s-]?ports?|[124]p\b|双口|单口"
    r"|\d[\s-]?порт\w{0,5}\.?|\d\s?端口|(?:pcie\s?)?(?:gen\s?\d|[345]\.0)(?:\s?x\d{1,2})?|pcie\s?[3-6](?:\.0)?(?:\s?x\d{1,2})?"
    r"|pcie\s?x\d{1,2}|ocp\s?(?:3\.0)?|b3\d{3}\w{0,2}|[hf]hhl|adapter\w?|card|low\s?profile|default\s?mode"
    r"|,\s?(?:single|dual|quad|\d)[\s-]?ports?|,\s?(?:pcie|[oq]sfp)\w{0,4}"
    rf"|(?:\d{{1,2}}/)?{_GIGABITS}|(?:100|200|400|800)(?!\s?(?:w|вт|gb|гб|tb|[x*.,]?\d))"
    r"|mcx\w{5,10}-\w{4}(?:-\w{2})?|900-9d3b6-\w{4}-\w{3}|lan\b"
)
_NIC_WORD = pattern(rf"(?:{_WORDS}|[124]\s?x\s?{_GIGABITS}){_UNIT_END}")
_NIC_BEFORE = pattern(rf"(?:{_WORDS})(?![a-z0-9])")
_PORTED = re.compile(r"\d\s?[x*]\s?\d{2,3}\s?(?:g|qb)")
_NIC_MAKER = pattern(
    r"(?:mellanox|nvidia|intel|broadcom|nics?|сетев\w{2,4}|(?:карт|адаптер|плат)\w{0,2}|hca|dpu|supernic)(?![a-z0-9])"
)
_COUNT_FIRST = re.compile(r"\d{1,2}\s?[xх×*]", re.IGNORECASE)
_PORTS_BEFORE = re.compile(r"(?<!\d)[124]\s?[x*]\s?$")
_RATE = re.compile(r"(?<!\d)(1|10|25|40|50|100|200|400|800)\s?(?:gb?e|qb|gb|gbit|г|g)")
_BARE_RATE = re.compile(r"(?<!\d)(100|200|400|800)(?!\d)")
_FURTHER_ON = re.compile(r"[^;|)\x00\d]{0,24}")
_RATE_BY_NAME = {"ndr": 400, "hdr": 200, "xdr": 800, "edr": 100}
_CONNECTX = {"8": 800}
_PORTS = re.compile(r"(single|dual|quad|\d)[\s-]?(?:p\b|port|пop|x\s?\d+\s?g)")
_PORT_WORDS = {"single": 1, "dual": 2, "quad": 4}

_NIC_PARTS = (
    (r"mcx7(?:5310|1510)5?a?[a-z]*-\w+", "ConnectX-7", 400),
    (r"mcx75510\da?[a-z]*-\w+", "ConnectX-7", 200),
    (r"mcx7\w{5,8}-\w+", "ConnectX-7", None),
    (r"mcx653\w{3,6}-\w+", "ConnectX-6", 200),
    (r"mcx623\w{3,6}-\w+", "ConnectX-6 Dx", 100),
    (r"mcx631\w{3,6}-\w+", "ConnectX-6 Lx", 25),
    (r"mcx516\w{2,6}-\w+", "ConnectX-5", 100),
    (r"mcx512\w{2,6}-\w+", "ConnectX-5", 25),
    (r"900-9d3b6-\w{4}-\w{3}", "BlueField-3", None),
)


def read_nics(canvas: Canvas, source: str) -> list[Line]:
    """Network lines: cards by model first, then bare speeds."""
    lines: list[Line] = []
    for match in _NIC.finditer(canvas.text):
        floor = lines[-1].end if lines else 0
        if match.start() < floor:
            continue
        framed = canvas.frame(match.start(), match.end(), _NIC_WORD, floor, before=_NIC_BEFORE, lead=_NIC_MAKER)
        is_port_count = _PORTED.search(canvas.text, framed.start, match.start()) is not None
        model = _model(match)
        speed = (
            _speed(framed.attributes)
            or _CONNECTX.get(match["cx"] or match["cxs"] or "")
            or (400 if match["amd"] else None)
        )
        certainty: Certainty = "likely" if framed.is_count_loose or match["bfs"] or is_port_count else "read"
        count = None if framed.is_count_loose and (framed.count or 0) > 16 else framed.count
        details = (("model", model), *_ports(framed.attributes))
        text = source[framed.start : framed.end].strip()
        lines.append(Line("nic", speed or model, count, text, certainty, framed.start, framed.end, details))
    canvas.claim([(line.start, line.end) for line in lines])
    bare = _bare_speeds(canvas, source)
    canvas.claim([(line.start, line.end) for line in bare])
    lines, bare = _with_rates(lines, bare, canvas)
    for expression, model, rate in _NIC_PARTS:
        new = framed_codes(canvas, source, expression, "nic", rate or model, (("model", model),))
        canvas.claim([(line.start, line.end) for line in new])
        bare += new
    return sorted(lines + bare, key=lambda line: line.start)


def _with_rates(lines: list[Line], bare: list[Line], canvas: Canvas) -> tuple[list[Line], list[Line]]:
    """Cards whose rate stands further on in the same sentence: ``ConnectX-7 adapter card, 400GbE/NDR, OSFP - 8 шт.``"""
    cards = []
    for card in lines:
        own = [] if isinstance(card.value, int) else _rates_of(card, bare, canvas.text)
        if own:
            bare = [line for line in bare if line not in own]
            framed = canvas.frame(card.start, own[-1].end, _NIC_WORD, card.start)
            speed = max(line.value for line in own if isinstance(line.value, int))
            card = replace(card, value=speed, count=card.count or framed.count or own[-1].count, end=framed.end)
        cards.append(card)
    return cards, bare


def _rates_of(card: Line, bare: list[Line], text: str) -> list[Line]:
    own: list[Line] = []
    end = card.end
    for line in bare:
        if (
            line.start >= end
            and (line.count is None or (card.count is None and not _COUNT_FIRST.match(line.text)))
            and _FURTHER_ON.fullmatch(text, end, line.start)
        ):
            own.append(line)
            end = line.end
    return own


def _bare_speeds(canvas: Canvas, source: str) -> list[Line]:
    lines: list[Line] = []
    for match in _SPEED_ONLY.finditer(canvas.text):
        floor = lines[-1].end if lines else 0
        if match.start() < floor:
            continue
        framed = canvas.frame(match.start(), match.end(), _NIC_WORD, floor, lead=_NIC_MAKER)
        printed = match["speed"] or match["counted"] or match["ethernet"] or match["named"] or match["fabric_speed"]
        speed = int(printed) if printed else _speed(framed.attributes) or _RATE_BY_NAME[match["fabric"]]
        text = source[framed.start : framed.end].strip()
        count = framed.count
        if framed.is_count_loose:
            cards = behind(canvas.text, match.end())
            count = cards.number if cards and _PORTS_BEFORE.search(canvas.text, framed.start, match.start()) else None
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
    if match["amd"]:
        return "Pollara 400"
    if match["thor"] or match["bcm"]:
        return "Broadcom Thor 2" if match["thor"] else f"Broadcom {match['bcm'].upper()}"
    return f"Broadcom {match['broadcom']}" if match["broadcom"] else "Slingshot"


def _speed(attributes: str) -> int | None:
    rates = [int(rate) for rate in _RATE.findall(attributes)] or [int(rate) for rate in _BARE_RATE.findall(attributes)]
    if rates:
        return max(rates)
    return next((rate for name, rate in _RATE_BY_NAME.items() if name in attributes), None)


def _ports(attributes: str) -> tuple[tuple[str, int], ...]:
    match = _PORTS.search(attributes)
    if match is None:
        return ()
    return (("ports", _PORT_WORDS.get(match[1]) or int(match[1])),)
