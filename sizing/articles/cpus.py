"""Processors in an article: named ones, and the bare numbers sellers write ("2x8558")."""

from __future__ import annotations

import re

from sizing.articles.reading import Certainty, Line
from sizing.articles.text import LEFT, Canvas, pattern
from sizing.hardware_data.catalog import HardwareCatalog
from sizing.hardware_data.wording import cpu_family

_CORE = pattern(
    LEFT + r"(?:(?:intel|amd|процессор(?:а|ы|ов)?|cpu)[\s:®-]{0,4})?"
    r"(?:(?P<xeon>xeon)[\s-]{0,6}(?:scalable\s{0,4})?(?:6\s(?=\d{4}[pe]))?(?P<grade>platinum|gold|silver|bronze"
    r"|max|[pgsb](?=[\s-]{1,4}\d{4}))?"
    r"|(?P<graded>platinum|gold|silver|bronze)|(?P<epyc>epyc(?:tm)?))[\s-]{0,4}(?P<number>\d{4}[a-fh-vx-z]?\+?"
    r"|\d[a-z]\d{2}[a-z]?)"
    r"(?!(?!x\d)[a-z0-9])"
)
_BARE = pattern(
    LEFT + r"(?<!\+)(?P<brand>(?:intel|amd|cpus?|процессор\w{0,2})[\s:]+)?(?P<number>[34-9]\d{3}[a-fh-vx-z]?\+?)"
    r"(?!(?!x\d)[a-z0-9%]|\.\d|\s?(?:w\b|bt\b|вт|mhz|мгц|mt"
    r"|gb|гб|tb|тб|мм|mm|руб|rub|usd|eur|\$|€|₽|м\b|rpm|об))"
)
_COUNTED = pattern(r"(?<![\d.])([1248])\s?(?:[x*]|шт\.?)\s?$|(?:双路|dual)\s?$")
_COUNTED_AFTER = pattern(r"[\s,(]{1,3}[1248]\s?шт|\s?[x*]\s?[1248](?![\d.]|\s?(?:gb|tb|[x*]\s?\d))")
_ATTRIBUTE = pattern(
    r"\([^()]{0,16}\d{1,3}\s?(?:[cс]|яд|core)[^()]{0,32}\)|\(?(?:intel|amd|cpus?|процессор(?:а|ы|ов)?|processors?"
    r"|\d{1,3}\s?-?(?:cores?|ядер|ядра|яд\.?|с\b|c\b)(?:\s?/\s?\d{2,3}\s?t)?(?:,\s?\d{1,2}[.,]\d{1,2}\s?(?:ghz"
    r"|ггц))?"
    r"|\d{1,3}c\s?/\s?\d{2,3}t|\d{1,2}[.,]\d{1,2}\s?(?:ghz|ггц|g\b)|\d\s?ghz|\d{2,3}\s?(?:w|вт)\b|\d{2,3}\s?mb"
    r"|\d{2,3}\s?мб"
    r"|turin|genoa|emerald\s?rapids|sapphire\s?rapids|granite\s?rapids|5th\s?gen|4th\s?gen|tray|oem"
    r"|box)\)?(?![a-z0-9])"
)
_GRADES = {"8": "Platinum", "6": "Gold", "5": "Gold", "4": "Silver", "3": "Bronze"}
_GRADE_LETTERS = {"p": "platinum", "g": "gold", "s": "silver", "b": "bronze"}
_MOST_SOCKETS = 8


def read_cpus(canvas: Canvas, source: str, catalog: HardwareCatalog) -> list[Line]:
    """Processor lines: those with a name first, then bare numbers that are processors."""
    named = _lines(canvas, source, [(m, _named(m, catalog)) for m in _CORE.finditer(canvas.text)])
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
        count = framed.count
        if count is not None and (count > _MOST_SOCKETS or framed.is_count_loose):
            count = count if framed.is_count_loose and count <= 2 else None
            certainty = "likely"
        text = source[framed.start : framed.end].strip()
        lines.append(Line("cpu", model, count, text, certainty, framed.start, framed.end, _details(framed.attributes)))
    return lines


def _named(match: re.Match[str], catalog: HardwareCatalog) -> tuple[str, Certainty]:
    number = match["number"].upper()
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
    vendor = (match["brand"] or "").strip(" _")
    is_amd = read[0].startswith("EPYC")
    return None if (vendor == "intel" and is_amd) or (vendor == "amd" and not is_amd) else read


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
