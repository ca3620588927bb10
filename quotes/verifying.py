"""Is this PDF ours, unaltered, and would the engine say the same today?"""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

import pypdf
from pypdf.errors import PyPdfError

import sizing
from quotes import engine, keeping, snapshot
from quotes.models import Document, Issuer


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found, line by line, and whether everything that could be checked is in order."""

    is_ours: bool
    lines: list[str] = field(default_factory=list)
    is_in_order: bool = False


def verify(content: bytes) -> Verdict:
    """Check the hash always, the attached calculation where there is one, and the result where the engine is the same.

    Parameters
    ----------
    content : bytes
        The PDF as the customer holds it.
    """
    digest = hashlib.sha256(content).hexdigest()
    document = Document.objects.select_related("quote__issuer", "request").filter(sha256=digest).first()
    lines = [f"SHA-256 {digest}"]
    if document is None:
        lines.append("Not a document of this installation, or altered since it was rendered")
    else:
        lines.append(_who(document))
    frozen = attached(content)
    if frozen is None:
        lines.append("No calculation is attached")
        return Verdict(document is not None, lines, is_in_order=document is not None)
    agrees = True
    if document is not None:
        agrees = snapshot.digest(frozen) == snapshot.digest(document.snapshot)
        lines.append(
            "The attached calculation is the stored one" if agrees else "The attached calculation is NOT the stored one"
        )
    same, words = recompute(frozen)
    lines.append(words)
    return Verdict(document is not None, lines, is_in_order=document is not None and agrees and same)


def _who(document: Document) -> str:
    quote = document.quote
    name = quote.full_number if quote is not None and quote.number else document.request.reference
    status = f", the quote is {quote.shown_status}" if quote is not None else ""
    issuer = quote.issuer if quote is not None else Issuer.current()
    of = f"{document.created_at.astimezone(ZoneInfo(issuer.time_zone)):%Y-%m-%d}"
    return f"Ours, unaltered: {name}, {document.kind}, {document.language}, of {of} ({issuer.time_zone}){status}"


def attached(content: bytes) -> dict[str, Any] | None:
    """Give the calculation attached to a PDF; None where there is none that can be read."""
    try:
        files = pypdf.PdfReader(io.BytesIO(content)).attachments
        for name, contents in files.items():
            if name.endswith(".json"):
                found = json.loads(contents[0])
                return found if isinstance(found, dict) else None
    except (PyPdfError, ValueError, KeyError, OSError):
        return None
    return None


def recompute(frozen: dict[str, Any]) -> tuple[bool, str]:
    """Ask the engine again with the frozen input over the catalog of that day, which was kept with the estimate."""
    version = frozen.get("engine")
    if version != sizing.__version__:
        return True, f"Calculated by engine {version}; this is {sizing.__version__}: install {version} to recompute"
    try:
        output = _answered_again(frozen)
    except keeping.CatalogDamagedError as error:
        return False, f"NOT recomputed: {error}"
    if output is None:
        return True, "Not recomputed: the catalog has changed since, and the one of that day was not kept"
    same = snapshot.digest(output) == snapshot.digest(frozen.get("output") or {})
    return same, "Recomputed: the same result" if same else "Recomputed: ANOTHER result"


def _answered_again(frozen: dict[str, Any]) -> dict[str, Any] | None:
    asked, fingerprint = frozen.get("input") or {}, str(frozen.get("catalog") or "")
    kept = keeping.kept_catalog(fingerprint)
    if kept is not None:
        return engine.recommend_over(asked, kept)
    answer = engine.recommend(asked)
    return answer.output if answer.catalog_fingerprint == fingerprint else None
