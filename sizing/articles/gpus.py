"""GPUs in an article: family, form factor, memory and count; a bare "H200" waits for the platform to decide."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sizing.articles.alike import pattern
from sizing.articles.reading import Certainty, Line
from sizing.articles.sizes import MODULES_GB
from sizing.articles.text import Canvas, Framed
from sizing.hardware import Gpu, Platform
from sizing.hardware_data.catalog import HardwareCatalog
from sizing.hardware_data.names import Named

_FAMILY = pattern(
    r"(?:(?<![a-z0-9.])|(?<=[\d\s_][x*])|(?<=[dh]gx)|(?<=[\s,;/-]\d)(?=[hb]\d00|gb\d|l40|a100|mi3))"
    r"(?P<family>rtx[\s-]{0,4}pro[\s-]{0,4}\d{4}|(?:quadro[\s-]{0,4})?rtx[\s-]{0,4}(?:a?[2-6]0\d0"
    r"|6000)(?:[\s-]?(?:ti|super|d)(?![a-z]))?(?:[\s-]{0,4}ada)?|[345]0[89]0d?|a[456]000|p100|p40"
    r"|ascend\s?910[a-d]?|mtt\s?s\d{4}|6000[\s-]{0,4}ada"
    r"|gb[23]00|gh200|[hb][1238]00|h20|a100|a800|v100s?|l40s?|l4|l20|l2|t4|a2|a10|a16|a30|a40|mi\s?[1-4]\d{2}[xaп]?"
    r"|gaudi[\s-]{0,4}[23]|radeon[\s-](?:pro[\s-])?(?:w|v|rx\s?)\d{3,4}\w{0,3}|h800)(?=(?:sxm\d?|nvl|pcie)\b|[\s_,;:/()\[\]+x*.=\x00-]|s(?![a-z0-9])|$)"
)
_ATTRIBUTES = (
    r"nvidia|instinct|tesla|geforce|hgx|\d{1,2}[\s-]?(?:gpus?|oam)|gpus?|видеокарт\w?|ускорител\w{1,3}|карт[аы]?|граф\w{0,12}"
    r"|sxm\d?|nvl|pcie(?:\s?(?:gen\s?)?[3-6](?:\.0)?(?!\s?(?:шт|pcs|stk)))?(?:\s?x16)?|oam|hbm\d?e?|gddr\d|server[\s-]edition"
    r"|workstation[\s-]edition|hl-\d{3}\w?|(?<=blackwell\s)(?:server|workstation)|(?<=6000\s)(?:server|workstation)"
    r"|low[\s-]profile|grace|habana|bw|bse|se|ws|max-?q|blackwell|hopper|ampere|ada(?:[\s-]{0,4}(?:generation|lovelace))?|generation|tensor\s?core"
    r"|oem(?![a-z])|bulk|retail|ecc|(?<=h20-)3e|nvl\d{1,2}(?!\s?(?:bridge|мост))|[248]\s?x\s?(?:40|80|94|96|141|1[89]\d|256|2[678]\d)\s?gb|accelerators?|modules?|card|passive|dual[\s-]slot|graphics"
    r"|\d{2,4}\s?(?:gi?b|гб|g)(?:\s?hbm\d?e?)?|(?:1[0-4]\d\d|\d{2,3})\s?(?:w|вт)"
)
_ATTRIBUTE = pattern(rf"(?:{_ATTRIBUTES})(?![a-z0-9])|\d{{2,3}}gb(?=x\d)")
_BEFORE = pattern(
    r"(?:nvidia|amd|intel|instinct|tesla|geforce|habana|hgx|gpus?|видеокарт\w?|ускорител\w{1,3}|карт[аы]?|граф\w{0,12}"
    r"|sxm\d?|pcie)"
    r"(?![a-z0-9])"
)
_TRAILING = re.compile(r"-(\d{1,2})(?![\w.+])")
_BOX = re.compile(r"(?:perc|raid|hba|smart\s?array)[\s-]{0,4}$")
_SHORT = re.compile(r"(?:[lat]\d{1,2}|[345]0[89]0d?|a[456]000|p\d{2,3})$")
_EVIDENCE = re.compile(r"nvidia|tesla|gpu|\d\s?g|pcie|graphics|гb|видe")
_GPU_COUNT = re.compile(r"(?<!\d)(\d{1,2})[\s-]?(?:gpu|oam)")
_RACK = re.compile(r"nvl([48]|\d{2})(?!\d)")
_RACKED = re.compile(r"gb\d|b300")
_DIES = {"b300": {"16": 8}}
_BOARD = re.compile(r"(?<!\d)([248])\s?x\s?\d{2,3}\s?gb")
_MOST_GPUS = 576
_ODD_SIZE = "\x01"
"""Stands in the attributes of a card beside which a size is printed that it does not come in ("RTX 4090 48GB")."""
_ITEM_START, _ITEM_END = re.compile(r"[,;/|\x00]\s*$"), re.compile(r"\s*(?:[,;/|]|$)")
_MAX_Q = re.compile(r"max-?q")


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
    framed = canvas.frame(match.start(), match.end(), _ATTRIBUTE, floor, before=_BEFORE)
    if catalog.names.read(f"{match['family']} {framed.attributes}") is None and catalog.names.read(match["family"]):
        size = re.search(r"(\d{2,3})\s?g", canvas.text[match.end() : framed.end])
        if size is not None and int(size[1]) in MODULES_GB:
            short = Canvas(canvas.text[: match.end() + size.start()])
            narrow = short.frame(match.start(), match.end(), _ATTRIBUTE, floor, before=_BEFORE)
            is_bare = _SHORT.fullmatch(match["family"]) and narrow.count is None
            if not is_bare and catalog.names.read(f"{match['family']} {narrow.attributes}") is not None:
                is_own = not canvas.text[match.end() : match.end() + size.start()].strip() and narrow.count is None
                return replace(narrow, attributes=f"{narrow.attributes} {_ODD_SIZE}") if is_own else narrow
    return framed


def _candidate(family: str, framed: Framed, source: str, text: str, catalog: HardwareCatalog) -> Candidate | None:
    attributes = framed.attributes
    is_named = framed.count is not None and not framed.is_count_loose
    is_item = framed.count is not None and _is_item(text, framed)
    if _SHORT.fullmatch(family) and not is_named and not is_item and not _EVIDENCE.search(attributes):
        return None
    count, end, is_inferred = _counted(family, framed, text)
    named = catalog.names.read(f"{family} {attributes}") or _by_total(family, attributes, catalog)
    of_family = named or catalog.names.read(family)
    certainty: Certainty = "guess" if of_family is None else "read" if named and named.is_certain else "likely"
    if count is not None and is_inferred:
        certainty = _weaker(certainty, 1)
    if count is not None and count > _MOST_GPUS:
        certainty = "guess"
    value = of_family.slugs[0] if of_family else family.upper()
    details = _details(attributes)
    if _ODD_SIZE in attributes:
        certainty = _weaker(certainty, 1)
    if _MAX_Q.search(attributes):
        certainty, details = _weaker(certainty, 1), (*details, ("variant", "Max-Q"))
    text_read = source[framed.start : end].strip()
    line = Line("gpu", value, count, text_read, certainty, framed.start, end, details)
    return Candidate(line, named.slugs if named else (), named is not None and not named.is_certain)


def _is_item(text: str, framed: Framed) -> bool:
    """Whether count and name are a whole item of a list: ``2 480GB SSD, 2 L4, 2 1000W``."""
    starts = _ITEM_START.search(text, max(0, framed.start - 4), framed.start)
    return starts is not None and _ITEM_END.match(text, framed.end) is not None


def _counted(family: str, framed: Framed, text: str) -> tuple[int | None, int, bool]:
    """Count, where the line ends, and whether the count is only inferred: ``H200 8-GPU``, ``B200-180GB-8``."""
    if (rack := _RACK.search(framed.attributes)) and _RACKED.match(family):
        each = _DIES.get(family, {}).get(rack[1], int(rack[1]))
        return each * (framed.count or 1) if framed.count != each else each, framed.end, True
    named = _GPU_COUNT.search(framed.attributes)
    if framed.count == 1 and named and "hgx" in framed.attributes:
        return int(named[1]) or None, framed.end, True
    if framed.count is not None:
        return framed.count, framed.end, framed.is_count_loose
    if board := _BOARD.search(framed.attributes):
        return int(board[1]), framed.end, True
    if named:
        return int(named[1]) or None, framed.end, True
    if "gb" in framed.attributes and (trailing := _TRAILING.match(text, framed.end)):
        return int(trailing[1]) or None, trailing.end(), True
    return None, framed.end, False


def _by_total(family: str, attributes: str, catalog: HardwareCatalog) -> Named | None:
    """A board's memory in all names its GPU too: ``DGX A100 320GB`` has eight of 40 GB."""
    printed = re.search(r"(\d{3,4})\s?gb", attributes)
    if printed is None:
        return None
    others = attributes.replace(printed[0], "")
    each = [int(printed[1]) // count for count in (8, 4, 2) if int(printed[1]) % count == 0]
    return next((named for size in each if (named := catalog.names.read(f"{family} {others} {size}gb"))), None)


def _details(attributes: str) -> tuple[tuple[str, int | str], ...]:
    details: list[tuple[str, int | str]] = []
    if memory := re.search(r"(?<!\d)(\d{2,3})\s?(?:gi?b|гб|g)", attributes):
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
