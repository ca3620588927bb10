"""Capacities in an article: which are memory modules, which drives, which only totals."""

from __future__ import annotations

import re
from dataclasses import replace

from sizing.articles.alike import pattern
from sizing.articles.reading import Certainty, Kind, Line
from sizing.articles.text import Canvas, Framed

_AMOUNT = (
    r"(?P<size>(?<![.\d])\d{1,2},\d{3}(?=\s?g)|\d{1,4}(?:[.,]\d{1,2}(?=\s?[tт]))?)\s?(?P<unit>gi?b|гб|go(?![a-z])|tb|тб|t(?=[\s/x*,:;+)\]一-鿿]|-\d|$)"
    r"|g(?=[\s/x*,:;+)\]一-鿿]|-\d|$))(?![a-hj-wyz0-9]|/[sс](?![a-z])|\s?(?:hbm|lpddr|gddr))"
)
_SIZE = pattern(rf"(?<![\da-z*])(?<!\d\.){_AMOUNT}")
_SIZE_AFTER_SIGN = pattern(rf"(?<=[x*]){_AMOUNT}")
_MEMORY = (
    r"(?:tru)?ddr[345](?:[\s-]?\d{4})?"
    r"|内存|[lm]?rdimm|udimm|dimms?|ecc|reg(?:istered)?\b|ram\b|mem\b|memory|память|памяти|озу|оп\b|(?:оперативн\w{2,4})"
    r"|\d{2,4}\s?(?:mhz|мгц|mt/s|мт/с)|(?:2666|2933|3200|4400|4800|5200|5600|6000|6400|8800)(?!\s?(?:w|вт|x(?!\s?\d{1,2}(?![\d.]|\s?[gt]))))"
    r"|pc[345]-?\d{4,5}[a-z]?(?:-[a-z])?|[1248]s?[24]?rx[48]|cl\d{2}|\d\.\d{1,2}\s?v|(?:samsung|micron|hynix|sk)\b"
)
_DRIVE = (
    r"nl-?sas|硬盘|固态|系统盘|数据盘|nvme|ssd|hdd|sata(?:\s?(?:iii|3|6g))?|sas(?:\s?(?:12g|24g))?|u\.[23]|e[13]\.[sl]|m\.2|2\.5(?:\"|''|″|in\b)?"
    r"|3\.5(?:\"|''|″)?"
    r"|sff|lff|(?:pcie\s?)?(?:gen\s?[3456]|[3456]\.0)(?:\s?x4)?|pcie|read[\s-]intensive|mixed[\s-]use|\bri\b"
    r"|\bmu\b|vri|tlc|qlc"
    r"|[\d.]{1,4}\s?dwpd|pm\d\w{2,4}|mz[\w-]{6,}|cm[67](?:-[rv])?|cd[678](?:p)?(?:-[rv])?|p5[35]\d{2}"
    r"|d[57]-p\w{4,5}"
    r"|9[45]\d0(?:\s?pro)?|9[6-9]0\s?(?:pro|evo(?:\splus)?)|7[45]\d0(?:\s?pro)?|s45\d0|диск(?:и|ов|а)?|накопител[ьияей]{1,3}|drives?|boot"
    r"|hot[\s-]?(?:plug|swap)|enterprise|micron|samsung"
    r"|kioxia|solidigm|intel|seagate|wd|7\.2k|10k|(?:6|12|24)\s?gb(?:ps|/s)|\d{4,5}\s?rpm|exos(?:\s?x\d{2})?"
    r"|ultrastar|\d{1,2}(?:\.\d)?\s?mm|mtf\w{8,}|kc\w{9,}|ssdp\w{6,}|optane|p5800x"
)
_MEMORY_WORD = pattern(rf"(?:{_MEMORY})(?![a-z0-9])")
_DRIVE_WORD = pattern(rf"(?:{_DRIVE})(?![a-z0-9])")
_EITHER = pattern(rf"(?:{_MEMORY}|{_DRIVE}|(?:объ[её]м|[её]мкость)\w{{0,2}}|capacity)(?![a-z0-9])")
_BARE = pattern(r"(?<![a-z0-9.,])(?P<count>\d{1,2})\s?[x*]\s?(?P<size>16|32|64|96|128|256)(?![a-z0-9.%]|,\d)")
_BARE_DRIVE = pattern(
    r"(?<!\d)(?<!\d\.)(?:0[.,]96|1[.,]92|3[.,]84|7[.,]68|15[.,]36|30[.,]72|61[.,]44"
    r"|960|1920|3840|7680|15360|30720)(?![a-z0-9]|[.,]\d)"
)
_BARE_TOTAL = pattern(
    r"(?<![a-z0-9])(?:ram|mem|memory|озу|память)[\s:-]{1,3}(?P<size>[1-9]\d{2,3})(?![\w.,%]|\s?[x*\w])"
)
_LEAST_MODULES = 4
_NEXT_PART = re.compile(r"-(?=(?:ssd|nvme|hdd|ddr|ram)(?![a-z]))")
_BRAND_ONLY = pattern(r"(?:samsung|micron|hynix|sk|intel|enterprise|pcie|gen\s?\d|boot|\s|-|[(),])+")
_SPEED = pattern(
    r"ddr[45][\s-]?(\d{4})|(\d{2,4})\s?(?:mhz|мгц|mt/s|мт/с)|(?<!\d)((?:2[69]|3[2]|4[48]|5[26]|6[04]"
    r"|88)\d\d)(?!\d)|pc5-(\d{4,5})"
)
MODULES_GB = frozenset({4, 8, 16, 24, 32, 48, 64, 96, 128, 256, 512})
_SSD_GB = frozenset({120, 240, 400, 480, 500, 600, 800, 960, 1000, 1200, 1600, 1920, 3840, 7680})
_GRAPHICS = pattern(r"rtx|geforce|nvidia|radeon|видеокарт|gpu|hbm")
_NEAR = 24
_KIT = pattern(r"\s?(?:kit\b|each|набор)")
_SPEEDS_MT_S = (1333, 9600)
_LEAST_TOTAL_GB = 640
_USUAL_TOTALS_GB = (192, 384)
_GB_PER_TB = 1000
_THOUSANDS = re.compile(r"\d{1,2},\d{3}")
_MOST_DRIVE_GB, _MOST_MEMORY_GB = 256_000, 32_768
_MEMORY_GB_PER_TB = 1024


