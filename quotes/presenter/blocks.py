"""What a section of a document is made of: sentences, tables, pictures, lists; a template draws each by its kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from quotes.presenter import dates
from quotes.presenter.tables import Table

Kind = Literal[
    "prose", "note", "caution", "heading", "table", "picture", "list", "steps", "terms", "quote", "signatures"
]


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list: a status or a term, then words."""

    text: str
    lead: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a section, e.g. a table or a picture with its caption."""

    kind: Kind
    text: str = ""
    lead: str = ""
    table: Table | None = None
    template: str = ""
    picture: Mapping[str, Any] = field(default_factory=dict)
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A section: its fixed number, its finding as a sentence, its blocks; an empty one says why it is empty."""

    key: str
    number: str
    title: str
    finding: str
    blocks: tuple[Block, ...] = ()
    is_empty: bool = False
    starts_page: bool = False
    is_open: bool = False


def prose(text: str) -> Block:
    """Give a paragraph."""
    return Block("prose", text=dates.sentence(text))


def note(text: str) -> Block:
    """Give a remark set off from the text."""
    return Block("note", text=dates.sentence(text))


def caution(lead: str, text: str) -> Block:
    """Give a warning: its lead in bold, then the sentence."""
    return Block("caution", lead=lead, text=dates.sentence(text))


def heading(text: str) -> Block:
    """Give a heading inside a section."""
    return Block("heading", text=text)


def tabled(table: Table) -> Block:
    """Give a table."""
    return Block("table", table=table)


def picture(template: str, drawn: Mapping[str, Any], *, lead: str, text: str = "") -> Block:
    """Give a picture with its caption: the finding in bold, then axes and units."""
    return Block("picture", template=f"charts/{template}.html", picture=drawn, lead=dates.sentence(lead), text=text)


def listed(items: Iterable[Item], kind: Kind = "list") -> Block:
    """Give a list."""
    return Block(kind, items=tuple(replace(one, text=dates.sentence(one.text)) for one in items))


def section(
    key: str,
    number: str,
    title: str,
    finding: str,
    blocks: Sequence[Block | None] = (),
    *,
    starts_page: bool = False,
    is_open: bool = False,
) -> Section:
    """Build a section; without blocks it keeps its heading and says why. `is_open`: a page shows its blocks at once."""
    kept = tuple(one for one in blocks if one is not None)
    return Section(
        key, number, title, dates.sentence(finding), kept, is_empty=not kept, starts_page=starts_page, is_open=is_open
    )
