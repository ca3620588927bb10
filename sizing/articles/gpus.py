"""GPUs in an article: family, form factor, memory and count; a bare "H200" waits for the platform to decide."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sizing.articles.reading import Certainty, Line
from sizing.articles.text import Canvas, Framed, pattern
from sizing.hardware import Gpu, Platform
from sizing.hardware_data.catalog import HardwareCatalog

_FAMILY = pattern(
    r"(?:(?<![a-z0-9.])|(?<=[\d\s_][x*])|(?<=dgx)|(?<=hgx))"
    r"(?P<family>rtx[\s_-]*pro[\s_-]*6000|(?:quadro[\s_-]*)?rtx[\s_-]*(?:a?[2-6]0\d0|6000)(?:[\s_-]*ada)?|6000[\s_-]*ada"
    r"|gb[23]00|gh200|[hb][1238]00|h20|a100|a800|v100s?|l40s?|l4|l20|l2|t4|a2|a10|a16|a30|a40|mi\s?[1-4]\d{2}[xaп]?"
    r"|gaudi[\s_-]*[23]|h800)(?=(?:sxm\d?|nvl|pcie)\b|[\s_,;:/()\[\]+x*.\x00-]|$)"
)
_ATTRIBUTE = pattern(
    r"(?:nvidia|instinct|tesla|geforce|hgx|gpus?|видеокарт[аы]|ускорител[ьяи]|ускорителей|карт[аы]?|граф\w{0,12}"
    r"|sxm\d?|nvl|pcie(?:\s?(?:gen\s?)?[3-6](?:\.0)?)?(?:\s?x16)?|oam|hbm\d?e?|gddr\d|server[\s_-]edition|workstation[\s_-]edition"
    r"|bse|se\b|ws\b|max-?q|blackwell|hopper|ampere|ada\b(?:[\s_-]*(?:generation|lovelace))?|generation|tensor\s?core"
    r"|accelerators?|modules?|card|passive|dual[\s_-]slot|graphics|(?P<memory>\d{2,3})\s?(?:gi?b|гб|g)\b(?:\s?hbm\d?e?)?"
    r"|(?P<memory_x>\d{2,3})\s?gb(?=x\d)|(?P<power>\d{2,4})\s?(?:w|вт)\b)(?![a-z0-9])|(?P<memory_y>\d{2,3})gb(?=x\d)"
)
_TRAILING = re.compile(r"-(\d{1,2})(?![\w.+])")
_BOX = re.compile(r"(?:perc|raid|hba|smart\s?array)[\s_-]*$")
_SHORT = re.compile(r"[lat]\d{1,2}$")
_EVIDENCE = re.compile(r"nvidia|tesla|gpu|gb|pcie|graphics|гb|видe")
_MOST_GPUS = 72


@dataclass(frozen=True, slots=True)
class Candidate:
    """A GPU line whose form factor may still be open."""

    line: Line
    slugs: tuple[str, ...]
    is_open: bool


def read_gpus(canvas: Canvas, source: str, catalog: HardwareCatalog) -> list[Candidate]:
    """GPU lines in the order of the text."""
    found: list[Candidate] = []
    floor = 0
    for match in _FAMILY.finditer(canvas.text):
        if match.start() < floor or _BOX.search(canvas.text, max(0, match.start() - 16), match.start()):
            continue
        framed = _fitting(canvas, match, floor, catalog)
        candidate = _candidate(match["family"], framed, source, canvas.text, catalog)
        if candidate is not None:
            found.append(candidate)
            floor = candidate.line.end
    canvas.claim([(candidate.line.start, candidate.line.end) for candidate in found])
    return found


def _fitting(canvas: Canvas, match: re.Match[str], floor: int, catalog: HardwareCatalog) -> Framed:
    """The core with its attributes; a following size that is not this GPU's belongs to what follows."""
    framed = canvas.frame(match.start(), match.end(), _ATTRIBUTE, floor)
    if catalog.names.read(f"{match['family']} {framed.attributes}") is None and catalog.names.read(match["family"]):
        size = re.search(r"\d{2,3}\s?g", canvas.text[match.end() : framed.end])
        if size is not None:
            short = Canvas(canvas.text[: match.end() + size.start()])
            narrow = short.frame(match.start(), match.end(), _ATTRIBUTE, floor)
            if catalog.names.read(f"{match['family']} {narrow.attributes}") is not None and narrow.count is not None:
                return narrow
    return framed


def _candidate(family: str, framed: Framed, source: str, text: str, catalog: HardwareCatalog) -> Candidate | None:
    attributes, end, count = framed.attributes, framed.end, framed.count
    is_short = bool(_SHORT.fullmatch(family))
    if is_short and (count is None or framed.is_count_loose) and not _EVIDENCE.search(attributes):
        return None
    if count is None and (trailing := _TRAILING.match(text, end)) and "gb" in attributes:
        count, end = int(trailing[1]), trailing.end()
    named = catalog.names.read(f"{family} {attributes}")
    details = _details(attributes)
    text_read = source[framed.start : end].strip()
    certainty: Certainty = "read"
    if named is None:
        value = " ".join(source[framed.start : end].split()) if catalog.names.read(family) else family.upper()
        slugs: tuple[str, ...] = ()
        certainty = "guess" if catalog.names.read(family) is None else "likely"
        value = catalog.names.read(family).slugs[0] if certainty == "likely" else value  # type: ignore[union-attr]
    else:
        slugs, value = named.slugs, named.slugs[0]
        certainty = "read" if named.is_certain else "likely"
    if count is not None and (framed.is_count_loose or count > _MOST_GPUS):
        certainty = "likely" if certainty == "read" and count <= _MOST_GPUS else "guess"
    line = Line("gpu", value, count, text_read, certainty, framed.start, end, details)
    return Candidate(line, slugs, named is not None and not named.is_certain)


def _details(attributes: str) -> tuple[tuple[str, int], ...]:
    details = []
    if memory := re.search(r"(\d{2,3})\s?(?:gi?b|гб|g)", attributes):
        details.append(("memory_gb", int(memory[1])))
    if power := re.search(r"(\d{2,4})\s?(?:w|bt)\b", attributes):
        details.append(("power_w", int(power[1])))
    return tuple(details)


def settled(candidate: Candidate, platform: Platform | None, gpus: dict[str, Gpu]) -> Line:
    """The line with its form factor decided by what the platform takes, where the text left it open."""
    if not candidate.is_open or platform is None:
        return candidate.line
    supported = [slug for slug in candidate.slugs if platform.support_for(slug)]
    fitting = supported or [slug for slug in candidate.slugs if gpus[slug].socket in platform.sockets]
    if not fitting:
        return candidate.line
    return replace(candidate.line, value=fitting[0], certainty=_weaker(candidate.line.certainty, len(fitting)))


def _weaker(certainty: Certainty, choices: int) -> Certainty:
    return "guess" if certainty == "guess" or choices > 2 else "likely"
