"""Platform names as people write them: whole ones, and beginnings that several models share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sizing.hardware import Platform
from sizing.hardware_data.names import squashed

GPU_NAME = re.compile(r"(?<![a-z0-9])(?:h|b|a|gb)\d{3}(?![a-z0-9])", re.IGNORECASE)
_RUN = re.compile(r"[a-z0-9+]+")
_LONGEST_NAME = 6
_CHASSIS = re.compile(r"(?=.*\d.*\d)(?=.*[a-z])[a-z0-9]{4,}$")
_NOT_CHASSIS = re.compile(r"gen\d+$|v\d$|m\d$")
_SERIES = re.compile(r"^(?:SYS|AS|SSG|ARS)-")
_SHORTEST_GUESS = 4


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
        self._whole: dict[str, dict[str, Platform]] = {}
        self._part: dict[str, dict[str, Platform]] = {}
        for platform in platforms:
            for name in platform_names(platform):
                self._add(self._whole, squashed(name), platform)
                for part in _parts_of(name, platform.vendor):
                    self._add(self._part, part, platform)

    @staticmethod
    def _add(index: dict[str, dict[str, Platform]], name: str, platform: Platform) -> None:
        index.setdefault(name, {})[platform.slug] = platform

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
            if offset and text[runs[place + offset - 1][1] : start].strip(" -_"):
                break
            name += run
            names.append((name, end))
        for index, is_whole in ((self._whole, True), (self._part, False)):
            for length in range(len(names), 0, -1):
                name, end = names[length - 1]
                if name in index:
                    candidates = (
                        list(index[name].values()) if is_whole else self._sharing(name, runs[place : place + length])
                    )
                    if not is_whole and self._starts_whole(text, runs, place + 1, place + length):
                        return None, 1
                    return Found(runs[place][0], end, tuple(candidates), is_whole), length
        return None, 1

    def _starts_whole(self, text: str, runs: list[tuple[int, int, str]], first: int, last: int) -> bool:
        """Whether a whole name begins inside a partial one: ``ProLiant DL380a Gen12``."""
        for place in range(first, last):
            name = ""
            for _, _, run in runs[place : place + _LONGEST_NAME]:
                name += run
                if name in self._whole:
                    return True
        return False

    def _sharing(self, name: str, runs: list[tuple[int, int, str]]) -> list[Platform]:
        """Platforms with this part or with one of its words: ``ProLiant DL380a`` is in two generations' names."""
        words = [name, *(run for _, _, run in runs if _CHASSIS.match(run) and not _NOT_CHASSIS.match(run))]
        return list({slug: p for word in words for slug, p in self._part.get(word, {}).items()}.values())


def _parts_of(name: str, vendor: str) -> set[str]:
    """Beginnings of a model name, and the chassis number alone: ``sys821ge`` and ``821ge``."""
    words = re.findall(r"[a-z0-9+]+", name.lower().removeprefix(vendor.lower()))
    words = [word for word in words if not GPU_NAME.fullmatch(word)]
    starts = {"".join(words[:length]) for length in range(1, len(words) + 1)}
    parts = {start for start in starts if len(start) >= _SHORTEST_GUESS and any(c.isdigit() for c in start)}
    parts |= {word for word in words if _CHASSIS.match(word) and not _NOT_CHASSIS.match(word)}
    return parts


def platform_names(platform: Platform) -> tuple[str, ...]:
    """What people call a platform: each model name of the row, without a remark, with and without the maker."""
    models = [model.split("(")[0].strip() for model in platform.model.split(" / ")]
    families = ("PowerEdge ", "ThinkSystem ", "ProLiant Compute ", "ProLiant ", "Cray ", "UCS ")
    short = [model.removeprefix(family) for model in models for family in families if model.startswith(family)]
    short += [_SERIES.sub("", model) for model in models if _SERIES.match(model)]
    return tuple(dict.fromkeys(name for model in (*models, *short) for name in (model, f"{platform.vendor} {model}")))
