"""Server models in an article: those of the catalog by any usual spelling, others by the look of their makers' codes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sizing.articles.reading import Certainty, Line
from sizing.articles.text import Canvas, pattern
from sizing.hardware import Platform
from sizing.hardware_data.catalog import platform_names, squashed

_RUN = re.compile(r"[a-z0-9+]+")
_LONGEST_NAME = 6
_GPU_NAME = re.compile(r"\b(?:h|b|a|gb)\d{3}\b", re.IGNORECASE)
_CHASSIS = re.compile(r"(?=.*\d.*\d)(?=.*[a-z])[a-z0-9]{4,}$")
_NOT_CHASSIS = re.compile(r"gen\d+$|v\d$|m\d$")
_COUNT = pattern(r"(?<![\d.])(\d{1,3})\s?(?:x|\*|шт\.?)\s*(?:[a-z]+\s+)?$")
_SHORTEST_GUESS = 4

_UNKNOWN: tuple[tuple[re.Pattern[str], Certainty], ...] = tuple(
    (pattern(rf"(?<![a-z0-9])(?:{expression})(?![a-z0-9])"), certainty)
    for expression, certainty in (
        (r"(?:sys|as|ssg|ars|ssv)\s?-\s?-?[\da-f]\d{2,4}[a-z]{1,3}-[a-z0-9]{2,7}(?:-lcc|-lc)?", "likely"),
        (r"(?:sys|as|ssg|ars)-[\da-f]\d{2,4}[a-z]{1,3}", "guess"),
        (r"(?:(?:dell\s+)?poweredge\s+|dell\s+)(?:xe|r|t|c|mx)\d{3,4}(?:xa|xd2?|xs|l)?|xe\d{4}l?|r\d60xa", "likely"),
        (r"(?:hpe?\s+)?(?:proliant\s+)?(?:compute\s+)?dl\d{3}a?(?:[\s-]*gen\s?\d{2}(?:\s?plus)?)?", "likely"),
        (r"(?:hpe\s+)?cray\s+(?:xd|ex)\d{3,4}[a-z]?", "likely"),
        (r"(?:lenovo\s+)?(?:thinksystem\s+)?s[rt]\d{3}[a-z]?\s*v\d", "likely"),
        (r"(?:gigabyte\s+)?g\d{3}-[a-z]{1,2}\d{1,2}(?:-[a-z]{3}\d?)?", "likely"),
        (r"(?:asus\s+)?esc\d{4}[a-z]?-e\d{2}[a-z]?|(?:asus\s+)?esc\s?n\d[a-z]?-e\d{2}[a-z]?", "likely"),
        (r"(?:inspur\s+|инспур\s+)?nf\d{4}[a-z]\d", "likely"),
        (r"(?:xfusion\s+)?(?:fusionserver\s+)?g\d{4}\s?v\d", "likely"),
        (r"(?:h3c\s+)?(?:uniserver\s+)?r\d{4}\s?g\d", "likely"),
        (r"nettrix\s+x\d{3}(?:\s?g\d{2})?", "likely"),
        (r"(?:yadro\s+)?vegman\s+[a-z]\d{3}(?:\s?g\d)?", "likely"),
        (r"(?:аквариус|aquarius)\s+[a-zа-я]{0,6}\s?[a-z]?\d{2,4}[\w-]*", "guess"),
        (r"(?:гравитон|graviton)\s+[a-zа-я]?\d{4}[a-zа-я]{0,3}", "guess"),
        (r"(?:nvidia\s+)?dgx[\s-](?:station|spark|[a-z]\d{3})", "likely"),
        (r"(?:cisco\s+)?ucs\s+[a-z]\d{3}[a-z]?\s?m\d", "likely"),
        (r"s-[a-z]?\d{2,4}[a-z]{2}(?=-)", "guess"),
    )
)


@dataclass(frozen=True, slots=True)
class Found:
    """A platform name in the text; several candidates where the name is only a part of theirs."""

    start: int
    end: int
    candidates: tuple[Platform, ...]
    is_whole: bool


class PlatformNames:
    """Catalog platforms by every run of letters and digits that can stand for them."""

    def __init__(self, platforms: Iterable[Platform]) -> None:
        self._whole: dict[str, list[Platform]] = {}
        self._part: dict[str, list[Platform]] = {}
        for platform in platforms:
            for name in platform_names(platform):
                self._add(self._whole, squashed(name), platform)
                for part in _parts_of(name, platform.vendor):
                    self._add(self._part, part, platform)

    @staticmethod
    def _add(index: dict[str, list[Platform]], name: str, platform: Platform) -> None:
        if platform not in index.setdefault(name, []):
            index[name].append(platform)

    def find(self, text: str) -> list[Found]:
        """Names in folded text, left to right, the longest at each place."""
        runs = [(match.start(), match.end(), match[0]) for match in _RUN.finditer(text)]
        found, place = [], 0
        while place < len(runs):
            hit, used = self._at(text, runs, place)
            if hit is not None:
                found.append(hit)
            place += used
        return found

    def _at(self, text: str, runs: list[tuple[int, int, str]], place: int) -> tuple[Found | None, int]:
        names, name = [], ""
        for offset in range(min(_LONGEST_NAME, len(runs) - place)):
            start, end, run = runs[place + offset]
            if offset and not text[runs[place + offset - 1][1] : start].strip(" -_") == "":
                break
            name += run
            names.append((name, end))
        for index, is_whole in ((self._whole, True), (self._part, False)):
            for length in range(len(names), 0, -1):
                name, end = names[length - 1]
                if name in index:
                    candidates = index[name] if is_whole else self._sharing(name, runs[place : place + length])
                    return Found(runs[place][0], end, tuple(candidates), is_whole), length
        return None, 1

    def _sharing(self, name: str, runs: list[tuple[int, int, str]]) -> list[Platform]:
        """Platforms with this part or with one of its words: ``ProLiant DL380a`` is in two generations' names."""
        words = [name, *(run for _, _, run in runs if _CHASSIS.match(run) and not _NOT_CHASSIS.match(run))]
        return list({p.slug: p for word in words for p in self._part.get(word, ())}.values())