def read_sizes(canvas: Canvas, source: str) -> list[Line]:
    """Memory and drive lines."""
    canvas.text = _NEXT_PART.sub(";", canvas.text)
    lines: list[Line] = []
    floor = 0
    matches = sorted((*_SIZE.finditer(canvas.text), *_SIZE_AFTER_SIGN.finditer(canvas.text)), key=lambda m: m.start())
    for match in matches:
        if match.start() < floor:
            continue
        framed = canvas.frame(match.start(), match.end(), _EITHER, floor)
        line = _classified(match, framed, source, canvas.text[framed.end : framed.end + _NEAR])
        if line is not None and _GRAPHICS.search(canvas.text, max(floor, line.start - _NEAR), line.start):
            line = replace(line, certainty="guess")
        if line is not None:
            lines.append(line)
            floor = line.end
    canvas.claim([(line.start, line.end) for line in lines])
    modules = _without_unit(canvas, source, lines)
    canvas.claim([(line.start, line.end) for line in modules])
    return sorted(lines + modules, key=lambda line: line.start)


def _without_unit(canvas: Canvas, source: str, lines: list[Line]) -> list[Line]:
    """Modules without a unit, ``16x64 DDR5`` or ``768 GB (12x64)``: a guess without a word or a matching total."""
    totals = {line.detail("total_gb") for line in lines}
    found: list[Line] = []
    for match in _BARE.finditer(canvas.text):
        count, size = int(match["count"]), int(match["size"])
        framed = canvas.frame(match.start(), match.end(), _MEMORY_WORD, found[-1].end if found else 0)
        is_known = bool(framed.attributes) or count * size in totals
        if not is_known and (count < _LEAST_MODULES or count % 2):
            continue
        certainty: Certainty = "likely" if is_known else "guess"
        text = source[framed.start : framed.end].strip()
        details = _details(framed.attributes, "memory")
        found.append(Line("memory", size, count, text, certainty, framed.start, framed.end, details))
    return [*found, *_totals_without_unit(canvas, source), *_drives_without_unit(canvas, source)]


def _totals_without_unit(canvas: Canvas, source: str) -> list[Line]:
    """``RAM-2048``: with a word for memory a bare number of the right size is a total, at a guess."""
    return [
        Line("memory", int(m["size"]), None, source[m.start() : m.end()], "guess", m.start(), m.end(),
             (("total_gb", int(m["size"])),))
        for m in _BARE_TOTAL.finditer(canvas.text) if int(m["size"]) % 64 == 0
    ]  # fmt: skip


