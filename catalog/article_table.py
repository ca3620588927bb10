"""Several articles read at once: what each says, what was not understood, and what that may have meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from catalog.article_files import Reader, Written
from catalog.article_page import Asked, asked_of, verdict_of
from catalog.intake import LONGEST_KEPT
from catalog.matching import variant_of, written
from catalog.models import Part, Sku
from sizing.hardware_data import squashed

_ALIKE = str.maketrans("oiılzs", "011125")
_COUNT = re.compile(r"^\d{1,3}\s*[xх×*]\s*|\s*[xх×*]\s*\d{1,3}$", re.IGNORECASE)
_KINDS = [Part.Kind.GPU, Part.Kind.PLATFORM, Part.Kind.CPU]
NEAR = 0.8
SHORTEST = 3
MOST_PROPOSALS = 3
MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Read:
    """One part that an article names."""

    title: str
    quantity: int | None
    is_certain: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """A piece that was not understood, and the name of the catalog that it may have meant."""

    text: str
    meant: str


@dataclass(slots=True)
class ArticleRow:
    """One article of a list, with what was read and what can be done with it."""

    line: int
    article: str
    fault: str = ""
    parts: list[Read] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    verdict: dict[str, Any] | None = None
    is_kept: bool = False
    address: str = ""

    @property
    def shown(self) -> list[Read]:
        """Parts in words, each once and not more than a table has room for."""
        return list(dict.fromkeys(self.parts))[:MOST_SHOWN]

    @property
    def further(self) -> int:
        """How many other parts were read."""
        return len(self.parts) - len(self.shown)

    @property
    def may_be_kept(self) -> bool:
        """Whether the catalog could take it: something was read, and it is not there yet."""
        return bool(self.parts) and not self.is_kept and len(self.article) <= LONGEST_KEPT


class Names:
    """Names of the catalog by which a piece of text may have been meant. Runs one query."""

    def __init__(self) -> None:
        self.titles: dict[str, str] = {}
        self.near: dict[str, str] = {}
        for slug, vendor, name in Part.objects.filter(kind__in=_KINDS).values_list("slug", "vendor", "name"):
            self.titles[slug] = f"{vendor} {name}".strip()
            words = name.split()
            for length in range(1, len(words) + 1):
                self.near.setdefault(_alike(" ".join(words[:length])), " ".join(words[:length]))

    def proposals(self, pieces: Iterable[str]) -> list[Proposal]:
        """What pieces that were not understood may have meant, the nearest name of each."""
        found = []
        for piece in pieces:
            text = _alike(_COUNT.sub("", piece))
            if len(text) >= SHORTEST and any(sign.isdigit() for sign in text):
                found += [
                    Proposal(piece, self.near[name])
                    for name in difflib.get_close_matches(text[:40], self.near, n=1, cutoff=NEAR)
                ]
        return found[:MOST_PROPOSALS]


def _alike(text: str) -> str:
    return squashed(text).translate(_ALIKE)


def table_of(lines: Sequence[Written], read: Reader, *, job: Mapping[str, Any]) -> list[ArticleRow]:
    """Read each line as an article; the number of queries does not grow with the lines.

    Parameters
    ----------
    job : mapping
        What the page of one article is asked beside it: method, model, sequence length.
    """
    names = Names()
    kept = set(Sku.objects.filter(article_folded__in=[line.text.casefold() for line in lines]).values_list(
        "article_folded", flat=True
    ))  # fmt: skip
    return [_row(line, read, names, kept, job) for line in lines]


def _title(part: Mapping[str, Any], names: Names) -> str:
    return written(part) if variant_of(part) else names.titles.get(str(part["value"]), written(part))


def _row(line: Written, read: Reader, names: Names, kept: set[str], job: Mapping[str, Any]) -> ArticleRow:
    if line.fault:
        return ArticleRow(line.line, f"{line.text[:120]}…", fault=line.fault)
    answer = read(line.text)
    if "error" in answer:
        return ArticleRow(line.line, line.text, fault=answer["error"]["message"])
    asked = {"article": line.text, **{name: value for name, value in job.items() if value}}
    return ArticleRow(
        line=line.line,
        article=line.text,
        parts=[Read(_title(part, names), part["count"], part["certainty"] == "read") for part in answer["lines"]],
        unread=answer["unread"],
        proposals=names.proposals(answer["unread"]),
        asked=asked_of(answer),
        conflicts=answer["conflicts"],
        verdict=verdict_of(answer),
        is_kept=line.text.casefold() in kept,
        address=f"{reverse('catalog:article')}?{urlencode(asked)}" if len(line.text) <= LONGEST_KEPT else "",
    )