def _parts_of(name: str, vendor: str) -> set[str]:
    """Beginnings of a model name, and the chassis number alone: ``sys821ge`` and ``821ge``."""
    words = re.findall(r"[a-z0-9+]+", name.lower().removeprefix(vendor.lower()))
    words = [word for word in words if not _GPU_NAME.fullmatch(word)]
    starts = {"".join(words[:length]) for length in range(1, len(words) + 1)}
    parts = {start for start in starts if len(start) >= _SHORTEST_GUESS and any(c.isdigit() for c in start)}
    parts |= {word for word in words if _CHASSIS.match(word) and not _NOT_CHASSIS.match(word)}
    if words and words[0] == "dgx":
        parts.add("dgx")
    return parts


def read_platforms(canvas: Canvas, source: str, names: PlatformNames) -> list[tuple[Line, tuple[Platform, ...]]]:
    """Platform lines with the catalog platforms each may be; `value` is set for good once the GPUs are known."""
    found: list[tuple[Line, tuple[Platform, ...]]] = []
    spans = []
    for hit in names.find(canvas.text):
        certainty: Certainty = "read" if hit.is_whole and len(hit.candidates) == 1 else "likely"
        end = _without_gpu(canvas.text, hit)
        count, start = _count(canvas.text, hit.start)
        text = source[start:end].strip()
        found.append((Line("platform", hit.candidates[0].slug, count, text, certainty, start, end), hit.candidates))
        spans.append((start, end))
    canvas.claim(spans)
    for expression, certainty in _UNKNOWN:
        new = []
        for match in expression.finditer(canvas.text):
            count, start = _count(canvas.text, match.start())
            value = " ".join(source[match.start() : match.end()].upper().split())
            text = source[start : match.end()]
            new.append((Line("platform", value, count, text, certainty, start, match.end()), ()))
        canvas.claim([(line.start, line.end) for line, _ in new])
        found += new
    return sorted(found, key=lambda pair: pair[0].start)


def _count(text: str, start: int) -> tuple[int, int]:
    match = _COUNT.search(text, max(0, start - 16), start)
    return (int(match[1]), match.start()) if match else (1, start)


def _without_gpu(text: str, hit: Found) -> int:
    """A GPU at the end of a platform's name is read as GPU too: ``ESC N8 H200``, ``DGX H200``."""
    match = _GPU_NAME.search(text, hit.start, hit.end)
    return match.start() if match and match.end() == hit.end and match.start() > hit.start else hit.end
