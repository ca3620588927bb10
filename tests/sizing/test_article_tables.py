"""Tables of articles in many hands: how much of them is read right, and that nothing wrong is certain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from sizing import articles
from sizing.articles.reading import Line
from sizing.hardware_data import squashed

DATA = Path(__file__).parents[1] / "data"
TABLES = (
    "articles_varied", "articles_fresh", "articles_further", "articles_third", "articles_plain", "articles_fourth",
    "articles_fifth", "articles_sixth", "articles_seventh",
    "articles_eighth", "articles_ninth",
)  # fmt: skip
LEAST_SHARE = 0.97


@dataclass(frozen=True)
class Expected:
    """One component that a careful reader takes from a text."""

    kind: str
    values: tuple[str, ...]
    counts: tuple[int | None, ...]

    def has_value(self, line: Line) -> str | None:
        """The spelling of the expectation that a line's value agrees with."""
        return next((value for value in self.values if line.kind == self.kind and _is_same(value, line)), None)


def _is_same(expected: str, line: Line) -> bool:
    name = expected.removesuffix("?")
    if isinstance(line.value, int | float):
        return bool(re.fullmatch(r"[\d.]+", name)) and float(name) == pytest.approx(line.value)
    if line.kind == "platform":
        return squashed(name) in squashed(line.value)
    return name.casefold() == line.value.casefold()


def _expected(reads: str) -> list[Expected]:
    found = []
    for part in filter(None, map(str.strip, reads.split(";"))):
        kind, rest = part.split(" ", 1)
        counted = re.search(r" x(\d+(?:\|\d+)*)$", rest)
        counts = tuple(int(number) for number in counted[1].split("|")) if counted else (None,)
        found.append(Expected(kind, tuple((rest[: counted.start()] if counted else rest).split("|")), counts))
    return found


def _rows(table: str) -> Iterator[tuple[str, list[Expected], list[Line]]]:
    for row in yaml.safe_load((DATA / f"{table}.yaml").read_text(encoding="utf-8")):
        lines = [line for line in articles.read(row["text"]).lines if line.kind != "other"]
        yield row["text"], _expected(row["reads"]), lines


def _found(expected: Sequence[Expected], lines: Sequence[Line]) -> list[tuple[Expected, Line | None]]:
    left = list(lines)
    pairs: list[tuple[Expected, Line | None]] = []
    for component in expected:
        line = next((line for line in left if line.count in component.counts and component.has_value(line)), None)
        if line is not None:
            left.remove(line)
        pairs.append((component, line))
    return pairs


@pytest.mark.parametrize("table", TABLES)
def test_components_are_read_right(table: str) -> None:
    pairs = [(text, pair) for text, expected, lines in _rows(table) for pair in _found(expected, lines)]
    missed = [(text[:60], component) for text, (component, line) in pairs if line is None]

    assert len(pairs) > 100
    assert 1 - len(missed) / len(pairs) >= LEAST_SHARE, missed


@pytest.mark.parametrize("table", TABLES)
def test_nothing_wrong_is_certain(table: str) -> None:
    wrong = []
    for text, expected, lines in _rows(table):
        for line in lines:
            agreeing = [
                value for component in expected if line.count in (*component.counts, None)
                and (value := component.has_value(line))
            ]  # fmt: skip
            if line.certainty == "read" and not any(not value.endswith("?") for value in agreeing):
                wrong.append((text[:60], line))

    assert wrong == []
