"""Processors in an article: named ones, and the bare numbers sellers write ("2x8558")."""

from __future__ import annotations

import re

from sizing.articles.alike import pattern
from sizing.articles.reading import Certainty, Line
from sizing.articles.text import LEFT, Canvas
from sizing.hardware_data.catalog import HardwareCatalog
from sizing.hardware_data.wording import cpu_family

_AMD = r"turin|genoa(?:-x)?|milan(?:-x)?|rome|bergamo|siena"
_INTEL = r"sapphire\s?rapids|emerald\s?rapids|granite\s?rapids|ice\s?lake|cascade\s?lake"
_OTHER = pattern(
    r"(?<![a-z0-9])(?:(?<=[\d\s][x*]))?(?:(?:intel|amd|huawei|процессор\w{0,3}|cpu)[\s:]{1,3})?(?:"
    r"(?:xeon[\s-]{0,3})?(?P<e>e[357]-\d{4}[lw]?)(?:[\s-]?(?P<version>v[2-6]))?"
    r"|xeon[\s-]{0,3}(?P<w>w[3579]?-\d{4,5}[a-z]{0,2}|[ed]-\d{4}[a-z]{0,3})"
    r"|(?:ryzen\s)?(?P<threadripper>threadripper(?:\spro)?\s\d{4}w?x)|(?P<ryzen>ryzen\s[3579]\s(?:pro\s)?\d{4}[a-z0-9]{0,3})"
    r"|(?P<core>(?:core\s)?(?:i[3579]|(?<=core\s)ultra\s\d)[\s-]\d{3,5}[a-z]{0,2})|(?P<kunpeng>kunpeng\s?9[0-9]0))(?![a-z0-9])"
)
"""Processors outside the two makers' present server numbering, by the name printed on them."""
_PART = re.compile(r"(?<![a-z0-9])p(?:(?P<intel>4x)|se)-[a-z]{3}-?(?P<number>\d{4}[a-z]?)(?:-\w{2,8})?(?![a-z0-9])")
_CORE = pattern(
    LEFT + r"(?:(?:intel|amd|процессор(?:а|ы|ов)?|cpu)[\s:®-]{0,4})?"
    r"(?:(?P<xeon>xeon)[\s-]{0,6}(?:scalable\s{0,4})?(?:6\s(?:(?:performance|efficient)(?:[\s-]cores?)?\s|processors?\s)?(?=\d{4}[pe]))?(?P<grade>platinum|gold|silver|bronze"
    r"|max|[pgsb](?=[\s-]{1,4}\d{4}))?"
    r"|(?P<graded>platinum|gold|silver|bronze)|(?P<epyc>epyc(?:tm)?(?:[\s-]{1,3}(?:"
    + _AMD
    + r"))?))[\s-]{0,4}(?P<number>\d{4}[a-fh-vx-z]?\+?"
    r"|\d[a-z]\d{2}[a-z]?)"
    r"(?!(?!x\d)[a-z0-9]|\s?(?:w\b|вт|watt))"
)
_BARE = pattern(
    LEFT
    + r"(?<!\+)(?P<brand>(?:(?:intel|amd|cpus?|процессор\w{0,3}|"
    + _INTEL
    + "|"
    + _AMD
    + r")[\s:|]{1,4}){1,3})?(?P<number>[34-9]\d{3}[a-fh-vx-z]?\+?)"
    r"(?!(?!x\d)[a-z0-9%]|\.\d|\s?(?:w\b|bt\b|вт|mhz|мгц|mt"
    r"|gb|гб|tb|тб|мм|mm|руб|rub|usd|eur|\$|€|₽|м\b|rpm|об))"
)
_COUNTED = pattern(
    r"(?:^|[,;/|])\s?[12]\s$|(?<![\d.])([1248])\s?(?:[x*]|шт\.?)\s?$|(?:双路|双|dual)\s?$|(?<![a-z0-9])[1248][sp]-$"
)
_COUNTED_AFTER = pattern(
    r"\s?双路|:[1248](?=\s|[,;|]|$)|/[1248](?=\s*(?:[,;|]|$))|[\s,(]{1,3}[1248]\s?(?:шт|颗)|\s?[x*]\s?[1248](?![\d.]|\s?(?:gb|tb|[x*]\s?\d))"
)
_ATTRIBUTE = pattern(
    r"\([^()]{0,32}(?:\d\s?[cс]\b|яд|core|cache|кэш|ghz|ггц)[^()]{0,32}\)|\(?(?:intel|amd|cpus?|процессор(?:а|ы|ов)?|processors?"
    r"|\d{1,3}\s?-?(?:cores?|ядер|ядра|яд\.?|с\b|c\b)(?:\s?/\s?\d{2,3}\s?t)?(?:,\s?\d{1,2}[.,]\d{1,2}\s?(?:ghz"
    r"|ггц))?"
    r"|\d{1,3}c\s?/\s?\d{2,3}t|\d{1,2}[.,]\d{1,2}\s?(?:ghz|ггц|g\b)|\d\s?ghz|\d{2,3}\s?(?:w|вт)\b|\d{2,3}\s?mb"
    r"|\d{2,3}\s?мб"
    r"|[,/]\s?(?:\d{1,3}\s?-?(?:cores?|ядер|ядра|c\b)|\d{2,3}\s?-?t\b|\d{1,2}[.,]\d{1,2}\s?(?:ghz|ггц)|\d{2,3}\s?(?:w|вт|mb|мб)\b)"
    r"|" + _AMD + "|" + _INTEL + r"|5th\s?gen|4th\s?gen|tray|oem"
    r"|box)\)?(?![a-z0-9])"
)
_GRADES = {"8": "Platinum", "6": "Gold", "5": "Gold", "4": "Silver", "3": "Bronze"}
_GRADE_LETTERS = {"p": "platinum", "g": "gold", "s": "silver", "b": "bronze"}
_MOST_SOCKETS = 8
_DUAL_AFTER = re.compile(r"\s(?:dual|twin)(?=\s*(?:[,;|/]|$))")
_SOCKETS = re.compile(r"(?<![a-z0-9])([1248])[sp]-$")
_SERIES = re.compile(r"[4789]00[1-6]")
_ANY_INTEL, _ANY_AMD = re.compile(f"intel|{_INTEL}"), re.compile(f"amd|{_AMD}")


