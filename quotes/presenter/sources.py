"""Published sources told apart from explanations: only what a reader can look up stands in the list of sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import assumptions
from quotes.presenter.reading import Reading, dig

PUBLICATION = re.compile(
    r"et al\.|arXiv|\b(?:documentation|configuration|report|survey|Monthly|model card|data ?sheet|price|pricing|paper|"
    r"logs? on|TRL|NCCL|nccl-tests|ml-engineering|gpuhunt|support matrix)\b|https?://",
    re.IGNORECASE,
)
MARKET_NOTES = (r"Market price \S+", r"Рыночная цена \S+")
OWN_WORDS = (
    "not stated in the request",
    "usual practice",
    "not measured",
    "no offer of the catalog",
    "our assumption",
    "offer of",
    "no source at hand",
    "price pages of the providers",
    "the customer's own quote",
)
RESEARCH = re.compile(r"^(?:EU |price )?(?:price )?survey [\d-]+(?: section \d+)? (?:reading|citing) ", re.IGNORECASE)


def sources_of(reading: Reading) -> Iterator[tuple[str, str, list[str]]]:
    """Give each published source with its date and the entries that rest on it."""
    uses: dict[tuple[str, str], list[str]] = {}

    def use(source: Any, as_of: Any, what: str) -> None:
        for name in published(str(source or ""), is_dated=bool(as_of)):
            known = uses.setdefault((name, str(as_of or "")), [])
            if what not in known:
                known.append(what)

    for number, one in enumerate(reading.assumptions, 1):
        use(one.get("source"), one.get("as_of"), assumptions.mark(number))
    for number, step in enumerate(reading.estimate.get("derivations") or [], 1):
        use(step.get("source"), step.get("as_of"), f"D{number}")
    if not reading.is_quote:
        for number, line in enumerate(dig(reading.candidate, "lines") or [], 1):
            use(line.get("source"), line.get("as_of"), _("price of part %(number)s") % {"number": number})
    rent = dig(reading.candidate, "economics", "rent") or {}
    for source in rent.get("sources") or []:
        use(source, rent.get("as_of"), _("rent"))
    yield from ((name, as_of, marks) for (name, as_of), marks in uses.items())


def published(text: str, *, is_dated: bool = False) -> list[str]:
    """Give the published source in a text; the part that only explains goes, and so does how a price was collected."""
    whole = " ".join(text.split())
    if not whole or whole.startswith(OWN_WORDS):
        return []
    if is_dated:
        return [RESEARCH.sub("", whole)]
    if not PUBLICATION.search(whole):
        return []
    parts = [part for part in whole.split("; ") if PUBLICATION.search(part)]
    return ["; ".join(RESEARCH.sub("", part) for part in parts)]


def dated(as_of: str) -> str:
    """Give the date of a source; one without a date says so."""
    return as_of or _("undated")


def is_market_note(text: str) -> bool:
    """Say whether a line's remark tells where a market price was read, which is not for the customer."""
    return any(re.match(pattern, text) for pattern in MARKET_NOTES)


def capital(text: str) -> str:
    """Begin a text with a capital letter where it begins with a lower one."""
    return text[:1].upper() + text[1:] if not _is_name(text) else text


def _is_name(text: str) -> bool:
    first = text.partition(" ")[0]
    return any(one in first for one in "-._/") or first in ("bitsandbytes", "vLLM", "torch")


def note_of(line: Mapping[str, Any], *, is_issued: bool) -> str:
    """Give the remark of an order line; what was read on the market stays in the house once it is issued."""
    detail = str(line.get("detail") or "")
    return "" if is_issued and is_market_note(detail) else detail
