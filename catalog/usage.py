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


Group = frozenset[str]
"""Names that a quote uses together, e.g. a platform and a GPU."""

Finder = Callable[[Iterable[str] | None], Mapping[str, list[Touched]]]

_finders: list[Finder] = []


def register(finder: Finder) -> None:
    """Take a function that finds, for names of rows, the quotes that use them.

    A name is the short name of a part or an article, or what `article`, `model` or `currency` give. Asked with None
    it gives every short name that an open quote names.
    """
    if finder not in _finders:
        _finders.append(finder)


def article(text: str) -> str:
    """Name of an article as it is written: short names hold no colon."""
    return f"article:{text.casefold().strip()}"


def model(slug: str) -> str:
    """Name of a language model."""
    return f"model:{slug}"


def currency(code: str) -> str:
    """Name of all that is counted in a currency."""
    return f"currency:{code}"


def touched(groups: Iterable[Group]) -> list[Touched]:
    """Quotes that use all names of any of the groups. Runs the queries of the registered finders."""
    wanted = list(groups)
    by_name = {
        name: {quote.address: quote for quote in quotes} for name, quotes in of_many(frozenset().union(*wanted)).items()
    }
    found: dict[str, Touched] = {}
    for group in wanted:
        named = [by_name.get(name, {}) for name in group]
        shared = set(named[0]).intersection(*named[1:]) if named else set()
        found |= {address: named[0][address] for address in shared}
    return list(found.values())


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