def read_cpus(canvas: Canvas, source: str, catalog: HardwareCatalog) -> list[Line]:
    """Processor lines: those with a name first, then bare numbers that are processors."""
    named = _lines(canvas, source, [(m, _named(m, catalog)) for m in _CORE.finditer(canvas.text)])
    canvas.claim([(line.start, line.end) for line in named])
    others: list[tuple[re.Match[str], tuple[str, Certainty] | None]]
    others = [(m, (_printed(m), "read")) for m in _OTHER.finditer(canvas.text)]
    others += [(m, _by_part(m, catalog)) for m in _PART.finditer(canvas.text)]
    named += _lines(canvas, source, sorted(others, key=lambda found: found[0].start()))
    canvas.claim([(line.start, line.end) for line in named])
    bare = [(match, _bare(match, canvas.text, catalog)) for match in _BARE.finditer(canvas.text)]
    counted = _lines(canvas, source, bare)
    canvas.claim([(line.start, line.end) for line in counted])
    return sorted(named + counted, key=lambda line: line.start)


def _lines(canvas: Canvas, source: str, found: list[tuple[re.Match[str], tuple[str, Certainty] | None]]) -> list[Line]:
    lines: list[Line] = []
    for match, read in found:
        floor = lines[-1].end if lines else 0
        if read is None or match.start() < floor:
            continue
        framed = canvas.frame(match.start(), match.end(), _ATTRIBUTE, floor)
        model, certainty = read
        is_bare = "brand" in match.re.groupindex
        sockets = _SOCKETS.search(canvas.text, max(floor, framed.start - 8), framed.start) if is_bare else None
        count = framed.count or (int(sockets[1]) if sockets else None)
        if framed.count is None and _DUAL_AFTER.match(canvas.text, framed.end):
            count = 2
        if sockets:
            certainty = "likely" if certainty == "read" else certainty
        if count is not None and (count > _MOST_SOCKETS or framed.is_count_loose):
            count = count if framed.is_count_loose and count <= 2 else None
            certainty = "likely"
        text = source[framed.start : framed.end].strip()
        lines.append(Line("cpu", model, count, text, certainty, framed.start, framed.end, _details(framed.attributes)))
    return lines


