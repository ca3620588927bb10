"""From a frozen snapshot to HTML to PDF; the only module that knows WeasyPrint, which is imported when it is needed."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation

from quotes import services, snapshot
from quotes.models import Document, Estimate, Quote
from quotes.presenter.paper import paper

BASE = "https://document.invalid/"
SHEETS = ("css/pdf/quote.css", "css/pdf/tables.css", "css/pdf/draft.css")
FONTS = (
    "Inter-Regular",
    "Inter-Italic",
    "Inter-SemiBold",
    "InterDisplay-SemiBold",
    "IBMPlexMono-Regular",
)
ALLOWED_LINKS = frozenset({"", "http", "https", "mailto"})
VARIANT = "pdf/ua-1"
ATTACHMENT = "calculation.json"

logging.getLogger("weasyprint").setLevel(logging.ERROR)
logging.getLogger("weasyprint.progress").setLevel(logging.ERROR)
logging.getLogger("fontTools").setLevel(logging.ERROR)


def render(frozen: Mapping[str, Any], *, kind: str, language: str) -> bytes:
    """Render a snapshot; the same snapshot gives the same bytes.

    Parameters
    ----------
    frozen
        A snapshot as `quotes.snapshot.freeze` gives it.
    kind
        preliminary, draft, short or full.
    language
        en or ru.
    """
    source = html(frozen, kind=kind, language=language)
    return pdf(source, attachment=snapshot.encode(dict(frozen)), at=_moment(frozen))


def html(frozen: Mapping[str, Any], *, kind: str, language: str) -> str:
    """Give the document as HTML, every figure from the snapshot."""
    with translation.override(language), timezone.override(UTC):
        made = paper(frozen, kind=kind, digest=snapshot.digest(dict(frozen)))
        context = {"paper": made, "language": language, "issuer": _issuer(frozen)}
        return render_to_string("quotes/pdf/document.html", context)


def pdf(source: str, *, attachment: bytes, at: datetime) -> bytes:
    """Turn HTML into a tagged PDF that fetches nothing, with the calculation attached."""
    from weasyprint import HTML, Attachment

    document = HTML(string=source, base_url=BASE, url_fetcher=_fetcher())
    _disarm(document.etree_element)
    calculation = Attachment(
        string=attachment.decode(),
        name=ATTACHMENT,
        description="What was asked and what was answered",
        created=at,
        modified=at,
        relationship="Data",
    )
    content: bytes = document.write_pdf(pdf_variant=VARIANT, attachments=[calculation])
    return content


def render_document(subject: Quote | Estimate, *, kind: str, language: str) -> Document:
    """Render and store the document of a quote or an estimate; what is stored already is given back as it is."""
    quote = subject if isinstance(subject, Quote) else None
    estimate = subject if isinstance(subject, Estimate) else None
    former = services.stored_document(kind=kind, language=language, quote=quote, estimate=estimate)
    if former is not None:
        return former
    frozen = snapshot.of(quote) if quote is not None else snapshot.freeze_estimate(subject)  # type: ignore[arg-type]
    return services.store_document(
        request=subject.request,
        kind=kind,
        language=language,
        content=render(frozen, kind=kind, language=language),
        snapshot=frozen,
        quote=quote,
        estimate=estimate,
    )


def render_draft(quote: Quote, *, language: str) -> bytes:
    """Render the watermarked draft of a quote as it is now; nothing is stored."""
    return render(snapshot.of(quote), kind=Document.Kind.DRAFT, language=language)


def _issuer(frozen: Mapping[str, Any]) -> str:
    return str((frozen.get("issuer") or {}).get("name") or "Sizewright")


def _moment(frozen: Mapping[str, Any]) -> datetime:
    text = str(frozen.get("issued_at") or frozen.get("frozen_at") or "")
    at = datetime.fromisoformat(text) if text else datetime(2000, 1, 1, tzinfo=UTC)
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


@cache
def _assets() -> dict[str, tuple[bytes, str]]:
    """Every file a document may ask for, read once a process: name -> (bytes, media type).

    Fonts are unpacked here: WeasyPrint would unpack the woff2 files anew in every render.
    """
    from fontTools.ttLib.woff2 import decompress  # type: ignore[import-untyped]

    root = Path(settings.BASE_DIR) / "static"
    found = {name: ((root / name).read_bytes(), "text/css") for name in SHEETS}
    for name in FONTS:
        plain = BytesIO()
        decompress(BytesIO((root / "fonts" / f"{name}.woff2").read_bytes()), plain)
        found[f"fonts/{name}.woff2"] = (plain.getvalue(), "font/ttf")
    return found


def _fetcher() -> Any:
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    files = _assets()

    class OwnFiles(URLFetcher):
        """Answers from our own files and refuses everything else, whatever its scheme."""

        def fetch(self, url: str, headers: Any = None) -> Any:
            name = unquote(url.removeprefix(BASE)) if url.startswith(BASE) else ""
            if name not in files:
                raise ValueError(f"not one of the document's own files: {url[:120]}")
            body, media_type = files[name]
            return URLFetcherResponse(url, body, {"Content-Type": media_type})

    return OwnFiles(allowed_protocols=[])


def _disarm(tree: Any) -> None:
    """Keep only links of known schemes, and no attachment that markup asks for."""
    for element in tree.iter("a"):
        if urlsplit(element.get("href", "")).scheme not in ALLOWED_LINKS:
            del element.attrib["href"]
    for element in tree.iter():
        if "attachment" in str(element.get("rel", "")).lower():
            element.attrib.clear()
