"""Which quotes a row of the catalog touches. The quotes register how to find out; the catalog does not know them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Touched:
    """One open or sent quote that uses a row."""

    title: str
    address: str
    is_open: bool
    waiting_since: object = None


Finder = Callable[[Iterable[str] | None], Mapping[str, list[Touched]]]

_finders: list[Finder] = []


def register(finder: Finder) -> None:
    """Take a function that finds, for short names of parts and articles, the quotes whose lines name them.

    Asked with None it gives every short name that an open quote names.
    """
    if finder not in _finders:
        _finders.append(finder)


def of(slug: str) -> list[Touched]:
    """Quotes that use one row. Runs the queries of the registered finders."""
    return of_many([slug]).get(slug, [])


def waiting() -> dict[str, list[Touched]]:
    """Open quotes by every short name that they use."""
    found: dict[str, list[Touched]] = {}
    for finder in _finders:
        for slug, quotes in finder(None).items():
            found.setdefault(slug, []).extend(quote for quote in quotes if quote.is_open)
    return found


def of_many(slugs: Iterable[str]) -> dict[str, list[Touched]]:
    """Quotes that use rows, by short name; the number of queries does not grow with the rows."""
    wanted = list(dict.fromkeys(slugs))
    found: dict[str, list[Touched]] = {}
    for finder in _finders:
        for slug, quotes in finder(wanted).items():
            found.setdefault(slug, []).extend(quotes)
    return found