def _drives_without_unit(canvas: Canvas, source: str) -> list[Line]:
    """``8x3.84`` and ``4xNVMe 3.84``: these figures are sizes of drives and of nothing else."""
    found: list[Line] = []
    for match in _BARE_DRIVE.finditer(canvas.text):
        framed = canvas.frame(match.start(), match.end(), _DRIVE_WORD, found[-1].end if found else 0)
        if framed.count is None and not framed.attributes:
            continue
        size = _plain(float(match[0].replace(",", ".")) / (_GB_PER_TB if match[0].isdigit() else 1))
        text = source[framed.start : framed.end].strip()
        found.append(Line("drive", size, framed.count, text, "likely", framed.start, framed.end))
    return found


def _classified(match: re.Match[str], framed: Framed, source: str, rest: str) -> Line | None:
    size = float(match["size"].replace(",", "" if _THOUSANDS.fullmatch(match["size"]) else "."))
    is_tb = match["unit"][0] == "t"
    size_gb = size * (_GB_PER_TB if is_tb else 1)
    count = None if framed.is_count_loose and framed.count is not None and framed.count > 64 else framed.count
    kind, certainty = _kind(size, is_tb, count, framed.attributes, match["unit"])
    if kind is None or size_gb > (_MOST_DRIVE_GB if kind == "drive" else _MOST_MEMORY_GB):
        return None
    text = source[framed.start : framed.end].strip()
    if (framed.is_count_loose or _KIT.match(rest)) and certainty == "read":
        certainty = "likely"
    details = _details(framed.attributes, kind)
    if kind == "drive":
        value = _plain(size_gb / _GB_PER_TB)
        return Line("drive", value, count, text, certainty, framed.start, framed.end, details)
    capacity = round(size * _MEMORY_GB_PER_TB) if is_tb else round(size)
    if capacity not in MODULES_GB or (count is None and capacity > 64):
        details = (*details, ("total_gb", capacity * (count or 1)))
    return Line("memory", capacity, count, text, certainty, framed.start, framed.end, details)


def _kind(size: float, is_tb: bool, count: int | None, attributes: str, unit: str) -> tuple[Kind | None, Certainty]:
    """What a capacity is, and how sure that is: words beside it first, then the sizes things are made in."""
    words = _BRAND_ONLY.sub(" ", attributes).strip()
    is_memory = bool(words) and _MEMORY_WORD.search(words) is not None
    is_drive = bool(words) and _DRIVE_WORD.search(words) is not None
    if is_memory != is_drive:
        if is_memory and not is_tb and size not in MODULES_GB and count is not None:
            return "memory", "guess"
        return ("memory" if is_memory else "drive"), "read"
    if is_memory:
        return ("drive" if is_tb and size != int(size) else "memory"), "guess"
    if is_tb:
        if size != int(size):
            return "drive", "read"
        return ("drive", "likely") if count is not None else ("memory", "guess")
    if size in _SSD_GB:
        return "drive", "likely"
    if size in MODULES_GB and count is not None and count > 1:
        return "memory", "read" if size <= 128 and unit != "g" else "likely"
    if (size in (*MODULES_GB, *_USUAL_TOTALS_GB) and size >= 16 and unit != "g") or (
        size >= _LEAST_TOTAL_GB and size % 64 == 0 and unit != "g"
    ):
        return "memory", "guess"
    return None, "guess"


def _details(attributes: str, kind: Kind) -> tuple[tuple[str, object], ...]:
    details: list[tuple[str, object]] = []
    if kind == "memory" and (speed := _SPEED.search(attributes)):
        rate = int(speed[1] or speed[2] or speed[3] or 0) or int(speed[4]) // (8 if len(speed[4]) == 5 else 1)
        in_range = _SPEEDS_MT_S[0] <= rate <= _SPEEDS_MT_S[1]
        details.append(("mt_s" if in_range else "impossible_mt_s", rate))
    if kind == "memory" and (generation := re.search(r"(?:tru)?ddr[345]", attributes)):
        details.append(("memory_type", generation[0].upper()))
    if kind == "drive" and (words := re.findall(r"nvme|sata|sas|hdd|u\.[23]|e[13]\.[sl]|m\.2", attributes)):
        details.append(("interface", " ".join(dict.fromkeys(word.upper() for word in words))))
    return tuple(details)


def _plain(value: float) -> float | int:
    rounded = round(value, 4)
    return int(rounded) if rounded == int(rounded) else rounded