def _named(match: re.Match[str], catalog: HardwareCatalog) -> tuple[str, Certainty] | None:
    number = match["number"].upper()
    if match["epyc"] and _SERIES.fullmatch(number):
        return None
    if match["epyc"]:
        return f"EPYC {number}", "read"
    grade = match["grade"] or match["graded"]
    grade = _GRADE_LETTERS.get(grade, grade)
    if grade:
        model = f"Xeon {grade.title()} {number}"
        graded_right = _GRADES.get(number[0]) == grade.title() or grade == "max" or catalog.cpu(model) is not None
        return model, "read" if graded_right else "likely"
    return _by_number(number, catalog) or (f"Xeon {number}", "likely")


def _bare(match: re.Match[str], text: str, catalog: HardwareCatalog) -> tuple[str, Certainty] | None:
    """A bare number is a processor when it is counted or branded and the numbering knows it."""
    number = match["number"].upper()
    is_counted = bool(
        _COUNTED.search(text, max(0, match.start() - 8), match.start()) or _COUNTED_AFTER.match(text, match.end())
    )
    if not is_counted and not match["brand"]:
        return None
    read = _by_number(number, catalog)
    if read is None or number.endswith("00"):
        return None
    is_amd = read[0].startswith("EPYC")
    return None if (_ANY_INTEL if is_amd else _ANY_AMD).search(match["brand"] or "") else read


def _printed(match: re.Match[str]) -> str:
    """The name of a processor in its maker's spelling."""
    if match["e"]:
        return f"Xeon {match['e'].upper()} {match['version'] or ''}".strip()
    if match["w"]:
        return "Xeon " + (match["w"].upper() if match["w"][0] != "w" else "w" + match["w"][1:].upper())
    words = next(match[name] for name in ("threadripper", "ryzen", "core", "kunpeng") if match[name]).split()
    spelled = (
        word.upper() if word == "pro" or any(sign.isdigit() for sign in word) else word.title() for word in words
    )
    name = ("Core " if match["core"] and not match["core"].startswith("core") else "") + " ".join(spelled)
    return name.replace("I3", "i3").replace("I5", "i5").replace("I7", "i7").replace("I9", "i9")


def _by_part(match: re.Match[str], catalog: HardwareCatalog) -> tuple[str, Certainty] | None:
    """A maker's option code: its "8480P" is Intel's 8480+, and AMD's 9654P a 9654P."""
    number = match["number"].upper()
    plus = _by_number(f"{number[:-1]}+", catalog) if match["intel"] and number.endswith("P") else None
    read = plus or _by_number(number, catalog)
    return (read[0], "likely") if read else None


def _by_number(number: str, catalog: HardwareCatalog) -> tuple[str, Certainty] | None:
    """Full name by number: the catalog's one match, else the makers' numbering."""
    known = [cpu.model for cpu in catalog.cpus if cpu.model.split()[-1].upper() == number]
    if len(known) == 1:
        return known[0], "read"
    if cpu_family(f"Xeon {number}") and re.fullmatch(r"6[579]\d\d[PE]", number):
        return f"Xeon {number}", "likely"
    if number[0] in "79" and cpu_family(f"EPYC {number}"):
        return f"EPYC {number}", "likely"
    if number[0] in _GRADES and cpu_family(f"Xeon {_GRADES[number[0]]} {number}"):
        return f"Xeon {_GRADES[number[0]]} {number}", "likely"
    return None


def _details(attributes: str) -> tuple[tuple[str, int], ...]:
    cores = re.search(r"(\d{1,3})\s?-?c", attributes) or re.search(r"(\d{1,3})\s?яд", attributes)
    return (("cores", int(cores[1])),) if cores else ()
